// The open files and their tabs. The buffer (a Monaco model) is the truth of what was typed, the sandbox is the truth of what was saved, and
// `base` is the last text on which both agreed: everything that comes from outside is merged against it, so typing is never lost.
import { type FileChange, SandboxError, type SandboxFs } from '../../lib/sandbox/sandbox';
import type { OpenBuffers } from '../../lib/session/buffered-sandbox';
import { editsBetween, mergeText } from '../../lib/std/merge';
import { isInside } from '../../lib/std/paths';
import { decodeText, encodeText } from '../../lib/std/text-file';
import { createStore, type Store } from '../ui/store';
import { messageOf } from '../ui/toasts';
import { activateTab, allTabs, closeTab, focusedSide, oneSide, openTab, renameTab, type Sides } from './editor-sides';
import { type BufferFactory, evenLines, type FileView, loadFile, readTextFor, type TextView } from './file-view';

/** One open file as the tabs and the editor draw it. */
export interface OpenFile {
  path: string;
  view: FileView;
  /** Typed but not written yet. */
  dirty: boolean;
  saving: boolean;
  /** Gone from the sandbox since it was opened. */
  deleted: boolean;
  /** What the file holds now, when that can't be merged with what was typed; saving waits for a decision. */
  conflict?: string;
  /** Why the last save failed. */
  saveError?: string;
}

export interface Documents {
  files: Store<ReadonlyMap<string, OpenFile>>;
  /** Where they are shown: one row of tabs or two. */
  sides: Store<Sides>;
  /** The file in which the person works; setting one that has a tab goes there. */
  active: Store<string | undefined>;
  /** Where the cursor should go next; the editor takes it and sets undefined. */
  reveal: Store<{ path: string; line: number; column: number; length: number } | undefined>;
  open(path: string, at?: { line: number; column?: number; length?: number }): Promise<void>;
  /** Opens what was open before, where it was. */
  restore(sides: Sides): Promise<void>;
  /**
   * Closes the tab on that side (on all without one). With the last one the file is saved; with autosave off, or when it was deleted, unsaved
   * text is returned instead of being written.
   */
  close(path: string, side?: number): Promise<string | undefined>;
  /** Puts text back into a file as if it had been typed. */
  retype(path: string, text: string): Promise<void>;
  /** Because the person asked: also writes a file again that was deleted. */
  save(path: string): Promise<void>;
  /** Of itself: what was deleted by something else stays deleted. */
  autosave(path: string): Promise<void>;
  /** As `autosave`, for all. */
  saveAll(): Promise<void>;
  /** Text that nothing will save unless the person decides: autosave is off, the file was deleted, has a conflict or can't be written. */
  hasUnsaved(): boolean;
  resolveConflict(path: string, keep: 'mine' | 'theirs'): void;
  /** To be told when the IDE itself moved something. */
  moved(from: string, to: string): Promise<void>;
  /** What the agent's tools see of the editor, and where they write. */
  buffers: OpenBuffers;
  dispose(): void;
}

interface DocumentOptions {
  fs: SandboxFs;
  /** Watched for changes. */
  root: string;
  loadBuffers: () => Promise<BufferFactory>;
  autosave: () => boolean;
  autosaveMs?: number;
}

/** What is remembered beside an open text, never drawn. */
interface Memory {
  base: string;
  timer?: ReturnType<typeof setTimeout>;
  stop?: () => void;
  writing: Promise<void>;
}

const blankFile = (path: string): OpenFile => ({
  path,
  view: { kind: 'loading' },
  dirty: false,
  saving: false,
  deleted: false,
});

