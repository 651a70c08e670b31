// The checksum of zip archives: CRC-32 of ISO 3309, the polynomial reversed.

let table: Int32Array | undefined;

/** The checksum, unsigned. `before` is that of the bytes before these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  table ??= Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  let sum = ~before;
  for (let at = 0; at < bytes.length; at++) sum = table[(sum ^ bytes[at]!) & 0xff]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
