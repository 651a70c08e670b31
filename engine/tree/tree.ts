// The file tree that every process maps. Writers take the lock, readers do not: a namespace generation (odd while a writer is at work)
// validates path walks and remembered folders, a version per inode validates contents. Here the calls are bracketed; the work is in the files beside.
import { EBADF, EINVAL, ENOTDIR } from '../memory/errno';
import {
  HEADER_WORD,
  HEAP_OFFSET,
  LAYOUT_MAGIC,
  LAYOUT_VERSION,
  MAXIMUM_PAGES,
  WASM_PAGE_BYTES,
} from '../memory/layout';
import { logChange, readChanges } from './change-log';
import { readContent, textOf, truncateContent, writeContent } from './contents';
import { nameBytes, nameOf } from './directory';
import { ENTRY, entryAt, INODE, inodeAt, MAX_INODES, TREE_WORD, UNIT_BYTES } from './geometry';
import { formatHeap } from './heap';
import { field, isInode, modeOf, releaseInode, retainInode, statInode, touch } from './inodes';
import {
  createFile,
  makeCharacterDevice,
  makeDirectory,
  makeLink,
  makeSocketName,
  makeSymlink,
  removeDirectory,
  removeFile,
  renameEntry,
} from './naming';
import { entryInode, pathOf, ROOT, walk } from './path';
import { PathLookup } from './path-lookup';
import { Store } from './store';
import { type DirectoryEntry, FILE_TYPE, type FileTree, type FileType, type TreeChange } from './types';

/** Lays out an empty tree. Kernel only, once per memory. */
export function formatTree(memory: WebAssembly.Memory): void {
  const store = new Store(memory, 1);
  const { words } = store;
  words[HEADER_WORD.magic] = LAYOUT_MAGIC;
  words[HEADER_WORD.layoutVersion] = LAYOUT_VERSION;
  words[TREE_WORD.inodesTaken] = ROOT;
  words[TREE_WORD.inodesUsed] = 1;
  formatHeap(store);
  const at = inodeAt(ROOT);
  words[at + INODE.type] = FILE_TYPE.directory;
  words[at + INODE.mode] = 0o755;
  words[at + INODE.links] = 2;
  touch(store, ROOT, INODE.atime, INODE.mtime, INODE.ctime, INODE.birthtime);
}

/** Opens the tree. `owner` is 1 for the kernel and slot + 2 for a process (`adopt` when the slot is known). Throws when there is none. */
export function openTree(memory: WebAssembly.Memory, owner = 1): Tree {
  const tree = new Tree(memory, owner);
  if (tree.isFormatted()) return tree;
  throw new Error('The shared memory does not hold a file tree of this version');
}

export class Tree implements FileTree {
  private readonly store: Store;
  private readonly paths: PathLookup;

  constructor(memory: WebAssembly.Memory, owner: number) {
    this.store = new Store(memory, owner);
    this.paths = new PathLookup(this.store);
  }

  isFormatted(): boolean {
    const { words } = this.store;
    return words[HEADER_WORD.magic] === LAYOUT_MAGIC && words[HEADER_WORD.layoutVersion] === LAYOUT_VERSION;
  }

  set owner(owner: number) {
    this.store.lock.owner = owner;
  }

  /** Who takes the lock from now on, and the fence to pass before that (ipc calls this when a process learns its slot). */
  adopt(owner: number, fence: () => void): void {
    this.store.lock.owner = owner;
    this.store.lock.fence = fence;
  }

  /** After the worker of `deadOwner` was terminated: frees the lock that it held and undoes its half transaction. */
  recover(deadOwner: number): boolean {
    return this.store.recover(deadOwner);
  }

  /** Runs several calls as one: nobody sees a state in between, and if the worker dies none of them has happened. Keep it short: all writers wait. */
  atomically<T>(body: () => T): T {
    return this.store.transaction(body);
  }

  lookup(path: string, followLast = true): number {
    return this.paths.lookup(path, followLast);
  }

  /** lookup and retain as one step: the inode cannot have become another file in between. */
  lookupRetained(path: string, followLast = true): number {
    const { store } = this;
    return store.transaction(() => {
      const ino = walk(store, path, followLast);
      if (ino > 0) retainInode(store, ino);
      return ino;
    });
  }

  typeOf(ino: number): FileType {
    return field(this.store, ino, INODE.type) as FileType;
  }

  sizeOf(ino: number): number {
    return field(this.store, ino, INODE.size);
  }

  modeOf(ino: number): number {
    return modeOf(this.store, ino);
  }

  rdevOf(ino: number): number {
    return field(this.store, ino, INODE.rdev);
  }

  versionOf(ino: number): number {
    return field(this.store, ino, INODE.version);
  }

  pathOf(ino: number): string {
    return this.store.readNames(() => pathOf(this.store, ino));
  }

  stat(ino: number, out: Float64Array | BigInt64Array): number {
    return statInode(this.store, ino, out);
  }

  create(path: string, mode: number, exclusive = false): number {
    return this.store.transaction(() => createFile(this.store, path, mode, exclusive));
  }

  mkdir(path: string, mode: number): number {
    return this.store.transaction(() => makeDirectory(this.store, path, mode));
  }

