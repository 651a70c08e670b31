// Fan-out of tree changes to processes (fs.watch) and to the page. The change log in shared memory is read every few milliseconds
// while anybody watches; nobody is told by the writer, because a writer must not depend on the kernel.
import type { FileTree, TreeChange } from '../tree/types';

/** A change below a watched path, named by absolute path; `overflow` means that the log has wrapped: anything may have changed. */
export type Watched = { kind: 'rename' | 'change'; path: string } | { kind: 'overflow' };

export interface Watches {
  /** `key` names the watch for `remove`. `listener` hears of each change, paths as below the given `path`. Negative errno when it does not exist.
   * Changes after `since`, a place in the log, are heard; without it those from now on. */
  add(key: string, path: string, recursive: boolean, listener: (changes: Watched[]) => void, since?: number): number;
  remove(key: string): void;
  /** Removes every watch whose key begins with `prefix`. */
  removeAll(prefix: string): void;
}

interface Watch {
  /** Physical path, and the path that the watcher used. */
  real: string;
  shown: string;
  recursive: boolean;
  since: number;
  listener: (changes: Watched[]) => void;
}

/** What changes within this time is heard together. */
const GATHER_MS = 10;

/** Watches of one tree. */
export function createWatches(tree: FileTree): Watches {
  const watches = new Map<string, Watch>();
  let isWaiting = false;
  let seen = 0;

  const absolute = (change: TreeChange): string | undefined => {
    const parent = tree.pathOf(change.parent);
    if (typeof parent !== 'string' || parent === '') return undefined;
    return parent === '/' ? `/${change.name}` : `${parent}/${change.name}`;
  };

  const seenBy = (watch: Watch, path: string): string | undefined => {
    if (path === watch.real) return watch.shown;
    const prefix = watch.real === '/' ? '/' : `${watch.real}/`;
    if (!path.startsWith(prefix)) return undefined;
    const rest = path.slice(prefix.length);
    if (!watch.recursive && rest.includes('/')) return undefined;
    return watch.shown === '/' ? `/${rest}` : `${watch.shown}/${rest}`;
  };

  /** Change by change, as inotify delivers: every watcher hears of the first before any hears of the second. */
  const tell = (listening: Watch[], changes: TreeChange[], since = 0): void => {
    for (const change of changes) {
      const path = absolute(change);
      if (path === undefined) continue;
      for (const watch of listening) {
        if (change.sequence <= Math.max(watch.since, since)) continue;
        const shown = seenBy(watch, path);
        if (shown !== undefined) watch.listener([{ kind: change.kind, path: shown }]);
      }
    }
  };

  const tick = (): void => {
    const now = tree.changeSequence();
    if (now === seen) return;
    const changes = tree.changesSince(seen);
    const since = seen;
    seen = now;
    if (changes === undefined) {
      for (const watch of [...watches.values()]) watch.listener([{ kind: 'overflow' }]);
      return;
    }
    if (changes.length > 0) seen = changes[changes.length - 1].sequence;
    tell([...watches.values()], changes, since);
  };

  /** Sleeps until something changes: an idle tree costs nothing. */
  const wait = async (): Promise<void> => {
    if (isWaiting) return;
    isWaiting = true;
    while (watches.size > 0) {
      await tree.whenChanged(seen);
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      tick();
    }
    isWaiting = false;
  };

  return {
    add(key, path, recursive, listener, since = tree.changeSequence()) {
      const ino = tree.lookup(path);
      if (ino < 0) return ino;
      if (watches.size === 0) seen = since;
      const shown = path.length > 1 ? path.replace(/\/+$/, '') : path;
      const watch: Watch = { real: tree.pathOf(ino), shown, recursive, since, listener };
      watches.set(key, watch);
      // What others have heard of already.
      if (since < seen)
        tell(
          [watch],
          (tree.changesSince(since) ?? []).filter(({ sequence }) => sequence <= seen),
        );
      void wait();
      return 0;
    },
    remove: (key) => void watches.delete(key),
    removeAll(prefix) {
      for (const key of [...watches.keys()]) if (key.startsWith(prefix)) watches.delete(key);
    },
  };
}
