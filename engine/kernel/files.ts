// File operations for the page, straight on the shared tree. Every failure is a Failure with Node's code;
// whole directories are handled here so that one call crosses the port, not one per file.
import { EEXIST, EINVAL, EISDIR, ENOENT } from '../memory/errno';
import { FILE_TYPE, type FileTree, type FileType, STAT_FIELDS } from '../tree/types';
import { checked, failure } from './failure';
import type { EntryKind, FileCalls } from './page-protocol';

const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;
const CHUNK_BYTES = 1 << 20;
/** Places in the stat array. */
export const STAT = { mtimeSeconds: 12, mtimeNanoseconds: 13 } as const;

/** Directory part of an absolute path. */
export function parentOf(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(0, trimmed.lastIndexOf('/')) || '/';
}

/** `a/b` for a directory and a name, without doubling the root's slash. */
export function joinPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** All bytes of a file. */
export function readAll(tree: Pick<FileTree, 'sizeOf' | 'read'>, ino: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(tree.sizeOf(ino));
  let done = 0;
  while (done < bytes.length) {
    const count = tree.read(ino, done === 0 ? bytes : bytes.subarray(done), done);
    if (count < 0) throw failure(count, 'read');
    if (count === 0) break;
    done += count;
  }
  return done === bytes.length ? bytes : bytes.slice(0, done);
}

/** Milliseconds since the epoch; 0 for what is gone. */
export function mtimeMsOf(tree: Pick<FileTree, 'stat'>, ino: number): number {
  const fields = new Float64Array(STAT_FIELDS);
  if (tree.stat(ino, fields) < 0) return 0;
  return fields[STAT.mtimeSeconds] * 1000 + fields[STAT.mtimeNanoseconds] / 1e6;
}

/** Page-side file operations on `tree`. */
export function createFiles(tree: FileTree): FileCalls {
  const lookup = (path: string, syscall: string, followLast = true): number => {
    if (!path.startsWith('/')) throw failure(EINVAL, syscall, path);
    return checked(tree.lookup(path, followLast), syscall, path);
  };

  const makeDirectory = (path: string): void => {
    const known = tree.lookup(path);
    if (known > 0) {
      if (tree.typeOf(known) !== FILE_TYPE.directory) throw failure(EEXIST, 'mkdir', path);
      return;
    }
    if (known !== ENOENT) throw failure(known, 'mkdir', path);
    if (path !== '/') makeDirectory(parentOf(path));
    const made = tree.mkdir(path, DIRECTORY_MODE);
    if (made !== EEXIST) checked(made, 'mkdir', path);
  };

  const writeBytes = (path: string, contents: Uint8Array): number => {
    const ino = checked(tree.create(path, FILE_MODE), 'open', path);
    if (tree.typeOf(ino) === FILE_TYPE.directory) throw failure(EISDIR, 'open', path);
    for (let at = 0; at < contents.length; at += CHUNK_BYTES) {
      checked(tree.write(ino, contents.subarray(at, at + CHUNK_BYTES), at), 'write', path);
    }
    if (tree.sizeOf(ino) !== contents.length || contents.length === 0) {
      checked(tree.truncate(ino, contents.length), 'ftruncate', path);
    }
    return ino;
  };

  const write = (path: string, contents: Uint8Array): void => {
    const existing = tree.lookup(path);
    if (existing > 0 && tree.typeOf(existing) === FILE_TYPE.directory) throw failure(EISDIR, 'open', path);
    if (existing === ENOENT) {
      const parent = tree.lookup(parentOf(path));
      if (parent === ENOENT) makeDirectory(parentOf(path));
    } else if (existing < 0) throw failure(existing, 'open', path);
    writeBytes(path, contents);
  };

  const entries = (ino: number, path: string) => {
    const listed = tree.list(ino);
    if (typeof listed === 'number') throw failure(listed, 'scandir', path);
    return listed;
  };

  const copyEntry = (from: string, to: string): void => {
    const ino = lookup(from, 'copyfile', false);
    switch (tree.typeOf(ino)) {
      case FILE_TYPE.directory:
        makeDirectory(to);
        for (const { name } of entries(ino, from)) copyEntry(joinPath(from, name), joinPath(to, name));
        return;
      case FILE_TYPE.symlink: {
        const target = tree.readlink(from);
        if (typeof target === 'number') throw failure(target, 'readlink', from);
        if (tree.lookup(to, false) > 0) checked(tree.unlink(to), 'unlink', to);
        checked(tree.symlink(target, to), 'symlink', target, to);
        return;
      }
      case FILE_TYPE.file: {
        const copied = writeBytes(to, readAll(tree, ino));
        checked(tree.setMode(copied, tree.modeOf(ino) & 0o7777), 'chmod', to);
        return;
      }
      case FILE_TYPE.character:
      case FILE_TYPE.socket:
        throw failure(EINVAL, 'copyfile', from, to);
    }
  };

  const removeEntry = (path: string): void => {
    const ino = lookup(path, 'rm', false);
    if (tree.typeOf(ino) !== FILE_TYPE.directory) {
      checked(tree.unlink(path), 'rm', path);
      return;
    }
    for (const { name } of entries(ino, path)) removeEntry(joinPath(path, name));
    checked(tree.rmdir(path), 'rm', path);
  };

  const makeParent = (path: string): void => {
    if (tree.lookup(parentOf(path)) === ENOENT) makeDirectory(parentOf(path));
  };

  return {
    read(path) {
      const ino = lookup(path, 'open');
      if (tree.typeOf(ino) === FILE_TYPE.directory) throw failure(EISDIR, 'read', path);
      return readAll(tree, ino);
    },
    write,
    list: (path) => entries(lookup(path, 'scandir'), path).map(({ name, type }) => ({ name, kind: kindOf(type) })),
    stat(path) {
      const ino = lookup(path, 'stat');
      return {
        kind: kindOf(tree.typeOf(ino)),
        size: tree.sizeOf(ino),
        mtimeMs: mtimeMsOf(tree, ino),
        mode: tree.modeOf(ino) & 0o7777,
      };
    },
    exists: (path) => path.startsWith('/') && tree.lookup(path) > 0,
    makeDirectory,
    move(from, to) {
      lookup(from, 'rename', false);
      makeParent(to);
      checked(tree.rename(from, to), 'rename', from, to);
    },
    copy(from, to) {
      const source = tree.pathOf(lookup(from, 'cp', false));
      if (`${to}/`.startsWith(`${source}/`)) throw failure(EINVAL, 'cp', from, to);
      makeParent(to);
      copyEntry(from, to);
    },
    remove: removeEntry,
    realpath: (path) => tree.pathOf(lookup(path, 'realpath')),
    readlink(path) {
      lookup(path, 'readlink', false);
      const target = tree.readlink(path);
      if (typeof target === 'number') throw failure(target, 'readlink', path);
      return target;
    },
    setMode: (path, mode) => void checked(tree.setMode(lookup(path, 'chmod'), mode & 0o7777), 'chmod', path),
  };
}

/** The page's word for a file type. */
export function kindOf(type: FileType): EntryKind {
  switch (type) {
    case FILE_TYPE.file:
      return 'file';
    case FILE_TYPE.directory:
      return 'directory';
    case FILE_TYPE.symlink:
      return 'symlink';
    case FILE_TYPE.character:
    case FILE_TYPE.socket:
      return 'other';
  }
}
