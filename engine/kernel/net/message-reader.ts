// HTTP/1 messages out of a stream, part by part, parsed by Node's own parser. Reads no more than it is asked for.
import { Llhttp, MESSAGE_TYPE, type MessageType, PARSE_ERROR } from '../../bindings/http/llhttp';
import type { KernelStream } from './kernel-stream';

export type HeaderList = [string, string][];

export interface MessageHead {
  /** Of a request. */
  method: string;
  url: string;
  /** Of a response. */
  status: number;
  reason: string;
  /** `1.1`. */
  version: string;
  headers: HeaderList;
  keepAlive: boolean;
  upgrade: boolean;
}

export type MessagePart = { kind: 'head'; head: MessageHead } | { kind: 'body'; bytes: Uint8Array } | { kind: 'end' };

/** Longest head that is taken, in bytes: generous, because cookies and tokens are. */
const MAX_HEAD_BYTES = 256 * 1024;

/** The value of the first header called `name` (lower case). */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Reads messages of one type until the stream ends or is upgraded. Free it. */
export class MessageReader {
  /** Set before the answer to a HEAD request is read: it has a length but no body. */
  isHeadAnswer = false;
  private readonly stream: KernelStream;
  private readonly parser: Llhttp;
  private readonly parts: MessagePart[] = [];
  private pairs: HeaderList = [];
  private inValue = false;
  private url = '';
  private reason = '';
  private headBytes = 0;
  private isOver = false;

  constructor(stream: KernelStream, type: MessageType) {
    this.stream = stream;
    const track = (piece: string): number => {
      this.headBytes += piece.length;
      return this.headBytes > MAX_HEAD_BYTES ? PARSE_ERROR.user : 0;
    };
    this.parser = new Llhttp(type, {
      messageBegin: () => {
        this.pairs = [];
        this.url = '';
        this.reason = '';
        this.headBytes = 0;
        this.inValue = true;
        return 0;
      },
      url: (piece) => {
        this.url += piece;
        return track(piece);
      },
      status: (piece) => {
        this.reason += piece;
        return track(piece);
      },
      headerField: (piece) => {
        if (this.inValue) this.pairs.push(['', '']);
        this.inValue = false;
        this.pairs[this.pairs.length - 1][0] += piece;
        return track(piece);
      },
      headerValue: (piece) => {
        this.inValue = true;
        this.pairs[this.pairs.length - 1][1] += piece;
        return track(piece);
      },
      headersComplete: (status, upgrade, keepAlive) => {
        const { parser } = this;
        const headers = this.pairs.map(([name, value]): [string, string] => [name, value.trimEnd()]);
        const method = type === MESSAGE_TYPE.request ? parser.methodName : '';
        const version = `${parser.major}.${parser.minor}`;
        const head = { method, url: this.url, status, reason: this.reason, version, headers, keepAlive, upgrade };
        this.parts.push({ kind: 'head', head });
        // Trailers have nowhere to go in a fetch response.
        this.pairs = [];
        this.inValue = true;
        return this.isHeadAnswer ? 1 : 0;
      },
      body: (bytes) => {
        this.parts.push({ kind: 'body', bytes });
        return 0;
      },
      messageComplete: () => {
        this.parts.push({ kind: 'end' });
        return 0;
      },
    });
  }

  /** The next part; undefined when the stream is over. Throws an Error that says what is wrong with the message. */
  async next(): Promise<MessagePart | undefined> {
    for (;;) {
      const part = this.parts.shift();
      if (part || this.isOver) return part;
      const bytes = await this.stream.read();
      if (bytes === undefined) {
        this.isOver = true;
        this.check(this.parser.finish());
        continue;
      }
      const { errno, consumed } = this.parser.execute(bytes);
      if (errno === PARSE_ERROR.pausedUpgrade) {
        this.isOver = true;
        this.stream.unread(bytes.subarray(consumed));
      } else this.check(errno);
    }
  }

  private check(errno: number): void {
    if (errno === PARSE_ERROR.ok) return;
    this.isOver = true;
    const tooLong = errno === PARSE_ERROR.user;
    throw new Error(tooLong ? `its head is longer than ${MAX_HEAD_BYTES} bytes` : this.parser.errorReason);
  }

  free(): void {
    this.isOver = true;
    this.parser.free();
  }
}
