// Previews: the requests of a service worker become HTTP/1.1 to the guest's server, over connections that are kept and used again.
import { MESSAGE_TYPE } from '../../bindings/http/llhttp';
import { CookieJar } from './cookie-jar';
import { previewHeaders } from './header-policy';
import type { KernelStream } from './kernel-stream';
import { headerOf, type MessagePart, MessageReader } from './message-reader';
import type { AnswerMessage, HeaderPairs, PreviewMessage, RequestMessage } from './preview-protocol';
import { tunnelSocket } from './preview-socket';

/** A fresh connection to whoever listens on `port`; undefined when nobody does. */
export type OpenServer = (port: number) => KernelStream | undefined;

type Request = Extract<PreviewMessage, { type: 'request' }>;

interface Connection {
  stream: KernelStream;
  reader: MessageReader;
}

/** Browsers keep six connections to a host; more would only be opened anew. */
const MAX_IDLE = 6;
/** Node's servers close an idle connection after 5 s. */
const IDLE_MS = 6000;
/** Set by us: the page's own values name the preview's host. */
const REPLACED = [
  'host',
  'cookie',
  'origin',
  'referer',
  'accept-encoding',
  'connection',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'te',
];

const idle = new Map<number, Connection[]>();
const jars = new Map<number, CookieJar>();

const encode = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0) & 255);

function jarOf(port: number): CookieJar {
  let jar = jars.get(port);
  if (!jar) jars.set(port, (jar = new CookieJar()));
  return jar;
}

/** Puts a connection aside for the next request; it is closed when none comes. */
function keep(pool: Connection[], connection: Connection): void {
  pool.push(connection);
  setTimeout(() => {
    const at = pool.indexOf(connection);
    if (at < 0) return;
    pool.splice(at, 1);
    connection.reader.free();
    connection.stream.close();
  }, IDLE_MS);
}

function takeIdle(port: number): Connection | undefined {
  for (;;) {
    const kept = idle.get(port)?.pop();
    if (!kept?.stream.isOver()) return kept;
    kept.reader.free();
    kept.stream.close();
  }
}

/** Serves the service worker at the other end of `channel`. */
export function servePreview(ownPort: number, channel: MessagePort, open: OpenServer): void {
  channel.onmessage = ({ data, ports }: MessageEvent<PreviewMessage>) => {
    const [port] = ports;
    if (!port) return;
    const target = data.port || ownPort;
    if (data.type === 'request') void new Exchange(target, data, port, open).run();
    else void tunnelSocket(open(target), { ...data, port: target, cookie: jarOf(target).header(data.path) }, port);
  };
}

/** The head of a request to localhost:`port`, as the guest's server should see it. */
export function requestHead(request: Request, port: number, cookie: string | undefined): Uint8Array {
  const lines = [`${request.method} ${request.path} HTTP/1.1`, `Host: localhost:${port}`];
  const own = `http://localhost:${port}`;
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase();
    if (key === 'origin') lines.push(`Origin: ${value === 'null' ? value : own}`);
    else if (key === 'referer') lines.push(`Referer: ${value.replace(/^https?:\/\/[^/]*/, own)}`);
    else if (!REPLACED.includes(key)) lines.push(`${name}: ${value}`);
  }
  if (cookie) lines.push(`Cookie: ${cookie}`);
  // What the service worker makes of the answer is not decoded by the browser any more.
  lines.push('Accept-Encoding: identity', 'Connection: keep-alive');
  const isSized = headerOf(request.headers, 'content-length') !== undefined;
  if (request.hasBody && !isSized) lines.push('Transfer-Encoding: chunked');
  return encode(`${lines.join('\r\n')}\r\n\r\n`);
}

class Exchange {
  private readonly port: number;
  private readonly request: Request;
  private readonly channel: MessagePort;
  private readonly open: OpenServer;
  private readonly body: (Uint8Array | undefined)[] = [];
  private pulls = 0;
  private isCancelled = false;
  /** Sending the request and forwarding the answer may both wait. */
  private waiting: (() => void)[] = [];
  private connection: Connection | undefined;

  constructor(port: number, request: Request, channel: MessagePort, open: OpenServer) {
    this.port = port;
    this.request = request;
    this.channel = channel;
    this.open = open;
    channel.onmessage = ({ data }: MessageEvent<RequestMessage>) => {
      if (data.type === 'body') this.body.push(data.bytes);
      else if (data.type === 'bodyEnd') this.body.push(undefined);
      else if (data.type === 'pull') this.pulls++;
      else {
        this.isCancelled = true;
        this.connection?.stream.close();
      }
      for (const wake of this.waiting.splice(0)) wake();
    };
    this.send({ type: 'accepted' });
  }

