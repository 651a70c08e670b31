// The buffer binding: slices and writes of every encoding, search, compare and fill, with the argument rules of node_buffer.cc.
import type { Binding } from '../process/environment';
import { nodeError } from './node-error';
import { viewBytes } from './strings';
import { bytesToText, ENCODING, parseEncoding, textToBytes, unshared, utf8Length, writeText } from './text-codec';

type Bytes = ArrayBufferView | ArrayBufferLike;

const fatalDecoder = new TextDecoder('utf-8', { fatal: true });
const fill = Uint8Array.prototype.fill;
const byteIndexOf = Uint8Array.prototype.indexOf;
const byteLastIndexOf = Uint8Array.prototype.lastIndexOf;
const apply = Reflect.apply;

/** node's ParseArrayIndex: undefined is `fallback`, numbers are truncated, negative ones throw. */
function arrayIndex(value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  const index = integer(value);
  if (index < 0) throw outOfRange();
  return index;
}

/** v8's IntegerValue. */
function integer(value: unknown): number {
  const number = Math.trunc(Number(value));
  return Number.isNaN(number) ? 0 : number;
}

const outOfRange = (): Error => nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'Index out of range');

function bufferArgument(value: unknown): Uint8Array {
  if (!ArrayBuffer.isView(value)) throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a buffer');
  return viewBytes(value);
}

function sliceOf(encoding: number) {
  return (buffer: Bytes, startArgument?: unknown, endArgument?: unknown): string => {
    const bytes = bufferArgument(buffer);
    if (bytes.length === 0) return '';
    const start = arrayIndex(startArgument, 0);
    const end = Math.max(start, arrayIndex(endArgument, bytes.length));
    if (start === end) return '';
    if (end > bytes.length) throw outOfRange();
    return bytesToText(bytes, encoding, start, end);
  };
}

function writeOf(encoding: number) {
  return (buffer: Bytes, text: unknown, offsetArgument?: unknown, lengthArgument?: unknown): number => {
    const bytes = bufferArgument(buffer);
    if (typeof text !== 'string') throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
    const offset = arrayIndex(offsetArgument, 0);
    if (offset > bytes.length) {
      throw nodeError(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', '"offset" is outside of buffer bounds');
    }
    const length = Math.min(bytes.length - offset, arrayIndex(lengthArgument, bytes.length - offset));
    return length === 0 ? 0 : writeText(text, encoding, bytes.subarray(offset, offset + length));
  };
}

/** Where a search starts, or -1: node's IndexOfOffset. */
function searchStart(length: number, offset: number, needleLength: number, forward: boolean): number {
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return forward || needleLength === 0 ? 0 : -1;
  }
  if (offset + needleLength <= length) return offset;
  if (needleLength === 0) return length;
  return forward ? -1 : length - 1;
}

function matchesAt(haystack: Uint8Array, needle: Uint8Array, at: number): boolean {
  for (let index = 1; index < needle.length; index++) if (haystack[at + index] !== needle[index]) return false;
  return true;
}

/** `step` 2 only finds matches at even positions, as node searches UTF-16 by units. */
function find(haystack: Uint8Array, needle: Uint8Array, start: number, forward: boolean, step: 1 | 2): number {
  const last = haystack.length - needle.length;
  if (step === 2) start &= ~1;
  if (forward) {
    for (let at = start; at <= last; at++) {
      at = apply(byteIndexOf, haystack, [needle[0], at]);
      if (at < 0 || at > last) return -1;
      if (at % step === 0 && matchesAt(haystack, needle, at)) return at;
    }
    return -1;
  }
  for (let at = Math.min(start, last); at >= 0; at--) {
    at = apply(byteLastIndexOf, haystack, [needle[0], at]);
    if (at < 0) return -1;
    if (at % step === 0 && matchesAt(haystack, needle, at)) return at;
  }
  return -1;
}

