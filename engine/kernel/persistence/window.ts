// Reads of a storage through a window: what is read in order comes in large pieces, the next one under way while the last is worked on; what is
// read here and there comes in small ones.
import type { PackStorage } from './storage';

const SMALL_BYTES = 64 * 1024;
const LARGE_BYTES = 4 << 20;

export interface Window {
  /** The bytes when they are at hand. */
  held(at: number, length: number): Uint8Array | undefined;
  /** The bytes from `at`, fewer than `length` when `limit` or the end of the storage comes first. *Contract:* nothing below `limit` is written again. */
  read(at: number, length: number, limit: number): Promise<Uint8Array>;
  /** After something below an earlier limit was written or cut. */
  forget(): void;
}

/** A window onto `storage`. */
export function createWindow(storage: PackStorage): Window {
  let start = 0;
  let bytes = new Uint8Array(0);
  let ahead: { at: number; bytes: Promise<Uint8Array> } | undefined;

  const held = (at: number, length: number): Uint8Array | undefined =>
    at >= start && at + length <= start + bytes.length ? bytes.subarray(at - start, at - start + length) : undefined;

  const fetch = (at: number, length: number, limit: number): Promise<Uint8Array> =>
    storage.read(at, Math.max(0, Math.min(length, limit - at)));

  return {
    held,
    async read(at, length, limit) {
      const known = held(at, length);
      if (known) return known;
      const isSequel = bytes.length > 0 && at >= start && at <= start + bytes.length + SMALL_BYTES;
      const tail = isSequel ? bytes.subarray(Math.min(at - start, bytes.length)) : new Uint8Array(0);
      const from = at + tail.length;
      const size = Math.max(length - tail.length, isSequel ? LARGE_BYTES : SMALL_BYTES);
      let next = ahead?.at === from ? await ahead.bytes : await fetch(from, size, limit);
      if (tail.length + next.length < length) next = await fetch(from, size, limit);
      const joined = new Uint8Array(tail.length + next.length);
      joined.set(tail);
      joined.set(next, tail.length);
      start = at;
      bytes = joined;
      ahead = undefined;
      if (isSequel && from + next.length < limit) {
        const coming = fetch(from + next.length, LARGE_BYTES, limit);
        // Who reads on hears of it.
        coming.catch(() => {});
        ahead = { at: from + next.length, bytes: coming };
      }
      return bytes.subarray(0, Math.min(length, bytes.length));
    },
    forget() {
      bytes = new Uint8Array(0);
      ahead = undefined;
    },
  };
}
