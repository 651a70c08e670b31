// Keeps a container's project in the project's own file, so that it is the same project on Cloche's engine: the files come from a mirror tree in this page,
// and what changes in the container is carried into it. node_modules stays where it was installed.
import { type Mirror, openMirror } from '../../engine/client/mirror';
import { baseName, joinPath, parentPath } from '../std/paths';
import { keepInFile } from './kept-storage';
import type { DirEntry, Sandbox, SandboxFs, SandboxStorage, StorageState } from './sandbox';

/** What is carried neither in nor out, at any depth. */
const LEFT_OUT = 'node_modules';
const HOME_DIRECTORY = '/root';
const SETTLE_MS = 50;
const RETRY_MS = 3000;

type Kept = Pick<Sandbox, 'fs' | 'mount' | 'workdir'>;

/** Links, which the sandbox has no calls for. */
export interface LinkCalls {
  /** The target. */
  read(path: string): Promise<string>;
  make(links: { path: string; target: string }[]): Promise<void>;
}

/** Calls back with every path below the workdir that something happened to, at once, until the returned function is called. */
export type FollowPaths = (listener: (path: string) => void) => () => void;

export interface ContainerKeeping {
  storage: SandboxStorage;
  /** Lets go of the project's file. */
  close(): Promise<void>;
}

/** Brings the project called `name` into the container and follows what changes there. */
export async function keepContainer(
  sandbox: Kept,
  name: string,
  links: LinkCalls,
  followPaths: FollowPaths,
  onProgress: (fraction: number) => void,
): Promise<ContainerKeeping> {
  const { workdir } = sandbox;
  const roots = [workdir, HOME_DIRECTORY];
  const file = keepInFile(name, roots);
  try {
    const port = await file.engineStorage.connect();
    if (!port) {
      const nothing = { restored: undefined, subscribeSaving: () => () => {}, flush: async () => {} };
      return { storage: file.storageOf(nothing), close: () => file.close() };
    }
    const mirror = await openMirror(port, roots, onProgress);
    const contents = mirror.contentsOf(workdir, LEFT_OUT);
    await sandbox.mount(contents.snapshot, workdir);
    if (contents.links.length > 0) await links.make(contents.links);
    const follower = follow(sandbox, mirror, links, followPaths);
    return {
      storage: joined(file.storageOf(mirror), follower, packagesNotice(mirror, workdir)),
      async close() {
        follower.stop();
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Follower {
  state(): StorageState;
  subscribe(listener: () => void): () => void;
  /** Resolves when the mirror holds what the container holds now. */
  carryAll(): Promise<void>;
  stop(): void;
}

function follow(sandbox: Kept, mirror: Mirror, links: LinkCalls, followPaths: FollowPaths): Follower {
  const { fs, workdir } = sandbox;
  const stale = new Set<string>();
  const listeners = new Set<() => void>();
  let state: StorageState = { kind: 'saved' };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<void> = Promise.resolve();

  const setState = (next: StorageState): void => {
    state = next;
    for (const listener of [...listeners]) listener();
  };

  /** One pass at a time; what failed is tried again until it works. */
  const work = (pass: () => Promise<void>): Promise<void> => {
    const result = working.then(pass);
    working = result.then(
      () => {
        if (stale.size === 0) setState({ kind: 'saved' });
      },
      (error: Error) => {
        setState({ kind: 'failing', isFull: false, message: `The container's files can't be read: ${error.message}` });
        schedule(RETRY_MS);
      },
    );
    return result;
  };

  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work(carryStale).catch(() => {});
    }, delayMs);
  };

  const carryStale = async (): Promise<void> => {
    const paths = [...stale];
    stale.clear();
    try {
      for (const path of paths) await carry(fs, mirror, path, links, true);
    } catch (error) {
      for (const path of paths) stale.add(path);
      throw error;
    }
  };

  const stopWatching = followPaths((path) => {
    if (path.split('/').includes(LEFT_OUT)) return;
    stale.add(path);
    if (state.kind === 'saved') setState({ kind: 'saving' });
    schedule(SETTLE_MS);
  });

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // A watch tells late, and not everything: this looks at every file.
    carryAll: () =>
      work(async () => {
        await carryStale();
        await carry(fs, mirror, workdir, links, false);
      }),
    stop() {
      stopWatching();
      clearTimeout(timer);
    },
  };
}

/** Makes the mirror hold at `path` what the container does. With `isChanged` a file is read even when it looks the same. */
async function carry(
  fs: SandboxFs,
  mirror: Mirror,
  path: string,
  links: LinkCalls,
  isChanged: boolean,
  known?: DirEntry,
): Promise<void> {
  try {
    const entry = known ?? (await fs.list(parentPath(path))).find(({ name }) => name === baseName(path));
    if (!entry || entry.kind === 'other') return mirror.remove(path);
    const there = mirror.statOf(path);
    switch (entry.kind) {
      case 'symlink':
        // Targets are as cheap to set as to compare.
        return mirror.put(path, { kind: 'symlink', target: await links.read(path) });
      case 'file': {
        const { size, mode, mtimeMs } = await fs.stat(path);
        const isSame =
          there?.kind === 'file' && there.size === size && there.mode === mode && sameTime(there.mtimeMs, mtimeMs);
        if (isSame && !isChanged) return;
        const contents = await fs.read(path);
        return mirror.put(path, { kind: 'file', mode, mtimeMs, contents });
      }
      case 'directory': {
        const { mode } = await fs.stat(path);
        if (there?.kind !== 'directory' || there.mode !== mode) mirror.put(path, { kind: 'directory', mode });
        const inside = await fs.list(path);
        const names = new Set([LEFT_OUT, ...inside.map(({ name }) => name)]);
        for (const name of mirror.namesIn(path)) if (!names.has(name)) mirror.remove(joinPath(path, name));
        for (const one of inside)
          if (one.name !== LEFT_OUT) await carry(fs, mirror, joinPath(path, one.name), links, isChanged && !there, one);
        return;
      }
    }
  } catch (error) {
    // Gone between the look and now, with the directory that held it or alone.
    if (!['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code))) throw error;
    mirror.remove(path);
  }
}

/** Times go through the file in whole milliseconds. */
function sameTime(a: number, b: number): boolean {
  return Math.floor(a) === Math.floor(b);
}

function packagesNotice(mirror: Mirror, workdir: string): string[] {
  if (!mirror.statOf(joinPath(workdir, LEFT_OUT))) return [];
  return [
    'node_modules was installed on Cloche’s engine and stays there. Install the packages again to use them here.',
  ];
}

/** Saved is what is in the mirror and in the file. */
function joined(kept: SandboxStorage, follower: Follower, notices: string[]): SandboxStorage {
  return {
    state: () => (follower.state().kind === 'saved' ? kept.state() : follower.state()),
    subscribe(listener) {
      const stops = [kept.subscribe(listener), follower.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    async flush() {
      await follower.carryAll();
      await kept.flush();
    },
    notices: [...kept.notices, ...notices],
  };
}
