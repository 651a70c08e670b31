// Strings to bytes in Node's encodings, and the bytes behind any view: what several bindings share.

const encoder = new TextEncoder();

/** The bytes of a view or buffer, without copying. */
export function viewBytes(view: ArrayBufferView | ArrayBufferLike): Uint8Array {
  if (view instanceof Uint8Array) return view;
  return ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view);
}

const BASE64_VALUES = new Int16Array(256).fill(-1);
for (const [index, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  BASE64_VALUES[character.charCodeAt(0)] = index;
}
BASE64_VALUES[0x2d] = 62;
BASE64_VALUES[0x5f] = 63;

/** A base64 digit's value; −1 for any other unit. */
const digitOf = (unit: number): number => (unit < 256 ? BASE64_VALUES[unit] : -1);

const HEX_VALUES = new Int8Array(256).fill(-1);
for (const [index, character] of [...'0123456789abcdef'].entries()) {
  HEX_VALUES[character.charCodeAt(0)] = index;
  HEX_VALUES[character.toUpperCase().charCodeAt(0)] = index;
}

/** Node's forgiving base64 decoder: both alphabets, anything else skipped, `=` ends it. */
export function decodeBase64(text: string): Uint8Array {
  const out = new Uint8Array(((text.length * 3) >> 2) + 3);
  let length = 0;
  let start = 0;
  // Four plain digits at a time; the first other unit (a line's end, padding, one beyond the low byte) leaves the rest to the slow way.
  for (const whole = text.length - 3; start < whole; start += 4) {
    const digits =
      (digitOf(text.charCodeAt(start)) << 18) |
      (digitOf(text.charCodeAt(start + 1)) << 12) |
      (digitOf(text.charCodeAt(start + 2)) << 6) |
      digitOf(text.charCodeAt(start + 3));
    if (digits < 0) break;
    out[length++] = digits >> 16;
    out[length++] = digits >> 8;
    out[length++] = digits;
  }
  let bits = 0;
  let count = 0;
  for (let index = start; index < text.length; index++) {
    // Node looks only at the low byte of a unit.
    const code = text.charCodeAt(index) & 255;
    if (code === 0x3d) break;
    const value = BASE64_VALUES[code];
    if (value < 0) continue;
    bits = (bits << 6) | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out[length++] = (bits >> count) & 255;
      bits &= (1 << count) - 1;
    }
  }
  return out.subarray(0, length);
}

/** Node's hex decoder: stops at the first pair that is not hexadecimal. */
export function decodeHex(text: string): Uint8Array {
  const out = new Uint8Array(text.length >> 1);
  for (let index = 0; index < out.length; index++) {
    // Node looks only at the low byte of a unit.
    const high = HEX_VALUES[text.charCodeAt(index * 2) & 255];
    const low = HEX_VALUES[text.charCodeAt(index * 2 + 1) & 255];
    const byte = (high << 4) | low;
    if (byte < 0) return out.subarray(0, index);
    out[index] = byte;
  }
  return out;
}

/** `text` in one of Node's encodings (any spelling); utf8 for what is unknown. */
export function encodeString(text: string, encoding: unknown): Uint8Array {
  // As ParseEncoding: what is no string (a length, where an encoding was due) stands for UTF-8.
  switch (typeof encoding === 'string' ? encoding.toLowerCase() : undefined) {
    case 'latin1':
    case 'binary':
    case 'ascii': {
      const out = new Uint8Array(text.length);
      for (let index = 0; index < text.length; index++) out[index] = text.charCodeAt(index);
      return out;
    }
    case 'utf16le':
    case 'utf-16le':
    case 'ucs2':
    case 'ucs-2': {
      const out = new Uint8Array(text.length * 2);
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        out[index * 2] = code & 255;
        out[index * 2 + 1] = code >> 8;
      }
      return out;
    }
    case 'hex':
      return decodeHex(text);
    case 'base64':
    case 'base64url':
      return decodeBase64(text);
    default:
      return encoder.encode(text);
  }
}
