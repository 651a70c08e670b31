// The contents of one file: a single extent that doubles as it grows. A reader works without the lock: it copies, then checks that the inode's
// version is the one it started with (odd while a writer is at work), so it can never return another file's bytes.
import { EFBIG, ENOSPC } from '../memory/errno';
import { inodeAt } from './directory';
import { INODE, TREE_WORD, UNIT_BYTES } from './geometry';
import { allocate, release } from './heap';
import type { Store } from './store';

/** A file is at most this large, in bytes: half of what the memory addresses. */
export const MAX_FILE_BYTES = 2 ** 31 - 1;
const UNLOCKED_ATTEMPTS = 8;

/** Marks the start of a change of content: the version becomes odd. */
export function beginContentChange(store: Store, ino: number): void {
  const at = inodeAt(ino) + INODE.version;
  Atomics.store(store.words, at, store.words[at] | 1);
}

/** Gives the inode a version that nothing ever had. */
export function endContentChange(store: Store, ino: number): void {
  const version = (store.words[TREE_WORD.nextVersion] + 2) & 0x7ffffffe;
  store.words[TREE_WORD.nextVersion] = version;
  Atomics.store(store.words, inodeAt(ino) + INODE.version, version);
}

/** Makes room for `size` bytes, keeping what is there. ENOSPC, EFBIG or 0. */
export function reserve(store: Store, ino: number, size: number): number {
  if (size > MAX_FILE_BYTES) return EFBIG;
  const at = inodeAt(ino);
  const units = store.words[at + INODE.units];
  if (units * UNIT_BYTES >= size) return 0;
  const used = store.words[at + INODE.size];
  // The first write of a file is mostly its last; a file that grows again will go on growing.
  const wanted = used === 0 ? size : Math.min(MAX_FILE_BYTES, Math.max(size, Math.min(used * 2, used + (64 << 20))));
  const block = allocate(store, wanted) ?? allocate(store, size);
  if (!block) return ENOSPC;
  const old = (store.words[at + INODE.unit] >>> 0) * UNIT_BYTES;
  if (used > 0) store.bytes.copyWithin(block.unit * UNIT_BYTES, old, old + used);
  if (units > 0) release(store, store.words[at + INODE.unit] >>> 0, units);
  store.set(at + INODE.unit, block.unit);
  store.set(at + INODE.units, block.units);
  return 0;
}

/** Gives the extent back. */
export function discard(store: Store, ino: number): void {
  const at = inodeAt(ino);
  if (store.words[at + INODE.units] > 0)
    release(store, store.words[at + INODE.unit] >>> 0, store.words[at + INODE.units]);
  store.set(at + INODE.unit, 0);
  store.set(at + INODE.units, 0);
  store.set(at + INODE.size, 0);
}

/** Runs `copy(start, size)` on a stable view of the content: start is a byte offset into `store.bytes`. */
export function withContent<T>(store: Store, ino: number, copy: (start: number, size: number) => T): T {
  const at = inodeAt(ino);
  for (let attempt = 0; attempt < UNLOCKED_ATTEMPTS; attempt++) {
    const version = Atomics.load(store.words, at + INODE.version);
    if (version & 1) continue;
    const size = store.words[at + INODE.size];
    const start = (store.words[at + INODE.unit] >>> 0) * UNIT_BYTES;
    if (!store.cover(start + size)) continue;
    const result = copy(start, size);
    if (Atomics.load(store.words, at + INODE.version) === version) return result;
  }
  return store.transaction(() => {
    const size = store.words[at + INODE.size];
    const start = (store.words[at + INODE.unit] >>> 0) * UNIT_BYTES;
    store.cover(start + size);
    return copy(start, size);
  });
}
