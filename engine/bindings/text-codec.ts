// Bytes to text and back in Node's eight encodings, as StringBytes does it; the hot paths of Buffer.
// TextDecoder and encodeInto refuse shared memory, so views on it are copied first.
import { nativeToHex } from '../process/no-hex';
import { nodeError } from './node-error';
import { decodeBase64 as decodeForgiving, viewBytes } from './strings';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const fromCharCode = String.fromCharCode;
const apply = Reflect.apply;
const Shared = globalThis.SharedArrayBuffer;

/** `encoding` of node's encoding enumeration (`encodings` of the string_decoder binding). */
export const ENCODING = {
  ascii: 0,
  utf8: 1,
  base64: 2,
  utf16le: 3,
  latin1: 4,
  hex: 5,
  buffer: 6,
  base64url: 7,
} as const;

const SPELLINGS: Record<string, number> = {
  __proto__: null as never,
  ascii: 0,
  utf8: 1,
  'utf-8': 1,
  base64: 2,
  utf16le: 3,
  'utf-16le': 3,
  ucs2: 3,
  'ucs-2': 3,
  latin1: 4,
  binary: 4,
  hex: 5,
  buffer: 6,
  base64url: 7,
};

/** node's ParseEncoding: a number of the enumeration or a name in any case; `fallback` for anything else. */
export function parseEncoding(encoding: unknown, fallback: number = ENCODING.utf8): number {
  if (typeof encoding === 'number') return encoding;
  return typeof encoding === 'string' ? (SPELLINGS[encoding.toLowerCase()] ?? fallback) : fallback;
}

/** The same bytes in memory that is not shared. */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return (
    Shared !== undefined && bytes.buffer instanceof Shared ? new Uint8Array(bytes) : bytes
  ) as Uint8Array<ArrayBuffer>;
}

/** Text of UTF-8 bytes; malformed sequences become U+FFFD, a BOM stays. */
export function utf8Text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (end - start <= 24) {
    let text = '';
    let index = start;
    for (; index < end; index++) {
      const byte = bytes[index];
      if (byte > 127) break;
      text += fromCharCode(byte);
    }
    if (index === end) return text;
  }
  return decoder.decode(unshared(bytes.subarray(start, end)));
}

const CHUNK = 8192;

const wideDecoder = new TextDecoder('utf-16le', { ignoreBOM: true });
/** From here on a TextDecoder is faster than fromCharCode. */
const LONG_BYTES = 256;

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (bytes[index] > 127) return false;
  return true;
}

/** One character per byte; `mask` 0x7f for ascii, 0xff for latin1. */
export function oneByteText(bytes: Uint8Array, start: number, end: number, mask: number): string {
  if (end - start >= LONG_BYTES && isAscii(bytes, start, end))
    return decoder.decode(unshared(bytes.subarray(start, end)));
  let text = '';
  for (let from = start; from < end; from += CHUNK) {
    const part = bytes.subarray(from, Math.min(end, from + CHUNK));
    text += apply(fromCharCode, undefined, mask === 0xff ? part : part.map((byte) => byte & mask));
  }
  return text;
}

/** UTF-16LE; an odd last byte is dropped. */
export function utf16Text(bytes: Uint8Array, start: number, end: number): string {
  if (end - start >= LONG_BYTES) {
    const decoded = wideDecoder.decode(unshared(bytes.subarray(start, end - ((end - start) & 1))));
    // The decoder replaces lone surrogates, which Node keeps.
    if (!decoded.includes('\ufffd')) return decoded;
  }
  let text = '';
  const units = new Uint16Array(Math.min(CHUNK, (end - start) >> 1));
  for (let from = start; from + 1 < end; ) {
    let count = 0;
    for (; count < units.length && from + 1 < end; from += 2) units[count++] = bytes[from] | (bytes[from + 1] << 8);
    text += apply(fromCharCode, undefined, count === units.length ? units : units.subarray(0, count));
  }
  return text;
}

const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function hexText(bytes: Uint8Array, start: number, end: number): string {
  if (nativeToHex) return apply(nativeToHex, bytes.subarray(start, end), []);
  let text = '';
  for (let index = start; index < end; index++) text += HEX_PAIRS[bytes[index]];
  return text;
}