function search(
  buffer: Bytes,
  needle: Uint8Array,
  offset: unknown,
  encoding: number,
  forward: boolean,
  end: unknown,
  ofText = false,
): number {
  const wide = encoding === ENCODING.utf16le;
  const whole = viewBytes(buffer);
  const limit = end === undefined ? whole.length : Math.min(whole.length, Math.max(0, integer(end)));
  const haystack = whole.subarray(0, wide ? limit & ~1 : limit);
  // A negative offset counts from the buffer's end, not from the end of the search.
  const start = searchStart(ofText && wide ? whole.length & ~1 : whole.length, integer(offset), needle.length, forward);
  if (needle.length === 0) return Math.min(start, haystack.length);
  if (haystack.length === 0 || start < 0) return -1;
  if ((forward && needle.length + start > haystack.length) || needle.length > haystack.length) return -1;
  if (!wide) return find(haystack, needle, start, forward, 1);
  if (haystack.length < 2 || needle.length < 2) return -1;
  return find(haystack, needle.subarray(0, needle.length & ~1), start, forward, 2);
}

/** -1, 0 or 1, as memcmp and then by length. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left[index] !== right[index]) return left[index] < right[index] ? -1 : 1;
  }
  return left.length === right.length ? 0 : left.length < right.length ? -1 : 1;
}

function compareOffset(
  source: Bytes,
  target: Bytes,
  targetStart: number,
  sourceStart: number,
  targetEnd: number,
  sourceEnd: number,
): number {
  const left = viewBytes(source);
  const right = viewBytes(target);
  if (sourceStart > left.length)
    throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'The value of "sourceStart" is out of range.');
  if (targetStart > right.length)
    throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'The value of "targetStart" is out of range.');
  return compareBytes(left.subarray(sourceStart, sourceEnd), right.subarray(targetStart, targetEnd));
}

/** Repeats `value`; -2 when the range is outside the buffer, -1 when there is nothing to repeat. */
function fillBuffer(
  buffer: Bytes,
  value: unknown,
  startArgument: unknown,
  endArgument: unknown,
  encoding: unknown,
): number | undefined {
  const bytes = bufferArgument(buffer);
  const start = arrayIndex(startArgument, 0);
  const end = arrayIndex(endArgument, bytes.length);
  if (start > end || end > bytes.length) return -2;
  const target = bytes.subarray(start, end);
  let written: number;
  if (typeof value === 'string') {
    const kind = parseEncoding(encoding);
    const whole = kind === ENCODING.utf8 || kind === ENCODING.utf16le;
    // A character that is wider than the range fills it with its first bytes.
    const pattern = whole ? textToBytes(value, kind) : undefined;
    if (pattern) target.set(pattern.subarray(0, target.length));
    written = pattern ? pattern.length : writeText(value, kind, target);
  } else if (ArrayBuffer.isView(value)) {
    const pattern = viewBytes(value);
    target.set(pattern.subarray(0, target.length));
    written = pattern.length;
  } else {
    apply(fill, target, [(value as number) >>> 0]);
    return undefined;
  }
  if (written >= target.length) return undefined;
  if (written === 0) return -1;
  for (let done = written; done < target.length; done *= 2) target.copyWithin(done, 0, done);
  return undefined;
}

let bufferPrototype: object | undefined;

/** The same bytes as a Buffer, as C++ `Buffer::New`; a plain Uint8Array before lib has told the prototype. */
export function asNodeBuffer<T extends Uint8Array>(bytes: T): T {
  return bufferPrototype ? Object.setPrototypeOf(bytes, bufferPrototype) : bytes;
}

function swap(width: number) {
  return (buffer: Bytes): void => {
    const bytes = viewBytes(buffer);
    // By hand: a view and a call of reverse() for each took 130 times as long as Node does.
    for (let at = 0; at + width <= bytes.length; at += width)
      for (let low = at, high = at + width - 1; low < high; low++, high--) {
        const byte = bytes[low];
        bytes[low] = bytes[high];
        bytes[high] = byte;
      }
  };
}

const FORGIVING = /^[A-Za-z0-9+/]*$/;

