import { describe, expect, test } from 'vitest';
import { ModelError } from '../agent/run-error';
import { type ScriptedStep, scriptedModel } from '../agent/scripted-model';
import { last, setup, store, texts, tools, until } from './testing';
import type { Session } from './types';

describe('a turn', () => {
  test('several steps, parallel calls, reasoning that returns to the model, usage', async () => {
    const { session, model } = await setup(
      [
        [
          { reasoning: 'look first', signature: 'sig' },
          'Looking.',
          { tool: 'read', input: { path: 'a.txt' } },
          { tool: 'glob', input: { pattern: '*' } },
        ],
        ['All seen.'],
      ],
      { memory: { files: { 'a.txt': 'hello\n' } } },
    );
    await session.send('look around');
    expect(texts(session)).toEqual(['look around', 'Looking.', 'All seen.']);
    expect(tools(session).map((part) => [part.tool, part.state, part.title])).toEqual([
      ['read', 'done', 'a.txt'],
      ['glob', 'done', '*'],
    ]);
    expect(last(session)).toMatchObject({ end: 'done', model: 'scripted' });
    expect(session.state()).toMatchObject({
      status: { kind: 'idle' },
      title: 'look around',
      usage: { inputTokens: 200, outputTokens: 20, cacheReadTokens: 80 },
    });
    expect(model.requests[1]!.prompt.slice(1)).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'look first', providerOptions: { scripted: { signature: 'sig' } } },
          { type: 'text' },
          { type: 'tool-call', input: { path: 'a.txt' } },
          { type: 'tool-call' },
        ],
      },
      {
        role: 'tool',
        content: [
          { output: { type: 'text', value: '1: hello\n(end of file, 1 line)' } },
          { output: { value: 'a.txt' } },
        ],
      },
    ]);
    expect(model.requests[0]!.tools!.map((tool) => tool.name)).toEqual([
      ...['bash', 'edit', 'glob', 'grep', 'job', 'multiedit', 'question', 'read', 'task', 'todo', 'write'],
    ]);
  });

  test('live output of a command reaches the card before it ends', async () => {
    const { session } = await setup([[{ tool: 'bash', input: { command: 'echo one; sleep 0.4; echo two' } }], ['ok']]);
    session.setMode('auto');
    const run = session.send('go');
    await until(() => tools(session)[0]?.output === 'one\n');
    expect(tools(session)[0]!.state).toBe('running');
    await run;
    expect(tools(session)[0]).toMatchObject({ state: 'done', meta: { exit: 0 } });
  });

  test('state changes identity only where it changed', async () => {
    const { session } = await setup([['a'], ['b']]);
    await session.send('one');
    const before = session.state().messages;
    const seen: unknown[] = [];
    session.subscribe(() => seen.push(session.state()));
    await session.send('two');
    expect(session.state().messages.slice(0, 2)).toEqual(before);
    expect(session.state().messages[0]).toBe(before[0]);
    expect(new Set(seen).size).toBeGreaterThan(3);
  });
});

