// Permissions as a conversation has them: bans, the repository's rules, extensions, grants and their ends, questions that nobody answers.
import { describe, expect, test } from 'vitest';
import type { ScriptedPart } from '../agent/scripted-model';
import type { Grant, Rule } from '../permission/rules';
import { createDesk } from './desk';
import { permit } from './permit';
import { last, setup, store, tools, until } from './testing';

const run = (command: string): ScriptedPart => ({ tool: 'bash', input: { command } });
const rule = (effect: Rule['effect'], permission: string, pattern = '*'): Rule => ({ permission, pattern, effect });

describe('banned commands', () => {
  test.each([
    'npm publish',
    'npm publish --tag x',
    'cd /tmp && npm  publish',
    "bash -c 'npm publish'",
    'npm --silent publish',
  ])('%s is refused with the reason, in every mode', async (command) => {
    const { session } = await setup([[run(command)], ['ok']], { settings: () => ({ banned: [' npm   publish '] }) });
    session.setMode('auto');
    await session.send('go');
    expect(tools(session)[0]).toMatchObject({
      state: 'error',
      output: expect.stringContaining('The person has banned `npm publish`'),
    });
    expect(last(session).end).toBe('done');
  });
  test('the person’s own rules don’t lift a ban', async () => {
    const { session } = await setup([[run('npm publish')], ['ok']], {
      settings: () => ({ banned: ['npm publish'] }),
      ownRules: () => [rule('allow', 'bash', 'npm *')],
    });
    await session.send('go');
    expect(tools(session)[0]!.state).toBe('error');
  });
});

describe('the repository’s rules', () => {
  test('never widen', async () => {
    const { session } = await setup([[run('npm test')], ['ok']], {
      projectRules: () => [rule('allow', '*')],
      ownRules: () => [rule('deny', 'bash', 'rm *')],
    });
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    session.answer(session.state().asks[0]!.id, { kind: 'reject' });
    await over;
  });
  test('an ask of theirs does not soften a denial', async () => {
    const { session } = await setup([[run('rm x')], ['ok']], {
      projectRules: () => [rule('ask', 'bash', 'rm *'), rule('allow', 'bash', 'rm *')],
      ownRules: () => [rule('deny', 'bash', 'rm *')],
    });
    await session.send('go');
    expect(tools(session)[0]!.output).toContain('denies bash');
  });
  test('narrow every mode', async () => {
    const { session } = await setup([[run('rm x')], ['ok']], { projectRules: () => [rule('deny', 'bash', 'rm *')] });
    session.setMode('auto');
    await session.send('go');
    expect(tools(session)[0]!.output).toContain('denies bash');
  });
});

describe('an extension', () => {
  test('denies with its reason', async () => {
    const { session } = await setup([[run('ls')], ['ok']], {
      evaluatePermission: async (request) =>
        request.patterns.includes('ls') ? { effect: 'deny', message: 'not today' } : { effect: 'unchanged' },
    });
    session.setMode('auto');
    await session.send('go');
    expect(tools(session)[0]!.output).toContain('not today');
  });
  test('brings a call before the person that rules and grants allow, and nothing is remembered', async () => {
    const { session } = await setup([[run('ls')], ['ok']], {
      evaluatePermission: async () => ({ effect: 'ask', message: 'look at this' }),
    });
    session.setMode('auto');
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    const [ask] = session.state().asks;
    expect(ask!.facts.flatMap((facts) => facts.always)).toEqual([]);
    expect(ask!.request.meta).toMatchObject({ remark: 'look at this' });
    session.answer(ask!.id, { kind: 'once' });
    await over;
    expect(tools(session)[0]!.state).toBe('done');
  });
  test.each<[string, () => Promise<never>]>([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['answers nonsense', async () => ({ effect: 'allow' }) as never],
    ['answers nothing', async () => undefined as never],
  ])('that %s denies', async (_name, evaluatePermission) => {
    const { session } = await setup([[run('ls')], ['ok']], { evaluatePermission });
    session.setMode('auto');
    await session.send('go');
    expect(tools(session)[0]).toMatchObject({ state: 'error', output: expect.stringContaining('it failed') });
  });
  test('that is silent denies, and a stop ends the wait', async () => {
    const desk = createDesk({ store, projectId: 'p', grants: [], timeoutMs: 1000, onUnsaved: () => {} });
    const request = { permission: 'bash', patterns: ['ls'], always: [], title: 'Run ls' };
    const judge = (signal: AbortSignal, timeoutMs: number) =>
      permit(
        request,
        { callId: 'c', tool: 'bash' },
        () => ({ policy: [rule('allow', '*')], role: [] }),
        signal,
        desk,
        () => new Promise(() => {}),
        timeoutMs,
      );
    expect(await judge(new AbortController().signal, 5)).toMatchObject({ kind: 'denied' });
    const stop = new AbortController();
    const waiting = judge(stop.signal, 60_000).catch((error: Error) => error.name);
    stop.abort();
    expect(await waiting).toBe('AbortError');
  });
});

