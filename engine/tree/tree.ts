// The file tree that every process maps. Writers take the lock, readers do not: a namespace generation (odd while a writer is at work)
// validates path walks and the path cache, a version per inode validates contents.
import {
  EBUSY,
  EEXIST,
  EINVAL,
  EISDIR,
  ELOOP,
  EMLINK,
  ENAMETOOLONG,
  ENOENT,
  ENOSPC,
  ENOTDIR,
  ENOTEMPTY,
  EPERM,
} from '../memory/errno';
import { HEADER_WORD, INITIAL_BYTES, LAYOUT_MAGIC, LAYOUT_VERSION } from '../memory/layout';
import { logChange, readChanges } from './change-log';
import { beginContentChange, discard, endContentChange, reserve, withContent } from './contents';
import { addEntry, entryAt, findEntry, inodeAt, nameOf, removeEntry } from './directory';
import { ENTRY, HEAP_FIRST_UNIT, INODE, MAX_INODES, TREE_WORD, UNIT_BYTES } from './geometry';
import { Store } from './store';
import { type DirectoryEntry, FILE_TYPE, type FileTree, type FileType, type TreeChange } from './types';

const ROOT = 1;
const MAX_LINKS_FOLLOWED = 40;
const MAX_NAME_BYTES = 255;
const MAX_PATH_LENGTH = 4096;
const CACHE_LIMIT = 50_000;
const TYPE_BITS: Record<FileType, number> = {
  [FILE_TYPE.file]: 0o100000,
  [FILE_TYPE.directory]: 0o40000,
  [FILE_TYPE.symlink]: 0o120000,
  [FILE_TYPE.character]: 0o20000,
};

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const noName = new Uint8Array(0);

/** Lays out an empty tree. Kernel only, once per memory. */
export function formatTree(memory: WebAssembly.Memory): void {
  const store = new Store(memory, 1);
  const { words } = store;
  words[HEADER_WORD.magic] = LAYOUT_MAGIC;
  words[HEADER_WORD.layoutVersion] = LAYOUT_VERSION;
  words[TREE_WORD.heapTop] = HEAP_FIRST_UNIT;
  words[TREE_WORD.inodesTaken] = ROOT;
  words[TREE_WORD.inodesUsed] = 1;
  const at = inodeAt(ROOT);
  words[at + INODE.type] = FILE_TYPE.directory;
  words[at + INODE.mode] = 0o755;
  words[at + INODE.links] = 2;
  for (const time of [INODE.atime, INODE.mtime, INODE.ctime, INODE.birthtime])
    store.doubles[(at + time) / 2] = Date.now();
}

/** Opens the tree. `owner` is 1 for the kernel and slot + 2 for a process (set `owner` when the slot is known). */
export function openTree(memory: WebAssembly.Memory, owner = 1): Tree {
  const tree = new Tree(memory, owner);
  if (tree.isFormatted()) return tree;
  throw new Error('The shared memory does not hold a file tree of this version');
}

interface Place {
  parent: number;
  name: Uint8Array;
  /** The inode of that name, or 0. */
  ino: number;
  entry: number;
  /** The last name is `.`, `..` or nothing (the root): it has no entry of its own. */
  isSpecial: boolean;
}

export class Tree implements FileTree {
  private readonly store: Store;
  private readonly cache = new Map<string, number>();
  private cacheGeneration = -1;

  constructor(memory: WebAssembly.Memory, owner: number) {
    this.store = new Store(memory, owner);
  }

  isFormatted(): boolean {
    const { words } = this.store;
    return words[HEADER_WORD.magic] === LAYOUT_MAGIC && words[HEADER_WORD.layoutVersion] === LAYOUT_VERSION;
  }

  set owner(owner: number) {
    this.store.owner = owner;
  }

  /** Who takes the lock from now on, and the fence to pass before that (ipc calls this when a process learns its slot). */
  adopt(owner: number, fence: () => void): void {
    this.store.owner = owner;
    this.store.fence = fence;
  }

  /** After the worker of `deadOwner` was terminated: frees the lock that it held and undoes its half transaction. */
  recover(deadOwner: number): boolean {
    return this.store.recover(deadOwner);
  }

