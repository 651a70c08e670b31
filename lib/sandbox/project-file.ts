// The files that projects are kept in: one each, in the private file system of the IDE's origin, where no guest's code can reach another's. The sandbox
// gets a port to its own (docs/decisions/0007-a-file-per-project.md).
import type { FileAnswer, FileOrder } from './project-file.worker';

/** An open project file. Nobody else can open it until it is closed or the tab ends. */
export interface ProjectFile {
  /** A port for a kernel; the one before it is cut off. */
  connect(): MessagePort;
  /** Lets go of the file. What was acknowledged is safe. */
  close(): Promise<void>;
}

/** This browser, or this kind of window, gives no place to keep files. */
export class NoStorageError extends Error {
  override readonly name = 'NoStorageError';
}

/** Opens a project's file, making it when there is none. Rejects with a NoStorageError, or with what keeps it shut, in words. */
export async function openProjectFile(project: string): Promise<ProjectFile> {
  await findStorage();
  const worker = startWorker();
  try {
    await worker.order({ do: 'open', project });
  } catch (error) {
    worker.end();
    throw error;
  }
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      worker.post({ do: 'serve', port: port1 }, [port1]);
      return port2;
    },
    async close() {
      await worker.order({ do: 'close' }).finally(worker.end);
    },
  };
}

/** Copies what is kept of a project, as it is at one moment; nothing when nothing is. Rejects when there is no room. */
export async function copyProjectFile(from: string, to: string): Promise<void> {
  if (!(await hasStorage())) return;
  const worker = startWorker();
  await worker.order({ do: 'copy', from, to }).finally(worker.end);
}

/** Removes what is kept of a project for good, also what was set aside. Rejects when a tab has it open. */
export async function removeProjectFile(project: string): Promise<void> {
  if (!(await hasStorage())) return;
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('projects', { create: true });
  const names: string[] = [];
  for await (const name of folder.keys()) if (name.startsWith(`${project}.`)) names.push(name);
  for (const name of names) await folder.removeEntry(name);
}

/** Rejects with a NoStorageError that says what is missing. */
async function findStorage(): Promise<void> {
  const cause =
    typeof navigator === 'undefined' || !navigator.storage?.getDirectory ? 'it has no private file system' : '';
  if (cause !== '') throw new NoStorageError(`This browser can’t keep files: ${cause}.`);
  try {
    await navigator.storage.getDirectory();
  } catch (error) {
    throw new NoStorageError(
      `This window can’t keep files (${(error as Error).message}). Private windows and blocked site data do that.`,
    );
  }
}

async function hasStorage(): Promise<boolean> {
  try {
    await findStorage();
    return true;
  } catch {
    return false;
  }
}

function startWorker() {
  const worker = new Worker(new URL('./project-file.worker.ts', import.meta.url), { type: 'module' });
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  worker.onmessage = ({ data }: MessageEvent<FileAnswer>) => {
    const asked = waiting.shift();
    if (data.done) asked?.resolve();
    else asked?.reject(Object.assign(new Error(data.message), { name: data.name }));
  };
  // A script that does not come is an event without words.
  const words = ({ message }: ErrorEvent) =>
    message === undefined
      ? 'The program that keeps the files could not be loaded. The network may be gone.'
      : `The program that keeps the files failed: ${message}`;
  worker.onerror = (event) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(words(event)));
  };
  return {
    post: (order: FileOrder, transfer: Transferable[] = []) => worker.postMessage(order, transfer),
    /** One order at a time. */
    order: (order: FileOrder) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(order);
      }),
    end: () => worker.terminate(),
  };
}
