// Group 10: the loop around the calls, beyond the tests of the session (lib/session/session.test.ts, conversation.test.ts).
import { describe, expect, test } from 'vitest';
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
