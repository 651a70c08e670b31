// Everything that makes, moves or removes a name. Each function runs inside a transaction and decides before it changes anything; the order of the
// checks is Linux's, because programs branch on the error they get. What fails half-way (ENOSPC) takes itself back.
import {
  EBUSY,
  EEXIST,
  EINVAL,
  EISDIR,
  ELOOP,
  EMLINK,
  ENAMETOOLONG,
  ENOENT,
  ENOTDIR,
  ENOTEMPTY,
  EPERM,
} from '../memory/errno';
import { logChange } from './change-log';
import { textOf, writeContent } from './contents';
import { addEntry, removeEntry } from './directory';
import { INODE, inodeAt } from './geometry';
import { allocateInode, field, freeIfUnused, touch } from './inodes';
import { isTooLong, isWithin, type Place, placeOf, ROOT, walk } from './path';
import type { Store } from './store';
import { FILE_TYPE, type FileType } from './types';

const MAX_LINKS_FOLLOWED = 40;
const MAX_HARD_LINKS = 65_000;

const encoder = new TextEncoder();

const isDirectory = (store: Store, ino: number): boolean => field(store, ino, INODE.type) === FILE_TYPE.directory;

/** Makes an inode and its entry. */
function make(store: Store, place: Place, type: FileType, mode: number, fill?: (ino: number) => number): number {
  const mark = store.mark();
  store.changeNames();
  const ino = allocateInode(store, type, mode);
  if (ino < 0) return ino;
  const filled = fill ? fill(ino) : 0;
  const entry = filled < 0 ? filled : addEntry(store, place.parent, place.name, ino);
  if (entry < 0) {
    store.undo(mark);
    return entry;
  }
  if (type === FILE_TYPE.directory) store.add(inodeAt(place.parent) + INODE.links, 1);
  touch(store, place.parent, INODE.mtime, INODE.ctime);
  logChange(store, 'rename', ino, place.parent, place.name);
  return ino;
}

/** Removes an entry and, when it was the last, the inode. Allocates nothing. */
function drop(store: Store, { parent, name, ino, entry }: Place): void {
  store.changeNames();
  const wasDirectory = isDirectory(store, ino);
  removeEntry(store, entry);
  store.add(inodeAt(ino) + INODE.links, wasDirectory ? -2 : -1);
  if (wasDirectory) store.add(inodeAt(parent) + INODE.links, -1);
  touch(store, ino, INODE.ctime);
  touch(store, parent, INODE.mtime, INODE.ctime);
  logChange(store, 'rename', ino, parent, name);
  freeIfUnused(store, ino);
}

/** open(O_CREAT): the inode of a file, made or found, links followed. */
export function createFile(store: Store, path: string, mode: number, exclusive: boolean): number {
  let at = path;
  let from = ROOT;
  for (let followed = 0; followed <= MAX_LINKS_FOLLOWED; followed++) {
    const place = placeOf(store, at, from);
    if (typeof place === 'number') return place;
    if (place.hasTrailingSlash && !place.isSpecial) return EISDIR;
    if (place.ino === 0) return make(store, place, FILE_TYPE.file, mode);
    if (exclusive) return EEXIST;
    if (field(store, place.ino, INODE.type) !== FILE_TYPE.symlink) return place.ino;
    at = textOf(store, place.ino);
    from = place.parent;
  }
  return ELOOP;
}

export function makeDirectory(store: Store, path: string, mode: number): number {
  const place = placeOf(store, path);
  if (typeof place === 'number') return place;
  return place.ino !== 0 ? EEXIST : make(store, place, FILE_TYPE.directory, mode);
}

export function makeCharacterDevice(store: Store, path: string, mode: number, rdev: number): number {
  const place = placeOf(store, path);
  if (typeof place === 'number') return place;
  if (place.ino !== 0) return EEXIST;
  if (place.hasTrailingSlash) return ENOENT;
  return make(store, place, FILE_TYPE.character, mode, (ino) => {
    store.set(inodeAt(ino) + INODE.rdev, rdev);
    return 0;
  });
}

export function makeSocketName(store: Store, path: string, mode: number): number {
  const place = placeOf(store, path);
  if (typeof place === 'number') return place;
  if (place.ino !== 0) return EEXIST;
  return place.hasTrailingSlash ? ENOENT : make(store, place, FILE_TYPE.socket, mode);
}

