import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { assert, expect, test, vi } from 'vitest';
import { ModelError } from '../agent/run-error';
import { scriptedModel } from '../agent/scripted-model';
import type { Span } from '../std/trace';
import { createSessions } from './sessions';
import { setup, store, tools, until } from './testing';

const named = (spans: readonly Span[], name: string) => spans.filter((span) => span.name === name);

test('a span per turn, step and call; who decided, what it cost, which strategy', async () => {
  const { session } = await setup(
    [
      [{ tool: 'read', input: { path: 'a.txt' } }],
      [{ breaks: new ModelError({ message: 'busy', retryable: true, kind: 'provider', status: 529 }) }],
      [
        { tool: 'edit', input: { path: 'a.txt', oldString: 'one', newString: '1' } },
        { tool: 'bash', input: { command: 'seq 1 30000' } },
        { tool: 'read', input: { path: 'nope' } },
      ],
      ['done'],
    ],
    {
      memory: { files: { 'a.txt': '  one\n' } },
    },
  );
  const over = session.send('go');
  await until(() => session.state().asks.length === 1);
  session.answer(session.state().asks[0]!.id, { kind: 'once' });
  await over;
  const spans = await session.trace();
  const [turn] = named(spans, 'invoke_agent build');
  expect(turn).toMatchObject({ status: 'ok', attributes: { 'cloche.turn.end': 'done' } });
  expect(turn).not.toHaveProperty('parentSpanId');
  const steps = named(spans, 'chat scripted');
  expect(steps.map((step) => step.parentSpanId)).toEqual(steps.map(() => turn!.spanId));
  expect(steps.at(-1)!.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 10,
  });
  expect(steps.reduce((sum, step) => sum + Number(step.attributes['cloche.retries'] ?? 0), 0)).toBe(1);
  const [edit] = named(spans, 'execute_tool edit');
  expect(edit).toMatchObject({
    status: 'ok',
    attributes: {
      'gen_ai.tool.name': 'edit',
      'gen_ai.tool.call.id': tools(session)[1]!.callId,
      'cloche.call.bytes_in': 50,
      'cloche.edit.strategy': 'exact',
      'cloche.permission.decision': 'allowed',
      'cloche.permission.by': 'person',
    },
  });
  expect(edit!.attributes['cloche.call.ask_ms']).toBeGreaterThan(0);
  expect(edit!.attributes['cloche.call.queue_ms']).toBeGreaterThanOrEqual(0);
  expect(named(spans, 'execute_tool bash')[0]!.attributes).toMatchObject({
    'cloche.call.truncated': true,
    'cloche.permission.by': 'rule',
  });
  expect(named(spans, 'execute_tool read')[1]).toMatchObject({
    status: 'error',
    statusMessage: expect.stringMatching(/nope/),
  });
  expect(spans.every((span) => span.endMs !== undefined && span.endMs >= span.startMs)).toBe(true);
});

test('a step that was refused, cut or never answered is no success', async () => {
  const refused = new ModelError({ message: 'wrong key', retryable: false, kind: 'key', status: 401 });
  const cut = new ModelError({ message: 'torn', retryable: true, kind: 'network' });
  const { session } = await setup([['half', { breaks: cut }], [{ breaks: refused }], [{ hang: true }]]);
  await session.send('go');
  expect(named(await session.trace(), 'chat scripted')).toMatchObject([
    { status: 'error', statusMessage: 'torn', attributes: { 'cloche.step.began': true } },
    { status: 'error', statusMessage: 'wrong key' },
  ]);
  expect(named(await session.trace(), 'invoke_agent build')).toMatchObject([
    { status: 'error', statusMessage: 'wrong key' },
  ]);
  const over = session.send('again');
  await vi.waitFor(async () => expect(named(await session.trace(), 'chat scripted')).toHaveLength(3));
  await session.stop();
  await over;
  expect(named(await session.trace(), 'chat scripted')[2]).toMatchObject({
    status: 'error',
    statusMessage: 'interrupted',
  });
});

test('what a sub-agent did hangs under the call that started it, and is in the trace of the person’s conversation', async () => {
  const steps = { root: 0, child: 0 };
  const model = scriptedModel([
    (options: LanguageModelV4CallOptions) =>
      JSON.stringify(options.tools).includes('"task"')
        ? steps.root++ === 0
          ? [{ tool: 'task', input: { agent: 'explore', description: 'Look', prompt: 'look' } }]
          : ['thanks']
        : steps.child++ === 0
          ? [{ tool: 'glob', input: { pattern: '*' } }]
          : ['found'],
  ]);
  const { session, sessions } = await setup(model);
  session.setMode('auto');
  await session.send('go');
  const spans = await session.trace();
  const [call] = named(spans, 'execute_tool task');
  const [child] = named(spans, 'invoke_agent explore');
  expect(child).toMatchObject({ traceId: call!.traceId, parentSpanId: call!.spanId });
  const parents = new Map(spans.map((span) => [span.spanId, span.parentSpanId]));
  let above: string | undefined = named(spans, 'execute_tool glob')[0]!.parentSpanId;
  while (above !== undefined && above !== call!.spanId) above = parents.get(above);
  expect(above).toBe(call!.spanId);
  // It is not kept twice.
  await sessions.open(tools(session)[0]!.meta!.sessionId as string);
  expect(await store.loadTraces(tools(session)[0]!.meta!.sessionId as string)).toEqual([]);
});

