// The string_decoder binding: a character that is split between chunks waits in the 7-byte state that lib owns.
// Layout of the state (string_decoder.h): 4 bytes of the incomplete character, missing bytes, buffered bytes, encoding.
import type { Binding } from '../process/environment';
import { nodeError } from './node-error';
import { viewBytes } from './strings';
import { bytesToText, ENCODING } from './text-codec';

const MISSING = 4;
const BUFFERED = 5;
const KIND = 6;

/** Bytes that the UTF-8 character with this first byte has; 0 when it starts none. */
function utf8Width(byte: number): number {
  if ((byte & 0xe0) === 0xc0) return 2;
  if ((byte & 0xf0) === 0xe0) return 3;
  return (byte & 0xf8) === 0xf0 ? 4 : 0;
}

/** `[count, missing]`: the last bytes that wait for the rest of their character. Malformed ends wait for nothing. */
function incompleteUtf8(bytes: Uint8Array): [count: number, missing: number] {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count];
    if ((byte & 0xc0) === 0x80) continue;
    const width = byte & 0x80 ? utf8Width(byte) : 0;
    return count < width ? [count, width - count] : [0, 0];
  }
  return [0, 0];
}

function incomplete(bytes: Uint8Array, kind: number): [count: number, missing: number] {
  switch (kind) {
    case ENCODING.utf8:
      return incompleteUtf8(bytes);
    case ENCODING.utf16le:
      if (bytes.length % 2 === 1) return [1, 1];
      return (bytes[bytes.length - 1] & 0xfc) === 0xd8 ? [2, 2] : [0, 0];
    case ENCODING.base64:
    case ENCODING.base64url: {
      const count = bytes.length % 3;
      return [count, count === 0 ? 0 : 3 - count];
    }
    default:
      return [0, 0];
  }
}

/** Takes what the waiting character lacks from the start of `bytes`; returns its text, once it is whole, and how much was taken. */
function complete(state: Uint8Array, bytes: Uint8Array): [text: string, taken: number] {
  const kind = state[KIND];
  let taken = 0;
  while (state[MISSING] > 0 && taken < bytes.length) {
    // A byte that continues nothing ends the character and begins the next.
    if (kind === ENCODING.utf8 && (bytes[taken] & 0xc0) !== 0x80) {
      state[MISSING] = 0;
      break;
    }
    state[state[BUFFERED]++] = bytes[taken++];
    state[MISSING]--;
    const isLead = kind === ENCODING.utf16le && state[BUFFERED] === 2 && (state[1] & 0xfc) === 0xd8;
    if (isLead && state[MISSING] === 0) state[MISSING] = 2;
  }
  if (state[MISSING] > 0) return ['', taken];
  const text = bytesToText(state, kind, 0, state[BUFFERED]);
  state[BUFFERED] = 0;
  return [text, taken];
}

function decode(state: Uint8Array, chunk: ArrayBufferView | string): string {
  if (typeof chunk === 'string') return chunk;
  if (!ArrayBuffer.isView(chunk)) {
    const message = 'The "buf" argument must be an instance of Buffer, TypedArray, or DataView.';
    throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', message);
  }
  const kind = state[KIND];
  let bytes = viewBytes(chunk);
  let prefix = '';
  if (state[MISSING] > 0) {
    const [text, taken] = complete(state, bytes);
    prefix = text;
    bytes = bytes.subarray(taken);
  }
  if (bytes.length === 0) return prefix;
  const [count, missing] = incomplete(bytes, kind);
  const end = bytes.length - count;
  for (let index = 0; index < count; index++) state[index] = bytes[end + index];
  state[BUFFERED] = count;
  state[MISSING] = missing;
  return prefix + bytesToText(bytes, kind, 0, end);
}

function flush(state: Uint8Array): string {
  const kind = state[KIND];
  const buffered = kind === ENCODING.utf16le ? state[BUFFERED] & ~1 : state[BUFFERED];
  state[BUFFERED] = 0;
  state[MISSING] = 0;
  return bytesToText(state, kind, 0, buffered);
}

export const stringDecoder: Binding = ({ dumped }) => Object.assign(dumped('string_decoder'), { decode, flush });
