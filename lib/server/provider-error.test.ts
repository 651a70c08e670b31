import { APICallError } from 'ai';
import { expect, test } from 'vitest';
import { takenOutputTokens } from './output-limit';
import { providerFailure } from './provider-error';

const refused = (statusCode: number, body: unknown) =>
  new APICallError({
    message: 'Bad Request',
    url: 'http://x',
    requestBodyValues: {},
    statusCode,
    responseBody: JSON.stringify(body),
  });
const told = (message: string) => ({ error: { message } });

test.each<[string, unknown]>([
  ['Anthropic', refused(400, told('prompt is too long: 208310 tokens > 200000 maximum'))],
  [
    'Anthropic, without room',
    refused(400, told('input length and `max_tokens` exceed context limit: 199900 + 32000 > 200000')),
  ],
  ['OpenAI', refused(400, told('Your input exceeds the context window of this model.'))],
  ['OpenAI, in the stream', { type: 'error', code: 'context_length_exceeded', message: 'Too many tokens.' }],
  [
    'Google',
    refused(400, told('The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).')),
  ],
  [
    'OpenRouter, told by whom it asked',
    refused(400, {
      error: {
        message: 'Provider returned error',
        metadata: {
          raw: '{"error":{"message":"This model\'s maximum prompt length is 131072 but the request contains 140000 tokens."}}',
        },
      },
    }),
  ],
  ['llama.cpp', refused(400, told('the request exceeds the available context size. try increasing the context size'))],
  ['Groq', refused(400, told('Please reduce the length of the messages or completion.'))],
  ['DashScope', refused(400, told('Range of input length should be [1, 129024]'))],
  [
    'a server without `error`',
    refused(400, { object: 'error', message: "This model's maximum context length is 4096 tokens." }),
  ],
])('a prompt that is too long is known in the words of %s', (_name, error) => {
  expect(providerFailure(error, 'P', [])).toMatchObject({ overflow: true, retryable: false });
});

test('the quota of a minute is waited for, that of a day and of an account is not', () => {
  const quota = (id: string, delay?: string) =>
    refused(429, {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        details: [{ violations: [{ quotaId: id }] }, ...(delay ? [{ '@type': 'RetryInfo', retryDelay: delay }] : [])],
      },
    });
  expect(providerFailure(quota('InputTokensPerModelPerMinute-FreeTier', '26.5s'), 'Google', [])).toMatchObject({
    retryable: true,
    kind: 'limit',
    retryAfterMs: 26_500,
  });
  expect(providerFailure(quota('RequestsPerDayPerProject', '26s'), 'Google', [])).toMatchObject({ retryable: false });
  expect(providerFailure(quota('', undefined), 'OpenAI', [])).toMatchObject({ retryable: false });
  const minute = refused(429, told('Resource has been exhausted (e.g. check quota).'));
  expect(providerFailure(minute, 'Google', [])).toMatchObject({ retryable: true, kind: 'limit' });
});

test('a key that is not valid is one, whatever the status', () => {
  const failure = providerFailure(refused(400, told('API key not valid. Please pass a valid API key.')), 'Google', []);
  expect(failure).toMatchObject({ kind: 'key', retryable: false });
});

test('what a server says without the usual envelope reaches the person', () => {
  expect(providerFailure(refused(400, { detail: [{ msg: 'temperature: too hot' }] }), 'vLLM', []).message).toContain(
    'too hot',
  );
  expect(providerFailure(refused(400, { message: 'no such thing' }), 'Cerebras', []).message).toContain(
    'no such thing',
  );
});

test('an error in the middle of a stream has its status: what can’t help is not tried again', () => {
  expect(providerFailure({ code: 502, message: 'Provider disconnected' }, 'OpenRouter', [])).toMatchObject({
    status: 502,
    retryable: true,
  });
  expect(providerFailure({ code: 400, message: 'no' }, 'OpenRouter', [])).toMatchObject({
    status: 400,
    retryable: false,
  });
});

test.each<[string, number | undefined]>([
  [
    "This model's maximum context length is 8192 tokens. However, you requested 33000 tokens (1000 in the messages, 32000 in the completion).",
    6992,
  ],
  ['max_tokens is too large: 32000. This model supports at most 16384 completion tokens.', 16_384],
  ['`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`', 8192],
  [
    'Unable to submit: it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 8193 (exclusive).',
    8192,
  ],
  ['max_tokens has a value that we do not like', 4096],
  ["Unsupported parameter: 'max_tokens' is not supported with this model.", undefined],
  ['input length and `max_tokens` exceed context limit: 199900 + 32000 > 200000', undefined],
  ['messages: text content blocks must be non-empty', undefined],
])('%s', (message, taken) => {
  expect(takenOutputTokens(refused(400, told(message)), 32_000)).toBe(taken);
});

test('a connection that breaks in the middle of an answer is the network’s fault, and is tried again', () => {
  const cut = new APICallError({
    message: 'Failed to process successful response',
    statusCode: 200,
    cause: new TypeError('terminated'),
    url: 'https://example.org',
    requestBodyValues: {},
  });
  expect(providerFailure(cut, 'OpenAI', [])).toEqual({
    message: 'The connection to OpenAI broke in the middle of its answer.',
    retryable: true,
    kind: 'network',
  });
});