  lookup(path: string, followLast = true): number {
    const { words } = this.store;
    for (;;) {
      const generation = Atomics.load(words, HEADER_WORD.namespaceGeneration);
      if (generation & 1) return this.store.transaction(() => this.walk(path, followLast));
      if (generation !== this.cacheGeneration || this.cache.size > CACHE_LIMIT) {
        this.cache.clear();
        this.cacheGeneration = generation;
      }
      const key = followLast ? path : `\0${path}`;
      const cached = this.cache.get(key);
      if (cached !== undefined) return cached;
      const found = this.walk(path, followLast);
      if (Atomics.load(words, HEADER_WORD.namespaceGeneration) !== generation) continue;
      this.cache.set(key, found);
      return found;
    }
  }

  /** Resolves a path. Without the lock the result counts only if the generation has not moved. */
  private walk(path: string, followLast: boolean, depth = 0, from = ROOT): number {
    if (path === '') return ENOENT;
    if (path.length > MAX_PATH_LENGTH) return ENAMETOOLONG;
    const { words } = this.store;
    let ino = path.startsWith('/') ? ROOT : from;
    const segments = path.split('/');
    for (let index = 0; index < segments.length; index++) {
      const segment = segments[index];
      const isLast = index === segments.length - 1;
      if (segment === '' || segment === '.') {
        // A slash at the end, or "/.": what came before must be a directory.
        if (isLast && words[inodeAt(ino) + INODE.type] !== FILE_TYPE.directory) return ENOTDIR;
        continue;
      }
      if (words[inodeAt(ino) + INODE.type] !== FILE_TYPE.directory) return ENOTDIR;
      if (segment === '..') {
        ino = this.parentOf(ino);
        continue;
      }
      const name = encoder.encode(segment);
      if (name.length > MAX_NAME_BYTES) return ENAMETOOLONG;
      const entry = findEntry(this.store, ino, name);
      if (entry === 0) return ENOENT;
      const child = words[entryAt(entry) + ENTRY.ino];
      if (child <= 0 || child > MAX_INODES) return ENOENT;
      if (words[inodeAt(child) + INODE.type] === FILE_TYPE.symlink && (!isLast || followLast)) {
        if (depth >= MAX_LINKS_FOLLOWED) return ELOOP;
        const rest = segments.slice(index + 1).join('/');
        const target = this.text(child);
        return this.walk(isLast ? target : `${target}/${rest}`, followLast, depth + 1, ino);
      }
      ino = child;
    }
    return ino;
  }

  private parentOf(directory: number): number {
    if (directory === ROOT) return ROOT;
    const entry = this.store.words[inodeAt(directory) + INODE.anyEntry];
    return entry > 0 && entry <= MAX_INODES ? this.store.words[entryAt(entry) + ENTRY.parent] || ROOT : ROOT;
  }

  /** Parent directory and last name of a path that may not exist yet. Under the lock. */
  private place(path: string): Place | number {
    const trimmed = path.replace(/\/+$/, '');
    const slash = trimmed.lastIndexOf('/');
    const parent = this.walk(trimmed.slice(0, slash + 1) || '/', true);
    if (parent < 0) return parent;
    if (this.typeOf(parent) !== FILE_TYPE.directory) return ENOTDIR;
    const last = trimmed.slice(slash + 1);
    const name = encoder.encode(last);
    if (name.length > MAX_NAME_BYTES) return ENAMETOOLONG;
    if (last === '' || last === '.') return { parent, name, ino: parent, entry: 0, isSpecial: true };
    if (last === '..') return { parent, name, ino: this.parentOf(parent), entry: 0, isSpecial: true };
    const entry = findEntry(this.store, parent, name);
    return {
      parent,
      name,
      entry,
      ino: entry === 0 ? 0 : this.store.words[entryAt(entry) + ENTRY.ino],
      isSpecial: false,
    };
  }

  /** A transaction on names: the generation is odd while it runs. */
  private changeNames<T>(body: () => T): T {
    return this.store.transaction(() => {
      const { words } = this.store;
      Atomics.store(words, HEADER_WORD.namespaceGeneration, Atomics.load(words, HEADER_WORD.namespaceGeneration) | 1);
      try {
        return body();
      } finally {
        Atomics.add(words, HEADER_WORD.namespaceGeneration, 1);
      }
    });
  }

  typeOf(ino: number): FileType {
    return this.store.words[inodeAt(ino) + INODE.type] as FileType;
  }

