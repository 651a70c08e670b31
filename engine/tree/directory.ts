// Directories: entries found by a hash of (directory, name), chained per bucket, and linked per directory. There are as many buckets as there can
// be entries, so the table never fills, holds no tombstones and is never rebuilt.
import { ENOSPC } from '../memory/errno';
import { BUCKET_TABLE, BUCKETS, ENTRY, entryAt, INODE, inodeAt, MAX_INODES, TREE_WORD, UNIT_BYTES } from './geometry';
import { allocate, release } from './heap';
import type { Store } from './store';

export const MAX_NAME_BYTES = 255;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** FNV-1a over the name, seeded by the directory. */
export function hashName(parent: number, name: Uint8Array): number {
  let hash = Math.imul(parent, 0x9e3779b1) | 0;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name[index], 0x01000193);
  return hash ^ (hash >>> 15);
}

export const bucketOf = (hash: number): number => BUCKET_TABLE + (hash & (BUCKETS - 1));

/** The entry called `name` in a directory, or 0. Safe without the lock: a torn chain is walked at most as far as there are entries. */
export function findEntry(store: Store, parent: number, name: Uint8Array): number {
  const { words } = store;
  const hash = hashName(parent, name);
  let entry = words[bucketOf(hash)];
  for (let steps = 0; entry > 0 && entry <= MAX_INODES && steps < MAX_INODES; steps++) {
    const at = entryAt(entry);
    if (words[at + ENTRY.hash] === hash && words[at + ENTRY.parent] === parent && hasName(store, at, name))
      return entry;
    entry = words[at + ENTRY.nextInBucket];
  }
  return 0;
}

function hasName(store: Store, at: number, name: Uint8Array): boolean {
  const { words } = store;
  if (words[at + ENTRY.nameLength] !== name.length) return false;
  const start = words[at + ENTRY.nameUnit] * UNIT_BYTES;
  if (!store.cover(start + name.length)) return false;
  const { bytes } = store;
  for (let index = 0; index < name.length; index++) if (bytes[start + index] !== name[index]) return false;
  return true;
}

const scratch = new Uint8Array(MAX_NAME_BYTES);

/**
 * The UTF-8 of `path` from `start` to `end`; undefined when longer than a name may be.
 * Contract: the result is good until the next call, unless `keep`.
 */
export function encodeName(path: string, start: number, end: number, keep = false): Uint8Array | undefined {
  const length = end - start;
  if (length > MAX_NAME_BYTES) return undefined;
  for (let index = 0; index < length; index++) {
    const code = path.charCodeAt(start + index);
    if (code > 127) {
      const bytes = encoder.encode(path.slice(start, end));
      return bytes.length > MAX_NAME_BYTES ? undefined : bytes;
    }
    scratch[index] = code;
  }
  return keep ? scratch.slice(0, length) : scratch.subarray(0, length);
}

/** Links `ino` into a directory. Inside a transaction that has declared changeNames. The entry, or ENOSPC when a table or the heap is full. */
export function addEntry(store: Store, parent: number, name: Uint8Array, ino: number): number {
  const { words } = store;
  let entry = words[TREE_WORD.freeEntry];
  if (entry === 0 && words[TREE_WORD.entriesTaken] >= MAX_INODES) return ENOSPC;
  const block = allocate(store, name.length);
  if (!block) return ENOSPC;
  if (entry !== 0) store.set(TREE_WORD.freeEntry, words[entryAt(entry) + ENTRY.next]);
  else entry = store.add(TREE_WORD.entriesTaken, 1);
  store.bytes.set(name, block.unit * UNIT_BYTES);
  const at = entryAt(entry);
  const parentAt = inodeAt(parent);
  const hash = hashName(parent, name);
  const first = words[parentAt + INODE.firstEntry];
  store.set(at + ENTRY.parent, parent);
  store.set(at + ENTRY.ino, ino);
  store.set(at + ENTRY.nameUnit, block.unit);
  store.set(at + ENTRY.nameLength, name.length);
  store.set(at + ENTRY.hash, hash);
  store.set(at + ENTRY.next, first);
  store.set(at + ENTRY.previous, 0);
  if (first !== 0) store.set(entryAt(first) + ENTRY.previous, entry);
  store.set(parentAt + INODE.firstEntry, entry);
  store.add(parentAt + INODE.children, 1);
  store.set(at + ENTRY.nextInBucket, words[bucketOf(hash)]);
  store.set(bucketOf(hash), entry);
  addLink(store, inodeAt(ino) + INODE.anyEntry, entry);
  return entry;
}

/** Behind the first: the first link stays the one that pathOf tells. */
function addLink(store: Store, head: number, entry: number): void {
  const first = store.words[head];
  const link = first === 0 ? head : entryAt(first) + ENTRY.nextLink;
  store.set(entryAt(entry) + ENTRY.nextLink, store.words[link]);
  store.set(link, entry);
}

/** Unlinks an entry and frees it. Inside a transaction that has declared changeNames and allocates nothing after this. */
export function removeEntry(store: Store, entry: number): void {
  const { words } = store;
  const at = entryAt(entry);
  const parentAt = inodeAt(words[at + ENTRY.parent]);
  const next = words[at + ENTRY.next];
  const previous = words[at + ENTRY.previous];
  if (previous !== 0) store.set(entryAt(previous) + ENTRY.next, next);
  else store.set(parentAt + INODE.firstEntry, next);
  if (next !== 0) store.set(entryAt(next) + ENTRY.previous, previous);
  store.add(parentAt + INODE.children, -1);
  unchain(store, bucketOf(words[at + ENTRY.hash]), entry, ENTRY.nextInBucket);
  unchain(store, inodeAt(words[at + ENTRY.ino]) + INODE.anyEntry, entry, ENTRY.nextLink);
  release(store, words[at + ENTRY.nameUnit]);
  store.set(at + ENTRY.parent, 0);
  store.set(at + ENTRY.next, words[TREE_WORD.freeEntry]);
  store.set(TREE_WORD.freeEntry, entry);
}

/** Takes `entry` out of the singly linked list that starts in the word `head`. */
function unchain(store: Store, head: number, entry: number, field: number): void {
  const { words } = store;
  let link = head;
  while (words[link] !== entry) {
    if (words[link] === 0) throw new Error(`the file tree lost entry ${entry}`);
    link = entryAt(words[link]) + field;
  }
  store.set(link, words[entryAt(entry) + field]);
}

/** The bytes of an entry's name, copied. Empty when the tables are torn. */
export function nameBytes(store: Store, entry: number): Uint8Array {
  const at = entryAt(entry);
  const start = store.words[at + ENTRY.nameUnit] * UNIT_BYTES;
  const length = Math.min(MAX_NAME_BYTES, store.words[at + ENTRY.nameLength]);
  return store.cover(start + length) ? store.bytes.slice(start, start + length) : new Uint8Array(0);
}

/** The name of an entry. */
export function nameOf(store: Store, entry: number): string {
  const at = entryAt(entry);
  const start = store.words[at + ENTRY.nameUnit] * UNIT_BYTES;
  const length = Math.min(MAX_NAME_BYTES, store.words[at + ENTRY.nameLength]);
  if (!store.cover(start + length)) return '';
  const { bytes } = store;
  let name = '';
  for (let index = start; index < start + length; index++) {
    const byte = bytes[index];
    if (byte > 127) return decoder.decode(bytes.slice(start, start + length));
    name += String.fromCharCode(byte);
  }
  return name;
}