/** Documents of one sandbox. */
export function createDocuments(options: DocumentOptions): Documents {
  const { fs } = options;
  const files = createStore<ReadonlyMap<string, OpenFile>>(new Map());
  const sides = createStore(oneSide);
  const active: Documents['active'] = {
    get: () => focusedSide(sides.get()).active,
    set(next) {
      const path = typeof next === 'function' ? next(active.get()) : next;
      if (path !== undefined) sides.set((now) => activateTab(now, path));
    },
    subscribe: sides.subscribe,
  };
  const reveal: Documents['reveal'] = createStore<ReturnType<Documents['reveal']['get']>>(undefined);
  const memories = new Map<string, Memory>();

  const patch = (path: string, change: Partial<OpenFile>) =>
    files.set((now) => {
      const file = now.get(path);
      if (!file) return now;
      return new Map(now).set(path, { ...file, ...change });
    });
  const textOf = (path: string): TextView | undefined => {
    const view = files.get().get(path)?.view;
    return view?.kind === 'text' ? view : undefined;
  };

  async function load(path: string): Promise<void> {
    const loaded = await loadFile(fs, path, options.loadBuffers);
    if (!files.get().has(path)) return loaded.view.kind === 'text' ? loaded.view.buffer.dispose() : undefined;
    if (loaded.view.kind === 'text') {
      const stop = loaded.view.buffer.onChange(() => typed(path));
      memories.set(path, { base: loaded.base, stop, writing: Promise.resolve() });
    }
    patch(path, { view: loaded.view, deleted: false });
  }

  function typed(path: string): void {
    const [view, memory] = [textOf(path), memories.get(path)];
    if (!view || !memory) return;
    const dirty = view.buffer.getText() !== memory.base;
    if (files.get().get(path)?.dirty !== dirty) patch(path, { dirty });
    clearTimeout(memory.timer);
    if (dirty && options.autosave())
      memory.timer = setTimeout(() => void save(path, 'itself'), options.autosaveMs ?? 700);
  }

  function save(path: string, by: 'person' | 'itself'): Promise<void> {
    const memory = memories.get(path);
    if (!memory) return Promise.resolve();
    clearTimeout(memory.timer);
    memory.writing = memory.writing.then(() => write(path, memory, by));
    return memory.writing;
  }

  async function write(path: string, memory: Memory, by: 'person' | 'itself'): Promise<void> {
    const [file, view] = [files.get().get(path), textOf(path)];
    if (!file || !view || file.conflict !== undefined || view.readOnly) return;
    const text = view.buffer.getText();
    if (text === memory.base && !file.deleted) return;
    patch(path, { saving: true });
    try {
      // Something may have written since the last report: never write over what was not seen.
      const onDisk = await readNow(path, view);
      if (onDisk === undefined && by === 'itself') return patch(path, { saving: false, deleted: true });
      if (onDisk !== undefined && onDisk !== memory.base) {
        takeIn(path, onDisk);
        if (files.get().get(path)?.conflict !== undefined) return patch(path, { saving: false });
      }
      const merged = view.buffer.getText();
      await fs.write(path, encodeText(merged, view.shape));
      memory.base = merged;
      patch(path, { saving: false, deleted: false, saveError: undefined, dirty: view.buffer.getText() !== merged });
    } catch (error) {
      patch(path, { saving: false, saveError: messageOf(error) });
    }
  }

  /** Undefined when there is no such file. Rejects when there is one that is not text: nothing of it may be lost to a save. */
  async function readNow(path: string, view: TextView): Promise<string | undefined> {
    try {
      return await readTextFor(fs, path, view);
    } catch (error) {
      if (!(await fs.exists(path))) return undefined;
      const what = messageOf(error);
      throw new Error(`something else wrote to it, and now ${what}. Move it away or delete it, then try again.`);
    }
  }

  /** The file holds `theirs` now: brings it into the buffer. */
  function takeIn(path: string, theirs: string): void {
    const [view, memory] = [textOf(path), memories.get(path)];
    if (!view || !memory || theirs === memory.base) return;
    const mine = view.buffer.getText();
    const result = mergeText(memory.base, mine, theirs);
    if (result.kind === 'conflict') {
      patch(path, { conflict: theirs, deleted: false });
      return;
    }
    memory.base = theirs;
    if (result.text !== mine) view.buffer.edit(editsBetween(mine, result.text));
    patch(path, { deleted: false, conflict: undefined, dirty: result.text !== theirs });
    typed(path);
  }

  /** The text that somebody else may see and write through: nothing that waits for a decision of the person. */
  function shared(path: string): { view: TextView; memory: Memory; dirty: boolean } | undefined {
    const [file, view, memory] = [files.get().get(path), textOf(path), memories.get(path)];
    if (!file || !view || !memory || view.readOnly || file.deleted || file.conflict !== undefined) return undefined;
    return { view, memory, dirty: file.dirty };
  }

  function unsaved(path: string): Uint8Array | undefined {
    const open = shared(path);
    if (!open?.dirty) return undefined;
    const text = open.view.buffer.getText();
    if (!text.isWellFormed())
      throw new SandboxError('EILSEQ', `EILSEQ: what was typed in '${path}' can't be written as a file`, path);
    return encodeText(text, open.view.shape);
  }

  async function writeThrough(path: string, contents: Uint8Array, base: Uint8Array | undefined): Promise<boolean> {
    const busy = () => new SandboxError('EBUSY', `EBUSY: the same lines of '${path}' are being changed by hand`, path);
    const open = shared(path);
    const written = decodeText(contents);
    if (!open || written.kind === 'binary') return false;
    const { view, memory } = open;
    const onDisk = await readNow(path, view);
    if (onDisk === undefined) return false;
    takeIn(path, onDisk);
    if (!shared(path)) throw busy();
    const now = view.buffer.getText();
    const read = base && decodeText(base);
    const result = mergeText(read?.kind === 'text' ? evenLines(read.text) : now, now, evenLines(written.text));
    if (result.kind === 'conflict') throw busy();
    const isExact = result.text === evenLines(written.text);
    await fs.write(path, isExact ? contents : encodeText(result.text, written));
    view.shape = { encoding: written.encoding, bom: written.bom };
    // What is typed from here on is merged as after any other change of the file.
    memory.base = now;
    takeIn(path, result.text);
    if (files.get().get(path)?.conflict === undefined)
      patch(path, { dirty: view.buffer.getText() !== memory.base, saveError: undefined });
    return true;
  }

  async function refresh(path: string): Promise<void> {
    const file = files.get().get(path);
    if (!file) return;
    await memories.get(path)?.writing;
    const view = textOf(path);
    // With the file goes what it was in conflict with: what is left is the person's text.
    if (!(await fs.exists(path))) return patch(path, { deleted: true, conflict: undefined });
    if (!view) return load(path);
    try {
      takeIn(path, await readTextFor(fs, path, view));
    } catch {
      // No longer text (or gone meanwhile): show what it is now, unless that would lose typing.
      if (!files.get().get(path)?.dirty) {
        forget(path);
        await load(path);
      }
    }
  }

  function forget(path: string): void {
    const memory = memories.get(path);
    clearTimeout(memory?.timer);
    memory?.stop?.();
    memories.delete(path);
    const view = files.get().get(path)?.view;
    if (view?.kind === 'text') view.buffer.dispose();
    if (view?.kind === 'image') URL.revokeObjectURL(view.url);
  }

  /** Makes the files known before they have tabs, and reads those that were not. */
  async function show(paths: readonly string[], place: (now: Sides) => Sides): Promise<void> {
    const fresh = paths.filter((path) => !files.get().has(path));
    files.set((now) => new Map([...now, ...fresh.map((path) => [path, blankFile(path)] as const)]));
    sides.set(place);
    await Promise.all(fresh.map(load));
  }

  function drop(path: string): void {
    sides.set((now) => closeTab(now, path));
    discard(path);
  }

  function discard(path: string): void {
    forget(path);
    files.set((now) => new Map([...now].filter(([other]) => other !== path)));
  }

  const onChanges = (changes: FileChange[]) => {
    for (const change of changes) if (files.get().has(change.path)) void refresh(change.path);
    // A directory may be reported instead of what was in it.
    const gone = changes.filter((change) => change.kind === 'deleted');
    for (const path of files.get().keys())
      if (gone.some((change) => change.path !== path && isInside(path, change.path))) void refresh(path);
  };
  const unwatch = fs.watch(options.root, onChanges);

  const documents: Documents = {
    files,
    sides,
    active,
    reveal,
    async open(path, at) {
      const shown = show([path], (now) => openTab(now, path));
      if (at) reveal.set({ path, line: at.line, column: at.column ?? 1, length: at.length ?? 0 });
      await shown;
    },
    restore: (before) => show(allTabs(before), () => before),
    async close(path, side) {
      const isElsewhere =
        side !== undefined && sides.get().list.some(({ tabs }, at) => at !== side && tabs.includes(path));
      if (isElsewhere) {
        sides.set((now) => closeTab(now, path, side));
        return undefined;
      }
      const [file, view] = [files.get().get(path), textOf(path)];
      const isLeft = file?.deleted || !options.autosave();
      const unsaved = file?.dirty && view && isLeft ? view.buffer.getText() : undefined;
      if (unsaved === undefined && file?.dirty) {
        await save(path, 'itself');
        // A failed save or a conflict keeps the tab: closing would lose what was typed.
        if (files.get().get(path)?.dirty) return undefined;
      }
      drop(path);
      return unsaved;
    },
    async retype(path, text) {
      if (!(await fs.exists(path))) await fs.write(path, text);
      await documents.open(path);
      const view = textOf(path);
      if (view) view.buffer.edit(editsBetween(view.buffer.getText(), text));
    },
    save: (path) => save(path, 'person'),
    autosave: (path) => save(path, 'itself'),
    async saveAll() {
      const dirty = [...files.get().values()].filter((file) => file.dirty);
      await Promise.all(dirty.map((file) => save(file.path, 'itself')));
    },
    hasUnsaved: () =>
      [...files.get().values()].some(
        ({ dirty, deleted, conflict, saveError }) =>
          dirty && (deleted || conflict !== undefined || saveError !== undefined || !options.autosave()),
      ),
    resolveConflict(path, keep) {
      const [file, view, memory] = [files.get().get(path), textOf(path), memories.get(path)];
      if (file?.conflict === undefined || !view || !memory) return;
      memory.base = file.conflict;
      if (keep === 'theirs') view.buffer.edit(editsBetween(view.buffer.getText(), file.conflict));
      patch(path, { conflict: undefined });
      typed(path);
    },
    async moved(from, to) {
      for (const path of allTabs(sides.get())) {
        if (!isInside(path, from)) continue;
        const target = to + path.slice(from.length);
        const text = files.get().get(path)?.dirty ? textOf(path)?.buffer.getText() : undefined;
        if (text !== undefined && !(await fs.exists(target))) await fs.write(target, text);
        const shown = show([target], (now) => renameTab(now, path, target));
        discard(path);
        await shown;
        const view = textOf(target);
        if (view && text !== undefined) view.buffer.edit(editsBetween(view.buffer.getText(), text));
      }
    },
    buffers: {
      unsavedPaths: () => [...files.get().values()].filter(({ path }) => shared(path)?.dirty).map(({ path }) => path),
      unsaved,
      write(path, contents, base) {
        const memory = memories.get(path);
        if (!memory) return Promise.resolve(false);
        const written = memory.writing.then(() => writeThrough(path, contents, base));
        memory.writing = written.then(
          () => {},
          () => {},
        );
        return written;
      },
      moved: (from, to) => documents.moved(from, to),
      saveAll: () => documents.saveAll(),
    },
    dispose() {
      unwatch();
      for (const path of [...files.get().keys()]) forget(path);
    },
  };
  return documents;
}
