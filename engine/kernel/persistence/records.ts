// What a pack says, record by record. A node is a file, directory or link without a name, under an id of the pack's own; entries name it. So a
// renamed directory is two small records, and a hard link is one more entry. All numbers are little-endian.
import { FILE_TYPE } from '../../tree/types';

/** Content is recorded in pieces of this many bytes, so that a small change of a large file is a small record. */
export const CHUNK_BYTES = 256 * 1024;

/** The largest payload that a pack holds: a whole chunk, with room for what is said about it. */
export const MAX_PAYLOAD_BYTES = CHUNK_BYTES + 16 * 1024;

/** The directory that holds the roots, by their absolute paths. It has no node record. */
export const TOP = 0;

export const RECORD_TYPE = { node: 1, chunk: 2, entry: 3, remove: 4, commit: 5 } as const;

/** The kinds of nodes that are kept. */
export type NodeType = typeof FILE_TYPE.file | typeof FILE_TYPE.directory | typeof FILE_TYPE.symlink;

/** Everything about a node but its content and its names. */
export interface NodeAttributes {
  id: number;
  type: NodeType;
  mode: number;
  uid: number;
  gid: number;
  mtimeMs: number;
  size: number;
  /** Of a symlink, else ''. */
  target: string;
}

export type PackRecord =
  /** Sets everything about a node but its content; a smaller size cuts the content. */
  | ({ kind: 'node' } & NodeAttributes)
  /** Chunk `index` of a file; when read back, the bytes lie at `at` in the storage. */
  | { kind: 'chunk'; id: number; index: number; at: number; length: number }
  /** `id` 0: the name is gone. */
  | { kind: 'entry'; parent: number; name: string; id: number }
  | { kind: 'remove'; id: number }
  | { kind: 'commit' };

const CHUNK_FIELDS_BYTES = 8;
const NODE_FIELDS_BYTES = 4 + 1 + 2 + 4 + 4 + 8 + 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Type and payload of a record; a chunk's bytes follow its payload. */
export function encodeRecord(record: PackRecord): { type: number; payload: Uint8Array } {
  switch (record.kind) {
    case 'node': {
      const target = encoder.encode(record.target);
      const payload = new Uint8Array(NODE_FIELDS_BYTES + target.length);
      const view = new DataView(payload.buffer);
      view.setUint32(0, record.id, true);
      view.setUint8(4, record.type);
      view.setUint16(5, record.mode, true);
      view.setUint32(7, record.uid, true);
      view.setUint32(11, record.gid, true);
      view.setFloat64(15, record.mtimeMs, true);
      view.setFloat64(23, record.size, true);
      payload.set(target, NODE_FIELDS_BYTES);
      return { type: RECORD_TYPE.node, payload };
    }
    case 'chunk': {
      const payload = new Uint8Array(CHUNK_FIELDS_BYTES);
      new DataView(payload.buffer).setUint32(0, record.id, true);
      new DataView(payload.buffer).setUint32(4, record.index, true);
      return { type: RECORD_TYPE.chunk, payload };
    }
    case 'entry': {
      const name = encoder.encode(record.name);
      const payload = new Uint8Array(8 + name.length);
      new DataView(payload.buffer).setUint32(0, record.parent, true);
      new DataView(payload.buffer).setUint32(4, record.id, true);
      payload.set(name, 8);
      return { type: RECORD_TYPE.entry, payload };
    }
    case 'remove': {
      const payload = new Uint8Array(4);
      new DataView(payload.buffer).setUint32(0, record.id, true);
      return { type: RECORD_TYPE.remove, payload };
    }
    case 'commit':
      return { type: RECORD_TYPE.commit, payload: new Uint8Array(0) };
  }
}

/** The record in a payload that lies at `at` in the storage; undefined when it makes no sense. */
export function decodeRecord(type: number, payload: Uint8Array, at: number): PackRecord | undefined {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  try {
    switch (type) {
      case RECORD_TYPE.node: {
        const nodeType = view.getUint8(4);
        if (nodeType !== FILE_TYPE.file && nodeType !== FILE_TYPE.directory && nodeType !== FILE_TYPE.symlink)
          return undefined;
        const size = view.getFloat64(23, true);
        if (!Number.isSafeInteger(size) || size < 0) return undefined;
        return {
          kind: 'node',
          id: view.getUint32(0, true),
          type: nodeType,
          mode: view.getUint16(5, true),
          uid: view.getUint32(7, true),
          gid: view.getUint32(11, true),
          mtimeMs: view.getFloat64(15, true),
          size,
          target: decoder.decode(payload.subarray(NODE_FIELDS_BYTES)),
        };
      }
      case RECORD_TYPE.chunk:
        return {
          kind: 'chunk',
          id: view.getUint32(0, true),
          index: view.getUint32(4, true),
          at: at + CHUNK_FIELDS_BYTES,
          length: payload.length - CHUNK_FIELDS_BYTES,
        };
      case RECORD_TYPE.entry: {
        const parent = view.getUint32(0, true);
        const name = decoder.decode(payload.subarray(8));
        return isName(name, parent) ? { kind: 'entry', parent, name, id: view.getUint32(4, true) } : undefined;
      }
      case RECORD_TYPE.remove:
        return { kind: 'remove', id: view.getUint32(0, true) };
      case RECORD_TYPE.commit:
        return { kind: 'commit' };
      default:
        return undefined;
    }
  } catch {
    // A payload that is too short, or a name that is not UTF-8.
    return undefined;
  }
}

/** No name may lead out of its directory; at the top, names are absolute paths without `.` or `..`. */
function isName(name: string, parent: number): boolean {
  if (name.includes('\0')) return false;
  if (parent !== TOP) return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
  return (
    name.startsWith('/') &&
    name
      .slice(1)
      .split('/')
      .every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
