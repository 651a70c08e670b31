// HTTP to the outside: a guest's socket ends here, its requests become fetches, the answers become HTTP/1.1 again. TLS is the browser's.
// A guest that starts TLS says so with a preface instead of a handshake (engine/bindings/tls-wrap.ts) and goes on in clear text.
import { MESSAGE_TYPE } from '../bindings/http/llhttp';
import { destinationOf, type GatewayConfig } from './net/destinations';
import { fetchHeaders, responseHeaders } from './net/header-policy';
import type { KernelStream } from './net/kernel-stream';
import { type HeaderList, headerOf, type MessageHead, MessageReader } from './net/message-reader';
import { SECURE_PREFACE } from './net/secure-preface';

export interface GatewayTarget {
  host: string;
  port: number;
}

/** Request bodies are held in memory: browsers stream them over HTTP/2 only. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
const WATCH_MS = 500;
const TLS_HANDSHAKE_BYTE = 0x16;

const encode = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Serves one connection until the guest closes it. Never rejects. */
export async function serveGateway(
  stream: KernelStream,
  target: GatewayTarget,
  config: GatewayConfig,
  fetchOutside: typeof fetch = (...request) => fetch(...request),
): Promise<void> {
  let reader: MessageReader | undefined;
  try {
    const secure = await takePreface(stream);
    if (secure === undefined) return;
    reader = new MessageReader(stream, MESSAGE_TYPE.request);
    while (await serveOne(stream, reader, { ...target, secure }, config, fetchOutside));
  } catch (error) {
    await writeFailure(stream, 400, `The request cannot be read: ${(error as Error).message}.`, false);
  } finally {
    reader?.free();
    stream.close();
  }
}

/** Whether the connection is "secure"; undefined when it is over or speaks something else. */
async function takePreface(stream: KernelStream): Promise<boolean | undefined> {
  let bytes = await stream.read();
  if (!bytes) return undefined;
  if (bytes[0] === TLS_HANDSHAKE_BYTE) return undefined;
  if (bytes[0] !== 0) {
    stream.unread(bytes);
    return false;
  }
  while (bytes.length < SECURE_PREFACE.length) {
    const more: Uint8Array | undefined = await stream.read();
    if (!more) return undefined;
    bytes = Uint8Array.from([...bytes, ...more]);
  }
  stream.unread(bytes.subarray(SECURE_PREFACE.length));
  return true;
}

/** One request and its answer; false when the connection is over. */
async function serveOne(
  stream: KernelStream,
  reader: MessageReader,
  target: GatewayTarget & { secure: boolean },
  config: GatewayConfig,
  fetchOutside: typeof fetch,
): Promise<boolean> {
  const first = await reader.next();
  if (first?.kind !== 'head') return false;
  const { head } = first;
  if (head.upgrade) {
    await writeFailure(
      stream,
      501,
      'Connections to the outside carry HTTP requests only: no WebSocket, no CONNECT.',
      false,
    );
    return false;
  }
  if (headerOf(head.headers, 'expect')?.toLowerCase() === '100-continue')
    await stream.write(encode('HTTP/1.1 100 Continue\r\n\r\n'));
  const body: Uint8Array<ArrayBuffer>[] = [];
  let bodyBytes = 0;
  for (;;) {
    const part = await reader.next();
    if (!part) return false;
    if (part.kind === 'end') break;
    if (part.kind !== 'body') continue;
    bodyBytes += part.bytes.length;
    if (bodyBytes > MAX_BODY_BYTES) {
      await writeFailure(stream, 413, `A request body may have ${MAX_BODY_BYTES} bytes.`, false);
      return false;
    }
    body.push(part.bytes as Uint8Array<ArrayBuffer>);
  }
  const url = requestUrl(head, target);
  const route = destinationOf(url.hostname.replace(/^\[|\]$/g, ''), config);
  if (route.kind === 'refused') {
    return writeFailure(stream, 403, `${url.host} cannot be reached from the sandbox: ${route.why}.`, head.keepAlive);
  }
  const headers = new Headers(fetchHeaders(head.headers));
  let address = url.href;
  if (route.kind === 'registry') {
    address = `${config.npmProxy}${url.pathname.slice(1)}${url.search}`;
    headers.set('x-registry-name', `https://${url.host}/`);
  }
  return relay(
    stream,
    head,
    {
      address,
      shown: url,
      isRegistry: route.kind === 'registry',
      headers,
      body: bodyBytes > 0 ? new Blob(body) : undefined,
    },
    fetchOutside,
  );
}

