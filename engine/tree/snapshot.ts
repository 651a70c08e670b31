// Writes a subtree as a snapshot stream and reads one into the tree. The reader trusts nothing: it follows no link, writes below its root only, and
// counts what it takes. It works as the bytes come, so an error leaves what was complete before it; a file that was under way is removed.
import { ENOSPC } from '../memory/errno';
import {
  decodeEntry,
  encodeEntry,
  encodeFrame,
  FRAME,
  FRAME_HEADER_BYTES,
  frameChecksum,
  MAX_FRAME_BYTES,
  quoted,
  SNAPSHOT_MAGIC,
  type SnapshotEntry,
} from './snapshot-format';
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
  let checksum = 0;
  let count = 0;
  const stat = new Float64Array(STAT_FIELDS);
  const frame = (type: number, payload: Uint8Array): Uint8Array => {
    const encoded = encodeFrame(type, payload, checksum);
    checksum = encoded.checksum;
    return encoded.frame;
  };
  const directory = tree.lookup(root);
  if (directory < 0 || tree.typeOf(directory) !== FILE_TYPE.directory) throw new Error(`${root} is not a directory`);
  yield* below(directory, '');
  const total = new Uint8Array(4);
  new DataView(total.buffer).setUint32(0, count, true);
  yield frame(FRAME.end, total);

  function* below(parent: number, prefix: string): Generator<Uint8Array> {
    const listed = tree.list(parent);
    // Removed while we were on the way to it.
    if (typeof listed === 'number') return;
    for (const { name, ino, type } of listed) {
      const path = `${prefix}${name}`;
      if (type === FILE_TYPE.character || options.exclude?.(path) || tree.stat(ino, stat) < 0) continue;
      count++;
      const entry: SnapshotEntry = {
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

export interface SnapshotReadOptions {
  /** Most entries and bytes of content that are taken; a million and 2 GiB when not given. */
  maxEntries?: number;
  maxBytes?: number;
  /** `inside` (when not given): a link may only point below the root. `any`: for snapshots that we have made ourselves. */
  links?: 'inside' | 'any';
}

export interface SnapshotCounts {
  entries: number;
  bytes: number;
}

export interface SnapshotReader {
  /** Takes the next bytes of the stream, cut anywhere. Throws an Error that names the entry when something is wrong; then the reader is done. */
  push(bytes: Uint8Array): void;
  /** Says that the stream is over; throws when it is not complete. */
  end(): SnapshotCounts;
}

const MAX_DEPTH = 128;
const MAX_NAME_BYTES = 255;
const encoder = new TextEncoder();

/** Reads a snapshot into the existing directory `root`, over what is there. Throws when there is no such directory. */
export function openSnapshotReader(tree: FileTree, root: string, options: SnapshotReadOptions = {}): SnapshotReader {
  const { maxEntries = 1_000_000, maxBytes = 2 ** 31, links = 'inside' } = options;
  const directory = tree.lookup(root);
  if (directory < 0 || tree.typeOf(directory) !== FILE_TYPE.directory) throw new Error(`${root} is not a directory`);
  const base = tree.pathOf(directory) === '/' ? '' : tree.pathOf(directory);
  const counts: SnapshotCounts = { entries: 0, bytes: 0 };
  let waiting = new Uint8Array(0);
  let state: 'magic' | 'frames' | 'complete' | 'failed' = 'magic';
  let checksum = 0;
  /** The file whose content is to come. */
  let open: { entry: SnapshotEntry; ino: number; written: number } | undefined;
  /** Directory times are set last: what is made in them would change them. */
  const directories: SnapshotEntry[] = [];

  const must = (result: number, path: string): number => {
    if (result >= 0) return result;
    const why = result === ENOSPC ? 'the memory is full' : `errno ${result}`;
    throw new Error(`${quoted(path)} of the snapshot could not be written: ${why}`);
  };

  const checkPath = (path: string): void => {
    const segments = path.split('/');
    if (segments.length > MAX_DEPTH) throw new Error(`the snapshot names a path that is too deep: ${quoted(path)}`);
    for (const segment of segments) {
      if (segment === '' || segment === '.' || segment === '..' || segment.includes('\0'))
        throw new Error(`the snapshot names a path that is not allowed: ${quoted(path)}`);
      if (encoder.encode(segment).length > MAX_NAME_BYTES)
        throw new Error(`the snapshot has a name that is too long: ${quoted(path)}`);
    }
    for (let count = 1; count < segments.length; count++) {
      const parent = segments.slice(0, count).join('/');
      const ino = tree.lookup(`${base}/${parent}`, false);
      if (ino < 0 || tree.typeOf(ino) !== FILE_TYPE.directory)
        throw new Error(`the snapshot puts ${quoted(path)} into ${quoted(parent)}, which is not a directory`);
    }
  };

  const checkTarget = ({ path, target }: SnapshotEntry): void => {
    if (links === 'any') return;
    const segments = target.split('/');
    const depth = path.split('/').length - 1;
    const ups = segments.findIndex((segment) => segment !== '..' && segment !== '.');
    const leading = segments.slice(0, ups < 0 ? segments.length : ups).filter((segment) => segment === '..').length;
    // A `..` after a name goes up from wherever a link of that name leads: only leading ones can be counted.
    if (target.startsWith('/') || leading > depth || (ups >= 0 && segments.slice(ups).includes('..')))
      throw new Error(`the link ${quoted(path)} of the snapshot leads out of it, to ${quoted(target)}`);
  };

  const takeEntry = (entry: SnapshotEntry): void => {
    if (++counts.entries > maxEntries) throw new Error(`the snapshot has more than ${maxEntries} entries`);
    if ((counts.bytes += entry.size) > maxBytes)
      throw new Error(`the snapshot is larger than ${maxBytes} bytes, with ${quoted(entry.path)}`);
    checkPath(entry.path);
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
        checkTarget(entry);
        if (existing > 0) must(tree.unlink(path), entry.path);
        must(tree.symlink(entry.target, path), entry.path);
        must(tree.setTimes(tree.lookup(path, false), undefined, entry.mtimeMs), entry.path);
        return;
      case FILE_TYPE.file: {
        // A new inode: neither a link nor another name of what is there is written through.
        if (existing > 0) must(tree.unlink(path), entry.path);
        const ino = must(tree.create(path, entry.mode, true), entry.path);
        open = { entry, ino, written: 0 };
        if (entry.size === 0) closeFile();
        return;
      }
    }
  };

  const closeFile = (): void => {
    if (!open) return;
    const { entry, ino } = open;
    open = undefined;
    must(tree.setMode(ino, entry.mode), entry.path);
    must(tree.setTimes(ino, undefined, entry.mtimeMs), entry.path);
  };

  const takeFrame = (type: number, payload: Uint8Array): void => {
    if (open && type !== FRAME.content)
      throw new Error(`the content of ${quoted(open.entry.path)} in the snapshot is cut off`);
    switch (type) {
      case FRAME.entry:
        takeEntry(decodeEntry(payload));
        return;
      case FRAME.content:
        if (!open || payload.length === 0 || open.written + payload.length > open.entry.size)
          throw new Error('the snapshot has content that belongs to no file');
        must(tree.write(open.ino, payload, open.written), open.entry.path);
        open.written += payload.length;
        if (open.written === open.entry.size) closeFile();
        return;
      case FRAME.end:
        if (
          payload.length !== 4 ||
          new DataView(payload.buffer, payload.byteOffset).getUint32(0, true) !== counts.entries
        )
          throw new Error('the snapshot does not have as many entries as it says');
        for (const { path, mode, mtimeMs } of directories.reverse()) {
          const ino = must(tree.lookup(`${base}/${path}`, false), path);
          must(tree.setMode(ino, mode), path);
          must(tree.setTimes(ino, undefined, mtimeMs), path);
        }
        state = 'complete';
        return;
      default:
        throw new Error(`the snapshot has a frame of the unknown type ${type}`);
    }
  };

  /** Takes what is complete from the front of `waiting`; returns how many bytes that was. */
  const takeWaiting = (): number => {
    let at = 0;
    if (state === 'magic') {
      const length = Math.min(waiting.length, SNAPSHOT_MAGIC.length);
      for (let index = 0; index < length; index++)
        if (waiting[index] !== SNAPSHOT_MAGIC[index])
          throw new Error('this is not a snapshot, or one of another version');
      if (length < SNAPSHOT_MAGIC.length) return 0;
      at = length;
      state = 'frames';
    }
    while (state === 'frames' && waiting.length - at >= FRAME_HEADER_BYTES) {
      const view = new DataView(waiting.buffer, waiting.byteOffset + at);
      const length = view.getUint32(0, true);
      if (length > MAX_FRAME_BYTES) throw new Error(`the snapshot is damaged after entry ${counts.entries}`);
      if (waiting.length - at < FRAME_HEADER_BYTES + length) break;
      const frame = waiting.subarray(at, at + FRAME_HEADER_BYTES + length);
      checksum = frameChecksum(frame, checksum);
      if (checksum !== view.getUint32(5, true))
        throw new Error(`the snapshot is damaged after entry ${counts.entries}`);
      takeFrame(view.getUint8(4), frame.subarray(FRAME_HEADER_BYTES));
      at += frame.length;
    }
    if (state === 'complete' && at < waiting.length) throw new Error('the snapshot goes on after its end');
    return at;
  };

  const fail = (): void => {
    state = 'failed';
    if (open) tree.unlink(`${base}/${open.entry.path}`);
    open = undefined;
  };

  return {
    push(bytes) {
      if (state === 'failed') throw new Error('the snapshot has failed already');
      const joined = new Uint8Array(waiting.length + bytes.length);
      joined.set(waiting);
      joined.set(bytes, waiting.length);
      waiting = joined;
      try {
        waiting = waiting.slice(takeWaiting());
      } catch (error) {
        fail();
        throw error;
      }
    },
    end() {
      if (state === 'complete') return counts;
      const where = open ? `in the content of ${quoted(open.entry.path)}` : `after entry ${counts.entries}`;
      fail();
      throw new Error(`the snapshot is cut off ${where}`);
    },
  };
}
