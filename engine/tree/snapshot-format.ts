// A subtree as a stream of frames, so that neither side ever holds more than one frame. Every checksum is seeded with the one before it: a frame that
// is changed, missing, repeated or out of order is noticed where it is.
// Layout: "CLTREE1\n", then frames: payload length (u32 LE), type (u8), checksum (u32 LE) over length, type and payload, payload.
// Entry payload: kind (u8: a FILE_TYPE), mode (u16), mtimeMs (f64), size (f64: of a file's content), path length (u16), path, link target; UTF-8.
// A file's content follows in content frames. The end frame holds the number of entries (u32).
import { xxHash32 } from './checksum.ts';
import { FILE_TYPE } from './types.ts';

export const SNAPSHOT_MAGIC = new TextEncoder().encode('CLTREE1\n');
export const FRAME_HEADER_BYTES = 9;
/** The largest payload of a frame: a piece of content. */
export const MAX_FRAME_BYTES = 256 * 1024;
export const FRAME = { entry: 1, content: 2, end: 3 } as const;

export interface EntryHeader {
  kind: typeof FILE_TYPE.file | typeof FILE_TYPE.directory | typeof FILE_TYPE.symlink;
  /** Relative to the snapshot's root, `/`-separated. */
  path: string;
  mode: number;
  mtimeMs: number;
  /** Bytes of content that follow; 0 but for files. */
  size: number;
  /** Of a symlink, else ''. */
  target: string;
}

const FIELDS_BYTES = 21;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

export function encodeEntry({ kind, path, mode, mtimeMs, size, target }: EntryHeader): Uint8Array {
  const pathBytes = encoder.encode(path);
  const targetBytes = encoder.encode(target);
  const payload = new Uint8Array(FIELDS_BYTES + pathBytes.length + targetBytes.length);
  const view = new DataView(payload.buffer);
  view.setUint8(0, kind);
  view.setUint16(1, mode, true);
  view.setFloat64(3, mtimeMs, true);
  view.setFloat64(11, size, true);
  view.setUint16(19, pathBytes.length, true);
  payload.set(pathBytes, FIELDS_BYTES);
  payload.set(targetBytes, FIELDS_BYTES + pathBytes.length);
  return payload;
}

/** The entry in a payload; throws an Error when it is none. What the path says is not judged here. */
export function decodeEntry(payload: Uint8Array): EntryHeader {
  if (payload.length < FIELDS_BYTES) throw new Error('the snapshot has an entry that is too short');
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const kind = view.getUint8(0);
  const pathEnd = FIELDS_BYTES + view.getUint16(19, true);
  if (pathEnd > payload.length) throw new Error('the snapshot has an entry whose path is cut off');
  let path: string;
  let target: string;
  try {
    path = decoder.decode(payload.subarray(FIELDS_BYTES, pathEnd));
    target = decoder.decode(payload.subarray(pathEnd));
  } catch {
    throw new Error('the snapshot has an entry whose path is not UTF-8');
  }
  if (kind !== FILE_TYPE.file && kind !== FILE_TYPE.directory && kind !== FILE_TYPE.symlink)
    throw new Error(`the snapshot says that ${quoted(path)} is of the unknown kind ${kind}`);
  const mtimeMs = view.getFloat64(3, true);
  const size = view.getFloat64(11, true);
  if (!Number.isFinite(mtimeMs)) throw new Error(`the snapshot has no time for ${quoted(path)}`);
  if (!Number.isSafeInteger(size) || size < 0 || (kind !== FILE_TYPE.file && size !== 0))
    throw new Error(`the snapshot has a wrong size for ${quoted(path)}`);
  if ((kind === FILE_TYPE.symlink) !== (target !== ''))
    throw new Error(`the snapshot has no or a needless link target for ${quoted(path)}`);
  return { kind, path, mode: view.getUint16(1, true) & 0o7777, mtimeMs, size, target };
}

/** A path for a message: quoted, and not endless. */
export function quoted(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

/** A whole frame, and the checksum that seeds the next. */
export function encodeFrame(type: number, payload: Uint8Array, seed: number): { frame: Uint8Array; checksum: number } {
  const frame = new Uint8Array(FRAME_HEADER_BYTES + payload.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, payload.length, true);
  view.setUint8(4, type);
  frame.set(payload, FRAME_HEADER_BYTES);
  const checksum = frameChecksum(frame, seed);
  view.setUint32(5, checksum, true);
  return { frame, checksum };
}

/** Makes the frames of one snapshot in order; the end frame's payload is the number of entries. */
export function frameWriter(): (type: number, payload?: Uint8Array) => Uint8Array {
  let checksum = 0;
  let entries = 0;
  return (type, payload = new Uint8Array(4)) => {
    if (type === FRAME.entry) entries++;
    if (type === FRAME.end) new DataView(payload.buffer, payload.byteOffset).setUint32(0, entries, true);
    const encoded = encodeFrame(type, payload, checksum);
    checksum = encoded.checksum;
    return encoded.frame;
  };
}

/** Over length, type and payload of a whole frame. */
export function frameChecksum(frame: Uint8Array, seed: number): number {
  return xxHash32(frame.subarray(FRAME_HEADER_BYTES), xxHash32(frame.subarray(0, 5), seed));
}
