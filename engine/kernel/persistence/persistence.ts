// Keeps a project's files in one append-only file: what changes in the tree is recorded at most 100 ms later, in batches that count whole or not
// at all. A tab killed at any moment comes back in the state of the last batch. The tree stays the truth: a failed write loses nothing but time.
import type { FileTree } from '../../tree/types';
import { applyRecord, createModel, liveBytes, type Model, writeModel } from './model';
import { type OpenedPack, openPack } from './pack';
import { type PlacedCounts, placeModel } from './place';
import { addHints, createHints, recordChanges } from './recorder';
import { LOG_FIRST } from './slots';
import type { PackStorage } from './storage';

export interface PersistenceOptions {
  storage: PackStorage;
  tree: FileTree;
  /** Absolute paths of what is kept: directories with all below, or single files. */
  roots: readonly string[];
  /** Judged once, when a name appears below a root: true leaves it, and all below it, out. */
  exclude?(path: string): boolean;
  /** Told when changes begin to be recorded, when they are safe, and when saving fails; in the last case it goes on being tried. */
  onState?(state: SavingState): void;
  /** How far `open` and `load` are, 0–1. */
  onProgress?(fraction: number): void;
  /** Longest time in milliseconds from a change to its record; 100 when not given. */
  intervalMs?: number;
  /** Compact when more than half of at least this many bytes is garbage; 4 MB when not given. */
  compactFromBytes?: number;
}

/** `isFull`: the browser gives no more space. */
export type SavingState =
  | { kind: 'saving' }
  | { kind: 'saved' }
  | { kind: 'failing'; isFull: boolean; message: string };

export interface LoadReport extends PlacedCounts {
  /** Bytes of unfinished batches at the end that were ignored: what a kill cut off. */
  droppedBytes: number;
  /** The file was damaged and came back up to the damage; the whole of it is kept under this name. */
  keptAs?: string;
}

export interface Persistence {
  /** Brings what is kept into the tree. Once, before start. */
  load(): Promise<LoadReport>;
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
/** Reading the log is about as much work as writing the files. */
const READING_SHARE = 0.5;

/** Opens the file of a project. Rejects when it can't be read at all: with a NewerPackError, or with what the storage says. */
export async function openPersistence(options: PersistenceOptions): Promise<Persistence> {
  const { storage, tree, roots } = options;
  const intervalMs = options.intervalMs ?? INTERVAL_MS;
  let model: Model = createModel();
  const opened = await openModel((done, total) => options.onProgress?.((READING_SHARE * done) / total));
  let { pack } = opened;
  let hints = createHints(true);
  let seen = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoaded = false;
  let isRunning = false;
  let state: SavingState = { kind: 'saved' };
  let countAgainAt = 0;
  let queue: Promise<void> = Promise.resolve();

  function openModel(onProgress?: (done: number, total: number) => void): Promise<OpenedPack> {
    model = createModel();
    return openPack(storage, { apply: (record) => applyRecord(model, record), onProgress });
  }

  const setState = (next: SavingState): void => {
    // A failure is tried again many times: it is over when something has been saved.
    if (next.kind === state.kind || (next.kind === 'saving' && state.kind === 'failing')) return;
    state = next;
    options.onState?.(next);
  };

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
    if (!isClean() || rootsHaveChanged()) {
      const work = hints;
      hints = createHints();
      try {
        const before = pack.end();
        const onAppend = (): void => setState({ kind: 'saving' });
        const busy = await recordChanges({ ...options, pack, model, pause, onAppend }, work);
        if (pack.end() !== before) await pack.commit();
        for (const ino of busy) hints.inodes.add(ino);
      } catch (error) {
        await reopen();
        throw error;
      }
    }
    setState({ kind: 'saved' });
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
  const reopen = async (): Promise<void> => {
    const { unplaced } = model;
    hints = createHints(true);
    ({ pack } = await openModel());
    for (const id of unplaced) if (model.nodes.has(id)) model.unplaced.add(id);
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
        await log.adopt();
        countAgainAt = 0;
        for (const [id, chunks] of moved) model.nodes.get(id)!.chunks = chunks;
      } catch {
        // What was saved stays saved. A disk that has no room for the new log beside the old one may have it later.
        await reopen();
        return;
      }
    }
  };

  const fail = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    setState({ kind: 'failing', isFull: error instanceof Error && error.name === 'QuotaExceededError', message });
  };

  /** One after the other: two recordings at once would interleave their records. */
  const enqueue = (): Promise<void> => {
    if (!isLoaded)
      return Promise.reject(new Error('load the project file first: what is not in the tree counts as deleted'));
    const run = queue.then(record);
    queue = run.then(compact).catch(fail);
    // Compaction belongs to it: who has flushed may close the storage.
    return run.then(() => queue);
  };

  const schedule = (delayMs: number): void => {
    if (!isRunning) return;
    timer = setTimeout(async () => {
      enqueue().catch(() => {});
      await queue;
      if (state.kind === 'failing') return schedule(RETRY_MS);
      // Nothing to do until something changes.
      if (isClean()) await tree.whenChanged(seen);
      schedule(intervalMs);
    }, delayMs);
  };

  return {
    async load() {
      if (isLoaded) throw new Error('the project file has been loaded already');
      const live = liveBytes(model);
      const counts = await placeModel(tree, pack, model, roots, (done) =>
        options.onProgress?.(READING_SHARE + (1 - READING_SHARE) * Math.min(1, done / live)),
      );
      isLoaded = true;
      return { ...counts, droppedBytes: opened.droppedBytes, keptAs: opened.keptAs };
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
    usage: () => ({ bytes: pack.end(), liveBytes: liveBytes(model) }),
  };
}
