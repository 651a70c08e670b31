import { describe, expect, test } from 'vitest';
import { type Answer, createAsks, type OpenAsk } from './asks';
import { rulesFor } from './presets';
import {
  decide as decideBy,
  type Effect,
  type Grant,
  isAlwaysDenied,
  matchesWildcard,
  type PermissionRequest,
  type Rule,
} from './rules';

const rule = (permission: string, pattern: string, effect: Effect): Rule => ({ permission, pattern, effect });
const grant = (permission: string, pattern: string, more: Partial<Grant> = {}): Grant => ({
  id: 'g',
  permission,
  pattern,
  scope: 'session',
  grantedAtMs: 0,
  callId: 'c',
  ...more,
});
const decide = (request: PermissionRequest, policy: Rule[], grants: Grant[]) =>
  decideBy(request, { policy, role: [] }, grants);
const facts = (permission: string, ...patterns: string[]): PermissionRequest => ({
  permission,
  patterns,
  always: ['*'],
});

test.each([
  ['git', 'git *', true],
  ['git push', 'git *', true],
  ['gitk', 'git *', false],
  ['config/.env', '*.env', true],
  ['src/x.ts', 'src/**/*.ts', true],
  ['src/a/b.ts', 'src/**/*.ts', true],
  ['ab', 'a?', true],
  ['a.b', 'a.b', true],
  ['axb', 'a.b', false],
  ['a\nb', 'a*', true],
  ['xgit', 'git', false],
])('%s matches %s: %s', (text, pattern, expected) => expect(matchesWildcard(text, pattern)).toBe(expected));

describe('decide', () => {
  test.each<[string, Rule[], Grant[], Effect]>([
    ['nothing said: ask', [], [], 'ask'],
    ['the last match wins', [rule('bash', '*', 'deny'), rule('bash', 'git *', 'allow')], [], 'allow'],
    ['the last match wins, other order', [rule('bash', 'git *', 'allow'), rule('bash', '*', 'deny')], [], 'deny'],
    ['a denial beats a grant', [rule('bash', 'git push *', 'deny')], [grant('bash', 'git *')], 'deny'],
    ['an explicit ask beats a grant', [rule('bash', 'git push *', 'ask')], [grant('bash', '*')], 'ask'],
    ['a grant beats the default ask', [rule('*', '*', 'ask')], [grant('bash', 'git *')], 'allow'],
    ['an expired grant is none', [], [grant('bash', '*', { expiresAtMs: 1 })], 'ask'],
    [
      'one that was given when the clock was years ahead is none',
      [],
      [grant('bash', '*', { grantedAtMs: Date.now() + 1e11, expiresAtMs: Date.now() + 2e11 })],
      'ask',
    ],
    ['a grant for something else is none', [], [grant('edit', '*')], 'ask'],
  ])('%s', (_name, rules, grants, effect) => {
    expect(decide(facts('bash', 'git push origin'), rules, grants).effect).toBe(effect);
  });

  test('every fact must be allowed, and only the open ones are asked', () => {
    const rules = [rule('bash', 'ls *', 'allow')];
    const decision = decide({ ...facts('bash', 'ls', 'rm x'), also: [facts('edit', 'x')] }, rules, []);
    expect(decision).toEqual({
      effect: 'ask',
      facts: [
        { permission: 'bash', patterns: ['rm x'], always: ['*'] },
        { permission: 'edit', patterns: ['x'], always: ['*'] },
      ],
    });
    expect(
      decide({ ...facts('bash', 'ls'), also: [facts('edit', 'x')] }, [...rules, rule('edit', 'x', 'deny')], []).effect,
    ).toBe('deny');
  });

  test('opaque: no narrow rule and no grant allows it, and an unrestricted allow only without denials', () => {
    const opaque = { ...facts('bash', 'eval $X'), opaque: true };
    expect(decide(opaque, [rule('bash', 'eval *', 'allow')], [grant('bash', '*')])).toMatchObject({
      effect: 'ask',
      facts: [{ always: [] }],
    });
    expect(decide(opaque, [rule('bash', '*', 'allow')], []).effect).toBe('allow');
    expect(decide(opaque, [rule('bash', 'git push *', 'deny'), rule('bash', '*', 'allow')], []).effect).toBe('ask');
    // It may do what is denied elsewhere.
    expect(decide(opaque, [rule('edit', 'lock.json', 'deny'), rule('bash', '*', 'allow')], []).effect).toBe('ask');
  });
});

describe('the shipped rules', () => {
  test.each<['ask' | 'edits' | 'auto', string, string, Effect]>([
    ['ask', 'read', 'src/a.ts', 'allow'],
    ['ask', 'read', '.env', 'ask'],
    ['ask', 'read', 'config/.env.local', 'ask'],
    ['ask', 'read', '.env.example', 'allow'],
    ['ask', 'edit', 'src/a.ts', 'ask'],
    ['ask', 'bash', 'ls -la', 'allow'],
    ['ask', 'bash', 'npm test', 'ask'],
    ['ask', 'outside', '/etc/passwd', 'ask'],
    ['ask', 'outside', '/tmp/x', 'allow'],
    ['edits', 'edit', 'src/a.ts', 'allow'],
    ['edits', 'edit', '.env', 'ask'],
    ['edits', 'bash', 'npm test', 'ask'],
    ['auto', 'bash', 'npm test', 'allow'],
    ['auto', 'read', '.env', 'ask'],
    ['auto', 'read', 'a/.env.local', 'ask'],
    ['auto', 'read', '.env.example', 'allow'],
    ['auto', 'edit', '.env', 'allow'],
  ])('%s: %s %s is %s', (mode, permission, fact, effect) => {
    expect(decide(facts(permission, fact), rulesFor(mode), []).effect).toBe(effect);
  });
  test("a project's denial holds in every mode", () => {
    for (const mode of ['ask', 'edits', 'auto'] as const)
      expect(decide(facts('edit', 'lock.json'), rulesFor(mode, [rule('edit', 'lock.json', 'deny')]), []).effect).toBe(
        'deny',
      );
  });
});