/** A proxy's request names the whole URL, others only the path. */
function requestUrl(head: MessageHead, { host, port, secure }: GatewayTarget & { secure: boolean }): URL {
  if (/^https?:\/\//i.test(head.url)) return new URL(head.url);
  const name = host.includes(':') ? `[${host}]` : host;
  return new URL(`${secure ? 'https' : 'http'}://${name}:${port}${head.url.startsWith('/') ? head.url : '/'}`);
}

interface Outgoing {
  address: string;
  shown: URL;
  isRegistry: boolean;
  headers: Headers;
  body: Blob | undefined;
}

async function relay(
  stream: KernelStream,
  head: MessageHead,
  { address, shown, isRegistry, headers, body }: Outgoing,
  fetchOutside: typeof fetch,
): Promise<boolean> {
  const abort = new AbortController();
  // A guest that has closed its socket waits for nothing.
  const watch = setInterval(() => {
    if (!stream.hasReader()) abort.abort();
  }, WATCH_MS);
  try {
    const { method } = head;
    const withBody = method !== 'GET' && method !== 'HEAD';
    const response = await fetchOutside(address, {
      method,
      headers,
      body: withBody ? body : undefined,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'follow',
      signal: abort.signal,
    });
    return await writeResponse(stream, head, response);
  } catch (error) {
    if (abort.signal.aborted) return false;
    if (!isRegistry) return writeFailure(stream, 502, whyFetchFailed(shown, error), head.keepAlive);
    // What npm shows of a failure is the `error` of a JSON body.
    const why =
      "this IDE's server does not answer, and packages come through it. What is installed goes on working; try again when you are online";
    return writeFailure(stream, 502, JSON.stringify({ error: why }), head.keepAlive, 'application/json');
  } finally {
    clearInterval(watch);
  }
}

function whyFetchFailed(url: URL, error: unknown): string {
  if (typeof navigator !== 'undefined' && navigator.onLine === false)
    return `${url.host} cannot be reached: this browser is offline.`;
  const isMixed = url.protocol === 'http:' && (globalThis as { isSecureContext?: boolean }).isSecureContext;
  return (
    `The browser could not fetch ${url.origin}: ${(error as Error).message}. Either the host cannot be reached, or it does not allow ` +
    `requests from other sites (CORS: it sends no Access-Control-Allow-Origin)${isMixed ? ', or it is plain http, which a page may not fetch' : ''}.`
  );
}

async function writeResponse(stream: KernelStream, head: MessageHead, response: Response): Promise<boolean> {
  const headers = responseHeaders(response.headers);
  const hasBody = head.method !== 'HEAD' && response.status !== 204 && response.status !== 304;
  const length = headerOf(headers, 'content-length');
  const canChunk = head.version === '1.1';
  const keepAlive = head.keepAlive && (!hasBody || length !== undefined || canChunk);
  const chunked = hasBody && length === undefined && canChunk;
  if (chunked) headers.push(['transfer-encoding', 'chunked']);
  headers.push(['connection', keepAlive ? 'keep-alive' : 'close']);
  if (!(await stream.write(headText(response.status, response.statusText, headers)))) return false;
  if (!hasBody) {
    void response.body?.cancel();
    return keepAlive;
  }
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    if (value.length === 0) continue;
    const pieces = chunked ? [encode(`${value.length.toString(16)}\r\n`), value, encode('\r\n')] : [value];
    for (const piece of pieces) {
      if (await stream.write(piece)) continue;
      void reader?.cancel();
      return false;
    }
  }
  if (chunked && !(await stream.write(encode('0\r\n\r\n')))) return false;
  return keepAlive;
}

function headText(status: number, reason: string, headers: HeaderList): Uint8Array {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return encode(`HTTP/1.1 ${status} ${reason || 'Status'}\r\n${lines}\r\n`);
}

async function writeFailure(
  stream: KernelStream,
  status: number,
  why: string,
  keepAlive: boolean,
  type = 'text/plain; charset=utf-8',
): Promise<boolean> {
  const text = new TextEncoder().encode(`${why}\n`);
  const reasons: Record<number, string> = {
    400: 'Bad Request',
    403: 'Forbidden',
    413: 'Content Too Large',
    501: 'Not Implemented',
    502: 'Bad Gateway',
  };
  const headers: HeaderList = [
    ['content-type', type],
    ['content-length', String(text.length)],
    ['x-cloche-gateway', 'failed'],
    ['connection', keepAlive ? 'keep-alive' : 'close'],
  ];
  return (
    (await stream.write(headText(status, reasons[status] ?? 'Error', headers))) &&
    (await stream.write(text)) &&
    keepAlive
  );
}