describe('questions', () => {
  const write = (path: string) => ({ tool: 'write', input: { path, content: 'x\n' } });
  test('once, and always for the session', async () => {
    const { session, sandbox } = await setup([[write('a')], [write('b')], [write('c')], ['done']]);
    const run = session.send('go');
    await until(() => session.state().asks.length === 1);
    expect(tools(session)[0]).toMatchObject({ state: 'asking' });
    expect(session.state().asks[0]).toMatchObject({
      tool: 'write',
      request: { title: 'Create a', meta: { additions: 1 } },
      facts: [{ always: ['*'] }],
    });
    session.answer(session.state().asks[0]!.id, { kind: 'once' });
    await until(() => session.state().asks[0]?.request.title === 'Create b');
    session.answer(session.state().asks[0]!.id, { kind: 'always', scope: 'session' });
    await run;
    expect(await sandbox.fs.exists('/home/project/c')).toBe(true);
    expect(session.state().grants).toMatchObject([{ permission: 'edit', pattern: '*', scope: 'session' }]);
    session.revokeGrant(session.state().grants[0]!.id);
    expect(session.state().grants).toEqual([]);
  });

  test('a refusal with words goes to the model; one without ends the turn and its siblings, finished results stay', async () => {
    const { session, model } = await setup([
      [write('a')],
      [{ tool: 'glob', input: { pattern: '*' } }, write('b'), write('c')],
      ['never'],
    ]);
    const run = session.send('go');
    await until(() => session.state().asks.length === 1);
    session.answer(session.state().asks[0]!.id, { kind: 'reject', message: 'call it z' });
    await until(() => session.state().asks.length === 2);
    expect(JSON.stringify(model.requests[1]!.prompt)).toContain('The person refused this call and says: call it z');
    session.answer(session.state().asks[0]!.id, { kind: 'reject' });
    await run;
    expect(tools(session).map((part) => part.state)).toEqual(['error', 'done', 'error', 'interrupted']);
    expect(last(session).end).toBe('stopped');
    expect(session.state().asks).toEqual([]);
    expect(model.requests.length).toBe(2);
  });

  test('a sibling keeps running while one waits', async () => {
    const { session } = await setup([[write('a'), { tool: 'read', input: { path: 'x' } }], ['ok']], {
      memory: { files: { x: '1' } },
    });
    const run = session.send('go');
    await until(() => tools(session)[1]?.state === 'done');
    expect(tools(session)[0]!.state).toBe('asking');
    session.answer(session.state().asks[0]!.id, { kind: 'once' });
    await run;
  });

  test('a grant for the project is there in the next session and after a reload', async () => {
    const { session, sessions } = await setup([[write('a')], ['ok'], [write('b')], ['ok']]);
    const run = session.send('go');
    await until(() => session.state().asks.length === 1);
    session.answer(session.state().asks[0]!.id, { kind: 'always', scope: 'project' });
    await run;
    const second = await sessions.create();
    await second.send('again');
    expect(tools(second)[0]!.state).toBe('done');
  });

  test("a project's denial is told to the model", async () => {
    const { session } = await setup([[write('lock.json')], ['ok']], {
      ownRules: () => [{ permission: 'edit', pattern: 'lock.json', effect: 'deny' }],
    });
    session.setMode('auto');
    await session.send('go');
    expect(tools(session)[0]).toMatchObject({
      state: 'error',
      output: expect.stringContaining('denies edit for `lock.json`'),
    });
  });
});

describe('stop always stops', () => {
  test.each<[string, ScriptedStep, (session: Session) => boolean]>([
    ['while the model says nothing', [{ hang: true }], (session) => session.state().status.kind === 'running'],
    ['while it streams', ['half', { hang: true }], (session) => texts(session).length === 2],
    [
      'while a question is open',
      [{ tool: 'write', input: { path: 'a', content: '' } }],
      (session) => session.state().asks.length === 1,
    ],
    [
      'while a command runs',
      [{ tool: 'bash', input: { command: 'echo up; sleep 30' } }],
      (session) => tools(session)[0]?.output === 'up\n',
    ],
    [
      'while input streams',
      [{ partialTool: 'write', inputText: '{"path":' }, { hang: true }],
      (session) => tools(session)[0]?.state === 'streaming-input',
    ],
  ])('%s', async (_name, step, ready) => {
    const { session } = await setup([step], {
      ownRules: () => [{ permission: 'bash', pattern: '*', effect: 'allow' }],
    });
    const run = session.send('go');
    await until(() => ready(session));
    const startedAtMs = Date.now();
    await session.stop();
    await run;
    expect(Date.now() - startedAtMs).toBeLessThan(1500);
    expect(session.state()).toMatchObject({ status: { kind: 'idle' }, asks: [] });
    expect(last(session).end).toBe('stopped');
    expect(tools(session).every((part) => part.state === 'interrupted')).toBe(true);
    // The conversation can go on: no call is left without a result.
    const saved = await store.loadSession(session.id);
    expect(saved!.messages.at(-1)).toEqual(last(session));
  });

  test('in a retry wait, and right after send', async () => {
    const limited = scriptedModel([
      () => {
        throw new ModelError({ message: 'slow down', retryable: true, kind: 'limit', status: 429 }, 60_000);
      },
    ]);
    const { session } = await setup(limited);
    const run = session.send('go');
    await until(() => session.state().status.kind === 'retrying');
    await session.stop();
    await run;
    expect(session.state().status).toEqual({ kind: 'idle' });
    const second = session.send('again');
    await session.stop();
    await second;
    expect(session.state().status).toEqual({ kind: 'idle' });
  });
});

