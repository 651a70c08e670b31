import { expect, test } from 'vitest';
import { systemPrompt } from './system-prompt';

const facts = { workdir: '/home/project', today: '2026-01-01', toolNames: ['read'] };

test('a family reads its own lines, the others read nothing of it', () => {
  const plain = systemPrompt({ ...facts, family: 'other' });
  expect(plain).toBe(systemPrompt(facts));
  const prompts = (['claude', 'gpt', 'gemini'] as const).map((family) => systemPrompt({ ...facts, family }));
  expect(new Set([plain, ...prompts]).size).toBe(4);
  for (const prompt of prompts) expect(prompt.length - plain.length).toBeLessThan(400);
  expect(prompts[1]).toContain('never with echo, cat or sed');
  expect(prompts[0]).not.toContain('never with echo');
});