/** WHATWG forgiving-base64 decode; -1 for one character too many or wrong padding, -2 for a foreign character. */
function atobWith(native: typeof atob) {
  return (input: string): string | number => {
    const text = input.replace(/[\t\n\f\r ]/g, '');
    const body = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
    if (!FORGIVING.test(body)) return -2;
    return body.length % 4 === 1 ? -1 : native(text);
  };
}

export const buffer: Binding = ({ dumped, browser }) => {
  const attached = (view: Bytes): Uint8Array => {
    const owner = ArrayBuffer.isView(view) ? view.buffer : view;
    if ((owner as { detached?: boolean }).detached === true) {
      throw nodeError(Error, 'ERR_INVALID_STATE', 'Cannot validate on a detached buffer');
    }
    return viewBytes(view);
  };
  return Object.assign(dumped('buffer'), {
    asciiSlice: sliceOf(ENCODING.ascii),
    base64Slice: sliceOf(ENCODING.base64),
    base64urlSlice: sliceOf(ENCODING.base64url),
    latin1Slice: sliceOf(ENCODING.latin1),
    hexSlice: sliceOf(ENCODING.hex),
    ucs2Slice: sliceOf(ENCODING.utf16le),
    utf8Slice: sliceOf(ENCODING.utf8),
    base64Write: writeOf(ENCODING.base64),
    base64urlWrite: writeOf(ENCODING.base64url),
    hexWrite: writeOf(ENCODING.hex),
    ucs2Write: writeOf(ENCODING.utf16le),
    asciiWriteStatic: writeOf(ENCODING.ascii),
    latin1WriteStatic: writeOf(ENCODING.latin1),
    utf8WriteStatic: writeOf(ENCODING.utf8),
    byteLengthUtf8: utf8Length,
    compare: (left: Bytes, right: Bytes) => compareBytes(viewBytes(left), viewBytes(right)),
    compareOffset,
    fill: fillBuffer,
    indexOfBuffer: (
      haystack: Bytes,
      needle: Bytes,
      offset: unknown,
      encoding: unknown,
      forward: boolean,
      end?: unknown,
    ) => search(haystack, viewBytes(needle), offset, parseEncoding(encoding), forward, end),
    indexOfString: (
      haystack: Bytes,
      needle: string,
      offset: unknown,
      encoding: unknown,
      forward: boolean,
      end?: unknown,
    ) => {
      const kind = parseEncoding(encoding);
      return search(haystack, textToBytes(needle, kind), offset, kind, forward, end, true);
    },
    indexOfNumber: (haystack: Bytes, byte: number, offset: unknown, forward: boolean, end?: unknown) =>
      search(haystack, Uint8Array.of(byte), offset, ENCODING.latin1, forward, end),
    copy(source: Bytes, target: Bytes, targetStart: number, sourceStart: number, count: number) {
      viewBytes(target).set(viewBytes(source).subarray(sourceStart, sourceStart + count), targetStart);
      return count;
    },
    copyArrayBuffer(
      target: ArrayBufferLike,
      targetStart: number,
      source: ArrayBufferLike,
      sourceStart: number,
      count: number,
    ) {
      new Uint8Array(target, targetStart, count).set(new Uint8Array(source, sourceStart, count));
    },
    createUnsafeArrayBuffer: (size: number) => new ArrayBuffer(size),
    swap16: swap(2),
    swap32: swap(4),
    swap64: swap(8),
    isAscii(view: Bytes) {
      const bytes = attached(view);
      for (let index = 0; index < bytes.length; index++) if (bytes[index] > 127) return false;
      return true;
    },
    isUtf8(view: Bytes) {
      const bytes = unshared(attached(view));
      try {
        fatalDecoder.decode(bytes);
        return true;
      } catch {
        return false;
      }
    },
    atob: atobWith(browser.atob),
    btoa(text: string) {
      for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 255) return -1;
      return browser.btoa(text);
    },
    setBufferPrototype(prototype: object) {
      bufferPrototype = prototype;
    },
    // A detach key makes postMessage refuse the buffer; messaging asks the private symbol that lib sets beside it.
    setDetachKey() {},
  });
};
