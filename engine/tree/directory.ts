// Directories: entries found by a hash of (directory, name), chained per bucket, and linked per directory in order of creation.
import { ENOSPC } from '../memory/errno';
import { BUCKET_TABLE, BUCKETS, ENTRIES, ENTRY, INODE, INODES, MAX_INODES, TREE_WORD, UNIT_BYTES } from './geometry';
import { allocate, release, sizeClass } from './heap';
import type { Store } from './store';

/** Word index of an inode's or entry's first field. Numbers start at 1. */
export const inodeAt = (ino: number): number => INODES + (ino - 1) * INODE.words;
export const entryAt = (entry: number): number => ENTRIES + (entry - 1) * ENTRY.words;

/** FNV-1a over the name, seeded by the directory. */
export function hashName(parent: number, name: Uint8Array): number {
  let hash = Math.imul(parent, 0x9e3779b1) | 0;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name[index], 0x01000193);
  return hash ^ (hash >>> 15);
}

/** The entry called `name` in a directory, or 0. Safe without the lock: a torn chain is walked at most as far as there are entries. */
export function findEntry(store: Store, parent: number, name: Uint8Array): number {
  const { words } = store;
  const hash = hashName(parent, name);
  let entry = words[BUCKET_TABLE + (hash & (BUCKETS - 1))];
  for (let steps = 0; entry > 0 && entry <= MAX_INODES && steps < MAX_INODES; steps++) {
    const at = entryAt(entry);
    if (words[at + ENTRY.hash] === hash && words[at + ENTRY.parent] === parent && nameEquals(store, at, name))
      return entry;
    entry = words[at + ENTRY.nextInBucket];
  }
  return 0;
}

function nameEquals(store: Store, at: number, name: Uint8Array): boolean {
  const { words } = store;
  if (words[at + ENTRY.nameLength] !== name.length) return false;
  const start = (words[at + ENTRY.nameUnit] >>> 0) * UNIT_BYTES;
  if (!store.cover(start + name.length)) return false;
  const { bytes } = store;
  for (let index = 0; index < name.length; index++) if (bytes[start + index] !== name[index]) return false;
  return true;
}

/** Links `ino` into a directory. Inside a transaction. ENOSPC when a table or the heap is full. */
export function addEntry(store: Store, parent: number, name: Uint8Array, ino: number): number {
  const { words } = store;
  const block = allocate(store, name.length);
  if (!block) return ENOSPC;
  let entry = words[TREE_WORD.freeEntry];
  if (entry !== 0) store.set(TREE_WORD.freeEntry, words[entryAt(entry) + ENTRY.next]);
  else {
    if (words[TREE_WORD.entriesTaken] >= MAX_INODES) {
      release(store, block.unit, block.units);
      return ENOSPC;
    }
    entry = store.add(TREE_WORD.entriesTaken, 1);
  }
  store.bytes.set(name, block.unit * UNIT_BYTES);
  const at = entryAt(entry);
  const parentAt = inodeAt(parent);
  const hash = hashName(parent, name);
  const bucket = BUCKET_TABLE + (hash & (BUCKETS - 1));
  const first = store.words[parentAt + INODE.firstEntry];
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
  store.set(at + ENTRY.nextInBucket, store.words[bucket]);
  store.set(bucket, entry);
  const inoAt = inodeAt(ino);
  store.set(at + ENTRY.nextLink, store.words[inoAt + INODE.anyEntry]);
  store.set(inoAt + INODE.anyEntry, entry);
  return entry;
}

/** Unlinks an entry and frees it. Inside a transaction. */
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
  unchain(store, BUCKET_TABLE + (words[at + ENTRY.hash] & (BUCKETS - 1)), entry, ENTRY.nextInBucket);
  unchain(store, inodeAt(words[at + ENTRY.ino]) + INODE.anyEntry, entry, ENTRY.nextLink);
  release(store, words[at + ENTRY.nameUnit] >>> 0, allocatedUnits(words[at + ENTRY.nameLength]));
  store.set(at + ENTRY.parent, 0);
  store.set(at + ENTRY.next, store.words[TREE_WORD.freeEntry]);
  store.set(TREE_WORD.freeEntry, entry);
}

/** Takes `entry` out of the singly linked list that starts in the word `head`. */
function unchain(store: Store, head: number, entry: number, field: number): void {
  const { words } = store;
  let link = head;
  while (words[link] !== entry) link = entryAt(words[link]) + field;
  store.set(link, words[entryAt(entry) + field]);
}

function allocatedUnits(bytes: number): number {
  return sizeClass(Math.max(1, Math.ceil(bytes / UNIT_BYTES))).units;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The name of an entry. */
export function nameOf(store: Store, entry: number): string {
  const at = entryAt(entry);
  const start = (store.words[at + ENTRY.nameUnit] >>> 0) * UNIT_BYTES;
  const length = store.words[at + ENTRY.nameLength];
  store.cover(start + length);
  return decoder.decode(store.bytes.slice(start, start + length));
}
