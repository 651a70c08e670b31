// Group 10: the loop around the calls, beyond the tests of the session (lib/session/session.test.ts, conversation.test.ts).
import { describe, expect, test } from 'vitest';
import { type ScriptedPart, scriptedModel } from '../../../lib/agent/scripted-model';
import { last, setup, texts, tools, until } from '../../../lib/session/testing';

const allowBash = () => [{ permission: 'bash', pattern: '*', effect: 'allow' as const }];
const read = (path: string) => ({ tool: 'read', input: { path } });

describe('an agent that repeats itself', () => {
  test('in a cycle of two is told, then paused', async () => {
    const { session, model } = await setup(
      [
        [read('a')],
        [read('b')],
        [read('a')],
        [read('b')],
        [read('a')],
        [read('b')],
        [read('a')],
        [read('b')],
        [read('a')],
        ['never'],
      ],
      {
        memory: { files: { a: 'a\n', b: 'b\n' } },
        askTimeoutMs: 50,
      },
    );
    await session.send('go');
    expect(JSON.stringify(model.requests[5]!.prompt)).toContain('three times with the same result');
    expect(last(session).end).toBe('stopped');
    expect(texts(session)).toEqual(['go']);
  });
  test.each<[string, () => ScriptedPart]>([
    ['task', () => ({ tool: 'task', input: { agent: 'explore', description: 'Look', prompt: 'same' } })],
    ['bash', () => ({ tool: 'bash', input: { command: 'true', background: true } })],
  ])('whose results differ by the names of our own things is repeating itself: %s', async (tool, call) => {
    const model = scriptedModel([
      ({ prompt }) =>
        JSON.stringify(prompt).includes('"same"}') && !JSON.stringify(prompt).includes('"go"')
          ? ['the same']
          : [call()],
    ]);
    const { session } = await setup(model, { maxSteps: 12 });
    session.setMode('auto');
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    expect(session.state().asks[0]!.request.title).toBe(
      `Let the agent go on with ${tool}, which gave the same result to the same call five times`,
    );
    expect(tools(session)).toHaveLength(5);
    await session.stop();
    await over;
  });
  test('or guesses: another edit of the same file that fails again is told at four and paused at eight; a success ends the count', async () => {
    let number = 0;
    const guess = () => [{ tool: 'edit', input: { path: 'a', oldString: `guess ${++number}`, newString: 'x' } }];
    const hit = [{ tool: 'edit', input: { path: 'a', oldString: 'a', newString: 'b' } }];
    const model = scriptedModel([guess, guess, guess, () => hit, guess]);
    const { session } = await setup(model, { memory: { files: { a: 'a\n' } }, askTimeoutMs: 50 });
    session.setMode('auto');
    await session.send('go');
    const outputs = tools(session).map((part) => part.output ?? '');
    expect(outputs.flatMap((one, at) => (one.includes('Do not guess again') ? [at] : []))).toEqual([7]);
    expect(outputs).toHaveLength(12);
    expect(last(session)).toMatchObject({ end: 'stopped' });
    expect(last(session).parts.at(-1)).toMatchObject({
      text: expect.stringMatching(/^Paused: edit failed eight times/),
    });
  });
  test('is not stopped while the results differ', async () => {
    let number = 0;
    const steps = Array.from({ length: 8 }, () => [{ tool: 'bash', input: { command: 'next' } }]);
    const { session } = await setup([...steps, ['done']], {
      ownRules: allowBash,
      memory: {
        commands: {
          bash: ({ out }) => {
            out(`${++number}\n`);
            return 0;
          },
        },
      },
    });
    await session.send('go');
    expect(last(session).end).toBe('done');
    expect(tools(session)).toHaveLength(8);
  });
  test('within one step: finished siblings are settled whatever is asked', async () => {
    const { session } = await setup([[read('a'), read('a'), read('a'), read('a'), read('a')], ['done']], {
      memory: { files: { a: 'a\n' } },
    });
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    expect(tools(session).filter((part) => part.state === 'done').length).toBeGreaterThanOrEqual(4);
    session.answer(session.state().asks[0]!.id, { kind: 'once' });
    await over;
    expect(texts(session)).toEqual(['go', 'done']);
  });
});

