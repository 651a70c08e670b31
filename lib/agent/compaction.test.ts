import { expect, test } from 'vitest';
import { estimatePromptTokens, isOverflowing } from './compaction';

test('a prompt is estimated as its JSON would be, other scripts by their characters, files as images', () => {
  const asked = { role: 'user', content: [{ type: 'text', text: 'word '.repeat(400) }] };
  const json = JSON.stringify([asked]).length / 4;
  expect(Math.abs(estimatePromptTokens([asked]) - json)).toBeLessThan(json * 0.05);
  expect(estimatePromptTokens('漢字仮名')).toBe(4);
  expect(estimatePromptTokens({ content: [{ type: 'text', text: '漢'.repeat(1000) }] })).toBeGreaterThan(1000);
  expect(estimatePromptTokens([{ type: 'file', data: 'A'.repeat(1_000_000) }])).toBe(1600);
  expect(estimatePromptTokens(undefined)).toBe(1);
});

test('the context is full when less than the reserved room is left: 20 000, or what the person says, never more than half', () => {
  expect([79_999, 80_000].map((used) => isOverflowing(used, 100_000))).toEqual([false, true]);
  expect([69_999, 70_000].map((used) => isOverflowing(used, 100_000, 30_000))).toEqual([false, true]);
  expect([98_999, 99_000].map((used) => isOverflowing(used, 100_000, 1000))).toEqual([false, true]);
  expect([49_999, 50_000].map((used) => isOverflowing(used, 100_000, 1_000_000))).toEqual([false, true]);
  expect(isOverflowing(1e9, undefined, 1)).toBe(false);
});