test('a stopped turn and a dead tab leave their traces; a deleted conversation leaves none', async () => {
  const { session, sandbox, sessions } = await setup([[{ tool: 'bash', input: { command: 'sleep 30' } }]], {
    ownRules: () => [{ permission: 'bash', pattern: '*', effect: 'allow' }],
  });
  const over = session.send('go');
  await until(() => tools(session)[0]?.state === 'running');
  // The tab dies here: another one finds what was saved with the step.
  const others = await createSessions({
    projectId: 'p',
    defaultModel: 'scripted',
    sandbox,
    store,
    resolveModel: () => scriptedModel([['hi']]),
  });
  const found = await (await others.open(session.id)).trace();
  expect(found.slice(0, 2).map((span) => [span.name, span.endMs])).toEqual([
    ['invoke_agent build', undefined],
    ['chat scripted', undefined],
  ]);
  await session.stop();
  await over;
  const spans = await session.trace();
  expect(named(spans, 'execute_tool bash')[0]).toMatchObject({ status: 'error', statusMessage: 'interrupted' });
  expect(spans.every((span) => span.endMs !== undefined)).toBe(true);
  await sessions.delete(session.id);
  expect(await store.loadTraces(session.id)).toEqual([]);
});

test('a call that is stopped while it asks: the question counts as its time, and nobody is said to have allowed it', async () => {
  const { session } = await setup([[{ tool: 'edit', input: { path: 'a.txt', oldString: 'one', newString: '1' } }]], {
    memory: { files: { 'a.txt': 'one\n' } },
  });
  const over = session.send('go');
  await until(() => session.state().asks.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 60));
  await session.stop();
  await over;
  const [{ attributes, status, events } = assert.fail('No call.')] = named(await session.trace(), 'execute_tool edit');
  expect(status).toBe('error');
  expect(attributes).toMatchObject({ 'cloche.permission.decision': 'not answered', 'cloche.permission.by': 'stop' });
  expect(attributes['cloche.call.ask_ms']).toBeGreaterThan(50);
  expect(events.map((one) => one.attributes.decision)).toEqual(['allowed', 'not answered']);
});

test('each call that ran says how long; what was refused before it ran says why, and no time of running', async () => {
  const { session } = await setup(
    [
      [
        { tool: 'read', input: { path: 'a.txt' } },
        { tool: 'read', input: { nope: 1 } },
        { tool: 'nosuch', input: {} },
      ],
      ['ok'],
    ],
    { memory: { files: { 'a.txt': 'a' } } },
  );
  await session.send('go');
  const calls = (await session.trace()).filter((span) => span.name.startsWith('execute_tool'));
  expect(calls.map(({ attributes }) => typeof attributes['cloche.call.run_ms'])).toEqual([
    'number',
    'undefined',
    'undefined',
  ]);
  expect(calls.map(({ statusMessage }) => statusMessage?.slice(0, 18))).toEqual([
    undefined,
    'The input of read ',
    'There is no tool n',
  ]);
  expect(calls.every(({ attributes }) => Number(attributes['cloche.call.bytes_out']) > 0)).toBe(true);
});

test('a hundred turns are kept', async () => {
  for (let at = 0; at < 103; at++)
    await store.saveTrace('s', { key: `trace_${String(at).padStart(3, '0')}`, spans: [] });
  const kept = await store.loadTraces('s');
  expect([kept.length, kept[0]!.key, kept.at(-1)!.key]).toEqual([100, 'trace_003', 'trace_102']);
});

test('a denial of an extension says that it was one', async () => {
  const { session } = await setup([[{ tool: 'read', input: { path: 'a.txt' } }], ['ok']], {
    memory: { files: { 'a.txt': 'a' } },
    evaluatePermission: async () => ({ effect: 'deny', message: 'no' }),
  });
  await session.send('go');
  const [read] = named(await session.trace(), 'execute_tool read');
  expect(read!.attributes).toMatchObject({
    'cloche.permission.decision': 'denied',
    'cloche.permission.by': 'extension',
  });
});
