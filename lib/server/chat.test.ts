import { describe, expect, test } from 'vitest';
import { createChatRoute } from './chat';
import { readChatEnvironment } from './chat-environment';
import { guardRequest, readJsonBody } from './guard';
import { offeredModels } from './offered-models';
import { createRateLimit } from './rate-limit';

const url = 'http://cloche.localhost:3000/api/chat';
const step = {
  model: 'anthropic/claude-test',
  options: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
};
function post(body: unknown, headers: Record<string, string> = {}): Request {
  const all = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    host: 'cloche.localhost:3000',
    ...headers,
  };
  return new Request(url, {
    method: 'POST',
    headers: all,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('the guard', () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ['our page', { 'sec-fetch-site': 'same-origin', origin: 'http://cloche.localhost:3000' }, undefined],
    ['an old browser with a matching origin', { origin: 'http://cloche.localhost:3000' }, undefined],
    ['a preview of ours', { 'sec-fetch-site': 'same-site', origin: 'http://p-1.cloche.localhost:3000' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['an old browser on another site', { origin: 'https://evil.example' }, 403],
    ['another port', { origin: 'http://cloche.localhost:4000' }, 403],
    ['a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    ['nobody says where from', {}, 403],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }, 403],
    ['a form', { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }, 415],
  ])('%s', (_name, headers, status) => {
    const all = { 'content-type': 'application/json', host: 'cloche.localhost:3000', ...headers };
    expect(guardRequest(new Request(url, { method: 'POST', headers: all, body: '{}' }))?.status).toBe(status);
  });

  test('bodies are bounded, whatever the header says', async () => {
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) });
    const endless = new Request(url, { method: 'POST', body: stream, duplex: 'half' } as RequestInit);
    expect(await readJsonBody(endless, 10_000)).toMatchObject({ status: 413 });
    expect(await readJsonBody(post('{'), 100)).toMatchObject({ status: 400 });
    expect(await readJsonBody(post({ a: 1 }), 100)).toEqual({ value: { a: 1 } });
  });

  test('bodies that would cost more to read than their length are refused unread', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(await readJsonBody(post(nested(100_000)), 1e6)).toMatchObject({ status: 413 });
    expect(await readJsonBody(post(nested(400)), 1e6)).toHaveProperty('value');
    expect(await readJsonBody(post(`[${'{},'.repeat(400_000)}0]`), 1e7)).toMatchObject({ status: 413 });
    expect(await readJsonBody(post(`[${'0,'.repeat(400_000)}0]`), 1e7)).toHaveProperty('value');
    // What stands in a string costs nothing.
    const inString = JSON.stringify(['[{,"\\'.repeat(200_000), '\\', 1]);
    expect(await readJsonBody(post(inString), 1e7)).toHaveProperty('value');
    expect(await readJsonBody(post('["'), 100)).toMatchObject({ status: 400 });
  });
});

describe('the route', () => {
  const environment = (env: Record<string, string> = {}) =>
    readChatEnvironment({
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_MODELS: 'claude-test',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      ...env,
    });
  test.each<[string, unknown, Record<string, string>, number, string]>([
    ['another site', step, { 'sec-fetch-site': 'cross-site' }, 403, 'did not come from this site'],
    ['a model that is not offered', { ...step, model: 'anthropic/claude-9' }, {}, 404, 'not offered'],
    [
      'nor with an own key, when the host named its models',
      { ...step, model: 'anthropic/claude-9' },
      { 'x-provider-key': 'sk-x' },
      404,
      'not offered',
    ],
    ['an unknown provider', { ...step, model: 'evil/x' }, {}, 404, 'not offered'],
    ['a provider without a key', { ...step, model: 'openai/gpt-5.4' }, {}, 401, 'Enter your key for OpenAI'],
    [
      'a key with a newline',
      { ...step, model: 'openai/gpt-5.4' },
      { 'x-provider-key': 'a b' },
      400,
      'does not look like a key',
    ],
    ['no prompt', { model: 'anthropic/claude-test', options: { prompt: [] } }, {}, 400, 'options.prompt'],
    [
      'an image by address',
      {
        model: 'anthropic/claude-test',
        options: {
          prompt: [
            {
              role: 'user',
              content: [
                { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'http://169.254.169.254/' } },
              ],
            },
          ],
        },
      },
      {},
      400,
      'prompt',
    ],
    ['a provider that is down', step, {}, 502, "can't be reached"],
  ])('%s', async (_name, body, headers, status, message) => {
    const response = await createChatRoute(environment())(post(body, headers));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(message) });
    expect(response.headers.get('cache-control')).toContain('no-store');
  });

  test('rates and days are bounded', async () => {
    const perMinute = createChatRoute(environment({ CLOCHE_CHAT_STEPS_PER_MINUTE: '2' }));
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await perMinute(post(step))).status);
    expect(statuses).toEqual([502, 502, 429]);
    const other = await perMinute(post(step, { 'x-cloche-peer': '2.2.2.2' }));
    expect(other.status).toBe(502);
    const perDay = createChatRoute(environment({ CLOCHE_HOST_KEY_STEPS_PER_DAY: '1' }));
    await perDay(post(step));
    const refused = await perDay(post(step, { 'x-cloche-peer': '3.3.3.3' }));
    expect(await refused.json()).toMatchObject({
      retryable: false,
      kind: 'limit',
      message: expect.stringContaining('used up'),
    });
    // An own key pays for itself.
    expect((await perDay(post(step, { 'x-provider-key': 'sk-own-key' }))).status).toBe(502);
  });

  test('own keys can be switched off', async () => {
    const route = createChatRoute(environment({ CLOCHE_OWN_KEYS: 'off' }));
    expect((await route(post({ ...step, model: 'openai/gpt-5.4' }, { 'x-provider-key': 'sk-own' }))).status).toBe(401);
  });
});

