// The model behind `POST /api/chat`: a LanguageModelV4 whose one step is one request, so the loop does not know where models live.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { inSlices } from '../std/slices';
import { watchSilence } from '../std/watch-silence';
import { liveBody } from './live-body';
import { ModelError, type RunError, retryAfterMs } from './run-error';

export interface HttpModelOptions {
  /** `<provider>/<model>`. */
  modelId: string;
  /** The person's own key for the provider, read anew for each step; undefined uses the host's. */
  key?: () => string | undefined;
  url?: string;
  fetch?: typeof fetch;
  /** After so many milliseconds without a byte the connection counts as dead. */
  silenceMs?: number;
  /** So long may the answer take to begin: a provider that is busy, or loads its model. Longer than our server waits for it. */
  openMs?: number;
}

/** Streams one step. Failures are ModelErrors with words for people. Only `doStream` exists: nothing here waits for whole answers. */
export function httpModel({
  modelId,
  key,
  url = '/api/chat',
  fetch: fetchFn = fetch,
  silenceMs = 60_000,
  openMs = 330_000,
}: HttpModelOptions): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'cloche',
    modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('The HTTP model only streams.')),
    async doStream({ abortSignal, headers: _headers, ...options }: LanguageModelV4CallOptions) {
      const ownKey = key?.();
      const body = await requestBody(modelId, options);
      const response = await answerWithin(openMs, abortSignal, (signal) =>
        fetchFn(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(ownKey ? { 'x-provider-key': ownKey } : {}) },
          body,
          signal,
        }),
      );
      if (!response.ok || response.body === null) throw await failure(response);
      const live = liveBody(response.body, silenceMs, () => silentFor(silenceMs));
      return { stream: live.pipeThrough(serverSentParts()) };
    },
  };
}

/** What `send` answers. Rejects with a network error when that takes longer, and gives it up. */
async function answerWithin(
  limitMs: number,
  signal: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const late = new AbortController();
  let stopWatching = () => {};
  const tooLate = new Promise<never>((_resolve, reject) => {
    stopWatching = watchSilence({
      limitMs,
      onLimit() {
        reject(silentFor(limitMs));
        late.abort();
      },
    });
  });
  const sent = send(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  sent.catch(() => {});
  return Promise.race([sent, tooLate]).finally(stopWatching);
}

function silentFor(limitMs: number): ModelError {
  const message = `Nothing came from the model for ${Math.round(limitMs / 1000)} s, so the connection was given up.`;
  return new ModelError({ message, retryable: true, kind: 'network' });
}

/** `{ model, options }` as JSON. A prompt may have megabytes: one message at a time. */
async function requestBody(model: string, { prompt, ...options }: LanguageModelV4CallOptions): Promise<string> {
  const messages: string[] = [];
  await inSlices(prompt, (message) => messages.push(JSON.stringify(message)));
  const rest = JSON.stringify(options).slice(1, -1);
  return `{"model":${JSON.stringify(model)},"options":{"prompt":[${messages.join(',')}]${rest && `,${rest}`}}}`;
}

async function failure(response: Response): Promise<ModelError> {
  const text = await response.text().catch(() => '');
  let error: Partial<RunError> = {};
  try {
    error = JSON.parse(text) as Partial<RunError>;
  } catch {
    // A proxy's HTML page; its status is all that is worth telling.
  }
  const { status } = response;
  return new ModelError(
    {
      message: error.message ?? `The model could not be reached (HTTP ${status}).`,
      retryable: error.retryable ?? status >= 500,
      kind: error.kind ?? (status === 401 || status === 403 ? 'key' : 'provider'),
      ...(error.overflow === true ? { overflow: true } : {}),
      status: error.status ?? status,
    },
    retryAfterMs(response.headers),
  );
}

/** Server-sent events into stream parts. A stream that ends without `[DONE]` was cut and fails as a network error. */
export function serverSentParts(): TransformStream<Uint8Array, LanguageModelV4StreamPart> {
  const decoder = new TextDecoder();
  let buffer = '';
  let finished = false;
  const event = (block: string, controller: TransformStreamDefaultController<LanguageModelV4StreamPart>) => {
    const lines = block.split('\n').filter((line) => line.startsWith('data:'));
    if (lines.length === 0) return;
    const content = lines.map((line) => line.slice(5).trimStart()).join('\n');
    if (content === '[DONE]') {
      finished = true;
      return;
    }
    const part = JSON.parse(content) as LanguageModelV4StreamPart;
    if (part.type === 'error') {
      const { retryAfterMs: waitMs, ...error } = part.error as RunError & { retryAfterMs?: number };
      controller.enqueue({ type: 'error', error: new ModelError(error, waitMs) });
    } else if (part.type === 'response-metadata' && part.timestamp !== undefined)
      controller.enqueue({ ...part, timestamp: new Date(part.timestamp) });
    else controller.enqueue(part);
  };
  return new TransformStream({
    transform(chunk, controller) {
      buffer += decoder.decode(chunk, { stream: true });
      for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
        event(buffer.slice(0, end), controller);
        buffer = buffer.slice(end + 2);
      }
    },
    flush(controller) {
      if (finished) return;
      const message = 'The connection to the model broke in the middle of its answer.';
      controller.error(new ModelError({ message, retryable: true, kind: 'network' }));
    },
  });
}