const toBase64 = (Uint8Array.prototype as { toBase64?(options: object): string }).toBase64;
const PLAIN = { alphabet: 'base64' };
const URL_SAFE = { alphabet: 'base64url', omitPadding: true };
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** base64 with padding, or base64url without. */
export function base64Text(bytes: Uint8Array, start: number, end: number, urlSafe: boolean): string {
  if (toBase64) return apply(toBase64, bytes.subarray(start, end), [urlSafe ? URL_SAFE : PLAIN]);
  const alphabet = ALPHABET + (urlSafe ? '-_' : '+/');
  let text = '';
  let index = start;
  for (; index + 2 < end; index += 3) {
    const bits = (bytes[index] << 16) | (bytes[index + 1] << 8) | bytes[index + 2];
    text += alphabet[bits >> 18] + alphabet[(bits >> 12) & 63] + alphabet[(bits >> 6) & 63] + alphabet[bits & 63];
  }
  const left = end - index;
  if (left === 0) return text;
  const bits = (bytes[index] << 16) | (left === 2 ? bytes[index + 1] << 8 : 0);
  text += alphabet[bits >> 18] + alphabet[(bits >> 12) & 63] + (left === 2 ? alphabet[(bits >> 6) & 63] : '');
  return urlSafe ? text : text + (left === 2 ? '=' : '==');
}

/** V8's on 64-bit machines. */
const MAX_STRING_LENGTH = 0x1fffffe8;

/** How many characters `count` bytes give; of UTF-8, the fewest. */
function charactersOf(encoding: number, count: number): number {
  if (encoding === ENCODING.hex) return count * 2;
  if (encoding === ENCODING.base64 || encoding === ENCODING.base64url) return Math.ceil((count * 4) / 3);
  if (encoding === ENCODING.utf16le) return count >> 1;
  return encoding === ENCODING.ascii || encoding === ENCODING.latin1 ? count : Math.ceil(count / 3);
}

const tooLong = (): Error =>
  nodeError(
    Error,
    'ERR_STRING_TOO_LONG',
    `Cannot create a string longer than 0x${MAX_STRING_LENGTH.toString(16)} characters`,
  );

/** Text of `bytes[start, end)` in `encoding` (a number of ENCODING); throws ERR_STRING_TOO_LONG. */
export function bytesToText(bytes: Uint8Array, encoding: number, start = 0, end = bytes.length): string {
  if (end - start > MAX_STRING_LENGTH >> 1 && charactersOf(encoding, end - start) > MAX_STRING_LENGTH) throw tooLong();
  switch (encoding) {
    case ENCODING.ascii:
      return oneByteText(bytes, start, end, 0x7f);
    case ENCODING.latin1:
      return oneByteText(bytes, start, end, 0xff);
    case ENCODING.utf16le:
      return utf16Text(bytes, start, end);
    case ENCODING.hex:
      return hexText(bytes, start, end);
    case ENCODING.base64:
      return base64Text(bytes, start, end, false);
    case ENCODING.base64url:
      return base64Text(bytes, start, end, true);
    default:
      return longUtf8Text(bytes, start, end);
  }
}

