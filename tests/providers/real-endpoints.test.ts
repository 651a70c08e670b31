// What only a real endpoint shows: each of these ended a conversation for good, because the provider refused every request after it (wire-rules.ts).
import { afterEach, expect, test } from 'vitest';
import { type FakeProvider, startFakeProvider, type WireScript } from './fake-provider';
import { said, tools, wholePath } from './whole-path';
import type { WirePart } from './wire-formats';

let provider: FakeProvider;
afterEach(() => provider.close());

const env = {
  OPENAI_COMPATIBLE_MODELS: 'kimi-test,deepseek-test,cerebras-test,openrouter-test,mistral-test,llama-test',
  GOOGLE_MODELS: 'gemini-test,gemini-3-test',
};
const read = { tool: 'read', input: { path: 'a.txt' } };

async function setup(model: string, script: WireScript) {
  provider = await startFakeProvider(script);
  return wholePath({ url: provider.url, model, env });
}

function expectTaken(answers: number): void {
  expect(provider.requests.map((request) => request.refusal)).toEqual(Array(answers).fill(undefined));
}

const assistants = (at: number) => provider.requests[at]!.body.messages.filter((one: any) => one.role === 'assistant');

test('reasoning that a server wants back beside its calls goes back, also beside a call without any', async () => {
  const { session } = await setup('compatible/deepseek-test', [
    { parts: [{ reasoning: 'Look first.' }, read] },
    { parts: [read] },
    { parts: [{ text: 'Done.' }] },
  ]);
  await session.send('go');
  expect(session.state().status).toEqual({ kind: 'idle' });
  expectTaken(3);
  expect(assistants(2).map((one: any) => one.reasoning_content)).toEqual(['Look first.', '.']);
});

test('reasoning goes back in the field in which it came', async () => {
  const { session } = await setup('compatible/cerebras-test', [
    { parts: [{ reasoning: 'Look first.', field: 'reasoning' }, read] },
    { parts: [{ text: 'Done.' }] },
  ]);
  await session.send('go');
  expectTaken(2);
  expect(assistants(1)).toMatchObject([{ reasoning: 'Look first.' }]);
});

test('blocks of reasoning go back to a gateway whole: signed, encrypted, and those of a step with nothing but calls', async () => {
  const piece = (text: string, more = {}) => ({ type: 'reasoning.text', text, index: 0, format: 'anthropic', ...more });
  const sealed = { type: 'reasoning.encrypted', data: 'c2VhbGVk', id: 'call_1', index: 0, format: 'gemini' };
  const { session } = await setup('compatible/openrouter-test', [
    {
      parts: [
        {
          reasoning: 'Look first.',
          field: 'reasoning',
          details: [
            [piece('Look ')],
            [piece('first.')],
            [piece('', { signature: 'sig' }), { ...piece('Then go.'), index: 1, signature: null }],
          ],
        },
        read,
      ],
    },
    { parts: [read, { reasoning: '', details: [[sealed], [{ ...sealed, id: 'call_2' }]] }] },
    { parts: [{ text: 'Done.' }] },
  ]);
  await session.send('go');
  expect(session.state().status).toEqual({ kind: 'idle' });
  expectTaken(3);
  expect(assistants(2).map((one: any) => one.reasoning_details)).toEqual([
    [piece('Look first.', { signature: 'sig' }), { ...piece('Then go.'), index: 1, signature: null }],
    [sealed, { ...sealed, id: 'call_2' }],
  ]);
});

test.each([
  ['anthropic/claude-test', 2],
  ['openai/gpt-5-test', 2],
  ['google/gemini-3-test', 2],
  ['compatible/mistral-test', 2],
])('a conversation goes on with %s after another model’s calls, whatever their ids', async (model, answers) => {
  const { session } = await setup('compatible/kimi-test', [
    { parts: [{ reasoning: 'Hm.' }, { ...read, id: 'functions.read:0' }, { ...read, id: `call_${'x'.repeat(400)}` }] },
    { parts: [{ text: 'Read.' }] },
    { parts: [{ text: 'Hello from another one.' }] },
  ]);
  await session.send('go');
  session.setModel(model);
  await session.send('and you?');
  expect(said(session).at(-1)).toBe('Hello from another one.');
  expectTaken(answers + 1);
});

test.each([['anthropic/claude-test'], ['openai/gpt-5-test'], ['google/gemini-3-test'], ['compatible/mistral-test']])(
  'a name that no tool could have, and text of nothing but spaces, do not end a conversation with %s',
  async (model) => {
    const odd: WirePart[] = [
      { text: '\n\n' },
      { tool: 'functions.read', input: { path: 'a.txt' } },
      { tool: 'such a name', input: {} },
    ];
    const { session } = await setup(model, [{ parts: odd }, { parts: [{ text: 'Sorry.' }] }]);
    await session.send('go');
    expect(session.state().status).toEqual({ kind: 'idle' });
    expect(tools(session).map((part) => part.state)).toContain('error');
    expectTaken(2);
  },
);

test('calls with which the person opens a turn are taken by every provider', async () => {
  for (const model of [
    'anthropic/claude-test',
    'openai/gpt-5-test',
    'google/gemini-3-test',
    'compatible/mistral-test',
  ]) {
    const { session } = await setup(model, [{ parts: [{ text: 'I see.' }] }]);
    await session.send('look', 'steer', [], { opening: [read] });
    expect(said(session)).toEqual(['look', 'I see.']);
    expectTaken(1);
    await provider.close();
  }
});

test.each([
  [
    'anthropic/claude-test',
    'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude',
    8192,
  ],
  [
    'anthropic/claude-test',
    'input length and `max_tokens` exceed context limit: 178959 + 32000 > 200000, decrease input length',
    20_841,
  ],
  ['compatible/llama-test', 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192],
  [
    'compatible/llama-test',
    "'max_tokens' is too large: 32000. This model's maximum context length is 16384 tokens and your request has 5000 input tokens (32000 > 16384 - 5000).",
    11_184,
  ],
])('%s takes shorter answers than those that are asked for: %s', async (model, message, taken) => {
  const { session } = await setup(model, ({ body }) =>
    body.max_tokens > taken
      ? { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
      : { parts: [{ text: 'Short.' }] },
  );
  await session.send('go');
  expect(said(session)).toEqual(['go', 'Short.']);
  expect(provider.requests.map(({ body }) => body.max_tokens)).toEqual([32_000, taken]);
});
