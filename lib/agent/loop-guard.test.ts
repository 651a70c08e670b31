import { expect, test } from 'vitest';
import { createLoopGuard } from './loop-guard';

test('durations do not count, and outputs of nothing but digits cost no time', () => {
  const guard = createLoopGuard();
  const seen = (output: string) => guard.see({ tool: 'bash', input: {}, output, failed: false }).verdict;
  expect(['1.5 s', '20ms', '3s'].map((took) => seen(`done in ${took}`))).toEqual(['fine', 'fine', 'nudge']);
  const digits = '1'.repeat(400_000);
  expect([1, 2, 3].map(() => seen(`${digits}x`))).toEqual(['fine', 'fine', 'nudge']);
});
