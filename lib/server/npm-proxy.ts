// The registry as guests see it: reading only, on their own origin, from the operator's registry. Nothing of the visitor's request goes on but
// what is listed here, and nothing of the registry's answer comes back but its bytes and its caching headers. It keeps nothing.
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { protocolOf } from './hosts';
import type { NpmEnvironment } from './npm-environment';
import { parseRegistryPath, type RegistryPath, tarballPath } from './npm-paths';
import { createTarballRewriter } from './npm-rewrite';
import { createOpenRequests } from './open-requests';
import { OutgoingError, sendOutgoing } from './outgoing';
import { byteLimit, decompressor } from './outgoing-body';
import { visitorAddress } from './peer-address';
import { createRateLimit } from './rate-limit';
import { NPM_PATH } from './route-host';

/**
 * Request header: the registry that the guest believes it talks to (an http or https URL). Tarball URLs are written below it, so that a
 * lockfile names the registry and not this server. Without it they are written below this server's own `/api/npm/`.
 */
export const REGISTRY_NAME_HEADER = 'x-registry-name';

const SENT_ON = ['accept', 'if-none-match', 'if-modified-since', 'npm-command', 'content-type', 'content-encoding'];
const SENT_BACK = ['etag', 'last-modified', 'cache-control', 'age', 'retry-after', 'npm-notice'];
const QUERY = ['text', 'size', 'from', 'quality', 'popularity', 'maintenance', 'write'];

/** The answering function of `/api/npm`; counts visitors for as long as it lives. */
export function createNpmRoute(environment: NpmEnvironment): (request: Request) => Promise<Response> {
  const { registry, limits } = environment;
  const rate = createRateLimit(limits.requestsPerMinute, 60_000);
  const open = createOpenRequests(limits.maxConcurrent);

  return async (request) => {
    const site = request.headers.get('sec-fetch-site');
    if (site !== null && site !== 'same-origin' && site !== 'none')
      return failure(403, 'This registry is for the sandbox of this site only.');
    const url = new URL(request.url);
    const asked = url.pathname.startsWith(NPM_PATH)
      ? parseRegistryPath(request.method, url.pathname.slice(NPM_PATH.length))
      : undefined;
    if (!asked)
      return failure(
        404,
        'Only packages, tarballs, search and audit can be asked here. To publish or log in, use npm on your own machine.',
      );
    // No form and no other site's page can send JSON without asking first, and nobody answers that question.
    if (request.method === 'POST' && !/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
      return failure(415, 'Send the audit question as JSON.');
    const visitor = visitorAddress(request, environment.trustedProxies);
    const taken = rate.take(visitor);
    if (!taken.allowed) return tooMany(taken.retryAfterMs, 'You asked the registry too often.');
    const place = open.enter(visitor);
    if (place.kind !== 'in')
      return tooMany(
        1000,
        place.kind === 'full'
          ? 'Too many downloads are running on this server.'
          : 'Too many of your downloads run at once.',
      );
    const finish = place.leave;
    try {
      const answer = await ask(request, url, asked, environment);
      return relay(request, asked, answer, environment, finish);
    } catch (error) {
      finish();
      if (error instanceof OutgoingError)
        return failure(
          error.kind === 'timeout' ? 504 : 502,
          `${error.message} The registry of this server is set by CLOCHE_NPM_REGISTRY (${registry.host}).`,
        );
      throw error;
    }
  };
}

async function ask(request: Request, url: URL, asked: RegistryPath, { registry, limits }: NpmEnvironment) {
  const target = new URL(asked.path, registry);
  for (const name of QUERY) {
    const value = url.searchParams.get(name);
    if (value !== null && asked.kind === 'json') target.searchParams.set(name, value);
  }
  const headers: Record<string, string> = {
    'user-agent': 'cloche-npm-proxy',
    'accept-encoding': asked.kind === 'tarball' ? 'identity' : 'gzip, br',
  };
  for (const name of SENT_ON) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return sendOutgoing({
    url: target,
    method: request.method as 'GET' | 'HEAD' | 'POST',
    headers,
    body: request.method === 'POST' ? await readBytes(request, limits.maxQuestionBytes) : undefined,
    // Mirrors send tarballs to their storage: any public https address, checked at each hop.
    trust: (hop) => (hop.origin === registry.origin ? 'trusted' : 'public'),
    idleTimeoutMs: limits.idleTimeoutMs,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(limits.totalTimeoutMs)]),
  });
}

