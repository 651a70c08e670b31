// Keeps a project's files in one append-only file: what changes in the tree is recorded at most 100 ms later, in batches that count whole or not
// at all. A tab killed at any moment comes back in the state of the last batch. The tree stays the truth: a failed write loses nothing but time.
import type { FileTree } from '../../tree/types';
import { applyRecord, createModel, liveBytes, type Model, writeModel } from './model';
import { LOG_FIRST, openPack, type Pack } from './pack';
import { type PlacedCounts, placeModel } from './place';
import { addHints, createHints, recordChanges } from './recorder';
import type { PackStorage } from './storage';

export interface PersistenceOptions {
  storage: PackStorage;
  tree: FileTree;
  /** Absolute paths of what is kept: directories with all below, or single files. */
  roots: readonly string[];
  /** Judged once, when a name appears below a root: true leaves it, and all below it, out. */
  exclude?(path: string): boolean;
  /** Told when saving fails, and again (`saved`) when it works after that. Saving goes on being tried. */
  onProblem?(problem: PersistenceProblem): void;
  /** Longest time in milliseconds from a change to its record; 100 when not given. */
  intervalMs?: number;
  /** Compact when more than half of at least this many bytes is garbage; 4 MB when not given. */
  compactFromBytes?: number;
}

export type PersistenceProblem =
  | { kind: 'quota'; message: string }
  | { kind: 'failed'; message: string }
  | { kind: 'saved' };

export interface LoadReport extends PlacedCounts {
  /** Bytes of unfinished batches at the end that were ignored: what a kill cut off. */
  droppedBytes: number;
}

export interface Persistence {
  /** Brings what is kept into the tree. Once, before start. */
  load(): LoadReport;
  /** Begins to record; what the roots hold already is recorded first. */
  start(): void;
  /** Resolves when everything that the tree held at the time of the call is safe; rejects when it cannot be. */
  flush(): Promise<void>;
  /** Records what is left and ends. The storage is then the caller's to close. */
  stop(): Promise<void>;
  /** Bytes of the file, and how many of them are in use. */
  usage(): { bytes: number; liveBytes: number };
}

const INTERVAL_MS = 100;
const RETRY_MS = 5000;
const COMPACT_FROM_BYTES = 4 << 20;

/** Opens the file of a project. Throws when it is not one or is damaged beyond its log's end. */
export function openPersistence(options: PersistenceOptions): Persistence {
  const { storage, tree, roots } = options;
  const intervalMs = options.intervalMs ?? INTERVAL_MS;
  let pack: Pack = openPack(storage);
  let model: Model = createModel();
  const droppedBytes = pack.replay((record) => applyRecord(model, record));
  let hints = createHints(true);
  let seen = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoaded = false;
  let isRunning = false;
  let isFailing = false;
  let countAgainAt = 0;
  let queue: Promise<void> = Promise.resolve();

  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

  const takeHints = (): void => {
    const newest = tree.changeSequence();
    const changes = tree.changesSince(seen);
    if (changes) addHints(hints, changes);
    else hints.everything = true;
    seen = changes?.at(-1)?.sequence ?? newest;
  };

  const isClean = (): boolean => !hints.everything && hints.directories.size === 0 && hints.inodes.size === 0;

  const record = async (): Promise<void> => {
    takeHints();
    if (isClean() && !rootsHaveChanged()) return;
    const work = hints;
    hints = createHints();
    try {
      const before = pack.end();
      const busy = await recordChanges({ ...options, pack, model, pause }, work);
      if (pack.end() !== before) pack.commit();
      for (const ino of busy) hints.inodes.add(ino);
    } catch (error) {
      reopen();
      throw error;
    }
  };

  /** A root whose parent was moved or made is not in any list that we watch. */
  const rootsHaveChanged = (): boolean => {
    const top = model.nodes.get(0)!;
    return roots.some((root) => {
      const ino = Math.max(0, tree.lookup(root, false));
      return ino !== (model.nodes.get(top.entries.get(root) ?? -1)?.ino ?? 0);
    });
  };

  /** After a failure only the storage knows what was written: begin from there and compare everything. */
  const reopen = (): void => {
    const { unplaced } = model;
    pack = openPack(storage);
    model = createModel();
    pack.replay((kept) => applyRecord(model, kept));
    for (const id of unplaced) if (model.nodes.has(id)) model.unplaced.add(id);
    hints = createHints(true);
  };

  const compact = async (): Promise<void> => {
    const from = options.compactFromBytes ?? COMPACT_FROM_BYTES;
    // Counting what is alive visits every node: not before the log has grown by a good part.
    if (pack.end() - pack.start() < countAgainAt) return;
    // A log that was put behind the old one is moved to the front at once, so that the file becomes small.
    for (let round = 0; round < 2; round++) {
      const live = liveBytes(model);
      const bytes = pack.end() - pack.start();
      countAgainAt = bytes + Math.min(from, bytes) / 4;
      const isFarBack = pack.start() > LOG_FIRST && pack.fitsBefore(live);
      if (!isFarBack && (bytes < from || live * 2 > bytes)) return;
      try {
        const log = pack.replacement(live);
        const moved = await writeModel(model, pack, log, pause);
        log.adopt();
        countAgainAt = 0;
        for (const [id, chunks] of moved) model.nodes.get(id)!.chunks = chunks;
      } catch (error) {
        reopen();
        throw error;
      }
    }
  };

  /** One after the other: two recordings at once would interleave their records. */
  const enqueue = (): Promise<void> => {
    if (!isLoaded)
      return Promise.reject(new Error('load the project file first: what is not in the tree counts as deleted'));
    const run = queue.then(record).then(compact);
    queue = run.then(succeed, (error) => {
      isFailing = true;
      const message = error instanceof Error ? error.message : String(error);
      const isQuota = error instanceof Error && error.name === 'QuotaExceededError';
      options.onProblem?.({ kind: isQuota ? 'quota' : 'failed', message });
    });
    return run;
  };

  const succeed = (): void => {
    if (!isFailing) return;
    isFailing = false;
    options.onProblem?.({ kind: 'saved' });
  };

  const schedule = (delayMs: number): void => {
    if (!isRunning) return;
    timer = setTimeout(async () => {
      await enqueue().catch(() => {});
      schedule(isFailing ? RETRY_MS : intervalMs);
    }, delayMs);
  };

  return {
    load() {
      if (isLoaded) throw new Error('the project file has been loaded already');
      isLoaded = true;
      const counts = placeModel(tree, pack, model, roots);
      return { ...counts, droppedBytes };
    },
    start() {
      if (isRunning) return;
      if (!isLoaded) throw new Error('load the project file first: what is not in the tree counts as deleted');
      isRunning = true;
      seen = tree.changeSequence();
      schedule(0);
    },
    flush: enqueue,
    async stop() {
      isRunning = false;
      clearTimeout(timer);
      await enqueue();
    },
    usage: () => ({ bytes: storage.size(), liveBytes: liveBytes(model) }),
  };
}
