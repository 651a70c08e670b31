// From paths to inodes and back. Every function here may run without the lock: on torn tables it ends and does not throw, and the caller throws
// the result away (Store.readNames).
import { ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR } from '../memory/errno';
import { textOf } from './contents';
import { encodeName, findEntry, nameOf } from './directory';
import { ENTRY, entryAt, INODE, MAX_INODES } from './geometry';
import { field } from './inodes';
import type { Store } from './store';
import { FILE_TYPE } from './types';

export const ROOT = 1;
const MAX_LINKS_FOLLOWED = 40;
/** With the NUL that Linux counts: a path of 4096 bytes is too long. */
const PATH_MAX = 4096;
/** A path of at most this many UTF-16 units is within PATH_MAX however it is encoded. */
export const SURELY_SHORT_PATH = PATH_MAX / 3 - 1;
const MAX_DEPTH = 4096;

const encoder = new TextEncoder();

/** Whether a path or link target is longer than Linux takes. */
export function isTooLong(path: string): boolean {
  if (path.length <= SURELY_SHORT_PATH) return false;
  return path.length >= PATH_MAX || encoder.encode(path).length >= PATH_MAX;
}

const typeAt = (store: Store, ino: number): number => field(store, ino, INODE.type);

/** The inode that an entry names, or 0. */
export function entryInode(store: Store, entry: number): number {
  const ino = store.words[entryAt(entry) + ENTRY.ino];
  return ino > 0 && ino <= MAX_INODES ? ino : 0;
}

/** Resolves a path from a directory: an inode, or ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG. `followed` counts links already followed. */
export function walk(store: Store, path: string, followLast: boolean, from = ROOT, followed = 0): number {
  if (path === '') return ENOENT;
  if (followed === 0 && isTooLong(path)) return ENAMETOOLONG;
  let ino = path.charCodeAt(0) === 47 ? ROOT : from;
  const { length } = path;
  for (let start = 0; start <= length; ) {
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? length : slash;
    const isLast = slash < 0;
    if (typeAt(store, ino) !== FILE_TYPE.directory) return ENOTDIR;
    if (end > start && !(end === start + 1 && path.charCodeAt(start) === 46)) {
      if (end === start + 2 && path.charCodeAt(start) === 46 && path.charCodeAt(start + 1) === 46) {
        ino = parentOf(store, ino);
      } else {
        const name = encodeName(path, start, end);
        if (!name) return ENAMETOOLONG;
        const entry = findEntry(store, ino, name);
        const child = entry === 0 ? 0 : entryInode(store, entry);
        if (child === 0) return ENOENT;
        if (typeAt(store, child) === FILE_TYPE.symlink && (!isLast || followLast)) {
          if (followed >= MAX_LINKS_FOLLOWED) return ELOOP;
          return walk(store, textOf(store, child) + path.slice(end), followLast, ino, followed + 1);
        }
        ino = child;
      }
    }
    start = end + 1;
  }
  return ino;
}

/** The directory that holds a directory; the root's is the root. */
export function parentOf(store: Store, directory: number): number {
  if (directory === ROOT) return ROOT;
  const entry = field(store, directory, INODE.anyEntry);
  const parent = entry > 0 && entry <= MAX_INODES ? store.words[entryAt(entry) + ENTRY.parent] : 0;
  return parent > 0 && parent <= MAX_INODES ? parent : ROOT;
}

/** Whether `directory` is `ancestor` or lies below it. */
export function isWithin(store: Store, directory: number, ancestor: number): boolean {
  for (let current = directory; ; current = parentOf(store, current)) {
    if (current === ancestor) return true;
    if (current === ROOT) return false;
  }
}

/** Absolute path of an inode by its first link; ends in " (deleted)" when it has none, as /proc tells it. */
export function pathOf(store: Store, ino: number): string {
  let path = '';
  for (let current = ino, depth = 0; current !== ROOT && depth < MAX_DEPTH; depth++) {
    const entry = current > 0 && current <= MAX_INODES ? field(store, current, INODE.anyEntry) : 0;
    if (entry <= 0 || entry > MAX_INODES) return `${path} (deleted)`;
    path = `/${nameOf(store, entry)}${path}`;
    current = store.words[entryAt(entry) + ENTRY.parent];
  }
  return path || '/';
}

/** Where a name is or could be. */
export interface Place {
  parent: number;
  name: Uint8Array;
  /** The inode of that name, or 0. */
  ino: number;
  entry: number;
  /** The last name is `.`, `..` or nothing (the root): it has no entry of its own. */
  isSpecial: boolean;
  hasTrailingSlash: boolean;
}

/** Parent directory and last name of a path that may not exist yet; a last link is not followed. Under the lock. */
export function placeOf(store: Store, path: string, from = ROOT): Place | number {
  if (path === '') return ENOENT;
  if (isTooLong(path)) return ENAMETOOLONG;
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === 47) end--;
  const hasTrailingSlash = end < path.length || path === '/';
  const start = path.lastIndexOf('/', end - 1) + 1;
  const folder = start === 0 ? '.' : path.slice(0, start);
  const parent = walk(store, folder, true, from);
  if (parent < 0) return parent;
  const name = encodeName(path, start, end, true);
  if (!name) return ENAMETOOLONG;
  const last = end - start <= 2 ? path.slice(start, end) : undefined;
  if (last === '' || last === '.' || last === '/')
    return { parent, name, ino: parent, entry: 0, isSpecial: true, hasTrailingSlash };
  if (last === '..') return { parent, name, ino: parentOf(store, parent), entry: 0, isSpecial: true, hasTrailingSlash };
  const entry = findEntry(store, parent, name);
  const ino = entry === 0 ? 0 : entryInode(store, entry);
  return { parent, name, entry, ino, isSpecial: false, hasTrailingSlash };
}
