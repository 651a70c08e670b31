import { expect, test } from 'vitest';
import { createSpanRecorder } from '../../lib/std/trace';
import { traceRows } from './trace-rows';

test('a tree in reading order, with shares of the turn and words for the decision', () => {
  const recorder = createSpanRecorder(99);
  const turn = recorder.start('invoke_agent build', {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'build',
  });
  const step = recorder.start('chat m', { 'gen_ai.operation.name': 'chat', 'cloche.retries': 1 }, turn);
  const call = recorder.start(
    'execute_tool edit',
    { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'edit' },
    step,
  );
  const later = recorder.start('chat m', { 'gen_ai.operation.name': 'chat' }, turn);
  Object.assign(turn, { startMs: 1000, endMs: 2000, status: 'ok' });
  Object.assign(step, { startMs: 1000, endMs: 1500, status: 'ok' });
  Object.assign(call, { startMs: 1200, endMs: 1700, status: 'error', statusMessage: 'no' });
  Object.assign(call.attributes, {
    'cloche.call.queue_ms': 100,
    'cloche.call.ask_ms': 200,
    'cloche.permission.decision': 'rejected',
    'cloche.permission.by': 'person',
  });
  later.startMs = 1800;
  const rows = traceRows(recorder.spans);
  expect(rows.map((row) => [row.depth, row.kind, row.label])).toEqual([
    [0, 'turn', 'build'],
    [1, 'step', 'Model'],
    [2, 'call', 'edit'],
    [1, 'step', 'Model'],
  ]);
  const edit = rows[2]!;
  expect([edit.start, edit.wait, edit.ask, edit.run].map((share) => Math.round(share * 10))).toEqual([2, 1, 2, 2]);
  expect(edit).toMatchObject({ decision: 'rejected by you', remarks: ['failed: no'], totalMs: 500 });
  expect(rows[1]!.remarks).toEqual(['1 retry']);
  expect(rows[3]).toMatchObject({ totalMs: undefined, remarks: ['did not end'] });
});

test('ten thousand spans are rows in a moment, and what lost its parent is still shown', () => {
  const recorder = createSpanRecorder(20_000);
  const turn = recorder.start('invoke_agent build', { 'gen_ai.operation.name': 'invoke_agent' });
  for (let at = 0; at < 10_000; at++)
    recorder.start('execute_tool read', { 'gen_ai.operation.name': 'execute_tool' }, turn);
  expect(traceRows(recorder.spans)).toHaveLength(10_001);
  expect(traceRows(recorder.spans.slice(1))).toHaveLength(10_000);
});