test('parallel calls settle as they end, and their results go back in the order of the calls', async () => {
  const { session, model } = await setup(
    [
      [
        { tool: 'bash', input: { command: 'sleep 0.3; echo slow' } },
        { tool: 'bash', input: { command: 'echo fast' } },
      ],
      ['done'],
    ],
    {
      ownRules: allowBash,
    },
  );
  const over = session.send('go');
  await until(() => tools(session)[1]?.state === 'done');
  expect(tools(session)[0]!.state).toBe('running');
  await over;
  const results = model.requests[1]!.prompt.at(-1)!.content as { toolCallId: string }[];
  expect(results.map((one) => one.toolCallId)).toEqual(tools(session).map((part) => part.callId));
});

test('everybody who waits for a turn is let go by stop, and what they said is kept', async () => {
  const { session } = await setup([[{ tool: 'bash', input: { command: 'sleep 30' } }]], { ownRules: allowBash });
  const first = session.send('one');
  await until(() => tools(session)[0]?.state === 'running');
  const others = [session.send('two', 'queue'), session.send('three', 'steer')];
  await Promise.all([session.stop(), session.stop()]);
  await Promise.all([first, ...others]);
  expect(session.state().status).toEqual({ kind: 'idle' });
  expect(session.state().inbox.map((prompt) => prompt.text)).toEqual(['two', 'three']);
  expect(tools(session).map((part) => part.state)).toEqual(['interrupted']);
});

test('calls that come with one id, or none, are calls of their own, each with its result', async () => {
  for (const id of ['', 'call_0']) {
    const call = (tool: string, input: object): ScriptedPart => ({ tool, input, id });
    const { session, model } = await setup(
      [[call('glob', { pattern: '*' }), call('read', { path: 'a' })], [call('read', { path: 'a' })], ['done']],
      { memory: { files: { a: 'AAA\n' } } },
    );
    session.setMode('auto');
    await session.send('go');
    expect(tools(session).map((part) => [part.tool, part.state, part.output?.slice(0, 6)])).toEqual([
      ['glob', 'done', 'a'],
      ['read', 'done', '1: AAA'],
      ['read', 'done', '1: AAA'],
    ]);
    expect(new Set(tools(session).map((part) => part.callId)).size).toBe(3);
    const sent = model.requests
      .at(-1)!
      .prompt.flatMap(({ content }): object[] => (typeof content === 'string' ? [] : content)) as {
      type: string;
      toolCallId: string;
    }[];
    const ids = (type: string) => sent.filter((part) => part.type === type).map((part) => part.toolCallId);
    expect(ids('tool-call')).toEqual(ids('tool-result'));
    expect(ids('tool-call')).toHaveLength(3);
  }
});

test('a tool whose name is written in another way is that tool in every respect: what a Task costs is counted', async () => {
  const model = scriptedModel([
    ({ prompt }) => {
      const text = JSON.stringify(prompt);
      if (!text.includes('"go"')) return ['found'];
      return text.includes('found')
        ? ['done']
        : [{ tool: 'Task', input: { agent: 'explore', description: 'Look', prompt: 'x' } }];
    },
  ]);
  const { session } = await setup(model);
  session.setMode('auto');
  await session.send('go');
  expect(tools(session)[0]).toMatchObject({
    tool: 'task',
    state: 'done',
    repairs: ["the tool's name was written Task and means task"],
  });
  // Two steps here, one there.
  expect(session.state().usage.outputTokens).toBe(30);
});

test('a call whose input was cut is not run, and the model goes on', async () => {
  const { session, model } = await setup([
    [{ partialTool: 'write', inputText: '{"path":"a","content":"half' }, { breaks: new TypeError('Failed to fetch') }],
    ['done'],
  ]);
  session.setMode('auto');
  await session.send('go');
  expect(tools(session).map((part) => part.state)).toEqual(['interrupted']);
  expect(last(session).end).toBe('done');
  expect(JSON.stringify(model.requests[1]!.prompt)).not.toContain('half');
});
