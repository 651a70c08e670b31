// One entry of a zip as bytes. What the archive says of its size is its promise and our bound: nothing is unpacked beyond it.
import { Inflate, inflateSync } from 'fflate';
import { crc32 } from '../std/crc32';
import type { ZipEntry } from './zip-entries';

/** What is smaller is unpacked in one go: it can't become more than 17 MB, and a stream costs 100 KB of memory for each file. */
const streamedFrom = 16 * 1024;
const stepBytes = 8 * 1024;
/** So many bytes one packed byte can become at most. */
const mostFold = 1032;

/** The contents, in an array of their own. Yields how many packed bytes of it are read. Throws an Error that ends the sentence *… is damaged:*. */
export function* unpackInSteps({ method, size, crc, packed }: ZipEntry): Generator<number, Uint8Array, void> {
  const contents =
    method === 0
      ? packed.slice()
      : packed.length < streamedFrom
        ? inflateSync(packed, { out: new Uint8Array(roomFor(size, packed) + 1) }).slice()
        : yield* inflated(packed, size);
  if (contents.length !== size) throw new Error(`it should have ${size} bytes`);
  if (crc32(contents) !== crc) throw new Error('its checksum is another');
  return contents;
}

function* inflated(packed: Uint8Array, size: number): Generator<number, Uint8Array, void> {
  const contents = new Uint8Array(roomFor(size, packed));
  let at = 0;
  const inflate = new Inflate((chunk) => {
    if (at + chunk.length > contents.length) throw new Error(`it is larger than the ${size} bytes that it should have`);
    contents.set(chunk, at);
    at += chunk.length;
  });
  for (let read = 0; read < packed.length; read += stepBytes) {
    inflate.push(packed.subarray(read, read + stepBytes), read + stepBytes >= packed.length);
    yield Math.min(read + stepBytes, packed.length);
  }
  return at === size ? contents : contents.subarray(0, at);
}

/** A small entry that claims to be large gets no memory for it. */
function roomFor(size: number, packed: Uint8Array): number {
  return Math.min(size, packed.length * mostFold);
}