describe('failures', () => {
  const fails = (status: number, retryable: boolean) => () => {
    throw new ModelError({ message: `status ${status}`, retryable, kind: status === 401 ? 'key' : 'provider', status });
  };
  test('a transient one is retried by itself', async () => {
    const { session, model } = await setup([fails(529, true), fails(429, true), ['fine']]);
    await session.send('go');
    expect(texts(session)).toEqual(['go', 'fine']);
    expect(model.requests.length).toBe(3);
  });
  test('a final one is shown, and try again goes on', async () => {
    const { session } = await setup([fails(401, false), ['fine']]);
    await session.send('go');
    expect(session.state().status).toEqual({
      kind: 'failed',
      error: { message: 'status 401', retryable: false, kind: 'key', status: 401 },
    });
    await session.retry();
    expect(texts(session)).toEqual(['go', 'fine']);
    expect(session.state().status).toEqual({ kind: 'idle' });
  });
  test('a stream that breaks after a call: the call stands, and the run goes on', async () => {
    const { session, model } = await setup([
      [{ tool: 'glob', input: { pattern: '*' } }, { breaks: new TypeError('network error') }],
      ['fine'],
    ]);
    await session.send('go');
    expect(tools(session)[0]!.state).toBe('done');
    expect(texts(session).at(-1)).toBe('fine');
    expect(model.requests.length).toBe(2);
  });
  test('a stream that breaks in the text: it is kept, and the model is asked to go on', async () => {
    const { session, model } = await setup([
      ['first half', { breaks: new TypeError('network error') }],
      ['second half'],
    ]);
    await session.send('go');
    expect(session.state().status).toEqual({ kind: 'idle' });
    expect(texts(session)).toEqual(['go', 'first half', 'second half']);
    expect(model.requests[1]!.prompt.at(-1)).toMatchObject({
      role: 'user',
      content: [{ text: expect.stringContaining('without repeating') }],
    });
  });
  test('a stream that breaks again and again is given up, with what came so far', async () => {
    const { session, model } = await setup([['piece', { breaks: new TypeError('network error') }]]);
    await session.send('go');
    expect(session.state().status).toMatchObject({ kind: 'failed', error: { kind: 'network', retryable: true } });
    expect(model.requests.length).toBe(4);
    expect(texts(session)).toEqual(['go', 'piece', 'piece', 'piece', 'piece']);
  });
  test('try again with another model does not hand it the signatures of the first', async () => {
    const { session, model } = await setup([
      [
        { reasoning: 'r', signature: 'mine' },
        'half',
        { breaks: new ModelError({ message: 'no', retryable: false, kind: 'provider' }) },
      ],
      ['rest'],
    ]);
    await session.send('go');
    session.setModel('other');
    await session.retry();
    expect(last(session)).toMatchObject({ model: 'other', end: 'done' });
    expect(JSON.stringify(model.requests[1]!.prompt)).not.toContain('mine');
  });
  test('a model that repeats itself is told, then the person is asked; the limit of steps holds', async () => {
    const { session, model } = await setup([[{ tool: 'read', input: { path: 'a' } }]], {
      memory: { files: { a: 'x' } },
    });
    session.setMode('auto');
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    expect(model.requests.length).toBe(5);
    expect(tools(session)[2]!.output).toContain('three times');
    expect(session.state().asks[0]!.request).toMatchObject({ permission: 'doom_loop', patterns: ['read'] });
    session.answer(session.state().asks[0]!.id, { kind: 'reject' });
    await over;
    expect(last(session).parts.at(-1)).toMatchObject({ type: 'notice' });
    const limited = await setup([(options) => [{ tool: 'glob', input: { pattern: `${options.prompt.length}` } }]], {
      maxSteps: 4,
    });
    await limited.session.send('go');
    expect(limited.model.requests.length).toBe(4);
  });
});
