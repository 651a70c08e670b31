// Commands: what is typed is never read as a quote, a placeholder or a pattern by accident.
import { expect, test } from 'vitest';
import { builtInAgents } from '../registry/agents';
import { expandCommand } from './command';
import { commandWords } from './command-words';
import { spokenRequest } from './spoken-request';

test.each<[string, string[]]>([
  ['a  b', ['a', 'b']],
  ["don't stop", ["don't", 'stop']],
  ['"a b" c', ['a b', 'c']],
  ["'a b' c", ['a b', 'c']],
  ['"say \\"hi\\"" x', ['say "hi"', 'x']],
  ['"never ends', ['"never', 'ends']],
  ['a"b c"', ['a"b', 'c"']],
  ["'don't know' x", ["don't know", 'x']],
  ['', []],
])('words of %j', (text, words) => {
  expect(commandWords(text)).toEqual(words);
});

test.each<[string, string, string]>([
  ['$1 and $2', 'a b c', 'a and b c'],
  ['$ARGUMENTS', "don't $1 $& `x`", "don't $1 $& `x`"],
  ['do it', 'now', 'do it\n\nnow'],
  ['do it', '', 'do it'],
  ['$2 $1', 'x', 'x'],
  ['$1', '$ARGUMENTS @x !`rm`', '$ARGUMENTS @x !`rm`'],
])('template %j with %j', (template, typed, text) => {
  expect(expandCommand(template, typed).text).toBe(text);
});

test('shell parts and mentions are handed over, with the words put in', () => {
  const expanded = expandCommand('Look at !`git show $1` and @src/a.ts, me@x.org', 'HEAD');
  expect(expanded.shell).toEqual(['git show HEAD']);
  expect(expanded.mentions).toEqual(['src/a.ts']);
  expect(expanded.text).toBe('Look at (the output of `git show HEAD`, below) and @src/a.ts, me@x.org');
});

const known = { agents: builtInAgents, isFile: async (path: string) => path === 'src/a.ts' };

test('a command becomes words and calls; a text without one stays as it is', async () => {
  const command = { name: 'look', description: 'Looks', template: 'See !`ls` @src/a.ts @gone.ts', source: 'x' };
  const commands = [command, { ...command, name: 'sub', template: 'find $1', agent: 'explore' }];
  expect(await spokenRequest('/look', { ...known, commands })).toEqual({
    text: 'See (the output of `ls`, below) @src/a.ts @gone.ts',
    opening: [
      { tool: 'bash', input: { command: 'ls' } },
      { tool: 'read', input: { path: 'src/a.ts' } },
    ],
  });
  expect((await spokenRequest('/sub it', { ...known, commands })).opening).toEqual([
    { tool: 'task', input: { agent: 'explore', description: 'Looks', prompt: 'find it' } },
  ]);
  expect(await spokenRequest('/etc/passwd is odd', { ...known, commands })).toEqual({
    text: '/etc/passwd is odd',
    opening: [],
  });
  expect((await spokenRequest('ask @explore about @build', { ...known, commands })).opening).toEqual([
    {
      tool: 'task',
      input: { agent: 'explore', description: 'ask @explore about @build', prompt: 'ask @explore about @build' },
    },
  ]);
  const inCapitals = [{ ...command, agent: 'Build', subtask: false }];
  expect(await spokenRequest('/look', { ...known, commands: inCapitals })).toMatchObject({ agent: 'build' });
  const lost = [{ ...command, agent: 'nobody' }];
  await expect(spokenRequest('/look', { ...known, commands: lost })).rejects.toThrow('wants the agent nobody');
});