  sizeOf(ino: number): number {
    return this.store.words[inodeAt(ino) + INODE.size];
  }

  modeOf(ino: number): number {
    return TYPE_BITS[this.typeOf(ino)] | this.store.words[inodeAt(ino) + INODE.mode];
  }

  rdevOf(ino: number): number {
    return this.store.words[inodeAt(ino) + INODE.rdev];
  }

  versionOf(ino: number): number {
    return this.store.words[inodeAt(ino) + INODE.version];
  }

  pathOf(ino: number): string {
    let path = '';
    for (let current = ino; current !== ROOT; ) {
      const entry = this.store.words[inodeAt(current) + INODE.anyEntry];
      if (entry === 0) return `${path} (deleted)`;
      path = `/${nameOf(this.store, entry)}${path}`;
      current = this.store.words[entryAt(entry) + ENTRY.parent];
    }
    return path || '/';
  }

  stat(ino: number, out: Float64Array | BigInt64Array): number {
    const { words, doubles } = this.store;
    const at = inodeAt(ino);
    const size = words[at + INODE.size];
    const values = [
      1,
      this.modeOf(ino),
      words[at + INODE.links],
      words[at + INODE.uid],
      words[at + INODE.gid],
      words[at + INODE.rdev],
      4096,
      ino,
      size,
      Math.ceil(size / 512),
    ];
    for (const time of [INODE.atime, INODE.mtime, INODE.ctime, INODE.birthtime]) {
      const ms = doubles[(at + time) / 2];
      const seconds = Math.floor(ms / 1000);
      values.push(seconds, Math.floor((ms - seconds * 1000) * 1e6));
    }
    if (out instanceof BigInt64Array)
      for (let index = 0; index < values.length; index++) out[index] = BigInt(values[index]);
    else out.set(values);
    return 0;
  }

  /** A fresh inode that no entry names yet, or ENOSPC. Inside a transaction. */
  private allocateInode(type: FileType, mode: number): number {
    const { store } = this;
    let ino = store.words[TREE_WORD.freeInode];
    if (ino !== 0) store.set(TREE_WORD.freeInode, store.words[inodeAt(ino) + INODE.anyEntry]);
    else {
      if (store.words[TREE_WORD.inodesTaken] >= MAX_INODES) return ENOSPC;
      ino = store.add(TREE_WORD.inodesTaken, 1);
    }
    store.add(TREE_WORD.inodesUsed, 1);
    const at = inodeAt(ino);
    for (const field of [
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
    ])
      store.set(at + field, 0);
    store.set(at + INODE.type, type);
    store.set(at + INODE.mode, mode & 0o7777);
    store.set(at + INODE.links, type === FILE_TYPE.directory ? 2 : 1);
    endContentChange(store, ino);
    this.touch(ino, INODE.atime, INODE.mtime, INODE.ctime, INODE.birthtime);
    return ino;
  }

  private touch(ino: number, ...times: number[]): void {
    const now = Date.now();
    for (const time of times) this.store.doubles[(inodeAt(ino) + time) / 2] = now;
  }

  /** Frees an inode that nothing names and nobody holds open. */
  private freeIfUnused(ino: number): void {
    const { store } = this;
    const at = inodeAt(ino);
    if (store.words[at + INODE.links] > 0 || store.words[at + INODE.opens] > 0) return;
    beginContentChange(store, ino);
    discard(store, ino);
    store.set(at + INODE.type, 0);
    store.set(at + INODE.anyEntry, store.words[TREE_WORD.freeInode]);
    store.set(TREE_WORD.freeInode, ino);
    store.add(TREE_WORD.inodesUsed, -1);
    endContentChange(store, ino);
  }

  /** Makes an inode and its entry; the common end of create, mkdir, symlink and makeDevice. */
  private make(place: Place, type: FileType, mode: number, fill?: (ino: number) => number): number {
    const { store } = this;
    const ino = this.allocateInode(type, mode);
    if (ino < 0) return ino;
    const failed = fill ? fill(ino) : 0;
    const entry = failed < 0 ? failed : addEntry(store, place.parent, place.name, ino);
    if (entry < 0) {
      store.set(inodeAt(ino) + INODE.links, 0);
      this.freeIfUnused(ino);
      return entry;
    }
    if (type === FILE_TYPE.directory) store.add(inodeAt(place.parent) + INODE.links, 1);
    this.touch(place.parent, INODE.mtime, INODE.ctime);
    logChange(store, 'rename', ino, place.parent, place.name);
    return ino;
  }

