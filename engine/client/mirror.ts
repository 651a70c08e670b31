// What a foreign computer's project holds, in a file tree of this page, so that the kernel's own code keeps it: in the same project file, by the same
// log. The page is the only party of its tree, so nothing waits for a lock.
import { createFiles } from '../kernel/files';
import { startKeeping } from '../kernel/keeping';
import { mountSnapshot, takeSnapshot } from '../kernel/mount';
import type { EntryStat, KernelPageMessage } from '../kernel/page-protocol';
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from '../kernel/snapshot';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree } from '../tree/tree';
import { FILE_TYPE } from '../tree/types';
import type { Engine } from './engine';

/** How the keeping stands, as an engine tells it. */
export type Keeping = Pick<Engine, 'subscribeSaving' | 'restored' | 'flush'>;

/** Paths are absolute. */
export interface Mirror extends Keeping {
  /** Undefined when there is nothing; links are not followed. */
  statOf(path: string): EntryStat | undefined;
  /** Names in a directory; none when it is no directory. */
  namesIn(path: string): string[];
  /** Puts a file, link or directory there, in place of what is. */
  put(path: string, entry: SnapshotEntry): Promise<void>;
  remove(path: string): void;
  /** All below a directory, but nothing in directories of the name `without`. */
  snapshot(path: string, without: string): Uint8Array;
}

/** The only party in the lock of the tree. */
const OWNER = 1;

/** A mirror with what the project file behind `port` holds. Rejects when that can't be read. */
export async function openMirror(
  port: MessagePort,
  roots: string[],
  onProgress: (fraction: number) => void,
): Promise<Mirror> {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory, OWNER);
  const files = createFiles(tree);
  for (const root of roots) files.makeDirectory(root);

  type Saving = Extract<KernelPageMessage, { type: 'saving' }>['state'];
  const listeners = new Set<(state: Saving) => void>();
  let saving: Saving = { kind: 'saved' };
  let restored: Engine['restored'];
  const persistence = await startKeeping({ port, roots }, tree, (message) => {
    if (message.type === 'restored') restored = message.report;
    else if (message.type === 'progress') onProgress(message.fraction);
    else if (message.type === 'saving') {
      saving = message.state;
      for (const listener of [...listeners]) listener(saving);
    }
  });

  const statOf = (path: string): EntryStat | undefined => {
    const ino = tree.lookup(path, false);
    if (ino < 0) return undefined;
    if (tree.typeOf(ino) !== FILE_TYPE.symlink) return files.stat(path);
    return { kind: 'symlink', size: tree.sizeOf(ino), mtimeMs: 0, mode: 0o777 };
  };
  return {
    restored,
    subscribeSaving(listener) {
      listeners.add(listener);
      listener(saving);
      return () => listeners.delete(listener);
    },
    flush: () => persistence.flush(),
    statOf,
    namesIn: (path) => (statOf(path)?.kind === 'directory' ? files.list(path).map(({ name }) => name) : []),
    async put(path, entry) {
      const there = statOf(path);
      if (there && there.kind !== entry.kind) files.remove(path);
      await mountSnapshot(tree, encodeSnapshot([{ ...entry, path: path.slice(1) }]), '/', async () => {});
    },
    remove(path) {
      if (statOf(path)) files.remove(path);
    },
    snapshot(path, without) {
      const entries = decodeSnapshot(takeSnapshot(tree, path));
      const isLeftOut = (entry: SnapshotEntry): boolean => entry.path.split('/').includes(without);
      return encodeSnapshot(entries.filter((entry) => !isLeftOut(entry)));
    },
  };
}
