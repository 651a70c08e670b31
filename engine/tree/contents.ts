// The contents of one file: a single extent that grows by halves. Readers work without the lock: they copy, then check that the inode's version
// is still the one they started with. It is odd while a writer is at work, and no value ever comes back; every path that moves, frees or undoes
// an extent changes it, so what a reader returns was this inode's content and never another's.
import { EBADF, EFBIG, EINVAL, EISDIR, ENOSPC } from '../memory/errno';
import { INODE, inodeAt, UNIT_BYTES } from './geometry';
import { allocate, extend, release, shrink } from './heap';
import { field, touch } from './inodes';
import { beginContentChange, endContentChange, type Store } from './store';
import { FILE_TYPE } from './types';

/** A file is at most this large, in bytes: half of what the memory addresses. */
export const MAX_FILE_BYTES = 2 ** 31 - 1;
const UNLOCKED_ATTEMPTS = 8;
const MOST_GROWN_BYTES = 32 << 20;
/** A file that was cut keeps this much room, at most. */
const KEPT_SLACK_BYTES = 4096;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Runs `copy(start, size)` on the content until it has seen a stable one: `start` is a byte offset into `store.bytes`. */
export function withContent<T>(store: Store, ino: number, copy: (start: number, size: number, store: Store) => T): T {
  const version = inodeAt(ino) + INODE.version;
  for (let attempt = 0; attempt < UNLOCKED_ATTEMPTS; attempt++) {
    const before = Atomics.load(store.words, version);
    if (before & 1) continue;
    const size = field(store, ino, INODE.size);
    const start = field(store, ino, INODE.unit) * UNIT_BYTES;
    if (size < 0 || !store.cover(start + size)) continue;
    const result = copy(start, size, store);
    // Read-modify-write, not load: it may not overtake the plain reads above (ARM).
    if (Atomics.add(store.words, version, 0) === before) return result;
  }
  return store.transaction(() => {
    const size = field(store, ino, INODE.size);
    const start = field(store, ino, INODE.unit) * UNIT_BYTES;
    if (!store.cover(start + size)) throw new Error(`inode ${ino} has content beyond the memory`);
    return copy(start, size, store);
  });
}

/** Copies into `target` from `position`; the count, 0 at the end. EISDIR, EINVAL. */
export function readContent(store: Store, ino: number, target: Uint8Array, position: number): number {
  if (field(store, ino, INODE.type) === FILE_TYPE.directory) return EISDIR;
  if (position < 0) return EINVAL;
  let touched = 0;
  const count = withContent(store, ino, (start, size) => {
    const wanted = Math.max(0, Math.min(target.length, size - position));
    if (wanted > 0) target.set(store.bytes.subarray(start + position, start + position + wanted));
    touched = Math.max(touched, wanted);
    return wanted;
  });
  // An attempt that did not count may have copied more, and not of this file.
  if (touched > count) target.fill(0, count, touched);
  return count;
}

/** Text is copied here to be decoded: TextDecoder refuses shared views, and a fresh buffer each time costs Chromium six times the decoding. */
let scratch = new Uint8Array(64 * 1024);
const LARGEST_SCRATCH_BYTES = 4 << 20;
/** Up to here a loop is faster than making a view to copy from. */
const LONGEST_LOOP = 32;

/** The content as UTF-8, a BOM kept. */
export function textOf(store: Store, ino: number): string {
  return decoder.decode(withContent(store, ino, copyToScratch));
}

function copyToScratch(start: number, size: number, { bytes }: Store): Uint8Array {
  const target = scratchFor(size).subarray(0, size);
  if (size > LONGEST_LOOP) target.set(bytes.subarray(start, start + size));
  else for (let index = 0; index < size; index++) target[index] = bytes[start + index];
  return target;
}

function scratchFor(size: number): Uint8Array {
  if (size > LARGEST_SCRATCH_BYTES) return new Uint8Array(size);
  if (size > scratch.length) scratch = new Uint8Array(Math.min(LARGEST_SCRATCH_BYTES, size * 2));
  return scratch;
}

