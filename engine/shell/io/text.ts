// Text of the shell and its tools is a JavaScript string, yet every byte survives: one that is no UTF-8 becomes a lone surrogate U+DC80–U+DCFF
// (Python's surrogateescape), which can't come from UTF-8 otherwise, and becomes that byte again on its way out.
const REPLACEMENT = '\ufffd';
const BASE = 0xdc00;
/** A byte that is not part of a letter, as a class for expressions with the flag `u`. */
export const STRAY = '\\udc80-\\udcff';
const STRAY_BYTE = new RegExp(`[${STRAY}]`, 'u');

/** The text of bytes; `encodeText` gives the same bytes back. */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('utf8');
  return text.includes(REPLACEMENT) ? decodeStrictly(buffer) : text;
}

/** The bytes of a text: UTF-8, and stray bytes as they were. */
export function encodeText(text: string): Buffer {
  return text.isWellFormed() ? Buffer.from(text) : encodeStrictly(text);
}

/** Whether a byte of the text belongs to no letter. */
export function hasStrayBytes(text: string): boolean {
  return !text.isWellFormed() && STRAY_BYTE.test(text);
}

/** Two parts of a letter that have met become the letter. */
export function joinBytes(text: string): string {
  return text.isWellFormed() ? text : decodeText(encodeText(text));
}

/** One character per byte, for tools that know no letters: `tr`, `cut -b`. */
export function byteText(text: string): string {
  return encodeText(text).toString('latin1');
}

/** Compares as C's strcmp does, by bytes; for sorting. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  // Below U+D800 the order of units is the order of bytes.
  if (!/[\ud800-\uffff]/.test(a) && !/[\ud800-\uffff]/.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(encodeText(a), encodeText(b));
}

/** Decodes a stream, in which a letter may be split between two chunks. */
export class TextReader {
  #rest: Uint8Array = new Uint8Array(0);

  /** The text of all letters that are complete. */
  write(chunk: Uint8Array): string {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const end = bytes.length - incompleteAtEnd(bytes);
    this.#rest = bytes.slice(end);
    return decodeText(bytes.subarray(0, end));
  }

  /** What is left when the stream is over. */
  end(): string {
    const text = decodeText(this.#rest);
    this.#rest = new Uint8Array(0);
    return text;
  }
}

/** How many bytes at the end may be the beginning of a letter. */
function incompleteAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    return byte >= 0xc2 && byte <= 0xf4 && lengthFrom(byte) > back ? back : 0;
  }
  return 0;
}

function lengthFrom(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Length of the valid letter at `at`, 0 when there is none (Unicode's table 3-7). */
function letterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lengthFrom(lead);
  const second = bytes[at + 1];
  if (second === undefined) return 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let next = 2; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function decodeStrictly(bytes: Buffer): string {
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = letterLength(bytes, at);
    const lead = bytes[at]!;
    if (length === 0) units[count++] = BASE + lead;
    else if (length === 1) units[count++] = lead;
    else {
      let point = lead & (0x7f >> length);
      for (let next = 1; next < length; next++) point = point * 64 + (bytes[at + next]! & 0x3f);
      if (point > 0xffff) {
        units[count++] = 0xd800 + ((point - 0x10000) >> 10);
        units[count++] = 0xdc00 + (point & 0x3ff);
      } else units[count++] = point;
    }
    at += length || 1;
  }
  return Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
}

function encodeStrictly(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length * 3);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!;
    if (point < 0x80) bytes[count++] = point;
    else if (point >= BASE + 0x80 && point <= BASE + 0xff) bytes[count++] = point - BASE;
    else {
      if (point > 0xffff) at++;
      count += bytes.write(String.fromCodePoint(point), count);
    }
  }
  return bytes.subarray(0, count);
}