describe('grants', () => {
  const twice = [[run('npm test a')], [run('npm test b')], ['ok'], [run('npm test c')], ['ok']];
  test('for the turn end with it', async () => {
    const { session } = await setup(twice);
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    session.answer(session.state().asks[0]!.id, { kind: 'always', scope: 'turn' });
    await over;
    expect(tools(session).length).toBe(2);
    expect(session.state().grants).toEqual([]);
    const next = session.send('again');
    await until(() => session.state().asks.length === 1);
    await session.stop();
    await next;
  });
  test('for the project say who asked what, end, are kept and can be revoked', async () => {
    const { session, sessions } = await setup(twice);
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    session.answer(session.state().asks[0]!.id, { kind: 'always', scope: 'project' });
    await over;
    const [grant] = session.state().grants;
    expect(grant).toMatchObject({ pattern: 'npm test *', scope: 'project', agent: 'build', title: 'Run npm test a' });
    expect(grant!.expiresAtMs! - grant!.grantedAtMs).toBeGreaterThan(80 * 86_400_000);
    const other = await sessions.create();
    await until(() => other.state().grants.length > 0);
    expect(other.state().grants.map(({ id }) => id)).toEqual([grant!.id]);
    other.revokeGrant(grant!.id);
    expect(other.state().grants).toEqual([]);
    // Nor where it was given, which may still run.
    await until(() => session.state().grants.length === 0);
    expect(await store.projectGrants('p')).toEqual([]);
  });
  test('that are read late let what was asked before them go on', async () => {
    const read = Promise.withResolvers<Grant[]>();
    const { session } = await setup(twice, { store: { ...store, projectGrants: () => read.promise } });
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    const kept = { id: 'g', permission: 'bash', pattern: 'npm test *', callId: '', grantedAtMs: Date.now() };
    read.resolve([{ ...kept, scope: 'project' }]);
    await over;
    expect(tools(session).map((part) => part.state)).toEqual(['done', 'done']);
    expect(session.state().grants.map(({ id }) => id)).toEqual(['g']);
  });
  test('several questions of a step wait together; their siblings go on, and each answer frees its own call', async () => {
    const { session } = await setup([[run('npm test'), run('npm start'), run('echo hi')], ['ok']]);
    const over = session.send('go');
    await until(() => session.state().asks.length === 2 && tools(session)[2]!.state === 'done');
    for (const ask of session.state().asks) session.answer(ask.id, { kind: 'once' });
    await over;
    expect(tools(session).map((part) => part.state)).toEqual(['done', 'done', 'done']);
  });
});

test('a question that nobody answers is a refusal', async () => {
  const { session } = await setup([[run('npm test')], ['ok']], { askTimeoutMs: 30 });
  await session.send('go');
  expect(tools(session)[0]!.state).toBe('error');
  expect(session.state().asks).toEqual([]);
});

test('keys are left out of what tools tell, if the person wants that', async () => {
  const { session, model } = await setup([[run('echo ghp_x')], ['ok']], {
    redact: (text) => text.replaceAll('ghp_x', '[a token]'),
  });
  await session.send('go');
  expect(JSON.stringify(model.requests[1]!.prompt.at(-1))).toContain('[a token]');
  expect(tools(session)[0]!.output).not.toContain('ghp_x');
});

test('what can’t be kept is told: an always, its end, and a setting; all of it holds until then', async () => {
  const broken = () => Promise.reject(new Error('the disk is full'));
  const told: string[] = [];
  const { session } = await setup([['hi']], {
    store: { ...store, saveProjectGrant: broken, deleteProjectGrant: broken, saveSession: failsLater() },
    onUnsaved: (what, reason) => told.push(`${what}: ${(reason as Error).message}`),
  });
  session.allowForGood('bash', 'npm test');
  await until(() => told.length === 1);
  expect(session.state().grants).toMatchObject([{ permission: 'bash', pattern: 'npm test' }]);
  session.revokeGrant(session.state().grants[0]!.id);
  await until(() => told.length === 3);
  expect(session.state().grants).toEqual([]);
  expect(told.toSorted()).toEqual([
    'permission: the disk is full',
    'revoked: the disk is full',
    'settings: the disk is full',
  ]);

  /** The session itself can be made. */
  function failsLater(): typeof store.saveSession {
    let saved = 0;
    return (one) => (saved++ === 0 ? store.saveSession(one) : broken());
  }
});
