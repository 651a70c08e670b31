// The tree of a sandbox: reads directories when they are opened, and again when something in them came or went.
import type { SandboxFs } from '../../lib/sandbox/sandbox';
import { isInside, parentPath } from '../../lib/std/paths';
import { createStore, type Store } from '../ui/store';
import { directoriesToRead, sortEntries, type TreeState } from './tree-model';

export interface FileTree {
  root: string;
  state: Store<TreeState>;
  expand(path: string): Promise<void>;
  collapse(path: string): void;
  collapseAll(): void;
  /** Opens every directory above the path. */
  reveal(path: string): Promise<void>;
  /** Reads everything that is shown again. */
  refresh(): Promise<void>;
  dispose(): void;
}

/** A tree below `root`, which it starts to read at once. */
export function createFileTree(fs: SandboxFs, root: string): FileTree {
  const state = createStore<TreeState>({ children: new Map(), expanded: new Set() });

  async function read(directory: string): Promise<void> {
    try {
      const entries = sortEntries(await fs.list(directory));
      state.set((now) => ({ ...now, children: new Map(now.children).set(directory, entries) }));
    } catch {
      // Gone meanwhile: so is everything that was known about it.
      state.set((now) => ({
        children: new Map([...now.children].filter(([path]) => !isInside(path, directory))),
        expanded: new Set([...now.expanded].filter((path) => !isInside(path, directory))),
      }));
    }
  }

  // `npm install` makes thousands of changes: directories are read at most every 100 ms.
  const stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unwatch = fs.watch(root, (changes) => {
    for (const directory of directoriesToRead(state.get(), changes)) stale.add(directory);
    if (stale.size === 0 || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const now = [...stale];
      stale.clear();
      void Promise.all(now.map(read));
    }, 100);
  });

  const tree: FileTree = {
    root,
    state,
    async expand(path) {
      if (!state.get().children.has(path)) await read(path);
      state.set((now) => ({ ...now, expanded: new Set(now.expanded).add(path) }));
    },
    collapse: (path) =>
      state.set((now) => ({ ...now, expanded: new Set([...now.expanded].filter((other) => other !== path)) })),
    collapseAll: () => state.set((now) => ({ ...now, expanded: new Set() })),
    async reveal(path) {
      const above: string[] = [];
      for (let at = parentPath(path); at !== root && isInside(at, root); at = parentPath(at)) above.unshift(at);
      for (const directory of above) await tree.expand(directory);
    },
    async refresh() {
      await Promise.all([root, ...state.get().expanded].map(read));
    },
    dispose() {
      clearTimeout(timer);
      unwatch();
    },
  };
  void read(root);
  return tree;
}
