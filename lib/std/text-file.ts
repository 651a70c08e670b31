// One codec for every tool: bytes to text and back without losing a byte. What can't be decoded exactly is refused, never approximated.

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Text with what is needed to write it back byte by byte. `text` has no BOM. */
export interface DecodedText {
  kind: 'text';
  text: string;
  encoding: TextEncoding;
  bom: boolean;
}

export type DecodeResult = DecodedText | { kind: 'binary'; reason: string };

const binarySampleBytes = 8192;

/** Decodes UTF-8 (strict) and BOM-marked UTF-16. A NUL byte or an invalid sequence makes it `binary`, with the reason in words. */
export function decodeText(bytes: Uint8Array): DecodeResult {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  if (body.subarray(0, binarySampleBytes).includes(0)) return { kind: 'binary', reason: 'it contains NUL bytes' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(unshared(body));
    return { kind: 'text', text, encoding: 'utf-8', bom };
  } catch {
    return { kind: 'binary', reason: 'it is not valid UTF-8 (nor UTF-16 with a byte order mark)' };
  }
}

/** The text that a search looks at: what `decodeText` gives, or of another encoding what can be read, with U+FFFD for the rest. Undefined: binary. */
export function searchableText(bytes: Uint8Array): { text: string; isUnicode: boolean } | undefined {
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return { text: decoded.text, isUnicode: true };
  if (isUtf16(bytes) || bytes.subarray(0, binarySampleBytes).includes(0)) return undefined;
  return { text: new TextDecoder().decode(unshared(bytes)), isUnicode: false };
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodeResult {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(unshared(bytes.subarray(2)));
    return { kind: 'text', text, encoding, bom: true };
  } catch {
    return { kind: 'binary', reason: `it is not valid ${encoding.toUpperCase()}` };
  }
}

/** Text of an older encoding, by any label of the Encoding Standard. It can't be written back, so nothing that changes files may use it. */
export function decodeLegacy(bytes: Uint8Array, label: string): { text: string } | 'unknown encoding' | 'not valid' {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    return 'unknown encoding';
  }
  try {
    return { text: decoder.decode(unshared(bytes)) };
  } catch {
    return 'not valid';
  }
}

/** The bytes of `text` in the shape that `decodeText` found. Lone surrogates can't be written and throw a RangeError. */
export function encodeText(text: string, shape: { encoding: TextEncoding; bom: boolean }): Uint8Array {
  if (!text.isWellFormed()) throw new RangeError('The text contains half of a surrogate pair.');
  if (shape.encoding === 'utf-8') {
    const body = new TextEncoder().encode(text);
    return shape.bom ? concat(Uint8Array.of(0xef, 0xbb, 0xbf), body) : body;
  }
  const littleEndian = shape.encoding === 'utf-16le';
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, littleEndian);
  for (let at = 0; at < text.length; at++) view.setUint16(2 + at * 2, text.charCodeAt(at), littleEndian);
  return bytes;
}

/** TextDecoder refuses views of shared memory in browsers, and the sandbox's memory is shared. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** Same length and bytes? */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
