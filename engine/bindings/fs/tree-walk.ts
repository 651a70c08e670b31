// Whole-tree operations that libuv or Node's C++ do in one call: recursive mkdir and rm, copies.
import { EEXIST, EISDIR, ENOENT, ENOTDIR, ENXIO } from '../../memory/errno';
import type { FileTree } from '../../tree/types';
import { FILE_TYPE } from '../../tree/types';
import { check, Errno } from './request';

/** mkdir -p. Returns the first directory that it made, or undefined. */
export function makeDirectories(tree: FileTree, path: string, mode: number): string | undefined {
  let first: string | undefined;
  let current = '';
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    current += `/${segment}`;
    const ino = tree.lookup(current);
    if (ino === ENOENT) {
      const made = tree.mkdir(current, mode);
      if (made < 0 && made !== EEXIST) throw new Errno(made);
      if (made >= 0) first ??= current;
    } else if (ino < 0) throw new Errno(ino);
    else if (tree.typeOf(ino) !== FILE_TYPE.directory) {
      throw new Errno(current.length >= path.replace(/\/+$/, '').length ? EEXIST : ENOTDIR);
    }
  }
  return first;
}

/** The shortest beginning of `given` that names `first`, a directory on its way. */
export function leading(given: string, first: string, absolute: (path: string) => string): string {
  for (const { index } of given.matchAll(/(?<=[^/])\//g)) {
    const beginning = given.slice(0, index);
    if (absolute(beginning) === first) return beginning;
  }
  return given;
}

/** rm -r of something that exists. */
export function removeTree(tree: FileTree, path: string): void {
  const ino = check(tree.lookup(path, false));
  if (tree.typeOf(ino) !== FILE_TYPE.directory) {
    check(tree.unlink(path));
    return;
  }
  const entries = tree.list(ino);
  if (typeof entries === 'number') throw new Errno(entries);
  for (const entry of entries) removeTree(tree, `${path}/${entry.name}`);
  check(tree.rmdir(path));
}

/** Copies content and permission bits of one regular file. */
export function copyContents(tree: FileTree, from: string, to: string, exclusive: boolean): void {
  const source = check(tree.lookup(from));
  if (tree.typeOf(source) === FILE_TYPE.directory) throw new Errno(EISDIR);
  if (tree.typeOf(source) === FILE_TYPE.socket) throw new Errno(ENXIO);
  const target = check(tree.create(to, tree.modeOf(source) & 0o7777, exclusive));
  if (target === source) return;
  if (tree.typeOf(target) === FILE_TYPE.directory) throw new Errno(EISDIR);
  check(tree.truncate(target, 0));
  const size = tree.sizeOf(source);
  const buffer = new Uint8Array(Math.min(size, 1 << 20));
  for (let position = 0; position < size; ) {
    const count = check(tree.read(source, buffer, position));
    if (count === 0) break;
    check(tree.write(target, buffer.subarray(0, count), position));
    position += count;
  }
  check(tree.setMode(target, tree.modeOf(source) & 0o7777));
}
