import { expect, test } from 'vitest';
import { estimatePromptTokens } from './compaction';

test('a prompt is estimated as its JSON would be, other scripts by their characters, files as images', () => {
  const asked = { role: 'user', content: [{ type: 'text', text: 'word '.repeat(400) }] };
  const json = JSON.stringify([asked]).length / 4;
  expect(Math.abs(estimatePromptTokens([asked]) - json)).toBeLessThan(json * 0.05);
  expect(estimatePromptTokens('漢字仮名')).toBe(4);
  expect(estimatePromptTokens({ content: [{ type: 'text', text: '漢'.repeat(1000) }] })).toBeGreaterThan(1000);
  expect(estimatePromptTokens([{ type: 'file', data: 'A'.repeat(1_000_000) }])).toBe(1600);
  expect(estimatePromptTokens(undefined)).toBe(1);
});
