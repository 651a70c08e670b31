import { expect, test } from 'vitest';
import type { Message, MessagePart } from './messages';
import { noUsage, totalUsage } from './usage';

const step: MessagePart = { type: 'step', id: 's', usage: { ...noUsage, inputTokens: 1e6, outputTokens: 1e6 } };
const task = (usage: object): MessagePart => ({
  type: 'tool',
  id: 't',
  callId: 'c',
  tool: 'task',
  state: 'error',
  inputText: '{}',
  meta: { usage },
});
const answer = (...parts: MessagePart[]): Message[] => [
  { id: 'm', role: 'assistant', parts, createdAtMs: 0, model: 'priced' },
];
const priceOf = (model: string) => (model === 'priced' ? { input: 1, output: 2 } : undefined);

test('a task that has used nothing yet, or failed before it did, does not hide what the conversation costs', () => {
  expect(totalUsage(answer(step, task(noUsage)), priceOf).costUsd).toBe(3);
  expect(totalUsage(answer(step, task({ ...noUsage, inputTokens: 5, costUsd: 1 })), priceOf).costUsd).toBe(4);
  expect(totalUsage(answer(step, task({ ...noUsage, inputTokens: 5 })), priceOf).costUsd).toBeUndefined();
});