describe('roles narrow and never widen', () => {
  const effect = (policy: Rule[], role: Rule[], fact = 'git push origin') =>
    decideBy(facts('bash', fact), { policy, role }, []).effect;
  test.each<[string, Rule[], Rule[], Effect]>([
    ['a role denies what the policy allows', [rule('bash', '*', 'allow')], [rule('bash', '*', 'deny')], 'deny'],
    [
      'a role can’t allow what the policy denies',
      [rule('bash', 'git push *', 'deny')],
      [rule('*', '*', 'allow')],
      'deny',
    ],
    ['nor what it asks about', [rule('bash', 'git push *', 'ask')], [rule('bash', '*', 'allow')], 'ask'],
    ['a role asks about what the policy allows', [rule('bash', '*', 'allow')], [rule('bash', 'git *', 'ask')], 'ask'],
    [
      'a role that allows again after its own denial leaves it to the policy',
      [rule('bash', '*', 'allow')],
      [rule('*', '*', 'deny'), rule('bash', 'git *', 'allow')],
      'allow',
    ],
  ])('%s', (_name, policy, role, expected) => expect(effect(policy, role)).toBe(expected));

  test('a permission is always denied only when no fact escapes', () => {
    const none: Rule[] = [];
    expect(isAlwaysDenied('edit', { policy: [rule('edit', '*', 'deny')], role: none })).toBe(true);
    expect(
      isAlwaysDenied('edit', { policy: [rule('edit', '*', 'deny'), rule('edit', 'docs/*', 'allow')], role: none }),
    ).toBe(false);
    expect(
      isAlwaysDenied('edit', { policy: [rule('edit', 'docs/*', 'allow'), rule('edit', '*', 'deny')], role: none }),
    ).toBe(true);
    expect(isAlwaysDenied('edit', { policy: none, role: [rule('*', '*', 'deny'), rule('read', '*', 'allow')] })).toBe(
      true,
    );
    expect(isAlwaysDenied('read', { policy: none, role: [rule('*', '*', 'deny'), rule('read', '*', 'allow')] })).toBe(
      false,
    );
  });
});

describe('questions', () => {
  function setup(timeoutMs = 60_000) {
    const grants: Grant[] = [];
    let open: OpenAsk<PermissionRequest>[] = [];
    const asks = createAsks<PermissionRequest>({
      grants: () => grants,
      addGrants: (added) => grants.push(...added),
      onChange: (list) => {
        open = list;
      },
      timeoutMs,
    });
    const stop = new AbortController();
    const ask = (request: PermissionRequest) =>
      asks.ask(request, { callId: 'c', tool: 'bash' }, () => ({ policy: [], role: [] }), stop.signal);
    return {
      asks,
      ask,
      stop,
      grants,
      open: () => open,
      answer: (at: number, answer: Answer) => asks.answer(open[at]!.id, answer),
    };
  }
  const npm = { permission: 'bash', patterns: ['npm test'], always: ['npm test *'] };

  test('once allows this one only', async () => {
    const { ask, answer, open, grants } = setup();
    const verdict = ask(npm);
    answer(0, { kind: 'once' });
    expect(await verdict).toEqual({ kind: 'allowed', by: 'person' });
    expect([open().length, grants.length]).toEqual([0, 0]);
  });

  test('always is remembered and frees the others that it covers', async () => {
    const { ask, answer, open, grants } = setup();
    const verdicts = [ask(npm), ask({ ...npm, patterns: ['npm test -- a'] }), ask({ ...npm, patterns: ['rm x'] })];
    answer(0, { kind: 'always', scope: 'project' });
    expect(await verdicts[0]).toEqual({ kind: 'allowed', by: 'person' });
    expect(await verdicts[1]).toEqual({ kind: 'allowed', by: 'grant' });
    expect(open().map((one) => one.request.patterns[0])).toEqual(['rm x']);
    expect(grants).toMatchObject([{ pattern: 'npm test *', scope: 'project', callId: 'c' }]);
    answer(0, { kind: 'reject', message: ' use git rm ' });
    expect(await verdicts[2]).toEqual({ kind: 'rejected', message: 'use git rm' });
  });

  test('stop ends the wait, and so does the deadline', async () => {
    const { ask, stop, open } = setup();
    const verdict = ask(npm).catch((error: Error) => error.name);
    stop.abort();
    expect(await verdict).toBe('AbortError');
    expect(open()).toEqual([]);
    expect(await setup(5).ask(npm)).toEqual({ kind: 'rejected', unanswered: true });
  });
});