  private send(message: AnswerMessage, transfer: Transferable[] = []): void {
    this.channel.postMessage(message, transfer);
  }

  private fail(status: number, title: string, text: string): void {
    this.send({ type: 'failed', status, title, text });
  }

  /** Resolves at the next message, if `ready` is not true already. */
  private async until(ready: () => boolean): Promise<void> {
    while (!ready() && !this.isCancelled) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  async run(): Promise<void> {
    try {
      // A kept connection may be closed by the server just now; then the request was never read and goes out again. A body goes out only once.
      const kept = this.request.hasBody ? undefined : takeIdle(this.port);
      if (kept && (await this.attempt(kept, true))) return;
      const stream = this.open(this.port);
      if (!stream) {
        this.fail(
          503,
          `Nothing listens on port ${this.port}`,
          'Start the server in the terminal; this page loads again by itself.',
        );
        return;
      }
      await this.attempt({ stream, reader: new MessageReader(stream, MESSAGE_TYPE.response) }, false);
    } finally {
      this.channel.close();
    }
  }

  /** False when nothing came back and the request may be repeated (`mayRepeat`). */
  private async attempt(connection: Connection, mayRepeat: boolean): Promise<boolean> {
    this.connection = connection;
    const { stream, reader } = connection;
    let hasBegun = false;
    let isReusable = false;
    try {
      const jar = jarOf(this.port);
      const wrote = await stream.write(requestHead(this.request, this.port, jar.header(this.request.path)));
      if (!wrote && mayRepeat) return false;
      const sending = this.request.hasBody ? this.sendBody(stream) : Promise.resolve();
      reader.isHeadAnswer = this.request.method === 'HEAD';
      let keepAlive = false;
      for (;;) {
        const part = await reader.next();
        if (!part) {
          if (!hasBegun && mayRepeat) return false;
          this.fail(
            502,
            'The server closed the connection',
            `The server on port ${this.port} sent ${hasBegun ? 'only a part of its' : 'no'} answer.`,
          );
          return true;
        }
        // Interim answers (100, 103) are not for the page.
        if (part.kind === 'head' && part.head.status < 200 && part.head.status !== 101) {
          await skipMessage(reader);
          continue;
        }
        hasBegun = true;
        if (part.kind === 'head') keepAlive = part.head.keepAlive;
        await this.forward(part, jar);
        if (part.kind !== 'end' || this.isCancelled) {
          if (this.isCancelled) return true;
          continue;
        }
        await sending;
        isReusable = keepAlive && !stream.isOver();
        return true;
      }
    } catch (error) {
      this.fail(
        502,
        'The answer is not HTTP',
        `What the server on port ${this.port} sent cannot be read: ${(error as Error).message}.`,
      );
      return true;
    } finally {
      this.connection = undefined;
      const pool = idle.get(this.port) ?? [];
      idle.set(this.port, pool);
      if (isReusable && pool.length < MAX_IDLE) keep(pool, connection);
      else {
        reader.free();
        stream.close();
      }
    }
  }

  private async forward(part: MessagePart, jar: CookieJar): Promise<void> {
    switch (part.kind) {
      case 'head': {
        const { status, reason, headers } = part.head;
        jar.take(headers, this.request.path);
        const hasBody = this.request.method !== 'HEAD' && status !== 204 && status !== 304;
        this.send({ type: 'head', status, reason, headers: previewHeaders(headers), hasBody });
        return;
      }
      case 'body': {
        await this.until(() => this.pulls > 0);
        this.pulls--;
        const { bytes } = part;
        if (!this.isCancelled) this.send({ type: 'chunk', bytes }, [bytes.buffer as ArrayBuffer]);
        return;
      }
      case 'end':
        this.send({ type: 'end' });
        return;
    }
  }

  private async sendBody(stream: KernelStream): Promise<void> {
    const isChunked = headerOf(this.request.headers, 'content-length') === undefined;
    for (;;) {
      this.send({ type: 'wantBody' });
      await this.until(() => this.body.length > 0);
      if (this.isCancelled) return;
      const bytes = this.body.shift();
      if (!bytes) break;
      if (bytes.length === 0) continue;
      const pieces = isChunked ? [encode(`${bytes.length.toString(16)}\r\n`), bytes, encode('\r\n')] : [bytes];
      for (const piece of pieces) if (!(await stream.write(piece))) return;
    }
    if (isChunked) await stream.write(encode('0\r\n\r\n'));
  }
}

async function skipMessage(reader: MessageReader): Promise<void> {
  for (let part = await reader.next(); part && part.kind !== 'end'; ) part = await reader.next();
}

/** For tests: forgets kept connections and cookies. */
export function forgetPreviews(): void {
  idle.clear();
  jars.clear();
}

export type { HeaderPairs };
