// DER (X.690), the part that keys are written in: definite lengths and low tag numbers. Readers throw a plain Error on malformed input.

/** One value: its tag byte and its content. */
export interface DerValue {
  tag: number;
  body: Uint8Array;
}

export const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  /** Constructed, context-specific; add the number. */
  context: 0xa0,
} as const;

/** The values that lie one after the other in `bytes`. */
export function readValues(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++];
    let length = bytes[at++];
    if (length > 0x80) {
      const count = length & 0x7f;
      if (count > 4) throw new Error('a length that is too long');
      length = 0;
      for (let index = 0; index < count; index++) length = length * 256 + bytes[at++];
    } else if (length === 0x80) throw new Error('an indefinite length');
    if (!(at + length <= bytes.length)) throw new Error('a value beyond the end');
    values.push({ tag, body: bytes.subarray(at, at + length) });
    at += length;
  }
  return values;
}

/** The members of the one sequence that `bytes` is. */
export function readSequence(bytes: Uint8Array): DerValue[] {
  const [value, ...rest] = readValues(bytes);
  if (value?.tag !== TAG.sequence || rest.length > 0) throw new Error('not one sequence');
  return readValues(value.body);
}

/** The body of a value with that tag; throws when it is another. */
export function expectTag(value: DerValue | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw new Error('an unexpected tag');
  return value.body;
}

export function bytesToNumber(bytes: Uint8Array): bigint {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex === '' ? 0n : BigInt(`0x${hex}`);
}

/** Big-endian, `length` bytes long (as short as possible when left out). */
export function numberToBytes(value: bigint, length?: number): Uint8Array {
  let hex = value.toString(16);
  if (hex.length % 2 === 1) hex = `0${hex}`;
  const size = length ?? hex.length / 2;
  if (hex.length > size * 2) throw new RangeError('the number is too large');
  hex = hex.padStart(size * 2, '0');
  return Uint8Array.from({ length: size }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}

export function readOid(bytes: Uint8Array): string {
  const parts = [Math.floor(bytes[0] / 40), bytes[0] % 40];
  for (let at = 1; at < bytes.length; ) {
    let part = 0;
    do part = part * 128 + (bytes[at] & 0x7f);
    while (bytes[at++] & 0x80);
    parts.push(part);
  }
  return parts.join('.');
}

export function join(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A value of any tag around `parts`. */
export function encode(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const body = join(...parts);
  const size = body.length < 0x80 ? undefined : numberToBytes(BigInt(body.length));
  const length = size ? [0x80 | size.length, ...size] : [body.length];
  return join(Uint8Array.from([tag, ...length]), body);
}

/** A non-negative INTEGER. */
export function encodeInteger(value: bigint): Uint8Array {
  const bytes = numberToBytes(value);
  return encode(TAG.integer, bytes[0] & 0x80 ? join(Uint8Array.of(0), bytes) : bytes);
}

export function encodeOid(oid: string): Uint8Array {
  const [first, second, ...rest] = oid.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return encode(TAG.oid, Uint8Array.from(bytes));
}

/** A BIT STRING of whole bytes. */
export function encodeBits(bytes: Uint8Array): Uint8Array {
  return encode(TAG.bits, Uint8Array.of(0), bytes);
}

/** The bytes of a BIT STRING of whole bytes. */
export function readBits(value: DerValue | undefined): Uint8Array {
  const body = expectTag(value, TAG.bits);
  if (body[0] !== 0) throw new Error('a bit string that is not of whole bytes');
  return body.subarray(1);
}
