// Node's fs in the shape that engine/kernel/search.ts walks, so that search means the same on every computer. An inode is a place in a list of paths.
import fs from 'node:fs';
import path from 'node:path';
import { STAT } from '../kernel/files';
import type { SearchedTree } from '../kernel/search';
import { type DirectoryEntry, FILE_TYPE, type FileType } from '../tree/types';

/** A tree for one search: what it has seen stays in its list. */
export function nodeTree(): SearchedTree {
  const paths: string[] = [''];
  const remember = (file: string): number => paths.push(file) - 1;

  return {
    lookup: (file) =>
      orErrno(() => {
        fs.statSync(file);
        return remember(file);
      }),
    list: (ino) =>
      orErrno(() =>
        fs
          .readdirSync(paths[ino], { withFileTypes: true })
          .sort((a, b) => (a.name < b.name ? -1 : 1))
          .map(
            (entry): DirectoryEntry => ({
              name: entry.name,
              ino: remember(path.join(paths[ino], entry.name)),
              type: typeOf(entry),
            }),
          ),
      ),
    sizeOf: (ino) =>
      Math.max(
        0,
        orErrno(() => fs.statSync(paths[ino]).size),
      ),
    stat: (ino, out) =>
      orErrno(() => {
        const { mtimeMs } = fs.statSync(paths[ino]);
        out.fill(0 as never);
        out[STAT.mtimeSeconds] = Math.floor(mtimeMs / 1000) as never;
        out[STAT.mtimeNanoseconds] = Math.round((mtimeMs % 1000) * 1e6) as never;
        return 0;
      }),
    read: (ino, target, position) =>
      orErrno(() => {
        const fd = fs.openSync(paths[ino], 'r');
        try {
          return fs.readSync(fd, target, 0, target.length, position);
        } finally {
          fs.closeSync(fd);
        }
      }),
    readText: (ino) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(fs.readFileSync(paths[ino])),
  };
}

function typeOf(entry: fs.Dirent): FileType {
  if (entry.isFile()) return FILE_TYPE.file;
  if (entry.isDirectory()) return FILE_TYPE.directory;
  return entry.isSymbolicLink() ? FILE_TYPE.symlink : FILE_TYPE.character;
}

/** Node's errors carry the negative errno that the tree would return. */
function orErrno<Value>(act: () => Value): Value | number {
  try {
    return act();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    return errno;
  }
}
