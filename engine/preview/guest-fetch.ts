// One request of a page, answered by the guest's server through the kernel: headers, streaming both ways, redirects, isolation.
import type { AnswerMessage, HeaderPairs, PreviewMessage, RequestMessage } from '../kernel/net/preview-protocol';
import { orFailurePage } from './empty-failure';
import { failurePage, ISOLATION } from './failure-page';
import { placeCall } from './find-bridge';
import { injectScript } from './html-injection';

type Head = Extract<AnswerMessage, { type: 'head' }>;

const NO_BODY = [204, 205, 304];
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])$/;

/** The guest's answer from `port` (0: the preview's own); `keepAlive` is told what the worker must live for. Rejects only on a bug. */
export async function answerFromGuest(
  request: Request,
  port: number,
  scope: ServiceWorkerGlobalScope,
  keepAlive: (done: Promise<unknown>) => void,
): Promise<Response> {
  const call = describe(request, port, scope);
  const channel = await placeCall(scope, call);
  if (!channel)
    return failurePage(
      503,
      'The project is not open',
      'The computer of this preview is not running. Keep the project open in a tab: its server lives there.',
    );
  const answered = receive(request, channel, scope, keepAlive);
  if (call.hasBody) void sendBody(request, channel);
  return answered;
}

function describe(
  request: Request,
  port: number,
  scope: ServiceWorkerGlobalScope,
): Extract<PreviewMessage, { type: 'request' }> {
  const url = new URL(request.url);
  const headers: HeaderPairs = [...request.headers];
  const add = (name: string, value: string): void => {
    if (!request.headers.has(name)) headers.push([name, value]);
  };
  if (request.referrer.startsWith('http')) add('referer', request.referrer);
  if (request.method !== 'GET' && request.method !== 'HEAD') add('origin', scope.location.origin);
  add('sec-fetch-mode', request.mode);
  add('sec-fetch-dest', request.destination || 'empty');
  add('sec-fetch-site', 'same-origin');
  return {
    type: 'request',
    method: request.method,
    path: url.pathname + url.search,
    port,
    headers,
    hasBody: request.method !== 'GET' && request.method !== 'HEAD',
  };
}

/** Sends the body piece by piece as the kernel asks for it. */
async function sendBody(request: Request, channel: MessagePort): Promise<void> {
  const send = (message: RequestMessage): void => channel.postMessage(message);
  let credit = 0;
  let wake = (): void => {};
  channel.addEventListener('message', ({ data }: MessageEvent<AnswerMessage>) => {
    if (data.type !== 'wantBody') return;
    credit++;
    wake();
  });
  const wanted = async (): Promise<void> => {
    while (credit === 0) await new Promise<void>((resolve) => (wake = resolve));
    credit--;
  };
  try {
    // Firefox has no streams of request bodies.
    const stream = request.body ?? new Blob([await request.arrayBuffer()]).stream();
    const reader = stream.getReader();
    for (;;) {
      await wanted();
      const { done, value } = await reader.read();
      if (done) break;
      send({ type: 'body', bytes: value });
    }
    send({ type: 'bodyEnd' });
  } catch {
    send({ type: 'cancel' });
  }
}

function receive(
  request: Request,
  channel: MessagePort,
  scope: ServiceWorkerGlobalScope,
  keepAlive: (done: Promise<unknown>) => void,
): Promise<Response> {
  const send = (message: RequestMessage): void => channel.postMessage(message);
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  let finish = (): void => {};
  keepAlive(new Promise<void>((resolve) => (finish = resolve)));
  const stop = (): void => {
    channel.close();
    finish();
  };
  request.signal.addEventListener('abort', () => {
    send({ type: 'cancel' });
    stop();
  });
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<AnswerMessage>) => {
      switch (data.type) {
        case 'head': {
          const stream = new ReadableStream<Uint8Array>(
            {
              start: (controller) => void (body = controller),
              pull: () => send({ type: 'pull' }),
              cancel() {
                send({ type: 'cancel' });
                stop();
              },
            },
            { highWaterMark: 1 },
          );
          const answer = respond(request, data, stream, scope);
          resolve(request.mode === 'navigate' ? orFailurePage(answer) : answer);
          return;
        }
        case 'chunk':
          body?.enqueue(data.bytes);
          return;
        case 'end':
          body?.close();
          return stop();
        case 'failed':
          if (body) body.error(new TypeError(`${data.title}: ${data.text}`));
          else resolve(failurePage(data.status, data.title, data.text));
          return stop();
        case 'accepted':
        case 'wantBody':
          return;
      }
    });
    channel.start();
  });
}

function respond(
  request: Request,
  head: Head,
  stream: ReadableStream<Uint8Array>,
  scope: ServiceWorkerGlobalScope,
): Response {
  const headers = new Headers();
  for (const [name, value] of head.headers) headers.append(name, value);
  // Relative to nothing otherwise: a response that a worker makes has no URL.
  const location = headers.get('location');
  if (location !== null) headers.set('location', pageUrl(location, request.url, scope));
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  headers.delete('cross-origin-opener-policy');
  headers.delete('x-frame-options');
  const init = { status: head.status, statusText: head.reason, headers };
  if (!head.hasBody || NO_BODY.includes(head.status)) {
    void stream.cancel();
    return new Response(null, init);
  }
  let body = stream;
  const coding = headers.get('content-encoding')?.trim().toLowerCase();
  if (coding === 'gzip' || coding === 'deflate') {
    body = body.pipeThrough(new DecompressionStream(coding) as ReadableWritablePair<Uint8Array, Uint8Array>);
    headers.delete('content-encoding');
    headers.delete('content-length');
  }
  const isPage = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers.get('content-type') ?? '');
  if (isPage && request.mode === 'navigate' && !/xhtml/i.test(headers.get('content-type') ?? '')) {
    body = body.pipeThrough(injectScript());
    headers.delete('content-length');
  }
  return new Response(body, init);
}

/** Where a guest's redirect leads on this origin: the guest believes that it is `localhost`. */
function pageUrl(location: string, base: string, scope: ServiceWorkerGlobalScope): string {
  const url = new URL(location, base);
  if (!LOCAL_HOST.test(url.hostname) || new URL(base).origin !== scope.location.origin) return url.href;
  return new URL(url.pathname + url.search + url.hash, scope.location.origin).href;
}
