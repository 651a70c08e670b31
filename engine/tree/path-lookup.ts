// Paths to inodes, fast: most calls come in runs below one folder, so folders are remembered (as of a namespace generation) and only the last
// name is looked up. Whole paths are not remembered: as many strings as there are files would cost more than the one step that they save.
import { ENAMETOOLONG, ENOENT } from '../memory/errno';
import { encodeName, findEntry } from './directory';
import { INODE } from './geometry';
import { field } from './inodes';
import { entryInode, SURELY_SHORT_PATH, walk } from './path';
import type { Store } from './store';
import { FILE_TYPE } from './types';

const MAX_REMEMBERED_FOLDERS = 10_000;
const SLASH = 47;
const DOT = 46;

/** Lookups of one thread. */
export class PathLookup {
  private readonly store: Store;
  /** By the path with its last slash: an inode, or the errno that says why there is none. */
  private readonly folders = new Map<string, number>();
  private generation = -1;
  private lastFolder = '';
  private lastFolderIno = ENOENT;

  constructor(store: Store) {
    this.store = store;
  }

  /** As FileTree.lookup. */
  lookup(path: string, followLast: boolean): number {
    const { store } = this;
    const generation = store.generation();
    if (generation & 1) return store.transaction(() => walk(store, path, followLast));
    if (generation !== this.generation || this.folders.size > MAX_REMEMBERED_FOLDERS) this.forget(generation);
    const found = this.find(path, followLast);
    if (store.isUnchanged(generation)) return found;
    // A folder may have been read from torn tables.
    this.forget(-1);
    return store.readNames(() => walk(store, path, followLast));
  }

  /** Like all readers without the lock it may meet torn tables; lookup() then throws the result away. */
  private find(path: string, followLast: boolean): number {
    const { store } = this;
    const { length } = path;
    let nameAt = this.lastFolder.length;
    if (nameAt === 0 || !path.startsWith(this.lastFolder) || path.indexOf('/', nameAt) >= 0) {
      nameAt = path.lastIndexOf('/') + 1;
      if (nameAt === 0 || path.charCodeAt(0) !== SLASH) return walk(store, path, followLast);
      this.enter(path.slice(0, nameAt));
    }
    // Names that are not entries, and paths that may be too long, are the whole walk's business.
    if (length - nameAt <= 2 && (length === nameAt || path.charCodeAt(nameAt) === DOT))
      return walk(store, path, followLast);
    if (length > SURELY_SHORT_PATH) return walk(store, path, followLast);
    const folder = this.lastFolderIno;
    if (folder < 0) return folder;
    const name = encodeName(path, nameAt, length);
    if (!name) return ENAMETOOLONG;
    const entry = findEntry(store, folder, name);
    const ino = entry === 0 ? 0 : entryInode(store, entry);
    if (ino === 0) return ENOENT;
    return followLast && field(store, ino, INODE.type) === FILE_TYPE.symlink ? walk(store, path, true) : ino;
  }

  private enter(folder: string): void {
    let ino = this.folders.get(folder);
    if (ino === undefined) {
      ino = walk(this.store, folder, true);
      this.folders.set(folder, ino);
    }
    this.lastFolder = folder;
    this.lastFolderIno = ino;
  }

  private forget(generation: number): void {
    this.folders.clear();
    this.lastFolder = '';
    this.generation = generation;
  }
}
