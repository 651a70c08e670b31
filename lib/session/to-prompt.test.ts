import { expect, test } from 'vitest';
import { countPrompt, estimatePromptTokens } from '../agent/compaction';
import { httpModel } from '../agent/http-model';
import type { Message, MessagePart } from './messages';
import { promptUnits, shownUnits, unitsToPrompt } from './to-prompt';

const step = (at: number): MessagePart[] => [
  { type: 'step', id: `s${at}` },
  { type: 'text', id: `t${at}`, text: `text ${at}`, echo: { anthropic: { mark: at } } },
  {
    type: 'tool',
    id: `c${at}`,
    callId: `c${at}`,
    tool: 'read',
    state: 'done',
    inputText: '{}',
    input: {},
    output: `output ${at}`,
  },
];
const conversation = (steps: MessagePart[]): Message[] => [
  { id: 'a', role: 'user', createdAtMs: 0, parts: [said] },
  { id: 'b', role: 'assistant', createdAtMs: 0, model: 'anthropic/one', parts: steps },
];
const said: MessagePart = { type: 'text', id: 'said', text: 'go' };
const promptOf = (messages: Message[], model = 'anthropic/one') =>
  unitsToPrompt('a "system" prompt', shownUnits(promptUnits(messages)), { model });

test('a conversation that grows is converted and counted at its end only', () => {
  const parts = Array.from({ length: 200 }, (_, at) => step(at)).flat();
  const before = promptOf(conversation(parts));
  const after = promptOf(conversation([...parts, ...step(200)]));
  expect(after.length).toBe(before.length + 2);
  // The last one before carried the mark of the provider's cache.
  const kept = before.slice(1, -1);
  expect(after.slice(1, 1 + kept.length).every((message, at) => message === kept[at])).toBe(true);
  expect(after[before.length - 1]!.providerOptions).toBeUndefined();
  expect(after.filter((message) => message.providerOptions !== undefined)).toEqual([after[0], after.at(-1)]);
  expect(countPrompt(after)).toBe(after.reduce((sum, message) => sum + estimatePromptTokens(message), 0));
});

test('a part that changed, or another model, is converted anew', () => {
  const parts = [...step(0), ...step(1)];
  const json = (messages: Message[], model: string) => JSON.stringify(promptOf(messages, model));
  const before = json(conversation(parts), 'anthropic/one');
  expect(json(conversation(parts.with(2, { ...parts[2], output: 'other' } as MessagePart)), 'anthropic/one')).toBe(
    before.replace('output 0', 'other'),
  );
  expect(json(conversation(parts), 'anthropic/two')).not.toContain('mark');
  expect(json(conversation(parts), 'anthropic/one')).toBe(before);
});

test('a request is the JSON of its options', async () => {
  const bodies: unknown[] = [];
  const fetchFn = (async (_url: string, init: RequestInit) => {
    bodies.push(JSON.parse(init.body as string));
    return new Response('{}', { status: 500 });
  }) as typeof fetch;
  const prompt = promptOf(conversation(step(0)));
  const model = httpModel({ modelId: 'anthropic/one', fetch: fetchFn });
  for (const more of [{}, { temperature: 0, tools: [] }]) {
    await expect(model.doStream({ prompt, ...more })).rejects.toThrow();
    expect(bodies.pop()).toEqual({ model: 'anthropic/one', options: JSON.parse(JSON.stringify({ prompt, ...more })) });
  }
});
