// The way out: HTTP/1.1 as a process speaks it on a ring, answered by the browser's fetch. The npm registry goes through the server's proxy on our
// own origin; everything else is an ordinary cross-origin request, subject to CORS.
import type { Pipe } from '../ipc/types';
import { EAGAIN } from '../memory/errno';
import { type HttpRequest, RequestReader } from './http-request';

/** The public registry's name, by which programs ask for it. */
const REGISTRY_HOST = 'registry.npmjs.org';

export interface GatewayTarget {
  host: string;
  port: number;
  secure: boolean;
}

export interface GatewayOptions {
  /** URL below which the server answers for the registry, without a slash at the end. */
  npmProxy: string;
  /** Hosts that no program may reach: the product's own. */
  forbiddenHosts: (host: string) => boolean;
}

/** Request headers that fetch sets or refuses; a program's value would be an error or a lie. */
const DROPPED_REQUEST_HEADERS =
  /^(?:host|connection|keep-alive|proxy-.*|sec-.*|content-length|transfer-encoding|te|trailer|upgrade|accept-encoding|accept-charset|user-agent|origin|referer|cookie|cookie2|date|dnt|expect|via|access-control-.*)$/;
/** Response headers that no longer describe what the browser hands over. */
const DROPPED_RESPONSE_HEADERS =
  /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive|alt-svc)$/;

/** Loopback, private and link-local names and literals: the person's own network is not the guest's. */
export function isPrivateHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (name === 'localhost' || /\.(?:localhost|local|internal|home\.arpa)$/.test(name) || !/[.:]/.test(name))
    return true;
  if (name.includes(':')) return /^(?:::|f[cd]|fe[89ab])/.test(name);
  if (!/^[\d.]+$/.test(name)) return /^0x/.test(name);
  const [a, b] = name.split('.').map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  return (
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168)
  );
}

/** Serves one connection until the process closes it. `incoming` carries its requests, `outgoing` the answers. */
export async function serveGateway(
  incoming: Pipe,
  outgoing: Pipe,
  target: GatewayTarget,
  options: GatewayOptions,
): Promise<void> {
  const reader = new RequestReader();
  const chunk = new Uint8Array(65536);
  for (;;) {
    const request = reader.next();
    if (request === 'bad') {
      await write(outgoing, answerText(400, 'The sandbox’s gateway speaks HTTP/1.1; this was something else.\n'));
      return;
    }
    if (request) {
      if (!(await forward(request, outgoing, target, options))) return;
      continue;
    }
    await incoming.whenReadable();
    const count = incoming.read(chunk);
    if (count === EAGAIN) continue;
    if (count <= 0) return;
    reader.push(chunk.slice(0, count));
  }
}

/** One request; false when the connection ends with it. */
async function forward(
  request: HttpRequest,
  outgoing: Pipe,
  target: GatewayTarget,
  options: GatewayOptions,
): Promise<boolean> {
  const isRegistry = target.host === REGISTRY_HOST;
  if (!isRegistry && (isPrivateHost(target.host) || options.forbiddenHosts(target.host))) {
    return write(outgoing, answerText(403, `The sandbox may not reach ${target.host}.\n`));
  }
  const scheme = target.secure ? 'https' : 'http';
  const port = target.port === (target.secure ? 443 : 80) ? '' : `:${target.port}`;
  const url = isRegistry ? `${options.npmProxy}${request.path}` : `${scheme}://${target.host}${port}${request.path}`;
  const headers = request.headers.filter(([name]) => !DROPPED_REQUEST_HEADERS.test(name.toLowerCase()));
  let response: Response;
  try {
    const body = request.body as BodyInit | undefined;
    response = await fetch(url, { method: request.method, headers, body, credentials: 'omit', cache: 'no-store' });
  } catch {
    const reason = isRegistry
      ? 'The registry proxy of this site did not answer. Are you offline?'
      : `${target.host} did not answer, or does not allow requests from web pages (CORS). A browser does not say which.`;
    return write(outgoing, answerText(502, `${reason}\n`));
  }
  return answer(request, response, outgoing, isRegistry ? options.npmProxy : undefined);
}

async function answer(
  request: HttpRequest,
  response: Response,
  outgoing: Pipe,
  npmProxy: string | undefined,
): Promise<boolean> {
  const lines = [`HTTP/1.1 ${response.status} ${response.statusText || 'Status'}`];
  for (const [name, value] of response.headers)
    if (!DROPPED_RESPONSE_HEADERS.test(name)) lines.push(`${name}: ${value}`);
  const hasBody =
    request.method !== 'HEAD' && response.status !== 204 && response.status !== 304 && response.body !== null;
  const { keepAlive } = request;
  lines.push(`connection: ${keepAlive ? 'keep-alive' : 'close'}`);
  // Documents of the registry name tarballs by the proxy's address; programs and lock files want the registry's.
  if (hasBody && npmProxy !== undefined && /json/.test(response.headers.get('content-type') ?? '')) {
    const body = new TextEncoder().encode((await response.text()).replaceAll(npmProxy, `https://${REGISTRY_HOST}`));
    lines.push(`content-length: ${body.length}`);
    return (await write(outgoing, head(lines))) && (await write(outgoing, body)) && keepAlive;
  }
  if (!hasBody) {
    if (request.method !== 'HEAD' && response.status !== 304) lines.push('content-length: 0');
    return (await write(outgoing, head(lines))) && keepAlive;
  }
  lines.push('transfer-encoding: chunked');
  return (
    (await write(outgoing, head(lines))) &&
    (await writeChunks(response.body as ReadableStream<Uint8Array>, outgoing)) &&
    keepAlive
  );
}

/** The body in chunks, with the last one; false when the reader has gone or the download broke off (then without the last). */
async function writeChunks(body: ReadableStream<Uint8Array>, outgoing: Pipe): Promise<boolean> {
  const reader = body.getReader();
  const end = new TextEncoder().encode('\r\n');
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.length === 0) continue;
      const size = head([value.length.toString(16)], '\r\n');
      if ((await write(outgoing, size)) && (await write(outgoing, value)) && (await write(outgoing, end))) continue;
      await reader.cancel();
      return false;
    }
  } catch {
    return false;
  }
  return write(outgoing, head(['0']));
}

function head(lines: string[], end = '\r\n\r\n'): Uint8Array {
  return new TextEncoder().encode(`${lines.join('\r\n')}${end}`);
}

function answerText(status: number, text: string): Uint8Array {
  const body = new TextEncoder().encode(text);
  const lines = [
    `HTTP/1.1 ${status} Gateway`,
    'content-type: text/plain; charset=utf-8',
    'connection: close',
    `content-length: ${body.length}`,
  ];
  return new Uint8Array([...head(lines), ...body]);
}

/** Writes all of it, waiting for the reader; false when there is none any more. */
async function write(pipe: Pipe, bytes: Uint8Array): Promise<boolean> {
  for (let done = 0; done < bytes.length; ) {
    const count = pipe.write(bytes.subarray(done));
    if (count === EAGAIN) await pipe.whenWritable();
    else if (count < 0) return false;
    else done += count;
  }
  return true;
}
