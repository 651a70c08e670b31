import { expect, test } from 'vitest';
import { createSpanRecorder, toOtlp } from './trace';

test('spans nest, end once, and the list is bounded', () => {
  const recorder = createSpanRecorder(2);
  const turn = recorder.start('turn', { agent: 'build' });
  const call = recorder.start('call', { bytes: 3 }, turn);
  const late = recorder.start('late', {}, turn);
  recorder.end(call, 'error', 'no');
  recorder.end(call, 'ok');
  recorder.end(late);
  expect(recorder.spans).toEqual([turn, call]);
  expect(recorder.dropped()).toBe(1);
  expect(call).toMatchObject({
    parentSpanId: turn.spanId,
    traceId: turn.traceId,
    status: 'error',
    statusMessage: 'no',
  });
  expect(turn.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(turn.spanId).toMatch(/^[0-9a-f]{16}$/);
});

test('the file is OTLP in JSON: 64-bit numbers are strings, values are typed, what has not ended is left out', () => {
  const recorder = createSpanRecorder(9);
  const span = recorder.start('call', { tool: 'read', bytes: 3, share: 0.5, truncated: false });
  span.startMs = 1_700_000_000_000.25;
  recorder.event(span, 'asked', { permission: 'edit' });
  span.endMs = 1_700_000_000_001;
  span.status = 'ok';
  recorder.start('running', {});
  const { resourceSpans } = toOtlp(recorder.spans, { 'service.name': 'cloche' }) as {
    resourceSpans: { resource: object; scopeSpans: { spans: Record<string, unknown>[] }[] }[];
  };
  expect(resourceSpans[0]!.resource).toEqual({
    attributes: [{ key: 'service.name', value: { stringValue: 'cloche' } }],
  });
  const { spans } = resourceSpans[0]!.scopeSpans[0]!;
  expect(spans).toHaveLength(1);
  expect(spans[0]).toMatchObject({
    traceId: span.traceId,
    startTimeUnixNano: '1700000000000250000',
    endTimeUnixNano: '1700000000001000000',
    status: { code: 1 },
    attributes: [
      { key: 'tool', value: { stringValue: 'read' } },
      { key: 'bytes', value: { intValue: '3' } },
      { key: 'share', value: { doubleValue: 0.5 } },
      { key: 'truncated', value: { boolValue: false } },
    ],
    events: [{ name: 'asked', attributes: [{ key: 'permission', value: { stringValue: 'edit' } }] }],
  });
});