export function makeSymlink(store: Store, target: string, path: string): number {
  if (target === '') return ENOENT;
  if (isTooLong(target)) return ENAMETOOLONG;
  const place = placeOf(store, path);
  if (typeof place === 'number') return place;
  if (place.ino !== 0) return EEXIST;
  if (place.hasTrailingSlash) return ENOENT;
  return make(store, place, FILE_TYPE.symlink, 0o777, (ino) => writeContent(store, ino, encoder.encode(target), 0));
}

export function makeLink(store: Store, existing: string, path: string): number {
  const ino = walk(store, existing, false);
  if (ino < 0) return ino;
  const place = placeOf(store, path);
  if (typeof place === 'number') return place;
  if (place.ino !== 0) return EEXIST;
  if (place.hasTrailingSlash) return ENOENT;
  if (isDirectory(store, ino)) return EPERM;
  if (field(store, ino, INODE.links) >= MAX_HARD_LINKS) return EMLINK;
  store.changeNames();
  const entry = addEntry(store, place.parent, place.name, ino);
  if (entry < 0) return entry;
  store.add(inodeAt(ino) + INODE.links, 1);
  touch(store, ino, INODE.ctime);
  touch(store, place.parent, INODE.mtime, INODE.ctime);
  logChange(store, 'rename', ino, place.parent, place.name);
  return 0;
}

export function removeFile(store: Store, path: string): number {
  const place = placeOf(store, path);
  if (typeof place === 'number') return place;
  if (place.ino === 0) return ENOENT;
  if (isDirectory(store, place.ino)) return EISDIR;
  if (place.hasTrailingSlash) return ENOTDIR;
  drop(store, place);
  return 0;
}

export function removeDirectory(store: Store, path: string): number {
  const place = placeOf(store, path);
  if (typeof place === 'number') return place;
  if (place.isSpecial) return place.name.length === 1 ? EINVAL : place.name.length === 0 ? EBUSY : ENOTEMPTY;
  if (place.ino === 0) return ENOENT;
  if (!isDirectory(store, place.ino)) return ENOTDIR;
  if (field(store, place.ino, INODE.children) > 0) return ENOTEMPTY;
  drop(store, place);
  return 0;
}

/** The checks of Linux's do_renameat2, in its order. */
export function renameEntry(store: Store, from: string, to: string): number {
  const source = placeOf(store, from);
  if (typeof source === 'number') return source;
  const target = placeOf(store, to);
  if (typeof target === 'number') return target;
  if (source.isSpecial || target.isSpecial) return EBUSY;
  if (source.ino === 0) return ENOENT;
  const movesDirectory = isDirectory(store, source.ino);
  if (!movesDirectory && (source.hasTrailingSlash || target.hasTrailingSlash)) return ENOTDIR;
  if (movesDirectory && isWithin(store, target.parent, source.ino)) return EINVAL;
  if (target.ino === source.ino) return 0;
  if (target.ino !== 0) {
    const replacesDirectory = isDirectory(store, target.ino);
    if (replacesDirectory && isWithin(store, source.parent, target.ino)) return ENOTEMPTY;
    if (replacesDirectory && !movesDirectory) return EISDIR;
    if (!replacesDirectory && movesDirectory) return ENOTDIR;
    if (replacesDirectory && field(store, target.ino, INODE.children) > 0) return ENOTEMPTY;
  }
  store.changeNames();
  const added = addEntry(store, target.parent, target.name, source.ino);
  if (added < 0) return added;
  if (target.ino !== 0) drop(store, target);
  removeEntry(store, source.entry);
  if (movesDirectory && source.parent !== target.parent) {
    store.add(inodeAt(source.parent) + INODE.links, -1);
    store.add(inodeAt(target.parent) + INODE.links, 1);
  }
  touch(store, source.ino, INODE.ctime);
  touch(store, source.parent, INODE.mtime, INODE.ctime);
  touch(store, target.parent, INODE.mtime, INODE.ctime);
  logChange(store, 'rename', source.ino, source.parent, source.name);
  logChange(store, 'rename', source.ino, target.parent, target.name);
  return 0;
}