/** Why content cannot be written: EISDIR, EBADF for a free inode, EINVAL for devices and sockets; 0 when it can. */
function refusal(store: Store, ino: number): number {
  switch (field(store, ino, INODE.type)) {
    case FILE_TYPE.file:
    case FILE_TYPE.symlink:
      return 0;
    case FILE_TYPE.directory:
      return EISDIR;
    case FILE_TYPE.character:
    case FILE_TYPE.socket:
      return EINVAL;
    default:
      return EBADF;
  }
}

/** Brackets a change of content, so that readers see it and recovery ends it. */
function changeContent(store: Store, ino: number, body: () => number): number {
  const size = inodeAt(ino) + INODE.size;
  store.set(size, store.words[size]);
  beginContentChange(store, ino);
  const result = body();
  endContentChange(store, ino);
  return result;
}

/** Makes room for `size` bytes, keeping what is there. ENOSPC, EFBIG or 0. */
function reserve(store: Store, ino: number, size: number): number {
  if (size > MAX_FILE_BYTES) return EFBIG;
  const at = inodeAt(ino);
  const unit = store.words[at + INODE.unit];
  const units = store.words[at + INODE.units];
  if (units * UNIT_BYTES >= size) return 0;
  const used = store.words[at + INODE.size];
  // The first write of a file is mostly its last; a file that grows again will go on growing.
  const grown =
    used === 0 ? size : Math.max(size, Math.min(used + (used >> 1), used + MOST_GROWN_BYTES, MAX_FILE_BYTES));
  const extended = units > 0 ? extend(store, unit, grown) || extend(store, unit, size) : 0;
  if (extended > 0) {
    store.set(at + INODE.units, extended);
    return 0;
  }
  const block = allocate(store, grown) ?? allocate(store, size);
  if (!block) return ENOSPC;
  if (used > 0) store.bytes.copyWithin(block.unit * UNIT_BYTES, unit * UNIT_BYTES, unit * UNIT_BYTES + used);
  if (units > 0) release(store, unit);
  store.set(at + INODE.unit, block.unit);
  store.set(at + INODE.units, block.units);
  return 0;
}

/** Writes `source` at a position, a gap zero-filled: source.length or a negative errno. Inside a transaction. */
export function writeContent(store: Store, ino: number, source: Uint8Array, position: number): number {
  const refused = refusal(store, ino);
  if (refused < 0) return refused;
  if (position < 0) return EINVAL;
  if (source.length === 0) return 0;
  const end = position + source.length;
  return changeContent(store, ino, () => {
    const failed = reserve(store, ino, end);
    if (failed < 0) return failed;
    const size = field(store, ino, INODE.size);
    const start = field(store, ino, INODE.unit) * UNIT_BYTES;
    store.cover(start + end);
    if (position > size) store.bytes.fill(0, start + size, start + position);
    store.bytes.set(source, start + position);
    if (end > size) store.set(inodeAt(ino) + INODE.size, end);
    touch(store, ino, INODE.mtime, INODE.ctime);
    return source.length;
  });
}

/** Sets the size, new bytes zero: 0 or a negative errno. Inside a transaction. */
export function truncateContent(store: Store, ino: number, size: number): number {
  const refused = refusal(store, ino);
  if (refused < 0) return refused;
  if (size < 0) return EINVAL;
  const at = inodeAt(ino);
  return changeContent(store, ino, () => {
    const current = store.words[at + INODE.size];
    if (size > current) {
      const failed = reserve(store, ino, size);
      if (failed < 0) return failed;
      const start = store.words[at + INODE.unit] * UNIT_BYTES;
      store.cover(start + size);
      store.bytes.fill(0, start + current, start + size);
    } else if (size === 0 && store.words[at + INODE.units] > 0) {
      release(store, store.words[at + INODE.unit]);
      store.set(at + INODE.unit, 0);
      store.set(at + INODE.units, 0);
    } else if (store.words[at + INODE.units] * UNIT_BYTES > size + KEPT_SLACK_BYTES) {
      store.set(at + INODE.units, shrink(store, store.words[at + INODE.unit], size));
    }
    store.set(at + INODE.size, size);
    touch(store, ino, INODE.mtime, INODE.ctime);
    return 0;
  });
}
