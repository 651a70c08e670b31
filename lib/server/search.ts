// Search of the web and of code for the agent: Exa's hosted tools, asked by one JSON-RPC call as its MCP endpoint takes it. The key is the
// host's or the person's own; neither is logged, and no answer holds one.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { count, type Environment, readEnvironment } from './environment';
import { guardRequest, readJsonBody, refusal } from './guard';
import { OutgoingError, sendOutgoing } from './outgoing';
import { visitorAddress } from './peer-address';
import { createRateLimit } from './rate-limit';

export interface SearchEnvironment {
  url: URL;
  key?: string;
  ownKeys: boolean;
  trustedProxies: number;
  limits: { requestsPerMinute: number; hostKeyPerDay: number; timeoutMs: number; maxBytes: number };
}

const schema = z.object({
  EXA_API_KEY: z.string().trim().optional(),
  EXA_URL: z.url({ protocol: /^https?$/ }).default('https://mcp.exa.ai/mcp'),
  CLOCHE_OWN_KEYS: z.enum(['on', 'off']).default('on'),
  CLOCHE_TRUSTED_PROXIES: count(0),
  CLOCHE_SEARCHES_PER_MINUTE: count(20),
  CLOCHE_HOST_KEY_SEARCHES_PER_DAY: count(1000),
  CLOCHE_SEARCH_TIMEOUT_MS: count(25_000),
});

/** Throws an Error that names the variable whose value is wrong, never its value. Empty strings count as unset. */
export function readSearchEnvironment(env: Environment): SearchEnvironment {
  const values = readEnvironment(schema, env);
  return {
    url: new URL(values.EXA_URL),
    ...(values.EXA_API_KEY ? { key: values.EXA_API_KEY } : {}),
    ownKeys: values.CLOCHE_OWN_KEYS === 'on',
    trustedProxies: values.CLOCHE_TRUSTED_PROXIES,
    limits: {
      requestsPerMinute: values.CLOCHE_SEARCHES_PER_MINUTE,
      hostKeyPerDay: values.CLOCHE_HOST_KEY_SEARCHES_PER_DAY,
      timeoutMs: values.CLOCHE_SEARCH_TIMEOUT_MS,
      maxBytes: 2 * 1024 * 1024,
    },
  };
}

const asked = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('web'),
    query: z.string().min(1).max(1000),
    numResults: z.number().int().min(1).max(20).default(8),
    type: z.enum(['auto', 'fast', 'deep']).default('auto'),
    livecrawl: z.enum(['fallback', 'preferred']).default('fallback'),
    contextMaxCharacters: z.number().int().min(500).max(50_000).default(10_000),
  }),
  z.strictObject({
    kind: z.literal('code'),
    query: z.string().min(1).max(1000),
    tokensNum: z.number().int().min(1000).max(50_000).default(5000),
  }),
]);

const toolNames = { web: 'web_search_exa', code: 'get_code_context_exa' };
const keyPattern = /^[\x21-\x7e]{1,300}$/;

/** What the browser may know: `GET /api/search`. */
export function offeredSearch({ key, ownKeys }: SearchEnvironment) {
  return { provider: { id: 'exa', name: 'Exa', acceptsOwnKey: ownKeys, hasServerKey: key !== undefined } };
}

