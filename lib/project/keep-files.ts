// Keeps a project over page loads: what changes in the sandbox is written to the browser's database within a second, file by file, so that a
// tab that is killed loses next to nothing. node_modules is kept apart, as one snapshot, when an install has come to rest.
import type { FileChange, Sandbox } from '../sandbox/sandbox';
import { displayPath, isInside, joinPath } from '../std/paths';
import { filesBelow, filesOf, type KeptFile, projectDatabase } from './database';
import { walkFiles } from './zip-export';

const packages = 'node_modules';
/** Files above this are not kept; the sandbox has them until it ends. */
export const maxKeptBytes = 64 * 2 ** 20;
const maxPackagesBytes = 400 * 2 ** 20;

/** Writes everything that is kept into the sandbox; `onProgress` gets the part that is done (0–1). */
export async function restoreFiles(
  sandbox: Sandbox,
  project: string,
  onProgress: (fraction: number) => void = () => {},
): Promise<void> {
  const db = await projectDatabase();
  const keys = await db.getAllKeys('files', filesOf(project));
  const batch = 64;
  await sandbox.fs.makeDirectory(sandbox.workdir);
  for (let at = 0; at < keys.length; at += batch) {
    const files = await Promise.all(keys.slice(at, at + batch).map((key) => db.get('files', key)));
    await Promise.all(files.map((file) => file && restoreOne(sandbox, file)));
    onProgress(Math.min(1, (at + batch) / keys.length));
  }
  const kept = await db.get('packages', project);
  if (kept) await sandbox.mount(kept.bytes, joinPath(sandbox.workdir, packages));
}

function restoreOne(sandbox: Sandbox, file: KeptFile): Promise<void> {
  const path = joinPath(sandbox.workdir, file.path);
  return file.kind === 'directory' ? sandbox.fs.makeDirectory(path) : sandbox.fs.write(path, file.contents);
}

export interface Keeper {
  /** Resolves when everything that has changed so far is kept. */
  flush(): Promise<void>;
  stop(): void;
}

interface KeeperOptions {
  sandbox: Sandbox;
  project: string;
  /** Called when keeping fails (the disk is full), once until it works again. */
  onFailure: (error: unknown) => void;
  delayMs?: number;
  packagesDelayMs?: number;
}

/** Follows the sandbox from now on. */
export function keepFiles({
  sandbox,
  project,
  onFailure,
  delayMs = 300,
  packagesDelayMs = 4000,
}: KeeperOptions): Keeper {
  const { fs, workdir } = sandbox;
  const stale = new Set<string>();
  let packagesStale = false;
  let failed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let packagesTimer: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<void> = Promise.resolve();

  const attempt = (work: () => Promise<void>) => {
    working = working.then(work).then(
      () => {
        failed = false;
      },
      (error: unknown) => {
        if (!failed) onFailure(error);
        failed = true;
      },
    );
    return working;
  };

  const unwatch = fs.watch(workdir, (changes: FileChange[]) => {
    for (const { path } of changes) {
      const relative = displayPath(path, workdir);
      if (isInside(`/${relative}`, `/${packages}`)) packagesStale = true;
      else if (relative !== '.' && !relative.split('/').includes(packages)) stale.add(relative);
    }
    if (stale.size > 0) timer ??= setTimeout(() => void attempt(keepStale), delayMs);
    if (packagesStale) {
      clearTimeout(packagesTimer);
      packagesTimer = setTimeout(() => void attempt(keepPackages), packagesDelayMs);
    }
  });

  async function keepStale(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const paths = [...stale];
    stale.clear();
    try {
      for (let at = 0; at < paths.length; at += 200) await keepPaths(paths.slice(at, at + 200));
    } catch (error) {
      for (const path of paths) stale.add(path);
      throw error;
    }
  }

  /** Reads first, then writes: a transaction of the database ends when it has nothing to do. */
  async function keepPaths(paths: string[]): Promise<void> {
    const found: KeptFile[] = [];
    for (const path of paths) found.push(...(await readBelow(path)));
    const tx = (await projectDatabase()).transaction('files', 'readwrite');
    for (const path of paths) {
      void tx.store.delete([project, path]);
      void tx.store.delete(filesBelow(project, path));
    }
    for (const file of found) {
      // A directory that was kept as empty holds something now.
      for (let at = file.path.indexOf('/'); at > 0; at = file.path.indexOf('/', at + 1))
        void tx.store.delete([project, file.path.slice(0, at)]);
    }
    for (const file of found) void tx.store.put(file);
    await tx.done;
  }

  /** What is at a path now: a file, all files of a directory, or nothing. */
  async function readBelow(relative: string): Promise<KeptFile[]> {
    const path = joinPath(workdir, relative);
    try {
      const { kind } = await fs.stat(path);
      if (kind === 'file') return await readOne(path, relative);
      if (kind !== 'directory') return [];
      const files: KeptFile[] = [];
      let empty = true;
      for await (const file of walkFiles(fs, path)) {
        empty = false;
        const inner = joinPath(relative, file.relative);
        if (file.kind === 'file') files.push(...(await readOne(file.path, inner)));
        else files.push({ project, path: inner, kind: 'directory', contents: new Uint8Array(0) });
      }
      return empty ? [{ project, path: relative, kind: 'directory', contents: new Uint8Array(0) }] : files;
    } catch (error) {
      // Gone between the report and now.
      if ((error as { code?: unknown }).code === 'ENOENT') return [];
      throw error;
    }
  }

  async function readOne(path: string, relative: string): Promise<KeptFile[]> {
    if ((await fs.stat(path)).size > maxKeptBytes) return [];
    return [{ project, path: relative, kind: 'file', contents: await fs.read(path) }];
  }

  async function keepPackages(): Promise<void> {
    packagesStale = false;
    const path = joinPath(workdir, packages);
    const db = await projectDatabase();
    if (!(await fs.exists(path))) return void (await db.delete('packages', project));
    const bytes = await sandbox.snapshot(path);
    if (bytes.length <= maxPackagesBytes) await db.put('packages', { project, bytes });
  }

  return {
    async flush() {
      if (stale.size > 0) await attempt(keepStale);
      if (packagesStale) await attempt(keepPackages);
      await working;
    },
    stop() {
      unwatch();
      clearTimeout(timer);
      clearTimeout(packagesTimer);
    },
  };
}
