// Images over the real wire formats: from a tool and from the person, refused by a provider, refused by our own route.
import { afterEach, describe, expect, test } from 'vitest';
import type { FitImage } from '@/lib/session/fit-image';
import { type FakeProvider, startFakeProvider, type WireStep } from './fake-provider';
import { formats, said, wholePath } from './whole-path';

let provider: FakeProvider;
afterEach(() => provider.close());

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const base64 = 'iVBORw0KGgoB';
const fitImage: FitImage = async (bytes, mediaType) => ({ bytes, mediaType, width: 1, height: 1 });

async function setUp(model: string, script: WireStep[]) {
  provider = await startFakeProvider(script);
  return wholePath({ url: provider.url, model, files: { 'a.png': png }, session: { fitImage } });
}
const models = [
  ...formats.filter(({ name }) => !name.startsWith('OpenAI-compatible')),
  { name: 'OpenAI-compatible chat', model: 'compatible/llava-test' },
];

/** Where the bytes stand in a request, as each API wants them. */
function placeOf(name: string, body: any): unknown {
  switch (name) {
    case 'Anthropic Messages':
      return body.messages.flatMap((one: any) => one.content).find((part: any) => part.type === 'tool_result')?.content;
    case 'OpenAI Responses':
      return body.input.find((item: any) => item.type === 'function_call_output')?.output;
    case 'Google':
      return body.contents;
    default:
      return body.messages.at(-1);
  }
}

describe.each(models)('$name', ({ name, model }) => {
  test('an image that a tool read, and one that the person shows', async () => {
    const { session } = await setUp(model, [
      { parts: [{ tool: 'read', input: { path: 'a.png' } }] },
      { parts: [{ text: 'A red one.' }] },
      { parts: [{ text: 'The same.' }] },
    ]);
    await session.send('look');
    expect(said(session)).toEqual(['look', 'A red one.']);
    const place = placeOf(name, provider.requests[1]!.body);
    expect(JSON.stringify(place)).toContain(base64);
    if (name === 'OpenAI-compatible chat') expect(place).toMatchObject({ role: 'user' });
    if (name === 'Anthropic Messages')
      expect(place).toContainEqual({
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: base64 },
      });
    const { kept } = await session.keep([{ bytes: png, mediaType: 'image/png', name: 'b.png' }]);
    await session.send('and this?', 'steer', kept);
    expect(session.state().status).toEqual({ kind: 'idle' });
    expect(JSON.stringify(provider.requests[2]!.body).split(base64)).toHaveLength(3);
  });

  test('an image that the provider refuses is left out once and for all', async () => {
    const refused = {
      status: 400,
      body: { error: { type: 'invalid_request_error', message: 'Could not process image', code: 400 } },
    };
    const { session } = await setUp(model, [
      { parts: [{ tool: 'read', input: { path: 'a.png' } }] },
      refused,
      { parts: [{ text: 'Without it.' }] },
    ]);
    await session.send('look');
    expect(session.state().status).toEqual({ kind: 'idle' });
    expect(said(session)).toEqual(['look', 'Without it.']);
    expect(provider.requests).toHaveLength(3);
    expect(JSON.stringify(provider.requests[2]!.body)).not.toContain(base64);
    expect(JSON.stringify(provider.requests[2]!.body)).toContain('the provider refused it');
  });
});

test.each([
  ['an address instead of bytes', { type: 'url', url: 'http://169.254.169.254/' }, 'image/png'],
  ['a type that is no image', { type: 'data', data: base64 }, 'text/html'],
  ['what is not base64', { type: 'data', data: '<svg>' }, 'image/png'],
])('our route refuses %s', async (_name, content, mediaType) => {
  const { route } = await setUp('anthropic/claude-test', [{ parts: [{ text: 'Hi.' }] }]);
  const file = { type: 'file', mediaType, data: content };
  const response = await route(
    new Request('http://cloche.localhost:3000/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({
        model: 'anthropic/claude-test',
        options: { prompt: [{ role: 'user', content: [file] }] },
      }),
    }),
  );
  expect(response.status).toBe(400);
  expect(provider.requests).toEqual([]);
});