/** A browser's decoder answers a text that is too long with an empty one. */
function longUtf8Text(bytes: Uint8Array, start: number, end: number): string {
  const text = utf8Text(bytes, start, end);
  if (text === '' && end > start) throw tooLong();
  return text;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

const fromBase64 = (Uint8Array as { fromBase64?(text: string, options: object): Uint8Array<ArrayBuffer> }).fromBase64;
const LOOSE = { alphabet: 'base64', lastChunkHandling: 'loose' };
const LOOSE_URL = { alphabet: 'base64url', lastChunkHandling: 'loose' };

/** Node's forgiving decoder; clean input takes the browser's. */
function decodeBase64(text: string): Uint8Array {
  if (!fromBase64 || text.length < SHORT_TEXT) return decodeForgiving(text);
  try {
    return fromBase64.call(Uint8Array, text, text.includes('-') || text.includes('_') ? LOOSE_URL : LOOSE);
  } catch {
    return decodeForgiving(text);
  }
}

/** Writes hexadecimal text until it is not; returns the bytes written. */
function writeHex(text: string, target: Uint8Array): number {
  const count = Math.min(text.length >> 1, target.length);
  for (let index = 0; index < count; index++) {
    // Node looks only at the low byte of a unit.
    const high = hexDigit(text.charCodeAt(index * 2) & 255);
    const low = hexDigit(text.charCodeAt(index * 2 + 1) & 255);
    if (high < 0 || low < 0) return index;
    target[index] = (high << 4) | low;
  }
  return count;
}

/** Writes `text` at the start of `target` as far as whole characters fit; returns the bytes written. */
export function writeText(text: string, encoding: number, target: Uint8Array): number {
  switch (encoding) {
    case ENCODING.ascii:
    case ENCODING.latin1: {
      const count = Math.min(text.length, target.length);
      for (let index = 0; index < count; index++) target[index] = text.charCodeAt(index);
      return count;
    }
    case ENCODING.utf16le: {
      const count = Math.min(text.length, target.length >> 1);
      for (let index = 0; index < count; index++) {
        const unit = text.charCodeAt(index);
        target[index * 2] = unit & 255;
        target[index * 2 + 1] = unit >> 8;
      }
      return count * 2;
    }
    case ENCODING.hex:
      return writeHex(text, target);
    case ENCODING.base64:
    case ENCODING.base64url: {
      const bytes = decodeBase64(text);
      const count = Math.min(bytes.length, target.length);
      target.set(count === bytes.length ? bytes : bytes.subarray(0, count));
      return count;
    }
    default:
      return writeUtf8(text, target);
  }
}

const SHORT_TEXT = 48;

/** Writes short text without the cost of calling the browser's encoder. */
function writeShortUtf8(text: string, target: Uint8Array): number {
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (at >= target.length) return at;
      target[at++] = unit;
    } else if (unit < 0x800) {
      if (at + 2 > target.length) return at;
      target[at++] = 0xc0 | (unit >> 6);
      target[at++] = 0x80 | (unit & 63);
    } else {
      let code = unit;
      if ((unit & 0xf800) === 0xd800) {
        const next = text.charCodeAt(index + 1);
        code =
          (unit & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00
            ? 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff)
            : 0xfffd;
      }
      if (code < 0x10000) {
        if (at + 3 > target.length) return at;
        target[at++] = 0xe0 | (code >> 12);
      } else {
        if (at + 4 > target.length) return at;
        target[at++] = 0xf0 | (code >> 18);
        target[at++] = 0x80 | ((code >> 12) & 63);
        index++;
      }
      target[at++] = 0x80 | ((code >> 6) & 63);
      target[at++] = 0x80 | (code & 63);
    }
  }
  return at;
}

function writeUtf8(text: string, target: Uint8Array): number {
  if (text.length <= SHORT_TEXT) return writeShortUtf8(text, target);
  if (Shared !== undefined && target.buffer instanceof Shared) {
    const scratch = new Uint8Array(Math.min(target.length, text.length * 3));
    const written = encoder.encodeInto(text, scratch).written;
    target.set(scratch.subarray(0, written));
    return written;
  }
  return encoder.encodeInto(text, target as Uint8Array<ArrayBuffer>).written;
}

/** `text` as new bytes. */
export function textToBytes(text: string, encoding: number): Uint8Array<ArrayBuffer> {
  switch (encoding) {
    case ENCODING.base64:
    case ENCODING.base64url:
      return decodeBase64(text) as Uint8Array<ArrayBuffer>;
    case ENCODING.utf16le:
    case ENCODING.ascii:
    case ENCODING.latin1:
    case ENCODING.hex: {
      const target = new Uint8Array(
        encoding === ENCODING.utf16le ? text.length * 2 : encoding === ENCODING.hex ? text.length >> 1 : text.length,
      );
      const written = writeText(text, encoding, target);
      return written === target.length ? target : target.subarray(0, written);
    }
    default:
      return encoder.encode(text) as Uint8Array<ArrayBuffer>;
  }
}

/** Bytes of a string (in `encoding`, UTF-8 for 'buffer') or of any view or buffer. */
export function inputBytes(input: string | ArrayBufferView | ArrayBufferLike, encoding?: unknown): Uint8Array {
  return typeof input === 'string' ? textToBytes(input, parseEncoding(encoding)) : viewBytes(input);
}

/** UTF-8 length of `text`; a lone surrogate counts as U+FFFD. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index++;
  }
  return length;
}
