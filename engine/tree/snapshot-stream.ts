// Reads a snapshot as its bytes come, and judges everything that can be judged without a tree: checksums, counts, sizes, names, and where links lead.
// What does the writing (snapshot.ts, snapshot-entries.ts) gets only what has passed.
import {
  decodeEntry,
  type EntryHeader,
  FRAME,
  FRAME_HEADER_BYTES,
  frameChecksum,
  MAX_FRAME_BYTES,
  quoted,
  SNAPSHOT_MAGIC,
} from './snapshot-format.ts';
import { FILE_TYPE } from './types.ts';

export interface SnapshotReadOptions {
  /** Most entries and bytes of content that are taken; a million and 2 GiB when not given. */
  maxEntries?: number;
  maxBytes?: number;
  /** `inside` (when not given): a link may only point below the root. `any`: where links are only looked at. */
  links?: 'inside' | 'any';
}

export interface SnapshotCounts {
  entries: number;
  bytes: number;
}

/** Gets the entries in order, each file's content in pieces after it. What throws ends the reading. */
export interface SnapshotSink {
  entry(entry: EntryHeader): void;
  content(piece: Uint8Array): void;
  /** All of the last file's content has come (at once when it is empty). */
  fileEnd(): void;
  end(): void;
  /** The reading has failed, perhaps in the middle of a file. */
  fail(): void;
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

/** Reads into `sink`. */
export function openSnapshotStream(sink: SnapshotSink, options: SnapshotReadOptions = {}): SnapshotReader {
  const { maxEntries = 1_000_000, maxBytes = 2 ** 31, links = 'inside' } = options;
  const counts: SnapshotCounts = { entries: 0, bytes: 0 };
  let waiting = new Uint8Array(0);
  let state: 'magic' | 'frames' | 'complete' | 'failed' = 'magic';
  let checksum = 0;
  /** The file whose content is to come. */
  let open: { path: string; left: number } | undefined;

  const takeEntry = (entry: EntryHeader): void => {
    if (++counts.entries > maxEntries) throw new Error(`the snapshot has more than ${maxEntries} entries`);
    if ((counts.bytes += entry.size) > maxBytes)
      throw new Error(`the snapshot is larger than ${maxBytes} bytes, with ${quoted(entry.path)}`);
    checkPath(entry.path);
    if (entry.kind === FILE_TYPE.symlink && links === 'inside' && leadsOut(entry.path, entry.target))
      throw new Error(`the link ${quoted(entry.path)} of the snapshot leads out of it, to ${quoted(entry.target)}`);
    if (entry.kind === FILE_TYPE.file) open = { path: entry.path, left: entry.size };
    sink.entry(entry);
    if (open?.left === 0) closeFile();
  };

  const closeFile = (): void => {
    open = undefined;
    sink.fileEnd();
  };

  const takeFrame = (type: number, payload: Uint8Array): void => {
    if (open && type !== FRAME.content)
      throw new Error(`the content of ${quoted(open.path)} in the snapshot is cut off`);
    switch (type) {
      case FRAME.entry:
        takeEntry(decodeEntry(payload));
        return;
      case FRAME.content:
        if (!open || payload.length === 0 || payload.length > open.left)
          throw new Error('the snapshot has content that belongs to no file');
        sink.content(payload);
        open.left -= payload.length;
        if (open.left === 0) closeFile();
        return;
      case FRAME.end:
        if (
          payload.length !== 4 ||
          new DataView(payload.buffer, payload.byteOffset).getUint32(0, true) !== counts.entries
        )
          throw new Error('the snapshot does not have as many entries as it says');
        sink.end();
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
    sink.fail();
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
      const where = open ? `in the content of ${quoted(open.path)}` : `after entry ${counts.entries}`;
      fail();
      throw new Error(`the snapshot is cut off ${where}`);
    },
  };
}

/** Throws an Error when a path could name something outside, or something that no file system takes. */
export function checkPath(path: string): void {
  const segments = path.split('/');
  if (segments.length > MAX_DEPTH) throw new Error(`the snapshot names a path that is too deep: ${quoted(path)}`);
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..' || segment.includes('\0'))
      throw new Error(`the snapshot names a path that is not allowed: ${quoted(path)}`);
    if (encoder.encode(segment).length > MAX_NAME_BYTES)
      throw new Error(`the snapshot has a name that is too long: ${quoted(path)}`);
  }
}

/** Whether a link at `path` could lead out of the root. */
export function leadsOut(path: string, target: string): boolean {
  const segments = target.split('/');
  const depth = path.split('/').length - 1;
  const ups = segments.findIndex((segment) => segment !== '..' && segment !== '.');
  const leading = segments.slice(0, ups < 0 ? segments.length : ups).filter((segment) => segment === '..').length;
  // A `..` after a name goes up from wherever a link of that name leads: only leading ones can be counted.
  return target.startsWith('/') || leading > depth || (ups >= 0 && segments.slice(ups).includes('..'));
}
