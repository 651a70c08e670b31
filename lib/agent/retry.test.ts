import { describe, expect, test, vi } from 'vitest';
import { sleep } from '../std/signals';
import { withoutNetwork } from '../std/testing-network';
import { serverSentParts } from './http-model';
import { loadModelList } from './model-list';
import { providerKey, setProviderKey } from './provider-keys';
import { withRetry } from './retry';
import { isTransient, ModelError, retryAfterMs, toRunError } from './run-error';

const failing = (status: number, retryable = true, wait?: number) =>
  new ModelError({ message: 'no', retryable, kind: 'provider', status }, wait);

test.each<[string, unknown, boolean]>([
  ['overloaded', failing(529), true],
  ['rate limit', failing(429), true],
  ['wrong request', failing(400, false), false],
  ['refused key', new ModelError({ message: '', retryable: true, kind: 'key', status: 401 }), false],
  ['network', new TypeError('Failed to fetch'), true],
  ['bug', new TypeError('x is undefined'), false],
  ['stop', new DOMException('', 'AbortError'), false],
])('%s is transient: %s', (_name, error, expected) => expect(isTransient(error)).toBe(expected));

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after-ms': '1500' }, 1500],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, 10_000],
  [{ 'retry-after': 'Thu, 01 Jan 2020 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('retry-after %o', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), Date.parse('2026-01-01T00:00:00Z'))).toBe(expected);
});

describe('withRetry', () => {
  const run = async (errors: unknown[], options: { maxRetries?: number } = {}) => {
    let attempts = 0;
    const waits: number[] = [];
    const result = await withRetry(
      async () => {
        if (attempts++ < errors.length) throw errors[attempts - 1];
        return 'ok';
      },
      {
        signal: new AbortController().signal,
        baseDelayMs: 1,
        onRetry: (notice) => waits.push(notice.nextAtMs - Date.now()),
        ...options,
      },
    ).catch((error: Error) => error.message);
    return { result, attempts, waits };
  };
  test('works in the end', async () =>
    expect(await run([failing(500), failing(503)])).toMatchObject({ result: 'ok', attempts: 3 }));
  test('gives up', async () =>
    expect(await run(Array(9).fill(failing(500)), { maxRetries: 2 })).toMatchObject({ result: 'no', attempts: 3 }));
  test('does not wait longer than a person would', async () =>
    expect(await run([failing(429, true, 3_600_000)])).toMatchObject({ attempts: 1 }));
  test('spends nothing while there is no network, and goes on when it is back; a stop ends the wait', async () => {
    const comeBack = withoutNetwork();
    let attempts = 0;
    const attempt = async () => {
      if (++attempts < 3) throw new TypeError('Failed to fetch');
      return 'ok';
    };
    const stop = new AbortController();
    const options = { maxRetries: 2, baseDelayMs: 1, onRetry: () => {} };
    const stopped = withRetry(attempt, { ...options, signal: stop.signal }).catch((error: Error) => error.name);
    await sleep(30);
    expect(attempts).toBe(1);
    stop.abort();
    expect(await stopped).toBe('AbortError');
    attempts = 0;
    const going = withRetry(attempt, { ...options, signal: new AbortController().signal });
    await sleep(30);
    expect(attempts).toBe(1);
    comeBack();
    expect(await going).toBe('ok');
    vi.unstubAllGlobals();
  });
  test("respects the provider's wish", async () =>
    expect((await run([failing(429, true, 40)])).waits[0]).toBeGreaterThan(30));
});

test('server-sent parts: split anywhere, comments skipped, errors typed, a cut is an error', async () => {
  const text =
    ': ping\n\ndata: {"type":"text-delta","id":"0","delta":"ž🐎"}\n\ndata: {"type":"error","error":{"message":"m","retryable":true,"kind":"limit","status":429,"retryAfterMs":7}}\n\n';
  const bytes = new TextEncoder().encode(text);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const reader = stream.pipeThrough(serverSentParts()).getReader();
  expect((await reader.read()).value).toEqual({ type: 'text-delta', id: '0', delta: 'ž🐎' });
  const { value } = await reader.read();
  expect(value).toMatchObject({ type: 'error', error: { retryAfterMs: 7, error: { status: 429, kind: 'limit' } } });
  await expect(reader.read()).rejects.toMatchObject({ error: { kind: 'network', retryable: true } });
});

test('keys are kept by provider and forgotten when emptied; without a server only the practice model remains', async () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  setProviderKey('anthropic', ' sk-1 \n', storage);
  expect(providerKey('anthropic', storage)).toBe('sk-1');
  expect(providerKey('openai', storage)).toBeUndefined();
  setProviderKey('anthropic', '', storage);
  expect(kept.size).toBe(0);
  const offline = await loadModelList(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(offline.models.map((model) => model.id)).toEqual(['practice']);
  expect(offline.models[0]!.name).toContain('not an AI');
  await expect(loadModelList(async () => new Response('', { status: 500 }))).rejects.toThrow('HTTP 500');
});

test('any throw has words', () => {
  expect(toRunError('x')).toMatchObject({ message: 'x', kind: 'bug' });
  expect(toRunError(undefined).message).toBe('undefined');
  expect(toRunError(new Error('')).message).toContain('without saying why');
});