/** The registry's answer as ours; `finish` is called once, when its body has ended or was dropped. */
function relay(
  request: Request,
  asked: RegistryPath,
  answer: IncomingMessage,
  { limits }: NpmEnvironment,
  finish: () => void,
): Response {
  const status = answer.statusCode ?? 502;
  const headers = new Headers({ vary: `accept, ${REGISTRY_NAME_HEADER}` });
  for (const name of SENT_BACK) {
    const value = answer.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const kept = headers.get('cache-control') ?? 'no-cache';
  // A document is written for who asked (the host, the scheme and the registry's name are in it): no cache that others share may keep it.
  headers.set(
    'cache-control',
    asked.kind === 'document' ? `private, ${kept.replace(/\bpublic\b\s*,?\s*/i, '')}` : kept,
  );
  const stop = (response: Response): Response => {
    answer.destroy();
    finish();
    return response;
  };
  if (status === 304) return stop(new Response(null, { status, headers }));
  if (status < 200 || status > 299)
    return stop(failure(status < 400 ? 502 : status, `The registry answered ${status} to ${asked.path}.`, headers));

  const isTarball = asked.kind === 'tarball';
  const maxBytes = isTarball ? limits.maxTarballBytes : limits.maxDocumentBytes;
  const length = Number(answer.headers['content-length'] ?? 0);
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (length > maxBytes)
    return stop(failure(413, `${asked.path} has ${length} bytes; this server passes on ${maxBytes} at most.`));
  const decompress = decompressor(encoding);
  if (decompress === undefined)
    return stop(failure(502, `The registry sent ${asked.path} as "${encoding}", which was not asked for.`));

  // Never what the registry says: an answer that a browser takes for a page would be a page of this origin.
  const type = answer.headers['content-type'] ?? '';
  headers.set(
    'content-type',
    isTarball
      ? 'application/octet-stream'
      : /^application\/vnd\.npm\.[\w.+-]+json$/.test(type)
        ? type
        : 'application/json',
  );
  if (isTarball && encoding === 'identity' && length > 0) headers.set('content-length', String(length));
  if (request.method === 'HEAD') return stop(new Response(null, { status, headers }));

  const base = registryName(request);
  const rewriter =
    asked.kind === 'document'
      ? createTarballRewriter((tarball) => {
          const path = tarballPath(tarball);
          return path === undefined ? tarball : base + path;
        })
      : undefined;
  const steps = [decompress, byteLimit(maxBytes, asked.path), rewriter].filter(
    (step) => step !== null && step !== undefined,
  );
  // Errors end the stream that the visitor reads: a cut answer must not look whole.
  const body = pipeline([answer, ...steps], () => finish()) as unknown as Readable;
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers });
}

/** Where tarball URLs are written below; ends with a slash. */
function registryName(request: Request): string {
  const given = request.headers.get(REGISTRY_NAME_HEADER);
  if (given && /^https?:\/\//.test(given) && URL.canParse(given)) {
    const { origin, pathname } = new URL(given);
    return origin + (pathname.endsWith('/') ? pathname : `${pathname}/`);
  }
  const url = new URL(request.url);
  const protocol = protocolOf(request.headers.get('x-forwarded-proto'), url.protocol);
  return `${protocol}://${request.headers.get('host') ?? url.host}${NPM_PATH}`;
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    total += chunk.length;
    if (total > maxBytes) throw new OutgoingError('refused', `An audit question has ${maxBytes} bytes at most.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** npm shows `error` to the person. */
function failure(status: number, error: string, headers = new Headers()): Response {
  headers.set('cache-control', 'no-store');
  return Response.json({ error }, { status, headers });
}

function tooMany(retryAfterMs: number, why: string): Response {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return failure(429, `${why} Try again in ${seconds} s.`, new Headers({ 'retry-after': String(seconds) }));
}