  create(path: string, mode: number, exclusive = false): number {
    return this.changeNames(() => this.createThroughLinks(path, mode, exclusive, 0));
  }

  private createThroughLinks(path: string, mode: number, exclusive: boolean, depth: number): number {
    const place = this.place(path);
    if (typeof place === 'number') return place;
    if (path.endsWith('/') && !place.isSpecial) return EISDIR;
    if (place.ino !== 0) {
      if (exclusive) return EEXIST;
      if (this.typeOf(place.ino) !== FILE_TYPE.symlink) return place.ino;
      if (depth >= MAX_LINKS_FOLLOWED) return ELOOP;
      const target = this.text(place.ino);
      return this.createThroughLinks(
        target.startsWith('/') ? target : `${this.pathOf(place.parent)}/${target}`,
        mode,
        false,
        depth + 1,
      );
    }
    return this.make(place, FILE_TYPE.file, mode);
  }

  mkdir(path: string, mode: number): number {
    return this.changeNames(() => {
      const place = this.place(path);
      if (typeof place === 'number') return place;
      return place.ino !== 0 ? EEXIST : this.make(place, FILE_TYPE.directory, mode);
    });
  }

  makeDevice(path: string, mode: number, rdev: number): number {
    return this.changeNames(() => {
      const place = this.place(path);
      if (typeof place === 'number') return place;
      if (place.ino !== 0) return EEXIST;
      return this.make(place, FILE_TYPE.character, mode, (ino) => {
        this.store.set(inodeAt(ino) + INODE.rdev, rdev);
        return 0;
      });
    });
  }

  symlink(target: string, path: string): number {
    if (target === '') return ENOENT;
    return this.changeNames(() => {
      const place = this.place(path);
      if (typeof place === 'number') return place;
      if (place.ino !== 0) return EEXIST;
      if (path.endsWith('/')) return ENOENT;
      const bytes = encoder.encode(target);
      if (bytes.length > MAX_PATH_LENGTH) return ENAMETOOLONG;
      return this.make(place, FILE_TYPE.symlink, 0o777, (ino) => this.put(ino, bytes, 0));
    });
  }

  link(existing: string, path: string): number {
    return this.changeNames(() => {
      const ino = this.walk(existing, false);
      if (ino < 0) return ino;
      const place = this.place(path);
      if (typeof place === 'number') return place;
      if (place.ino !== 0) return EEXIST;
      if (path.endsWith('/')) return ENOENT;
      if (this.typeOf(ino) === FILE_TYPE.directory) return EPERM;
      if (this.store.words[inodeAt(ino) + INODE.links] >= 65000) return EMLINK;
      const entry = addEntry(this.store, place.parent, place.name, ino);
      if (entry < 0) return entry;
      this.store.add(inodeAt(ino) + INODE.links, 1);
      this.touch(ino, INODE.ctime);
      this.touch(place.parent, INODE.mtime, INODE.ctime);
      logChange(this.store, 'rename', ino, place.parent, place.name);
      return 0;
    });
  }

  unlink(path: string): number {
    return this.changeNames(() => {
      const place = this.place(path);
      if (typeof place === 'number') return place;
      if (place.ino === 0) return ENOENT;
      const type = this.typeOf(place.ino);
      if (path.endsWith('/') && type !== FILE_TYPE.directory) return ENOTDIR;
      if (type === FILE_TYPE.directory) return EISDIR;
      this.drop(place);
      return 0;
    });
  }

