// The inode table: what a file is, without its names. Free numbers queue up and the oldest is taken first, and not before many are free, so
// that a number that somebody has just looked up does not soon mean another file.
import { EBADF, ENOENT, ENOSPC } from '../memory/errno';
import { INODE, inodeAt, MAX_INODES, TREE_WORD } from './geometry';
import { release as releaseBlock } from './heap';
import { beginContentChange, endContentChange, type Store } from './store';
import { FILE_TYPE, type FileType, STAT_FIELDS } from './types';

/** Free numbers that wait before the first is used again. */
const QUARANTINE = 4096;
const BLOCK_BYTES = 4096;

/** The type's bits in a mode; 0 for a free inode. */
const TYPE_BITS = [0, 0o100000, 0o40000, 0o120000, 0o20000, 0o140000];

/** Times of an inode, by their field. */
export type TimeField = typeof INODE.atime | typeof INODE.mtime | typeof INODE.ctime | typeof INODE.birthtime;

const FIELDS_SET_TO_ZERO = [
  INODE.size,
  INODE.unit,
  INODE.units,
  INODE.firstEntry,
  INODE.opens,
  INODE.uid,
  INODE.gid,
  INODE.rdev,
  INODE.anyEntry,
  INODE.children,
];

/** A field of an inode. */
export function field(store: Store, ino: number, word: number): number {
  return store.words[inodeAt(ino) + word];
}

/** Sets times to now. Not journalled: a time that is a little late harms nobody. */
export function touch(store: Store, ino: number, ...times: TimeField[]): void {
  const now = Date.now();
  for (const time of times) store.doubles[(inodeAt(ino) + time) / 2] = now;
}

/** A fresh inode that no entry names yet, or ENOSPC. Inside a transaction. */
export function allocateInode(store: Store, type: FileType, mode: number): number {
  const { words } = store;
  const isFull = words[TREE_WORD.inodesTaken] >= MAX_INODES;
  let ino = 0;
  if (words[TREE_WORD.freeInodes] > (isFull ? 0 : QUARANTINE)) {
    ino = words[TREE_WORD.freeInodeFirst];
    const next = words[inodeAt(ino) + INODE.anyEntry];
    store.set(TREE_WORD.freeInodeFirst, next);
    if (next === 0) store.set(TREE_WORD.freeInodeLast, 0);
    store.add(TREE_WORD.freeInodes, -1);
  } else if (isFull) return ENOSPC;
  else ino = store.add(TREE_WORD.inodesTaken, 1);
  store.add(TREE_WORD.inodesUsed, 1);
  const at = inodeAt(ino);
  for (const word of FIELDS_SET_TO_ZERO) store.set(at + word, 0);
  store.set(at + INODE.type, type);
  store.set(at + INODE.mode, mode & 0o7777);
  store.set(at + INODE.links, type === FILE_TYPE.directory ? 2 : 1);
  endContentChange(store, ino);
  touch(store, ino, INODE.atime, INODE.mtime, INODE.ctime, INODE.birthtime);
  return ino;
}

/** Frees an inode that nothing names and nobody holds open. Inside a transaction that allocates nothing after this. */
export function freeIfUnused(store: Store, ino: number): void {
  const { words } = store;
  const at = inodeAt(ino);
  if (words[at + INODE.links] > 0 || words[at + INODE.opens] > 0) return;
  store.set(at + INODE.type, 0);
  beginContentChange(store, ino);
  if (words[at + INODE.units] > 0) releaseBlock(store, words[at + INODE.unit]);
  store.set(at + INODE.unit, 0);
  store.set(at + INODE.units, 0);
  store.set(at + INODE.size, 0);
  store.set(at + INODE.anyEntry, 0);
  const last = words[TREE_WORD.freeInodeLast];
  store.set(last === 0 ? TREE_WORD.freeInodeFirst : inodeAt(last) + INODE.anyEntry, ino);
  store.set(TREE_WORD.freeInodeLast, ino);
  store.add(TREE_WORD.freeInodes, 1);
  store.add(TREE_WORD.inodesUsed, -1);
  endContentChange(store, ino);
}

/** Counts an open description. EBADF when there is no such inode (any more). Inside a transaction. */
export function retainInode(store: Store, ino: number): number {
  if (!isInode(store, ino)) return EBADF;
  store.add(inodeAt(ino) + INODE.opens, 1);
  return 0;
}

/** Ends an open description; the last one of an unlinked file frees it. Inside a transaction. */
export function releaseInode(store: Store, ino: number): number {
  if (!isInode(store, ino) || field(store, ino, INODE.opens) <= 0) return EBADF;
  store.add(inodeAt(ino) + INODE.opens, -1);
  freeIfUnused(store, ino);
  return 0;
}

/** Whether a number is an inode in use. */
export function isInode(store: Store, ino: number): boolean {
  return ino > 0 && ino <= store.words[TREE_WORD.inodesTaken] && field(store, ino, INODE.type) !== 0;
}

/** Mode with the type's bits. */
export function modeOf(store: Store, ino: number): number {
  return TYPE_BITS[field(store, ino, INODE.type)] | field(store, ino, INODE.mode);
}

const STAT_TIMES = [INODE.atime, INODE.mtime, INODE.ctime, INODE.birthtime];

/** Fills `out` as FileTree.stat promises; ENOENT for a free inode. */
export function statInode(store: Store, ino: number, out: Float64Array | BigInt64Array): number {
  if (!isInode(store, ino)) return ENOENT;
  if (out instanceof BigInt64Array) {
    const values = new Float64Array(STAT_FIELDS);
    fillStat(store, ino, values);
    for (let index = 0; index < STAT_FIELDS; index++) out[index] = BigInt(values[index]);
  } else fillStat(store, ino, out);
  return 0;
}

function fillStat(store: Store, ino: number, out: Float64Array): void {
  const { words, doubles } = store;
  const at = inodeAt(ino);
  const type = words[at + INODE.type];
  const size = type === FILE_TYPE.directory ? BLOCK_BYTES : words[at + INODE.size];
  out[0] = 1;
  out[1] = TYPE_BITS[type] | words[at + INODE.mode];
  out[2] = words[at + INODE.links];
  out[3] = words[at + INODE.uid];
  out[4] = words[at + INODE.gid];
  out[5] = words[at + INODE.rdev];
  out[6] = BLOCK_BYTES;
  out[7] = ino;
  out[8] = size;
  // As on ext4: a link's target of up to 59 bytes takes none.
  out[9] = type === FILE_TYPE.symlink && size < 60 ? 0 : Math.ceil(size / BLOCK_BYTES) * (BLOCK_BYTES / 512);
  for (let index = 0; index < 4; index++) {
    const ms = doubles[(at + STAT_TIMES[index]) / 2];
    const seconds = Math.floor(ms / 1000);
    out[10 + index * 2] = seconds;
    out[11 + index * 2] = Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6));
  }
}
