// The format of snapshots before this one, read only: a version that is out in the world kept node_modules in browsers' databases with it.
// Layout: magic, index length (uint32 LE), index (UTF-8 JSON array of Entry), contents in the order of the index.
import type { SnapshotEntry } from './snapshot-entries';
import { checkPath, leadsOut } from './snapshot-stream';

const MAGIC = 'CLSNAP1\n';

/** Whether these bytes begin like one. */
export function isFirstSnapshot(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) === MAGIC;
}

/**
 * Its entries, below `directory`; contents are views into `bytes`. Links that lead out of where `directory` lies are left out: that format had them,
 * the present one does not take them. Throws an Error that says what is wrong with a bad one.
 */
export function readFirstSnapshot(bytes: Uint8Array, directory: string): SnapshotEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = MAGIC.length + 4 + (bytes.length < MAGIC.length + 4 ? 0 : view.getUint32(MAGIC.length, true));
  if (start > bytes.length) throw new Error('the snapshot is cut off in its index');
  const index: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(MAGIC.length + 4, start)));
  if (!Array.isArray(index)) throw new Error('the snapshot has no index');
  let at = start;
  const entries: SnapshotEntry[] = [];
  for (const raw of index as unknown[][]) {
    if (typeof raw?.[1] !== 'string') throw new Error('an entry of the snapshot has no path');
    checkPath(raw[1]);
    const path = `${directory}/${raw[1]}`;
    switch (raw[0]) {
      case 'd':
        entries.push({ kind: 'directory', path, mode: numberOf(raw[2]) & 0o7777 });
        break;
      case 'l': {
        const target = String(raw[2]);
        if (!leadsOut(path, target)) entries.push({ kind: 'symlink', path, target });
        break;
      }
      case 'f': {
        const size = numberOf(raw[4]);
        if (at + size > bytes.length) throw new Error(`the snapshot is cut off in ${path}`);
        const contents = bytes.subarray(at, at + size);
        at += size;
        entries.push({ kind: 'file', path, mode: numberOf(raw[2]) & 0o7777, mtimeMs: numberOf(raw[3]), contents });
        break;
      }
      default:
        throw new Error(`the snapshot has an entry of the unknown kind ${String(raw[0])}`);
    }
  }
  return entries;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new Error('a number in the snapshot is none');
  return value;
}
