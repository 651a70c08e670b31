// The string_decoder binding: a character that is split between chunks waits in the 7-byte state that lib owns.
// Layout of the state (string_decoder.h): 4 bytes of the incomplete character, missing bytes, buffered bytes, encoding.
import type { Binding } from '../process/environment';
import { nodeError } from './node-error';
import { viewBytes } from './strings';
import { bytesToText, ENCODING } from './text-codec';

const MISSING = 4;
const BUFFERED = 5;
const KIND = 6;

/** How many last bytes of `bytes` begin a UTF-8 character that is not complete, and how many it lacks. */
function incompleteUtf8(bytes: Uint8Array): [count: number, missing: number] {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count];
    if ((byte & 0xc0) === 0x80) continue;
    const width =
      byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 1;
    return width > count && validStart(bytes, bytes.length - count, count) ? [count, width - count] : [0, 0];
  }
  return [0, 0];
}

/** False for a second byte that its first byte excludes (overlong forms, surrogates, beyond U+10FFFF). */
function validStart(bytes: Uint8Array, at: number, count: number): boolean {
  if (count < 2) return true;
  const [first, second] = [bytes[at], bytes[at + 1]];
  if (first === 0xe0) return second >= 0xa0;
  if (first === 0xed) return second < 0xa0;
  if (first === 0xf0) return second >= 0x90;
  return first !== 0xf4 || second < 0x90;
}

function incompleteUtf16(bytes: Uint8Array): [count: number, missing: number] {
  const odd = bytes.length & 1;
  const last = bytes.length - odd - 1;
  const high = last >= 1 && (bytes[last] & 0xfc) === 0xd8;
  if (high) return odd ? [3, 1] : [2, 2];
  return odd ? [1, 1] : [0, 0];
}

function incomplete(bytes: Uint8Array, kind: number): [count: number, missing: number] {
  switch (kind) {
    case ENCODING.utf8:
      return incompleteUtf8(bytes);
    case ENCODING.utf16le:
      return incompleteUtf16(bytes);
    case ENCODING.base64:
    case ENCODING.base64url: {
      const count = bytes.length % 3;
      return [count, count === 0 ? 0 : 3 - count];
    }
    default:
      return [0, 0];
  }
}

function decode(state: Uint8Array, chunk: ArrayBufferView | string): string {
  if (typeof chunk === 'string') return chunk;
  if (!ArrayBuffer.isView(chunk)) {
    throw nodeError(
      TypeError,
      'ERR_INVALID_ARG_TYPE',
      'The "buf" argument must be an instance of Buffer, TypedArray, or DataView.',
    );
  }
  let bytes = viewBytes(chunk);
  const kind = state[KIND];
  const buffered = state[BUFFERED];
  if (buffered > 0) {
    const joined = new Uint8Array(buffered + bytes.length);
    joined.set(state.subarray(0, buffered));
    joined.set(bytes, buffered);
    bytes = joined;
  }
  const [count, missing] = incomplete(bytes, kind);
  const end = bytes.length - count;
  for (let index = 0; index < count; index++) state[index] = bytes[end + index];
  state[BUFFERED] = count;
  state[MISSING] = missing;
  return bytesToText(bytes, kind, 0, end);
}

function flush(state: Uint8Array): string {
  const buffered = state[BUFFERED];
  state[BUFFERED] = 0;
  state[MISSING] = 0;
  if (buffered === 0) return '';
  const kind = state[KIND];
  return bytesToText(state, kind, 0, kind === ENCODING.utf16le ? buffered & ~1 : buffered);
}

export const stringDecoder: Binding = ({ dumped }) => Object.assign(dumped('string_decoder'), { decode, flush });
