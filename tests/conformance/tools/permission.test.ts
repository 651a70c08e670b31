// Group 9: which rule counts, in every order, and what a pattern covers; in the words of a configuration that was written for OpenCode.
import { describe, expect, test } from 'vitest';
import { customsOf } from '../../../lib/config/testing';
import { decide, type Effect, matchesWildcard } from '../../../lib/permission/rules';
import { bashTool } from '../../../lib/tools/bash';
import { outcome, toolContext } from '../../../lib/tools/testing';

type Written = Effect | Record<string, Effect | Record<string, Effect>>;
const judged = async (permission: Written, what: string, ...facts: string[]): Promise<Effect> => {
  const { customs } = await customsOf({}, { person: JSON.stringify({ permission }) });
  const request = { permission: what, patterns: facts, always: ['*'] };
  return decide(request, { policy: [...customs.ownRules()], role: [] }, []).effect;
};

describe('the last rule that matches counts', () => {
  test.each<[string, Written, string, string, Effect]>([
    ['one word is for everything', 'deny', 'bash', 'ls', 'deny'],
    ['one word, allowed', 'allow', 'webfetch', 'https://a', 'allow'],
    ['nothing said: ask', {}, 'bash', 'ls', 'ask'],
    ['another permission says nothing', { edit: 'allow' }, 'bash', 'ls', 'ask'],
    ['a permission', { bash: 'deny' }, 'bash', 'ls', 'deny'],
    ['wide, then narrow', { bash: { '*': 'allow', 'rm *': 'deny' } }, 'bash', 'rm x', 'deny'],
    ['wide, then narrow: another', { bash: { '*': 'allow', 'rm *': 'deny' } }, 'bash', 'ls', 'allow'],
    ['narrow, then wide', { bash: { 'rm *': 'deny', '*': 'allow' } }, 'bash', 'rm x', 'allow'],
    ['narrow, then a wide denial', { bash: { 'ls *': 'allow', '*': 'deny' } }, 'bash', 'ls', 'deny'],
    ['a wide denial, then narrow', { bash: { '*': 'deny', 'ls *': 'allow' } }, 'bash', 'ls', 'allow'],
    ['all permissions, then one', { '*': 'deny', bash: 'allow' }, 'bash', 'ls', 'allow'],
    ['one, then all permissions', { bash: 'allow', '*': 'deny' }, 'bash', 'ls', 'deny'],
    ['ask between', { bash: { '*': 'allow', 'git *': 'ask', 'git push *': 'deny' } }, 'bash', 'git log', 'ask'],
    ['deny last', { bash: { '*': 'allow', 'git *': 'ask', 'git push *': 'deny' } }, 'bash', 'git push x', 'deny'],
    ['names with wildcards', { 'my*': 'deny' }, 'my_tool', '*', 'deny'],
    ['names with wildcards, then one', { 'my*': 'deny', my_tool: 'allow' }, 'my_tool', '*', 'allow'],
    ['one word again', { bash: { 'rm *': 'deny' }, edit: 'deny' }, 'edit', 'a.ts', 'deny'],
  ])('%s', async (_name, written, what, fact, effect) => expect(await judged(written, what, fact)).toBe(effect));

  test('several facts: the strictest', async () => {
    const rules: Written = { bash: { '*': 'allow', 'git push *': 'ask', 'rm *': 'deny' } };
    expect(await judged(rules, 'bash', 'ls', 'git status')).toBe('allow');
    expect(await judged(rules, 'bash', 'ls', 'git push')).toBe('ask');
    expect(await judged(rules, 'bash', 'git push', 'rm x', 'ls')).toBe('deny');
  });
});

describe('what a pattern covers', () => {
  test.each([
    ['trailing " *": nothing behind it', 'git', 'git *', true],
    ['trailing " *": not another word', 'gitk', 'git *', false],
    ['trailing " *": two words', 'npm run', 'npm run *', true],
    ['no tail, no more words', 'git push', 'git', false],
    ['* passes slashes and lines', 'a/b\nc', 'a*c', true],
    ['? is one character', 'ab', 'a??', false],
    ['brackets are letters', 'a[b]', 'a[b]', true],
    ['anchored in front', 'xgit push', 'git *', false],
    ['a file in any folder', 'config/.env', '*.env', true],
    ['**/ is also nothing', 'src/x.ts', 'src/**/*.ts', true],
  ])('%s', (_name, text, pattern, isCovered) => expect(matchesWildcard(text, pattern)).toBe(isCovered));
});

describe('expansion', () => {
  test.each(['~', '$HOME', '$'.concat('{HOME}')].map((home) => `${home}/.ssh/*`))(
    'of %s: the home of the sandbox, for rules of the person, of a project and of an agent',
    async (pattern) => {
      const permission = { external_directory: { [pattern]: 'deny' }, read: { [pattern]: 'deny' } };
      const config = JSON.stringify({ permission, agent: { mine: { description: 'x', permission } } });
      const { customs, trustAll } = await customsOf({ 'opencode.json': config }, { person: config });
      await trustAll();
      const rules = [
        customs.ownRules(),
        customs.projectRules(),
        customs.agents().find(({ name }) => name === 'mine')!.rules,
      ];
      for (const policy of rules)
        for (const what of ['outside', 'read']) {
          const request = { permission: what, patterns: ['/root/.ssh/id'], always: [] };
          expect(decide(request, { policy: [...policy], role: [] }, []).effect).toBe('deny');
        }
    },
  );
  test('only where a pattern begins, and not in command lines', async () => {
    expect(await judged({ read: { 'a/~/x': 'deny' } }, 'read', 'a/~/x')).toBe('deny');
    expect(await judged({ bash: { '~/bin/x *': 'deny' } }, 'bash', '~/bin/x y')).toBe('deny');
  });
  test('what a command names with ~ is outside of the project, whatever stands behind it', async () => {
    const context = await toolContext({ commands: { bash: () => 0 } });
    for (const command of ['cat ~/project/x', 'cd ~/project && cat x', 'echo > "$HOME/project/x"'])
      await outcome(bashTool, { command }, context);
    expect(context.asked.map(({ also }) => also?.find(({ permission }) => permission === 'outside')?.patterns)).toEqual(
      [['/root/project/x'], ['/root/project/x', '/root/project'], ['/root/project']],
    );
  });
});
