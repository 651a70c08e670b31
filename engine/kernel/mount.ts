// Snapshots in and out of the tree. A mount never writes through a symbolic link that was there before or came with the snapshot,
// so no entry can land outside the directory that is mounted on.
import { EEXIST } from '../memory/errno';
import { FILE_TYPE, type FileTree } from '../tree/types';
import { checked, failure } from './failure';
import { joinPath, readAll } from './files';
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from './snapshot';

/** Everything below `path`, devices left out. */
export function takeSnapshot(tree: FileTree, path: string): Uint8Array<ArrayBuffer> {
  return encodeSnapshot(entriesBelow(tree, checked(tree.lookup(path), 'scandir', path), path, ''));
}

function* entriesBelow(tree: FileTree, directory: number, path: string, prefix: string): Generator<SnapshotEntry> {
  const listed = tree.list(directory);
  if (typeof listed === 'number') throw failure(listed, 'scandir', path);
  for (const { name, ino, type } of listed) {
    const relative = `${prefix}${name}`;
    const absolute = joinPath(path, name);
    switch (type) {
      case FILE_TYPE.directory:
        yield { kind: 'directory', path: relative, mode: tree.modeOf(ino) & 0o7777 };
        yield* entriesBelow(tree, ino, absolute, `${relative}/`);
        break;
      case FILE_TYPE.symlink: {
        const target = tree.readlink(absolute);
        if (typeof target === 'string') yield { kind: 'symlink', path: relative, target };
        break;
      }
      case FILE_TYPE.file: {
        const stat = new Float64Array(18);
        tree.stat(ino, stat);
        const mtimeMs = stat[12] * 1000 + Math.floor(stat[13] / 1e6);
        yield { kind: 'file', path: relative, mode: tree.modeOf(ino) & 0o7777, mtimeMs, contents: readAll(tree, ino) };
        break;
      }
      case FILE_TYPE.character:
        break;
    }
  }
}

/**
 * Writes a snapshot below the existing directory `path`, over what is there. `pause` is awaited every few hundred files,
 * so that a large mount does not block its worker. Throws before anything is written when the snapshot is bad.
 */
export async function mountSnapshot(
  tree: FileTree,
  snapshot: Uint8Array,
  path: string,
  pause: (fraction: number) => Promise<void>,
): Promise<void> {
  const entries = decodeSnapshot(snapshot);
  const root = checked(tree.lookup(path), 'mount', path);
  const base = tree.pathOf(root);
  const directories = new Set<string>(['']);
  for (const [count, entry] of entries.entries()) {
    if (count % 200 === 199) await pause(count / entries.length);
    const parent = entry.path.slice(0, Math.max(entry.path.lastIndexOf('/'), 0));
    ensureDirectory(tree, base, parent, directories);
    mountEntry(tree, joinPath(base, entry.path), entry, directories);
  }
}

function ensureDirectory(tree: FileTree, base: string, relative: string, known: Set<string>): void {
  if (known.has(relative)) return;
  ensureDirectory(tree, base, relative.slice(0, Math.max(relative.lastIndexOf('/'), 0)), known);
  const path = joinPath(base, relative);
  const ino = tree.lookup(path, false);
  if (ino > 0 && tree.typeOf(ino) !== FILE_TYPE.directory) throw failure(EEXIST, 'mkdir', path);
  if (ino < 0) checked(tree.mkdir(path, 0o755), 'mkdir', path);
  known.add(relative);
}

function mountEntry(tree: FileTree, path: string, entry: SnapshotEntry, known: Set<string>): void {
  const existing = tree.lookup(path, false);
  const existingType = existing > 0 ? tree.typeOf(existing) : undefined;
  if (entry.kind === 'directory') {
    if (existingType !== undefined && existingType !== FILE_TYPE.directory) throw failure(EEXIST, 'mkdir', path);
    const ino = existing > 0 ? existing : checked(tree.mkdir(path, entry.mode), 'mkdir', path);
    checked(tree.setMode(ino, entry.mode), 'chmod', path);
    known.add(entry.path);
    return;
  }
  if (existingType === FILE_TYPE.symlink || (entry.kind === 'symlink' && existingType === FILE_TYPE.file)) {
    checked(tree.unlink(path), 'unlink', path);
  } else if (existingType === FILE_TYPE.directory) throw failure(EEXIST, 'open', path);
  if (entry.kind === 'symlink') {
    checked(tree.symlink(entry.target, path), 'symlink', entry.target, path);
    return;
  }
  const ino = checked(tree.create(path, entry.mode), 'open', path);
  if (existing > 0 && tree.sizeOf(ino) !== entry.contents.length) checked(tree.truncate(ino, 0), 'ftruncate', path);
  if (entry.contents.length > 0) checked(tree.write(ino, entry.contents, 0), 'write', path);
  checked(tree.setMode(ino, entry.mode), 'chmod', path);
  checked(tree.setTimes(ino, entry.mtimeMs, entry.mtimeMs), 'utimes', path);
}
