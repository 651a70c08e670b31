// Requests that neither Next nor Node answers as it should, caught where Node itself first sees them: methods on which Next's gate breaks, and heads that
// are longer than Node reads, which no code of a route ever sees.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FORGET_COOKIES } from './long-cookies';

/** No Request can be made with these, so Next answers 500. */
const FORBIDDEN = /^(?:TRACE|TRACK|CONNECT)$/i;

/** From now on such a request comes to the gate as `X-TRACE` and the like, which it refuses as every method that it does not know. */
export function nameForbiddenMethods(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    if (FORBIDDEN.test(request.method ?? '')) request.method = `X-${request.method}`;
  });
}

/**
 * From now on every server of this process answers a head that is too long by a page that says so, and makes the browser forget the site's cookies,
 * which is what was too long (long-cookies.ts). What else can't be read gets Node's own answers.
 */
export function answerTooLong(): void {
  const known = new WeakSet<Server>();
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { socket: Socket & { server?: Server } }).socket;
    if (server === undefined || known.has(server)) return;
    known.add(server);
    server.on('clientError', answerUnreadable);
  });
}

const answered = new WeakSet<object>();

function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }): void {
  // What still arrives of it is an error as well.
  if (answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  socket.end(answerTo(error.code));
  // Closed at once, the answer would be lost on who still sends.
  setTimeout(() => socket.destroy(), 1000).unref();
}

function answerTo(code: string | undefined): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return tooLong();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return empty('413 Payload Too Large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return empty('408 Request Timeout');
    default:
      return empty('400 Bad Request');
  }
}

const empty = (status: string): string => `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`;

function tooLong(): string {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Load it again – Cloche</title>
<h1>Load this page again</h1><p>This browser sent more cookies than a server reads. Cloche never sets that many: a page that ran in a preview did.
<p>The cookies of this site are removed now. Projects, conversations and keys are not kept in cookies and are all still there.
<p><a href="">Load it again</a></html>`;
  const headers = {
    ...FORGET_COOKIES,
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(page)),
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 431 Request Header Fields Too Large\r\n${head.join('')}\r\n${page}`;
}