test('a wrong environment names the variable and not its content', () => {
  expect(() => readChatEnvironment({ ANTHROPIC_BASE_URL: 'secret not url' })).toThrow(/ANTHROPIC_BASE_URL/);
  expect(() => readChatEnvironment({ ANTHROPIC_BASE_URL: 'secret not url' })).not.toThrow(/secret/);
  expect(() => readChatEnvironment({ CLOCHE_MODEL_PRICES: '{' })).toThrow(/CLOCHE_MODEL_PRICES/);
  for (const wrong of ['200000', '{"openai/x":0}', '{"openai/x":"8k"}', '{"openai/x":1.5}'])
    expect(() => readChatEnvironment({ CLOCHE_MODEL_CONTEXT_TOKENS: wrong })).toThrow(/CLOCHE_MODEL_CONTEXT_TOKENS/);
});

test('an address without models is told, not offered as nothing', () => {
  expect(() => readChatEnvironment({ OPENAI_COMPATIBLE_URL: 'http://localhost:11434/v1' })).toThrow(
    /^OPENAI_COMPATIBLE_MODELS must name/,
  );
});

test('what is offered holds no key', () => {
  const offered = offeredModels(
    readChatEnvironment({
      ANTHROPIC_API_KEY: 'sk-secret',
      OPENAI_COMPATIBLE_URL: 'http://localhost:11434/v1',
      OPENAI_COMPATIBLE_MODELS: 'qwen3:8b',
      CLOCHE_MODEL_PRICES: '{"anthropic/claude-sonnet-5-5":{"input":3,"output":15}}',
      CLOCHE_MODEL_CONTEXT_TOKENS: '{"compatible/qwen3:8b":4096}',
    }),
  );
  expect(JSON.stringify(offered)).not.toContain('sk-secret');
  expect(offered.models[0]).toEqual({
    id: 'anthropic/claude-sonnet-5-5',
    name: 'claude-sonnet-5-5',
    provider: 'anthropic',
    access: 'server',
    price: { input: 3, output: 15 },
  });
  expect(offered.models.find((model) => model.id === 'compatible/qwen3:8b')).toMatchObject({
    access: 'server',
    contextTokens: 4096,
  });
  expect(offered.models.at(-1)!.access).toBe('own-key');
  expect(offered.providers.map(({ id, hasServerKey }) => [id, hasServerKey])).toEqual([
    ['anthropic', true],
    ['compatible', true],
    ['openai', false],
    ['google', false],
  ]);
  expect(offeredModels(readChatEnvironment({ CLOCHE_OWN_KEYS: 'off' }))).toEqual({ models: [], providers: [] });
});

test('the rate limit refills evenly and forgets the oldest', () => {
  const limit = createRateLimit(2, 1000, 2);
  expect([limit.take('a', 0), limit.take('a', 0)]).toEqual([{ allowed: true }, { allowed: true }]);
  expect(limit.take('a', 0)).toEqual({ allowed: false, retryAfterMs: 500 });
  expect(limit.take('a', 500)).toEqual({ allowed: true });
  expect(createRateLimit(0, 1000).take('a').allowed).toBe(false);
});