  rmdir(path: string): number {
    return this.changeNames(() => {
      const place = this.place(path);
      if (typeof place === 'number') return place;
      if (/(?:^|\/)\.\/*$/.test(path)) return EINVAL;
      if (place.ino === 0) return ENOENT;
      if (this.typeOf(place.ino) !== FILE_TYPE.directory) return ENOTDIR;
      if (place.isSpecial || this.store.words[inodeAt(place.ino) + INODE.children] > 0) return ENOTEMPTY;
      this.drop(place);
      return 0;
    });
  }

  /** Removes an entry and, when it was the last, the inode. */
  private drop({ parent, name, ino, entry }: Place): void {
    const { store } = this;
    const isDirectory = this.typeOf(ino) === FILE_TYPE.directory;
    removeEntry(store, entry);
    store.add(inodeAt(ino) + INODE.links, isDirectory ? -2 : -1);
    if (isDirectory) store.add(inodeAt(parent) + INODE.links, -1);
    this.touch(ino, INODE.ctime);
    this.touch(parent, INODE.mtime, INODE.ctime);
    logChange(store, 'rename', ino, parent, name);
    this.freeIfUnused(ino);
  }

  rename(from: string, to: string): number {
    return this.changeNames(() => {
      // The order of the checks is Linux's do_renameat2.
      const source = this.place(from);
      if (typeof source === 'number') return source;
      const target = this.place(to);
      if (typeof target === 'number') return target;
      if (source.isSpecial || target.isSpecial) return EBUSY;
      if (source.ino === 0) return ENOENT;
      const isDirectory = this.typeOf(source.ino) === FILE_TYPE.directory;
      if (!isDirectory && (from.endsWith('/') || to.endsWith('/'))) return ENOTDIR;
      if (isDirectory && this.isWithin(target.parent, source.ino)) return EINVAL;
      if (target.ino === source.ino) return 0;
      if (target.ino !== 0) {
        const targetIsDirectory = this.typeOf(target.ino) === FILE_TYPE.directory;
        if (targetIsDirectory && this.isWithin(source.parent, target.ino)) return ENOTEMPTY;
        if (targetIsDirectory && !isDirectory) return EISDIR;
        if (!targetIsDirectory && isDirectory) return ENOTDIR;
        if (targetIsDirectory && this.store.words[inodeAt(target.ino) + INODE.children] > 0) return ENOTEMPTY;
      }
      const added = addEntry(this.store, target.parent, target.name, source.ino);
      if (added < 0) return added;
      if (target.ino !== 0) this.drop(target);
      removeEntry(this.store, source.entry);
      if (isDirectory && source.parent !== target.parent) {
        this.store.add(inodeAt(source.parent) + INODE.links, -1);
        this.store.add(inodeAt(target.parent) + INODE.links, 1);
      }
      this.touch(source.ino, INODE.ctime);
      this.touch(source.parent, INODE.mtime, INODE.ctime);
      this.touch(target.parent, INODE.mtime, INODE.ctime);
      logChange(this.store, 'rename', source.ino, source.parent, source.name);
      logChange(this.store, 'rename', source.ino, target.parent, target.name);
      return 0;
    });
  }

  /** Whether `directory` is `ancestor` or lies below it. */
  private isWithin(directory: number, ancestor: number): boolean {
    for (let current = directory; ; current = this.parentOf(current)) {
      if (current === ancestor) return true;
      if (current === ROOT) return false;
    }
  }

  readlink(path: string): string | number {
    const ino = this.lookup(path, false);
    if (ino < 0) return ino;
    return this.typeOf(ino) === FILE_TYPE.symlink ? this.text(ino) : EINVAL;
  }

  list(ino: number): DirectoryEntry[] | number {
    return this.store.transaction(() => {
      const { words } = this.store;
      if (this.typeOf(ino) !== FILE_TYPE.directory) return ENOTDIR;
      const out: DirectoryEntry[] = [];
      for (
        let entry = words[inodeAt(ino) + INODE.firstEntry];
        entry !== 0;
        entry = words[entryAt(entry) + ENTRY.next]
      ) {
        const child = words[entryAt(entry) + ENTRY.ino];
        out.push({ name: nameOf(this.store, entry), ino: child, type: this.typeOf(child) });
      }
      return out.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  read(ino: number, target: Uint8Array, position: number): number {
    return withContent(this.store, ino, (start, size) => {
      const count = Math.max(0, Math.min(target.length, size - position));
      if (count > 0) target.set(this.store.bytes.subarray(start + position, start + position + count));
      return count;
    });
  }

  readText(ino: number): string {
    return this.text(ino);
  }

  private text(ino: number): string {
    // TextDecoder refuses shared views: one copy, exactly as long as the content.
    return decoder.decode(withContent(this.store, ino, (start, size) => this.store.bytes.slice(start, start + size)));
  }

  /** Writes bytes at a position inside a transaction and logs nothing. */
  private put(ino: number, source: Uint8Array, position: number): number {
    const { store } = this;
    const at = inodeAt(ino);
    const end = position + source.length;
    beginContentChange(store, ino);
    const failed = reserve(store, ino, end);
    if (failed === 0) {
      const size = store.words[at + INODE.size];
      const start = (store.words[at + INODE.unit] >>> 0) * UNIT_BYTES;
      store.cover(start + end);
      if (position > size) store.bytes.fill(0, start + size, start + position);
      store.bytes.set(source, start + position);
      if (end > size) store.set(at + INODE.size, end);
      this.touch(ino, INODE.mtime, INODE.ctime);
    }
    endContentChange(store, ino);
    return failed === 0 ? source.length : failed;
  }

  private logContent(ino: number): void {
    const { words } = this.store;
    const entry = words[inodeAt(ino) + INODE.anyEntry];
    if (entry === 0) return;
    const at = entryAt(entry);
    const start = (words[at + ENTRY.nameUnit] >>> 0) * UNIT_BYTES;
    const length = words[at + ENTRY.nameLength];
    this.store.cover(start + length);
    logChange(this.store, 'change', ino, words[at + ENTRY.parent], this.store.bytes.subarray(start, start + length));
  }

  write(ino: number, source: Uint8Array, position: number): number {
    return this.store.transaction(() => {
      const written = this.put(ino, source, position);
      if (written > 0) this.logContent(ino);
      return written;
    });
  }

  append(ino: number, source: Uint8Array): number {
    return this.store.transaction(() => this.write(ino, source, this.sizeOf(ino)));
  }

  truncate(ino: number, size: number): number {
    if (size < 0) return EINVAL;
    return this.store.transaction(() => {
      const { store } = this;
      const at = inodeAt(ino);
      const current = store.words[at + INODE.size];
      if (size === 0) {
        beginContentChange(store, ino);
        discard(store, ino);
        endContentChange(store, ino);
      } else if (size > current) {
        const failed = this.put(ino, noName, size);
        if (failed < 0) return failed;
        store.set(at + INODE.size, size);
      } else {
        beginContentChange(store, ino);
        store.set(at + INODE.size, size);
        endContentChange(store, ino);
      }
      this.touch(ino, INODE.mtime, INODE.ctime);
      this.logContent(ino);
      return 0;
    });
  }

  setMode(ino: number, mode: number): number {
    return this.change(ino, () => this.store.set(inodeAt(ino) + INODE.mode, mode & 0o7777));
  }

  setOwner(ino: number, uid: number, gid: number): number {
    return this.change(ino, () => {
      // −1 leaves an id as it is.
      if (uid >>> 0 !== 0xffffffff) this.store.set(inodeAt(ino) + INODE.uid, uid);
      if (gid >>> 0 !== 0xffffffff) this.store.set(inodeAt(ino) + INODE.gid, gid);
    });
  }

  setTimes(ino: number, atimeMs: number | undefined, mtimeMs: number | undefined): number {
    return this.change(ino, () => {
      const { doubles } = this.store;
      if (atimeMs !== undefined) doubles[(inodeAt(ino) + INODE.atime) / 2] = atimeMs;
      if (mtimeMs !== undefined) doubles[(inodeAt(ino) + INODE.mtime) / 2] = mtimeMs;
    });
  }

  private change(ino: number, body: () => void): number {
    this.store.transaction(() => {
      body();
      this.touch(ino, INODE.ctime);
      this.logContent(ino);
    });
    return 0;
  }

  retain(ino: number): void {
    this.store.transaction(() => this.store.add(inodeAt(ino) + INODE.opens, 1));
  }

  release(ino: number): void {
    this.store.transaction(() => {
      this.store.add(inodeAt(ino) + INODE.opens, -1);
      this.freeIfUnused(ino);
    });
  }

  changeSequence(): number {
    return Atomics.load(this.store.words, TREE_WORD.changeSequence);
  }

  changesSince(since: number): TreeChange[] | undefined {
    return readChanges(this.store, since);
  }

  usage(): { inodes: number; bytes: number; capacityBytes: number } {
    const { words } = this.store;
    return {
      inodes: words[TREE_WORD.inodesUsed],
      bytes: words[TREE_WORD.heapUsed] * UNIT_BYTES,
      capacityBytes: 2 ** 32 - INITIAL_BYTES,
    };
  }
}
