// `POST /api/chat`: one model step. It checks, adds the key, calls the provider and streams the parts back; it keeps and logs nothing of
// what is said.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ChatEnvironment } from './chat-environment';
import { chatRequest } from './chat-request';
import { guardRequest, readJsonBody, refusal } from './guard';
import { takenOutputTokens } from './output-limit';
import { visitorAddress } from './peer-address';
import { type ProviderFailure, providerFailure } from './provider-error';
import { resolveProviderModel } from './providers';
import { createRateLimit } from './rate-limit';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const pingEveryMs = 15_000;
const maxKeyLength = 512;

/** The route with its counters; one per process. Expected failures are answers, never throws. */
export function createChatRoute(environment: ChatEnvironment): (request: Request) => Promise<Response> {
  const { limits } = environment;
  const perMinute = createRateLimit(limits.stepsPerMinute, minuteMs);
  const hostPerVisitor = createRateLimit(limits.hostKeyStepsPerVisitorPerDay, dayMs);
  const hostPerDay = createRateLimit(limits.hostKeyStepsPerDay, dayMs);

  return async (request) => {
    const refused = guardRequest(request);
    if (refused !== undefined) return refused;
    const visitor = visitorAddress(request, environment.trustedProxies);
    const rate = perMinute.take(visitor);
    if (!rate.allowed)
      return refusal(429, 'Too many requests in a short time.', {
        retryable: true,
        kind: 'limit',
        retryAfterMs: rate.retryAfterMs,
      });
    const body = await readJsonBody(request, limits.maxBodyBytes);
    if (body instanceof Response) return body;
    const parsed = chatRequest.safeParse(body.value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refusal(400, `The request is not a model step: ${issue!.path.join('.')}: ${issue!.message}`);
    }
    const ownKey = request.headers.get('x-provider-key')?.trim() || undefined;
    if (ownKey !== undefined && (ownKey.length > maxKeyLength || !/^[\x21-\x7e]+$/.test(ownKey)))
      return refusal(400, 'This key does not look like a key.', { kind: 'key' });
    const resolved = resolveProviderModel(environment, parsed.data.model, ownKey);
    if (resolved.kind === 'unknown')
      return refusal(404, `The model ${parsed.data.model} is not offered here.`, { kind: 'provider' });
    if (resolved.kind === 'needs-key')
      return refusal(401, `Enter your key for ${resolved.provider.name} to use this model.`, { kind: 'key' });
    if (resolved.usesHostKey && !resolved.provider.open) {
      for (const quota of [hostPerVisitor.take(visitor), hostPerDay.take('all')])
        if (!quota.allowed)
          return refusal(429, "Today's share of this site's model is used up. Enter a key of your own to go on.", {
            kind: 'limit',
          });
    }

    const stop = new AbortController();
    const signal = AbortSignal.any([request.signal, stop.signal]);
    const failed = (error: unknown) => providerFailure(error, resolved.provider.name, [ownKey, resolved.provider.key]);
    const options: LanguageModelV4CallOptions = {
      ...(parsed.data.options as LanguageModelV4CallOptions),
      maxOutputTokens: Math.min(parsed.data.options.maxOutputTokens ?? limits.maxOutputTokens, limits.maxOutputTokens),
      providerOptions: resolved.providerOptions,
      abortSignal: signal,
    };
    try {
      const { stream } = await streamOf(resolved.model, options);
      return new Response(serverSentEvents(stream, { stop, failed, idleTimeoutMs: limits.idleTimeoutMs }), {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
        },
      });
    } catch (error) {
      if (request.signal.aborted) return refusal(499, 'Stopped.');
      const failure = failed(error);
      return refusal(httpStatus(failure), failure.message, failure);
    }
  };
}

/** As the model's own; one that was asked for too long an answer is asked once more, for one that it takes. */
async function streamOf(model: LanguageModelV4, options: LanguageModelV4CallOptions) {
  try {
    return await model.doStream(options);
  } catch (error) {
    const maxOutputTokens = takenOutputTokens(error, options.maxOutputTokens!);
    if (maxOutputTokens === undefined) throw error;
    return model.doStream({ ...options, maxOutputTokens });
  }
}

/** Some statuses mean something to proxies and browsers; the provider's own is in the body too. */
function httpStatus({ status }: ProviderFailure): number {
  if (status === undefined || status >= 500) return 502;
  return [401, 403, 404, 408, 413, 429].includes(status) ? status : 400;
}

interface EventOptions {
  stop: AbortController;
  failed(error: unknown): ProviderFailure;
  idleTimeoutMs: number;
}

/** Parts as server-sent events, `[DONE]` at the end. When the reader goes, so does the provider's connection. */
function serverSentEvents(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  options: EventOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reader = stream.getReader();
  let ping: ReturnType<typeof setInterval> | undefined;
  const over = () => {
    clearInterval(ping);
    options.stop.abort();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      ping = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), pingEveryMs);
    },
    async pull(controller) {
      const send = (content: string) => controller.enqueue(encoder.encode(`data: ${content}\n\n`));
      try {
        const { done, value } = await withIdleTimeout(reader.read(), options.idleTimeoutMs);
        if (!done) {
          if (value.type !== 'raw')
            send(
              JSON.stringify(value.type === 'error' ? { type: 'error', error: options.failed(value.error) } : value),
            );
          else controller.enqueue(encoder.encode(': raw\n\n'));
          return;
        }
      } catch (error) {
        send(JSON.stringify({ type: 'error', error: options.failed(error) }));
      }
      send('[DONE]');
      over();
      controller.close();
    },
    cancel() {
      over();
      reader.cancel().catch(() => {});
    },
  });
}

function withIdleTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new TypeError(`nothing came for ${Math.round(timeoutMs / 1000)} s`)),
      timeoutMs,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