  makeDevice(path: string, mode: number, rdev: number): number {
    return this.store.transaction(() => makeCharacterDevice(this.store, path, mode, rdev));
  }

  makeSocket(path: string, mode: number): number {
    return this.store.transaction(() => makeSocketName(this.store, path, mode));
  }

  symlink(target: string, path: string): number {
    return this.store.transaction(() => makeSymlink(this.store, target, path));
  }

  link(existing: string, path: string): number {
    return this.store.transaction(() => makeLink(this.store, existing, path));
  }

  unlink(path: string): number {
    return this.store.transaction(() => removeFile(this.store, path));
  }

  rmdir(path: string): number {
    return this.store.transaction(() => removeDirectory(this.store, path));
  }

  rename(from: string, to: string): number {
    return this.store.transaction(() => renameEntry(this.store, from, to));
  }

  readlink(path: string): string | number {
    const ino = this.lookup(path, false);
    if (ino < 0) return ino;
    return this.typeOf(ino) === FILE_TYPE.symlink ? textOf(this.store, ino) : EINVAL;
  }

  list(ino: number): DirectoryEntry[] | number {
    const { store } = this;
    if (!isInode(store, ino) || this.typeOf(ino) !== FILE_TYPE.directory) return ENOTDIR;
    return store.readNames(() => {
      const out: DirectoryEntry[] = [];
      let entry = field(store, ino, INODE.firstEntry);
      // Bounded, for a torn list may run in a circle.
      for (let left = field(store, ino, INODE.children); left > 0 && entry > 0 && entry <= MAX_INODES; left--) {
        const child = entryInode(store, entry);
        if (child !== 0) out.push({ name: nameOf(store, entry), ino: child, type: this.typeOf(child) });
        entry = store.words[entryAt(entry) + ENTRY.next];
      }
      return out.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  read(ino: number, target: Uint8Array, position: number): number {
    return readContent(this.store, ino, target, position);
  }

  readText(ino: number): string {
    return textOf(this.store, ino);
  }

  write(ino: number, source: Uint8Array, position: number): number {
    return this.store.transaction(() => {
      const written = writeContent(this.store, ino, source, position);
      if (written > 0) this.logContent(ino);
      return written;
    });
  }

  append(ino: number, source: Uint8Array): number {
    return this.store.transaction(() => this.write(ino, source, this.sizeOf(ino)));
  }

  truncate(ino: number, size: number): number {
    return this.store.transaction(() => {
      const result = truncateContent(this.store, ino, size);
      if (result === 0) this.logContent(ino);
      return result;
    });
  }

  setMode(ino: number, mode: number): number {
    return this.setAttributes(ino, () => this.store.set(inodeAt(ino) + INODE.mode, mode & 0o7777));
  }

  setOwner(ino: number, uid: number, gid: number): number {
    return this.setAttributes(ino, () => {
      // −1 leaves an id as it is.
      if (uid >>> 0 !== 0xffffffff) this.store.set(inodeAt(ino) + INODE.uid, uid);
      if (gid >>> 0 !== 0xffffffff) this.store.set(inodeAt(ino) + INODE.gid, gid);
    });
  }

  setTimes(ino: number, atimeMs: number | undefined, mtimeMs: number | undefined): number {
    return this.setAttributes(ino, () => {
      const { doubles } = this.store;
      if (atimeMs !== undefined) doubles[(inodeAt(ino) + INODE.atime) / 2] = atimeMs;
      if (mtimeMs !== undefined) doubles[(inodeAt(ino) + INODE.mtime) / 2] = mtimeMs;
    });
  }

  mayWrite(_ino: number): number {
    return 0;
  }

  private setAttributes(ino: number, body: () => void): number {
    return this.store.transaction(() => {
      if (!isInode(this.store, ino)) return EBADF;
      body();
      touch(this.store, ino, INODE.ctime);
      this.logContent(ino);
      return 0;
    });
  }

  /** Reports a change of content or attributes under the first name; an unlinked file has nobody to tell. */
  private logContent(ino: number): void {
    const entry = field(this.store, ino, INODE.anyEntry);
    if (entry === 0) return;
    logChange(this.store, 'change', ino, this.store.words[entryAt(entry) + ENTRY.parent], nameBytes(this.store, entry));
  }

  retain(ino: number): number {
    return this.store.transaction(() => retainInode(this.store, ino));
  }

  release(ino: number): number {
    return this.store.transaction(() => releaseInode(this.store, ino));
  }

  changeSequence(): number {
    return Atomics.load(this.store.words, TREE_WORD.changeSequence);
  }

  async whenChanged(since: number): Promise<void> {
    const wait = Atomics.waitAsync(this.store.words, TREE_WORD.changeSequence, since);
    if (wait.async) await wait.value;
  }

  changesSince(since: number): TreeChange[] | undefined {
    return readChanges(this.store, since);
  }

  usage(): { inodes: number; bytes: number; capacityBytes: number } {
    const { words } = this.store;
    const maximumPages = words[HEADER_WORD.maximumPages] || MAXIMUM_PAGES;
    return {
      inodes: words[TREE_WORD.inodesUsed],
      bytes: words[TREE_WORD.heapUsed] * UNIT_BYTES,
      capacityBytes: maximumPages * WASM_PAGE_BYTES - HEAP_OFFSET,
    };
  }
}
