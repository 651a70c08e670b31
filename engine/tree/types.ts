// What the rest of the engine may ask of the file tree. Every call returns a result or a negative errno; nothing throws.

export const FILE_TYPE = { file: 1, directory: 2, symlink: 3, character: 4, socket: 5 } as const;
export type FileType = (typeof FILE_TYPE)[keyof typeof FILE_TYPE];

/** Node's order of stat fields: dev mode nlink uid gid rdev blksize ino size blocks, then seconds and nanoseconds of atime mtime ctime birthtime. */
export const STAT_FIELDS = 18;

export interface DirectoryEntry {
  name: string;
  ino: number;
  type: FileType;
}

/** Device numbers (rdev) of character devices, as on Linux. */
export const DEVICE = { null: 0x103, zero: 0x105, random: 0x108, urandom: 0x109, tty: 0x500 } as const;

/**
 * The file tree in shared memory. Paths are absolute POSIX paths; `.`, `..`, repeated and trailing slashes are resolved here,
 * physically (`..` after a link goes to the link target's parent), a trailing slash demands a directory. Inodes are positive integers; 1 is the root.
 */
export interface FileTree {
  /** Inode at `path`, or ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG. */
  lookup(path: string, followLast?: boolean): number;
  typeOf(ino: number): FileType;
  sizeOf(ino: number): number;
  modeOf(ino: number): number;
  rdevOf(ino: number): number;
  /** Changes with every write to the file's content: the key of content caches. */
  versionOf(ino: number): number;
  /** Absolute path of a linked inode (the first link of a file). */
  pathOf(ino: number): string;
  /** Fills `out` (Float64Array or BigInt64Array of at least STAT_FIELDS) in Node's order. */
  stat(ino: number, out: Float64Array | BigInt64Array): number;

  /** Creates a regular file or returns the existing inode (EEXIST when `exclusive`). `mode` is the permission bits. */
  create(path: string, mode: number, exclusive?: boolean): number;
  mkdir(path: string, mode: number): number;
  rmdir(path: string): number;
  unlink(path: string): number;
  rename(from: string, to: string): number;
  link(existing: string, path: string): number;
  symlink(target: string, path: string): number;
  makeDevice(path: string, mode: number, rdev: number): number;
  /** The name of a Unix socket; it has no content and can't be opened. */
  makeSocket(path: string, mode: number): number;
  readlink(path: string): string | number;
  /** Entries in code-unit order of their names (as Node's scandir sorts them). */
  list(ino: number): DirectoryEntry[] | number;

  /** Copies at most `target.length` bytes from `position`; returns the count, 0 at the end. */
  read(ino: number, target: Uint8Array, position: number): number;
  /** Copies all of `source` to `position` (a gap is zero-filled); returns source.length, ENOSPC or EFBIG. */
  write(ino: number, source: Uint8Array, position: number): number;
  /** Writes at the end, atomically against other writers; returns source.length. */
  append(ino: number, source: Uint8Array): number;
  truncate(ino: number, size: number): number;
  /** The whole file decoded as UTF-8 (BOM kept, invalid sequences replaced). */
  readText(ino: number): string;

  setMode(ino: number, mode: number): number;
  setOwner(ino: number, uid: number, gid: number): number;
  /** Times in milliseconds since the epoch, fractions allowed; undefined leaves one as it is. */
  setTimes(ino: number, atimeMs: number | undefined, mtimeMs: number | undefined): number;

  /** 0, or EROFS where a policy (confine.ts) forbids to change the file: what opening it for writing answers. */
  mayWrite(ino: number): number;

  /** An open file keeps its content after unlink: every open description holds one. */
  retain(ino: number): void;
  release(ino: number): void;

  /** Sequence number of the newest change. */
  changeSequence(): number;
  /** Resolves when the newest change is another one than `since`, which may be now. Writers wake who waits; nobody has to look now and then. */
  whenChanged(since: number): Promise<void>;
  /** Changes after `since`, oldest first; `undefined` when the log has wrapped and the reader must rescan. */
  changesSince(since: number): TreeChange[] | undefined;

  usage(): { inodes: number; bytes: number; capacityBytes: number };
}

/** What a process may do with files. Inherited by everything that it starts, and never lifted. */
export interface FilePolicy {
  /** Absolute paths of directories below which it may change things; undefined: everywhere. Devices and pipes are always writable. */
  writable?: readonly string[];
  /** Names of files and directories that don't exist for it, wherever they are: globs with `*` and `?`; `!` in front shows again, the last match wins. */
  hidden?: readonly string[];
}

export interface TreeChange {
  sequence: number;
  /** `rename`: an entry appeared or disappeared; `change`: content or attributes changed. */
  kind: 'rename' | 'change';
  ino: number;
  /** Inode of the directory that holds the entry. */
  parent: number;
  name: string;
}
