// Snapshots in and out of the tree, as the page and the build have them: one run of bytes.
import { isFirstSnapshot, readFirstSnapshot } from '../tree/first-snapshots';
import { openSnapshotReader, writeSnapshot } from '../tree/snapshot';
import { encodeSnapshot, joinBytes } from '../tree/snapshot-entries';
import { openSnapshotStream } from '../tree/snapshot-stream';
import type { FileTree } from '../tree/types';
import { checked } from './failure';
import { parentOf } from './files';

const PIECE_BYTES = 1 << 20;
const NOWHERE = { entry() {}, content() {}, fileEnd() {}, end() {}, fail() {} };

/** Everything below `path`, devices left out. */
export function takeSnapshot(tree: FileTree, path: string): Uint8Array<ArrayBuffer> {
  checked(tree.lookup(path), 'scandir', path);
  return joinBytes([...writeSnapshot(tree, path)]);
}

/**
 * Writes a snapshot below the existing directory `path`, over what is there. `pause` is awaited now and then, so that a large mount does not block
 * its worker. Rejects before anything is written when the snapshot is bad or a link in it leads out of it.
 */
export async function mountSnapshot(
  tree: FileTree,
  snapshot: Uint8Array,
  path: string,
  pause: (fraction: number) => Promise<void>,
): Promise<void> {
  const base = tree.pathOf(checked(tree.lookup(path), 'mount', path));
  if (isFirstSnapshot(snapshot)) {
    const entries = readFirstSnapshot(snapshot, base.slice(base.lastIndexOf('/') + 1));
    return write(tree, encodeSnapshot(entries), parentOf(base), pause);
  }
  return write(tree, snapshot, base, pause);
}

async function write(
  tree: FileTree,
  snapshot: Uint8Array,
  root: string,
  pause: (fraction: number) => Promise<void>,
): Promise<void> {
  const trial = openSnapshotStream(NOWHERE);
  trial.push(snapshot);
  trial.end();
  const reader = openSnapshotReader(tree, root);
  for (let at = 0; at < snapshot.length; at += PIECE_BYTES) {
    reader.push(snapshot.subarray(at, at + PIECE_BYTES));
    await pause(at / snapshot.length);
  }
  reader.end();
}
