// Writes a subtree as a snapshot stream and reads one into the tree. The reader trusts nothing: it follows no link and writes below its root only.
// It works as the bytes come, so an error leaves what was complete before it; a file that was under way is removed.
import { ENOENT, ENOSPC } from '../memory/errno';
import {
  type EntryHeader,
  encodeEntry,
  FRAME,
  frameWriter,
  MAX_FRAME_BYTES,
  quoted,
  SNAPSHOT_MAGIC,
} from './snapshot-format';
import { openSnapshotStream, type SnapshotReader, type SnapshotReadOptions } from './snapshot-stream';
import { FILE_TYPE, type FileTree, STAT_FIELDS } from './types';

export interface SnapshotWriteOptions {
  /** Given the path relative to the root; true leaves the entry, and all below it, out. */
  exclude?(path: string): boolean;
}

/** The frames of everything below the directory `root`, devices left out, parents first. Throws when `root` is no directory. */
export function* writeSnapshot(
  tree: FileTree,
  root: string,
  options: SnapshotWriteOptions = {},
): Generator<Uint8Array> {
  yield SNAPSHOT_MAGIC.slice();
  const stat = new Float64Array(STAT_FIELDS);
  const frame = frameWriter();
  const directory = tree.lookup(root);
  if (directory < 0 || tree.typeOf(directory) !== FILE_TYPE.directory) throw new Error(`${root} is not a directory`);
  yield* below(directory, '');
  yield frame(FRAME.end);

  function* below(parent: number, prefix: string): Generator<Uint8Array> {
    const listed = tree.list(parent);
    // Removed while we were on the way to it.
    if (typeof listed === 'number') return;
    for (const { name, ino, type } of listed) {
      const path = `${prefix}${name}`;
      if (
        type === FILE_TYPE.character ||
        type === FILE_TYPE.socket ||
        options.exclude?.(path) ||
        tree.stat(ino, stat) < 0
      )
        continue;
      const entry: EntryHeader = {
        kind: type,
        path,
        mode: stat[1] & 0o7777,
        mtimeMs: stat[12] * 1000 + stat[13] / 1e6,
        size: type === FILE_TYPE.file ? stat[8] : 0,
        target: type === FILE_TYPE.symlink ? tree.readText(ino) : '',
      };
      yield frame(FRAME.entry, encodeEntry(entry));
      if (type === FILE_TYPE.directory) yield* below(ino, `${path}/`);
      for (let at = 0; at < entry.size; at += MAX_FRAME_BYTES) {
        const piece = new Uint8Array(Math.min(MAX_FRAME_BYTES, entry.size - at));
        // A file that is cut meanwhile ends in zeros: its size has been told already.
        tree.read(ino, piece, at);
        yield frame(FRAME.content, piece);
      }
    }
  }
}

/** Reads a snapshot into the existing directory `root`, over what is there; parents that it does not name are made. Throws when there is no such directory. */
export function openSnapshotReader(tree: FileTree, root: string, options: SnapshotReadOptions = {}): SnapshotReader {
  const directory = tree.lookup(root);
  if (directory < 0 || tree.typeOf(directory) !== FILE_TYPE.directory) throw new Error(`${root} is not a directory`);
  const base = tree.pathOf(directory) === '/' ? '' : tree.pathOf(directory);
  let open: { entry: EntryHeader; ino: number; written: number } | undefined;
  /** Directory times are set last: what is made in them would change them. */
  const directories: EntryHeader[] = [];

  const must = (result: number, path: string): number => {
    if (result >= 0) return result;
    const why = result === ENOSPC ? 'the memory is full' : `errno ${result}`;
    throw new Error(`${quoted(path)} of the snapshot could not be written: ${why}`);
  };

  const ensureParents = (path: string): void => {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash);
      const ino = tree.lookup(`${base}/${parent}`, false);
      if (ino === ENOENT) must(tree.mkdir(`${base}/${parent}`, 0o755), parent);
      else if (ino < 0 || tree.typeOf(ino) !== FILE_TYPE.directory)
        throw new Error(`the snapshot puts ${quoted(path)} into ${quoted(parent)}, which is not a directory`);
    }
  };

  const setFacts = ({ path, mode, mtimeMs }: EntryHeader, ino: number): void => {
    must(tree.setMode(ino, mode), path);
    must(tree.setTimes(ino, undefined, mtimeMs), path);
  };

  return openSnapshotStream(
    {
      entry(entry) {
        ensureParents(entry.path);
        const path = `${base}/${entry.path}`;
        const existing = tree.lookup(path, false);
        const isDirectory = existing > 0 && tree.typeOf(existing) === FILE_TYPE.directory;
        if (existing > 0 && isDirectory !== (entry.kind === FILE_TYPE.directory))
          throw new Error(`${quoted(entry.path)} of the snapshot is in the way of what is there`);
        switch (entry.kind) {
          case FILE_TYPE.directory:
            if (existing < 0) must(tree.mkdir(path, entry.mode), entry.path);
            directories.push(entry);
            return;
          case FILE_TYPE.symlink:
            if (existing > 0) must(tree.unlink(path), entry.path);
            must(tree.symlink(entry.target, path), entry.path);
            must(tree.setTimes(tree.lookup(path, false), undefined, entry.mtimeMs), entry.path);
            return;
          case FILE_TYPE.file:
            // A new inode: neither a link nor another name of what is there is written through.
            if (existing > 0) must(tree.unlink(path), entry.path);
            open = { entry, ino: must(tree.create(path, entry.mode, true), entry.path), written: 0 };
            return;
        }
      },
      content(piece) {
        if (!open) return;
        must(tree.write(open.ino, piece, open.written), open.entry.path);
        open.written += piece.length;
      },
      fileEnd() {
        if (open) setFacts(open.entry, open.ino);
        open = undefined;
      },
      end() {
        for (const entry of directories.reverse())
          setFacts(entry, must(tree.lookup(`${base}/${entry.path}`, false), entry.path));
      },
      fail() {
        if (open) tree.unlink(`${base}/${open.entry.path}`);
        open = undefined;
      },
    },
    options,
  );
}
