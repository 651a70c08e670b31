// Reads HTTP/1.1 requests off a stream of bytes: strict, because what speaks to it is an HTTP client (RFC 9112).

export interface HttpRequest {
  method: string;
  path: string;
  headers: [string, string][];
  body: Uint8Array | undefined;
  keepAlive: boolean;
}

const MAX_HEAD_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const latin1 = new TextDecoder('latin1');

export class RequestReader {
  private buffer = new Uint8Array(0) as Uint8Array;

  push(bytes: Uint8Array): void {
    const joined = new Uint8Array(this.buffer.length + bytes.length);
    joined.set(this.buffer);
    joined.set(bytes, this.buffer.length);
    this.buffer = joined;
  }

  /** The next whole request, undefined while it is incomplete, `bad` when it is none. */
  next(): HttpRequest | 'bad' | undefined {
    const end = find(this.buffer, '\r\n\r\n', 0);
    if (end < 0) return this.buffer.length > MAX_HEAD_BYTES ? 'bad' : undefined;
    const lines = latin1.decode(this.buffer.subarray(0, end)).split('\r\n');
    const start = /^([A-Z]+) (\/\S*) HTTP\/1\.([01])$/.exec(lines[0]);
    if (!start) return 'bad';
    const headers: [string, string][] = [];
    for (const line of lines.slice(1)) {
      const colon = line.indexOf(':');
      if (colon <= 0) return 'bad';
      headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
    }
    const value = (name: string): string | undefined => headers.find(([key]) => key.toLowerCase() === name)?.[1];
    const body = /chunked/i.test(value('transfer-encoding') ?? '')
      ? this.chunks(end + 4)
      : this.plain(end + 4, value('content-length'));
    if (body === 'bad' || body === undefined) return body;
    this.buffer = this.buffer.slice(body.end);
    const connection = value('connection') ?? (start[3] === '1' ? 'keep-alive' : 'close');
    return { method: start[1], path: start[2], headers, body: body.bytes, keepAlive: !/close/i.test(connection) };
  }

  private plain(
    at: number,
    length: string | undefined,
  ): { bytes: Uint8Array | undefined; end: number } | 'bad' | undefined {
    if (length === undefined) return { bytes: undefined, end: at };
    const size = /^\d+$/.test(length) ? Number(length) : Number.NaN;
    if (!(size <= MAX_BODY_BYTES)) return 'bad';
    if (this.buffer.length < at + size) return undefined;
    return { bytes: size > 0 ? this.buffer.slice(at, at + size) : undefined, end: at + size };
  }

  private chunks(from: number): { bytes: Uint8Array; end: number } | 'bad' | undefined {
    const parts: Uint8Array[] = [];
    let total = 0;
    for (let at = from; ; ) {
      const lineEnd = find(this.buffer, '\r\n', at);
      if (lineEnd < 0) return undefined;
      const size = Number.parseInt(latin1.decode(this.buffer.subarray(at, lineEnd)), 16);
      if (!(size >= 0) || total + size > MAX_BODY_BYTES) return 'bad';
      const start = lineEnd + 2;
      if (size === 0) {
        const end = find(this.buffer, '\r\n', start);
        return end < 0 ? undefined : { bytes: concat(parts, total), end: end + 2 };
      }
      if (this.buffer.length < start + size + 2) return undefined;
      parts.push(this.buffer.slice(start, start + size));
      total += size;
      at = start + size + 2;
    }
  }
}

function find(bytes: Uint8Array, text: string, from: number): number {
  for (let at = from; at + text.length <= bytes.length; at++) {
    let same = 0;
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same++;
    if (same === text.length) return at;
  }
  return -1;
}

function concat(parts: Uint8Array[], total: number): Uint8Array {
  const out = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
