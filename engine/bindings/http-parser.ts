// http_parser: llhttp with Node's event order, header limits and pauses (src/node_http_parser.cc).
import { currentFrame, runInFrame } from '../modules/context-frame';
import type { Binding } from '../process/environment';
import { type AsyncIds, AsyncScopes } from './async-scopes';
import { createConnectionsList, type TimedParser } from './http/connections-list';
import { Llhttp, MESSAGE_TYPE, type MessageType, PARSE_ERROR, type ParserEvents } from './http/llhttp';
import type { StreamWrap } from './stream-base';
import { viewBytes } from './strings';

/** As many pairs go to `onHeadersComplete` at once; more are flushed to `onHeaders` before. */
const MAX_HEADER_PAIRS = 32;

/** Of one chunk, as in node_http_parser.cc, with its size and line ends. */
const MOST_CHUNK_EXTENSION_BYTES = 16384 + 32;
const EXTENSIONS_OVERFLOW = { code: 'HPE_CHUNK_EXTENSIONS_OVERFLOW', reason: 'Chunk extensions overflow' };

/** An error of ours with code and reason, as node_http_parser.cc packs them into llhttp's reason. */
interface OwnError {
  code: string;
  reason: string;
}

export const httpParser: Binding = (environment) => {
  const scopes = AsyncScopes.of(environment);
  const binding = environment.dumped('http_parser');
  const {
    kOnMessageBegin,
    kOnHeaders,
    kOnHeadersComplete,
    kOnBody,
    kOnMessageComplete,
    kOnExecute,
    ...constants
  }: Record<string, number> = { ...binding.HTTPParser };
  const numbers = {
    kOnMessageBegin,
    kOnHeaders,
    kOnHeadersComplete,
    kOnBody,
    kOnMessageComplete,
    kOnExecute,
    ...constants,
  };
  const now = (): number => environment.browser.performanceNow();
  const ConnectionsList = createConnectionsList(now);
  let bufferClass: { from(bytes: ArrayBufferLike): Uint8Array; alloc(size: number): Uint8Array } | undefined;
  const toBuffer = (bytes: Uint8Array): Uint8Array => {
    bufferClass ??= environment.requireBuiltin('buffer').Buffer;
    return bufferClass!.from((bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()).buffer);
  };

  class HTTPParser implements TimedParser {
    // lib puts its callbacks on the object under the numbers above.
    [index: number]: any;
    #parser: Llhttp | undefined;
    #type: MessageType = MESSAGE_TYPE.request;
    #maxHeaderBytes = 0;
    #headerBytes = 0;
    /** Flat pairs that JavaScript does not have yet. */
    #pairs: string[] = [];
    #inValue = false;
    #flushed = false;
    #url = '';
    #status = '';
    #own: OwnError | undefined;
    #running = false;
    #pendingPause = false;
    #connections: InstanceType<typeof ConnectionsList> | undefined;
    #current: Uint8Array | undefined;
    #stream: StreamWrap | undefined;
    #times = { start: 0, headersCompleted: false };
    /** The async context of the message's owner: the connection's, or the client request's. */
    #frame: unknown;
    #ids: AsyncIds | undefined;

    get messageStartMs(): number {
      return this.#times.start;
    }

    get headersCompleted(): boolean {
      return this.#times.headersCompleted;
    }

    initialize(
      type: MessageType,
      resource: object,
      maxHeaderSize?: number,
      lenient?: number,
      connections?: InstanceType<typeof ConnectionsList> | null,
    ): void {
      this.#parser?.free();
      this.#frame = currentFrame();
      if (this.#ids) scopes.end(this.#ids);
      this.#ids = scopes.begin(resource, type === MESSAGE_TYPE.request ? 'HTTPINCOMINGMESSAGE' : 'HTTPCLIENTREQUEST');
      this.#type = type;
      this.#maxHeaderBytes = maxHeaderSize || Number(environment.state.options['--max-http-header-size'] ?? 16384);
      this.#parser = new Llhttp(type, this.#events(), lenient ?? 0);
      this.#headerBytes = 0;
      this.#pairs = [];
      this.#inValue = false;
      this.#flushed = false;
      this.#url = '';
      this.#status = '';
      this.#own = undefined;
      this.#pendingPause = false;
      this.#times = { start: 0, headersCompleted: false };
      this.#connections = connections ?? undefined;
      if (!connections) return;
      // A connection that never sends a byte counts from here.
      this.#times.start = now();
      connections.add(this, true);
    }

    #track(piece: string): number {
      this.#headerBytes += piece.length;
      return this.#headerBytes < this.#maxHeaderBytes
        ? 0
        : this.#fail({ code: 'HPE_HEADER_OVERFLOW', reason: 'Header overflow' });
    }

    #fail(error: OwnError): number {
      this.#own = error;
      return PARSE_ERROR.user;
    }

    #events(): ParserEvents {
      return {
        messageBegin: () => {
          environment.traces.learnWasm();
          this.#connections?.delete(this);
          this.#pairs = [];
          this.#inValue = false;
          this.#url = '';
          this.#status = '';
          this.#times = { start: now(), headersCompleted: false };
          this.#connections?.add(this, true);
          this.#tell(kOnMessageBegin);
          return 0;
        },
        url: (piece) => {
          this.#url += piece;
          return this.#track(piece);
        },
        status: (piece) => {
          this.#status += piece;
          return this.#track(piece);
        },
        headerField: (piece) => {
          const overflow = this.#track(piece);
          if (overflow) return overflow;
          if (this.#pairs.length === 0 || this.#inValue) {
            if (this.#pairs.length === (MAX_HEADER_PAIRS - 1) * 2) this.#flush();
            this.#pairs.push('', '');
            this.#inValue = false;
          }
          this.#pairs[this.#pairs.length - 2] += piece;
          return 0;
        },
        headerValue: (piece) => {
          const overflow = this.#track(piece);
          if (overflow) return overflow;
          this.#inValue = true;
          this.#pairs[this.#pairs.length - 1] += piece;
          return 0;
        },
        headersComplete: (statusCode, upgrade, keepAlive) => {
          this.#times.headersCompleted = true;
          this.#headerBytes = 0;
          const callback = this[kOnHeadersComplete];
          if (typeof callback !== 'function') return 0;
          const parser = this.#parser as Llhttp;
          const isRequest = this.#type === MESSAGE_TYPE.request;
          if (this.#flushed) this.#flush();
          const headers = this.#flushed ? undefined : this.#takeHeaders();
          const result: any = this.#tell(
            kOnHeadersComplete,
            parser.major,
            parser.minor,
            headers,
            isRequest ? parser.method : undefined,
            isRequest && !this.#flushed ? this.#url : undefined,
            isRequest ? undefined : statusCode,
            isRequest ? undefined : this.#status,
            upgrade,
            keepAlive,
          );
          return result | 0;
        },
        body: (bytes) => {
          if ((this.#parser?.gap ?? 0) > MOST_CHUNK_EXTENSION_BYTES) return this.#fail(EXTENSIONS_OVERFLOW);
          this.#tell(kOnBody, toBuffer(bytes));
          return 0;
        },
        messageComplete: () => {
          this.#connections?.delete(this);
          this.#times.start = 0;
          this.#connections?.add(this, false);
          if (this.#pairs.length > 0) this.#flush();
          this.#tell(kOnMessageComplete);
          return 0;
        },
      };
    }

    #takeHeaders(): string[] {
      const headers = this.#pairs.map((text, index) => (index % 2 === 0 ? text : text.replace(/[ \t]+$/, '')));
      this.#pairs = [];
      this.#inValue = false;
      return headers;
    }

    #flush(): void {
      const callback = this[kOnHeaders];
      if (typeof callback !== 'function') return;
      const url = this.#url;
      this.#url = '';
      this.#flushed = true;
      this.#tell(kOnHeaders, this.#takeHeaders(), url);
    }

    /** Bytes taken, or an Error. */
    execute(input: ArrayBufferView): number | Error {
      const bytes = viewBytes(input);
      this.#current = bytes;
      try {
        return this.#run(bytes);
      } finally {
        this.#current = undefined;
      }
    }

    finish(): Error | undefined {
      const result = this.#run(undefined);
      return typeof result === 'number' ? undefined : result;
    }

    #run(bytes: Uint8Array | undefined): number | Error {
      const parser = this.#parser;
      if (!parser) return new Error('The parser has been closed');
      let errno: number;
      let consumed = 0;
      this.#running = true;
      try {
        const frame = this.#frame;
        if (bytes) ({ errno, consumed } = runInFrame(frame, () => parser.execute(bytes)));
        else errno = runInFrame(frame, () => parser.finish());
        const isOver = this.#times.headersCompleted && parser.untold > MOST_CHUNK_EXTENSION_BYTES;
        if (errno === PARSE_ERROR.ok && isOver && !parser.isUpgrade) errno = this.#fail(EXTENSIONS_OVERFLOW);
        if (errno === PARSE_ERROR.pausedUpgrade) {
          errno = PARSE_ERROR.ok;
          parser.resumeAfterUpgrade();
        }
      } finally {
        this.#running = false;
        if (this.#pendingPause) {
          this.#pendingPause = false;
          parser.pause();
        }
      }
      if (errno === PARSE_ERROR.ok || parser.isUpgrade) return consumed;
      const own = errno === PARSE_ERROR.user ? this.#own : undefined;
      return Object.assign(new Error('Parse Error'), {
        bytesParsed: consumed,
        code: own?.code ?? parser.errorName(errno),
        reason: own?.reason ?? parser.errorReason,
      });
    }

    /** Calls lib back, as one callback of the message. */
    #tell(what: number, ...args: unknown[]): unknown {
      const callback = this[what];
      if (typeof callback !== 'function') return undefined;
      const ids = this.#ids;
      return ids ? scopes.run(ids, () => callback.apply(this, args)) : callback.apply(this, args);
    }

    getAsyncId(): number {
      return this.#ids?.asyncId ?? -1;
    }

    pause(): void {
      if (this.#running) this.#pendingPause = true;
      else this.#parser?.pause();
    }

    resume(): void {
      if (this.#running) this.#pendingPause = false;
      else this.#parser?.resume();
    }

    /** From now on the parser reads what the stream brings. */
    consume(stream: StreamWrap): void {
      this.#stream = stream;
      stream.consumer = (bytes) => {
        this.#current = bytes;
        try {
          const result = this.#run(bytes);
          runInFrame(this.#frame, () => this.#tell(kOnExecute, result));
        } finally {
          this.#current = undefined;
        }
      };
    }

    unconsume(): void {
      if (this.#stream) this.#stream.consumer = undefined;
      this.#stream = undefined;
    }

    getCurrentBuffer(): Uint8Array {
      return toBuffer(this.#current ?? new Uint8Array(0));
    }

    remove(): void {
      this.#connections?.delete(this);
    }

    free(): void {
      this.#end();
    }

    #end(): void {
      if (this.#ids) scopes.end(this.#ids);
      this.#ids = undefined;
    }

    close(): void {
      this.unconsume();
      this.#parser?.free();
      this.#parser = undefined;
      this.#end();
    }
  }
  return { ...binding, HTTPParser: Object.assign(HTTPParser, numbers), ConnectionsList };
};
