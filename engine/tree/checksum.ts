// xxHash32 (Yann Collet, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md): fast in plain JavaScript, and good enough to tell a torn
// record from a whole one. It is no defence against somebody who forges a pack.

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
const round = (lane: number, input: number): number =>
  Math.imul(rotate((lane + Math.imul(input, PRIME_2)) | 0, 13), PRIME_1);

/** Checksum of bytes as an unsigned 32-bit number. */
export function xxHash32(bytes: Uint8Array, seed = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { length } = bytes;
  let at = 0;
  let hash: number;
  if (length >= 16) {
    let one = (seed + PRIME_1 + PRIME_2) | 0;
    let two = (seed + PRIME_2) | 0;
    let three = seed | 0;
    let four = (seed - PRIME_1) | 0;
    for (; at + 16 <= length; at += 16) {
      one = round(one, view.getInt32(at, true));
      two = round(two, view.getInt32(at + 4, true));
      three = round(three, view.getInt32(at + 8, true));
      four = round(four, view.getInt32(at + 12, true));
    }
    hash = (rotate(one, 1) + rotate(two, 7) + rotate(three, 12) + rotate(four, 18)) | 0;
  } else hash = (seed + PRIME_5) | 0;
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), PRIME_3)) | 0, 17), PRIME_4);
  }
  for (; at < length; at++) hash = Math.imul(rotate((hash + Math.imul(bytes[at], PRIME_5)) | 0, 11), PRIME_1);
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
