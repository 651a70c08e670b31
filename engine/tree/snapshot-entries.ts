// Snapshots as lists of entries with their contents, for those who have no tree: programs in foreign computers, wire formats, tests.
import { encodeEntry, FRAME, frameWriter, MAX_FRAME_BYTES, SNAPSHOT_MAGIC } from './snapshot-format.ts';
import { openSnapshotStream, type SnapshotReadOptions } from './snapshot-stream.ts';
import { FILE_TYPE } from './types.ts';

/** `path` is relative, `/`-separated, without `.`, `..` or empty segments. Without `mtimeMs` it is the time of encoding. */
export type SnapshotEntry =
  | { kind: 'directory'; path: string; mode: number; mtimeMs?: number }
  | { kind: 'file'; path: string; mode: number; mtimeMs: number; contents: Uint8Array }
  | { kind: 'symlink'; path: string; target: string; mtimeMs?: number };

/** The snapshot of these entries; directories that are named must come before what is in them. */
export function encodeSnapshot(entries: Iterable<SnapshotEntry>): Uint8Array<ArrayBuffer> {
  const now = Date.now();
  const parts: Uint8Array[] = [SNAPSHOT_MAGIC];
  const frame = frameWriter();
  for (const entry of entries) {
    const { path, mtimeMs = now } = entry;
    const facts = { path, mtimeMs, mode: entry.kind === 'symlink' ? 0o777 : entry.mode, size: 0, target: '' };
    switch (entry.kind) {
      case 'directory':
        parts.push(frame(FRAME.entry, encodeEntry({ ...facts, kind: FILE_TYPE.directory })));
        break;
      case 'symlink':
        parts.push(frame(FRAME.entry, encodeEntry({ ...facts, kind: FILE_TYPE.symlink, target: entry.target })));
        break;
      case 'file': {
        const { contents } = entry;
        parts.push(frame(FRAME.entry, encodeEntry({ ...facts, kind: FILE_TYPE.file, size: contents.length })));
        for (let at = 0; at < contents.length; at += MAX_FRAME_BYTES)
          parts.push(frame(FRAME.content, contents.subarray(at, at + MAX_FRAME_BYTES)));
        break;
      }
    }
  }
  parts.push(frame(FRAME.end));
  return joinBytes(parts);
}

/** The entries of a snapshot. Throws an Error that says what is wrong with a bad one. */
export function decodeSnapshot(bytes: Uint8Array, options?: SnapshotReadOptions): SnapshotEntry[] {
  const entries: SnapshotEntry[] = [];
  let contents = new Uint8Array(0);
  let written = 0;
  const reader = openSnapshotStream(
    {
      entry({ kind, path, mode, mtimeMs, size, target }) {
        if (kind === FILE_TYPE.directory) entries.push({ kind: 'directory', path, mode, mtimeMs });
        else if (kind === FILE_TYPE.symlink) entries.push({ kind: 'symlink', path, target, mtimeMs });
        else {
          // Not more than there can be: the size is only what the entry says.
          if (size > bytes.length) throw new Error(`the snapshot is cut off in the content of ${path}`);
          contents = new Uint8Array(size);
          written = 0;
          entries.push({ kind: 'file', path, mode, mtimeMs, contents });
        }
      },
      content(piece) {
        contents.set(piece, written);
        written += piece.length;
      },
      fileEnd() {},
      end() {},
      fail() {},
    },
    options,
  );
  reader.push(bytes);
  reader.end();
  return entries;
}

/** One run of bytes. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
