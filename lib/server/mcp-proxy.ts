// The way to MCP servers of the web, for this site's own page only. One JSON envelope in, a stream of octets out: whatever the other server
// answers, it is never a page of this origin. Its status and the few headers that the protocol needs travel beside the body.
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { z } from 'zod';
import { MCP_HEADERS_HEADER, MCP_STATUS_HEADER } from '../std/mcp-envelope';
import { isListedHost } from './environment';
import { guardRequest, readJsonBody, refusal } from './guard';
import type { McpEnvironment } from './mcp-environment';
import { createOpenRequests } from './open-requests';
import { OutgoingError, sendOutgoing } from './outgoing';
import { byteLimit, decompressor } from './outgoing-body';
import { visitorAddress } from './peer-address';
import { createRateLimit } from './rate-limit';

const envelope = z.strictObject({
  url: z.string().max(4000),
  method: z.enum(['GET', 'POST', 'DELETE']),
  headers: z.record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/),
    z
      .string()
      .max(16_384)
      .regex(/^[\x20-\x7e\t]*$/),
  ),
  body: z.string().optional(),
});

/**
 * People's keys travel under names that servers choose (`x-api-key` …), so headers are passed on unless they are the connection's, the
 * browser's or claim where the request comes from. None of the visitor's own request is ever passed on: only what is in the envelope.
 */
const NEVER_SENT =
  /^(?:host|cookie2?|connection|keep-alive|content-length|content-encoding|accept-encoding|transfer-encoding|te|trailer|upgrade|expect|via|origin|referer|forwarded|x-forwarded-.*|x-real-ip|proxy-.*|sec-.*|access-control-.*)$/i;
const SENT_BACK = ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'www-authenticate', 'retry-after'];

/** The answering function of `POST /api/mcp`; counts visitors for as long as it lives. */
export function createMcpRoute(environment: McpEnvironment): (request: Request) => Promise<Response> {
  const { limits } = environment;
  const rate = createRateLimit(limits.requestsPerMinute, 60_000);
  const open = createOpenRequests(limits.maxConcurrent);

  return async (request) => {
    const refused = guardRequest(request);
    if (refused) return refused;
    if (!environment.isOn)
      return refusal(403, 'This server does not reach MCP servers (CLOCHE_MCP=off).', { kind: 'off' });
    const body = await readJsonBody(request, limits.maxRequestBytes);
    if (body instanceof Response) return body;
    const parsed = envelope.safeParse(body.value);
    if (!parsed.success) return refusal(400, `The envelope is not right: ${parsed.error.issues[0]!.path.join('.')}.`);
    const { method, headers, body: text } = parsed.data;
    const url = URL.parse(parsed.data.url);
    if (url === null || !/^https?:$/.test(url.protocol)) return refusal(400, 'An MCP server has an http or https URL.');
    if (url.username || url.password)
      return refusal(400, 'The URL has a name or password in it; send a header instead.');
    url.hash = '';
    const isTrusted = environment.trustedOrigins.includes(url.origin);
    if (!isTrusted && !isListedHost(url.hostname, environment.hosts))
      return refusal(403, `${url.hostname} is not on this server's list of hosts (CLOCHE_MCP_HOSTS).`, { kind: 'off' });
    const visitor = visitorAddress(request, environment.trustedProxies);
    const taken = rate.take(visitor);
    const busy = { retryable: true, kind: 'limit' };
    if (!taken.allowed)
      return refusal(429, 'You asked MCP servers too often.', { ...busy, retryAfterMs: taken.retryAfterMs });
    const place = open.enter(visitor);
    if (place.kind !== 'in') {
      const whose = place.kind === 'full' ? 'on this server' : 'from your address';
      return refusal(429, `Too many MCP connections are open ${whose}.`, { ...busy, retryAfterMs: 1000 });
    }
    const finish = place.leave;
    try {
      const answer = await sendOutgoing({
        url,
        method,
        headers: {
          ...withKeys(sentHeaders(headers), environment.keys[url.origin]),
          'user-agent': 'cloche-mcp',
          'accept-encoding': 'identity',
        },
        ...(text === undefined ? {} : { body: Buffer.from(text) }),
        trust: (hop) =>
          environment.trustedOrigins.includes(hop.origin)
            ? 'trusted'
            : hop.origin === url.origin
              ? 'public'
              : 'refused',
        maxRedirects: 2,
        idleTimeoutMs: limits.idleTimeoutMs,
        signal: request.signal,
      });
      return relay(answer, url.host, limits.maxAnswerBytes, finish);
    } catch (error) {
      finish();
      if (!(error instanceof OutgoingError)) throw error;
      const hint =
        error.kind === 'refused' ? ' Only https servers of the public internet can be reached from here.' : '';
      return refusal(error.kind === 'timeout' ? 504 : 502, error.message + hint, {
        retryable: error.kind !== 'refused',
      });
    }
  };
}

function sentHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NEVER_SENT.test(name)));
}

/** The operator's keys for this origin, where the person sends none of that name. A redirect to another origin is refused, so they stay there. */
function withKeys(sent: Record<string, string>, keys: Record<string, string> = {}): Record<string, string> {
  const own = new Set(Object.keys(sent).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(keys).filter(([name]) => !own.has(name.toLowerCase()))), ...sent };
}

function relay(answer: IncomingMessage, host: string, maxBytes: number, finish: () => void): Response {
  const decompress = decompressor(answer.headers['content-encoding'] ?? 'identity');
  if (decompress === undefined) {
    answer.destroy();
    finish();
    return refusal(502, `${host} answered in an encoding that was not asked for.`);
  }
  const passedOn: Record<string, string> = {};
  for (const name of SENT_BACK) {
    const value = answer.headers[name];
    if (value !== undefined) passedOn[name] = String(value);
  }
  const steps = [decompress, byteLimit(maxBytes, `The answer of ${host}`)].filter((step) => step !== null);
  // Errors end the stream that the page reads: a cut answer must not look whole.
  const body = pipeline([answer, ...steps], finish) as unknown as Readable;
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      [MCP_STATUS_HEADER]: String(answer.statusCode ?? 502),
      [MCP_HEADERS_HEADER]: encodeURIComponent(JSON.stringify(passedOn)),
    },
  });
}
