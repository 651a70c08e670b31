// A loopback server that speaks the wire formats of Anthropic, OpenAI (Responses and chat completions) and Google, so that the real
// provider packages can be driven through whole runs. It plays one script, a list of steps, and remembers every request; what the real ones refuse, it
// refuses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicEvents, chatEvents, googleEvents, responsesEvents, type WirePart } from './wire-formats';
import { refusalOf } from './wire-rules';

export type WireStep =
  | { parts: WirePart[] /** Between events. */; delayMs?: number }
  | { status: number; headers?: Record<string, string>; body: unknown };

export interface WireRequest {
  url: string;
  headers: IncomingMessage['headers'];
  body: any;
  /** The client went away before the answer was over. */
  aborted: boolean;
  finished: boolean;
  /** What is wrong with it, as the provider would say (wire-rules.ts). */
  refusal?: string;
}

export interface FakeProvider {
  url: string;
  requests: WireRequest[];
  close(): Promise<void>;
}

/** What to answer: a list whose last step repeats, or a decision about each request. */
export type WireScript = WireStep[] | ((request: WireRequest) => WireStep);

/** Listens on a free port of the loopback address. */
export async function startFakeProvider(script: WireScript): Promise<FakeProvider> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const entry: WireRequest = {
      url: request.url!,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
      aborted: false,
      finished: false,
    };
    const step = Array.isArray(script) ? script[Math.min(requests.length, script.length - 1)]! : script(entry);
    requests.push(entry);
    response.on('close', () => {
      if (!response.writableFinished) entry.aborted = true;
    });
    const refusal = refusalOf(entry.url, entry.body);
    if (refusal !== undefined) {
      entry.refusal = refusal;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: refusal } }));
      return;
    }
    if ('status' in step) {
      response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
      response.end(JSON.stringify(step.body));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Parallel requests must not share ids.
    const number = requests.length;
    for (const event of eventsFor(entry.url, step.parts, number)) {
      if (entry.aborted) return;
      response.write(event);
      await new Promise((resolve) => setTimeout(resolve, step.delayMs ?? 0));
    }
    entry.finished = true;
    response.end();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function eventsFor(url: string, parts: WirePart[], step: number): Generator<string> {
  if (url.endsWith('/messages')) return anthropicEvents(parts, step);
  if (url.endsWith('/responses')) return responsesEvents(parts, step);
  if (url.endsWith('/chat/completions')) return chatEvents(parts, step);
  if (url.includes(':streamGenerateContent')) return googleEvents(parts);
  throw new Error(`no wire format for ${url}`);
}
