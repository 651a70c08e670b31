// What a foreign computer's project holds, in a file tree of this page, so that the kernel's own code keeps it: in the same project file, by the same
// log. The page is the only party of its tree, so nothing waits for a lock.

import { checked } from '../kernel/failure';
import { createFiles, parentOf } from '../kernel/files';
import { startKeeping } from '../kernel/keeping';
import type { EntryStat, KernelPageMessage } from '../kernel/page-protocol';
import { createSharedMemory } from '../memory/memory';
import { writeSnapshot } from '../tree/snapshot';
import { joinBytes } from '../tree/snapshot-entries';
import { formatTree, openTree } from '../tree/tree';
import { FILE_TYPE } from '../tree/types';
import type { Engine } from './engine';

/** How the keeping stands, as an engine tells it. */
export type Keeping = Pick<Engine, 'subscribeSaving' | 'restored' | 'flush'>;

/** What can be put into a mirror. */
export type MirrorEntry =
  | { kind: 'directory'; mode: number }
  | { kind: 'file'; mode: number; mtimeMs: number; contents: Uint8Array }
  | { kind: 'symlink'; target: string };

export interface MirrorContents {
  /** Directories and files. */
  snapshot: Uint8Array;
  /** Absolute paths and their targets: a snapshot may not hold links that lead out of it, and a project may. */
  links: { path: string; target: string }[];
}

/** Paths are absolute. */
export interface Mirror extends Keeping {
  /** Undefined when there is nothing; links are not followed. */
  statOf(path: string): EntryStat | undefined;
  /** Names in a directory; none when it is no directory. */
  namesIn(path: string): string[];
  /** Puts a file, link or directory there, in place of what is. */
  put(path: string, entry: MirrorEntry): void;
  remove(path: string): void;
  /** All below a directory, but nothing in directories of the name `without`. */
  contentsOf(path: string, without: string): MirrorContents;
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
    put(path, entry) {
      const there = statOf(path);
      if (there && (there.kind !== entry.kind || entry.kind === 'symlink')) files.remove(path);
      switch (entry.kind) {
        case 'directory':
          files.makeDirectory(path);
          return files.setMode(path, entry.mode);
        case 'symlink':
          files.makeDirectory(parentOf(path));
          return void checked(tree.symlink(entry.target, path), 'symlink', entry.target, path);
        case 'file':
          files.write(path, entry.contents);
          files.setMode(path, entry.mode);
          checked(tree.setTimes(tree.lookup(path), undefined, entry.mtimeMs), 'utimes', path);
          return;
      }
    },
    remove(path) {
      if (statOf(path)) files.remove(path);
    },
    contentsOf(path, without) {
      const links: MirrorContents['links'] = [];
      const exclude = (relative: string): boolean => {
        if (relative === without || relative.endsWith(`/${without}`)) return true;
        const absolute = `${path}/${relative}`;
        const target = tree.readlink(absolute);
        if (typeof target === 'string') links.push({ path: absolute, target });
        return typeof target === 'string';
      };
      return { snapshot: joinBytes([...writeSnapshot(tree, path, { exclude })]), links };
    },
  };
}