/** The answering function of `POST /api/search`: `{kind: 'web' | 'code', query, …}` to `{text}`, or a refusal of its own kind. */
export function createSearchRoute(settings: SearchEnvironment): (request: Request) => Promise<Response> {
  const { limits } = settings;
  const perVisitor = createRateLimit(limits.requestsPerMinute, 60_000);
  const hostKey = createRateLimit(limits.hostKeyPerDay, 86_400_000);
  return async (request) => {
    const refused = guardRequest(request);
    if (refused) return refused;
    const own = settings.ownKeys ? (request.headers.get('x-search-key') ?? undefined) : undefined;
    if (own !== undefined && !keyPattern.test(own))
      return refusal(400, 'That is not the form of a key.', { kind: 'key' });
    const key = own ?? settings.key;
    if (key === undefined) return refusal(401, 'No search provider has a key.', { kind: 'key' });
    const body = await readJsonBody(request, 16_384);
    if (body instanceof Response) return body;
    const parsed = asked.safeParse(body.value);
    if (!parsed.success) return refusal(400, 'Send {"kind": "web", "query": "…"}.');
    const taken = perVisitor.take(visitorAddress(request, settings.trustedProxies));
    const limit = { kind: 'limit', retryable: true };
    if (!taken.allowed) return refusal(429, 'You searched too often.', { ...limit, retryAfterMs: taken.retryAfterMs });
    const spent = own === undefined ? hostKey.take('all') : { allowed: true as const };
    if (!spent.allowed)
      return refusal(429, 'This site’s searches of the day are used up.', {
        ...limit,
        retryAfterMs: spent.retryAfterMs,
      });
    const { kind, ...rest } = parsed.data;
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.timeoutMs)]);
      return await ask(settings, key, toolNames[kind], rest, signal);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      const { kind: why, message } = error;
      return refusal(why === 'timeout' ? 504 : 502, `Exa: ${message}`, { kind: why, retryable: why !== 'refused' });
    }
  };
}

async function ask(settings: SearchEnvironment, key: string, name: string, input: object, signal: AbortSignal) {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  const answer = await sendOutgoing({
    url: settings.url,
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'cloche-search',
      'x-api-key': key,
    },
    body: new TextEncoder().encode(JSON.stringify(call)),
    // The address is the operator's, not the visitor's.
    trust: () => 'trusted',
    idleTimeoutMs: settings.limits.timeoutMs,
    signal,
  });
  try {
    const status = answer.statusCode ?? 502;
    if (status === 401 || status === 403) return refusal(401, 'Exa does not accept the key.', { kind: 'key', status });
    if (status === 402) return refusal(402, 'The Exa account has no credit left.', { kind: 'key', status });
    if (status === 429)
      return refusal(429, 'Exa says: too many searches. Wait a little.', { kind: 'limit', retryable: true, status });
    if (status < 200 || status > 299)
      return refusal(502, `Exa answered with status ${status}.`, { kind: 'provider', status });
    return toldResult(await readReply(answer, settings.limits.maxBytes, signal));
  } finally {
    answer.destroy();
  }
}

const reply = z.object({
  id: z.literal(1),
  error: z.object({ message: z.string() }).optional(),
  result: z
    .object({
      isError: z.boolean().optional(),
      content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
    })
    .optional(),
});

function toldResult(message: unknown): Response {
  const parsed = reply.safeParse(message);
  if (!parsed.success) return refusal(502, 'Exa’s answer could not be understood.', { kind: 'provider' });
  const { error, result } = parsed.data;
  const text = (result?.content ?? [])
    .flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
    .join('\n\n');
  const why = error?.message ?? (result?.isError ? text : undefined);
  if (why !== undefined) return refusal(502, `Exa: ${why.slice(0, 500)}`, { kind: 'provider' });
  return Response.json({ text }, { headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } });
}

/** The reply to our one call, from plain JSON or from a stream of events, which the server may leave open. */
async function readReply(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<unknown> {
  const isStream = /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '');
  const decoder = new TextDecoder();
  let text = '';
  let total = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > maxBytes) throw new OutgoingError('network', `the answer is longer than ${maxBytes} bytes.`);
      text += decoder.decode(chunk, { stream: true });
      if (!isStream) continue;
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop()!;
      for (const event of events) {
        const message = eventMessage(event);
        if (reply.safeParse(message).success) return message;
      }
    }
  } catch (error) {
    if (error instanceof OutgoingError) throw error;
    if (signal.aborted) throw new OutgoingError('timeout', 'it took too long, or nobody waits any more.');
    throw new OutgoingError('network', 'the answer broke off.');
  }
  text += decoder.decode();
  return isStream ? eventMessage(text) : parsedJson(text);
}

function eventMessage(event: string): unknown {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return parsedJson(lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n'));
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
