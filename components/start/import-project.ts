// A project from this computer: a zip, or files and folders that were dropped. Everything is read and judged before anything is made; the work is
// done in slices, so that the page goes on living and the person can stop it.
import { createProject, type StartFile } from '../../lib/project/projects';
import { droppedFiles } from '../files/dropped-files';
import { createStore } from '../ui/store';

/** `fraction` is 0–1, undefined while it is not known. */
export type Importing =
  | { kind: 'idle' }
  | { kind: 'reading' | 'keeping'; name: string; fraction?: number }
  | { kind: 'failed'; name: string; error: unknown; again: () => void };

/** What the start page shows of it. */
export const importing = createStore<Importing>({ kind: 'idle' });

const sliceMs = 30;
const loadZipImport = () => import('../../lib/project/zip-import');
let current = new AbortController();

/** Ends what is being read, or takes the failure away. */
export function leaveImport(): void {
  current.abort();
  importing.set({ kind: 'idle' });
}

/** Makes a project of an archive and goes there; failures are in `importing`. */
export function importZip(archive: File): Promise<void> {
  return bringIn(archive.name, async (pause) => {
    const { readZipInSteps } = await loadZipImport();
    const steps = readZipInSteps(new Uint8Array(await archive.arrayBuffer()));
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await pause(step.value);
    }
  });
}

/** The same with what was dropped: one zip, or else the files and folders themselves. Must be called in the drop event itself. */
export function importDropped(transfer: DataTransfer): Promise<void> {
  const [first] = transfer.files;
  const only = transfer.items.length === 1 ? transfer.items[0]!.webkitGetAsEntry() : null;
  if (first && transfer.files.length === 1 && only?.isDirectory !== true && /\.zip$/i.test(first.name))
    return importZip(first);
  const reading = droppedFiles(transfer);
  return bringIn(only?.name ?? first?.name ?? 'Dropped files', async (pause) => {
    const dropped = await reading;
    const { importLimits } = await loadZipImport();
    const bytes = dropped.reduce((sum, { contents }) => sum + contents.size, 0);
    if (bytes > importLimits.maxBytes)
      throw new Error(`The files have more than ${Math.round(importLimits.maxBytes / 2 ** 20)} MB together.`);
    const files: StartFile[] = [];
    for (const { path, contents } of dropped) {
      const inside = only?.isDirectory ? path.slice(only.name.length + 1) : path;
      files.push({ path: inside, contents: new Uint8Array(await contents.arrayBuffer()) });
      await pause(files.length / dropped.length);
    }
    if (files.length === 0) throw new Error('There are no files in it.');
    return files;
  });
}

type Pause = (fraction: number) => Promise<void>;

async function bringIn(name: string, read: (pause: Pause) => Promise<StartFile[]>): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  importing.set({ kind: 'reading', name });
  let sliceStart = performance.now();
  const pause: Pause = async (fraction) => {
    if (performance.now() - sliceStart < sliceMs) return;
    importing.set({ kind: 'reading', name, fraction });
    await new Promise((resume) => setTimeout(resume));
    signal.throwIfAborted();
    sliceStart = performance.now();
  };
  try {
    const files = await read(pause);
    signal.throwIfAborted();
    importing.set({ kind: 'keeping', name });
    const project = await createProject(name.replace(/\.zip$/i, ''), 'import', files, {
      signal,
      onProgress: (fraction) => {
        if (performance.now() - sliceStart < sliceMs || signal.aborted) return;
        sliceStart = performance.now();
        importing.set({ kind: 'keeping', name, fraction });
      },
    });
    location.assign(`/p/${project.id}`);
  } catch (error) {
    if (!signal.aborted) importing.set({ kind: 'failed', name, error, again: () => void bringIn(name, read) });
  }
}
