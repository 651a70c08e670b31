// Owns one project's file in the origin private file system of the IDE. Synchronous access exists only in workers, and keeps every other tab out.
import { serveFile } from '../../engine/client/serve-storage';
import { sleep } from '../std/signals';

/** Page → worker; answered once each, but `serve`. */
export type FileOrder =
  | { do: 'open'; project: string }
  /** The kernel of this attempt to boot; the one before gets no more answers. */
  | { do: 'serve'; port: MessagePort }
  | { do: 'close' }
  /** Writes what the project `from` holds as the project `to`. */
  | { do: 'copy'; from: string; to: string };

/** `name` is an exception's. */
export type FileAnswer = { done: true } | { done: false; name: string; message: string };

/** The folder of all projects' files. */
const FOLDER = 'projects';
/** A tab that was told to let go needs a moment. */
const WAIT_MS = 15_000;
const STEP_MS = 100;
const COPY_BYTES = 4 << 20;

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
let folder: FileSystemDirectoryHandle;
let project = '';
let open: FileSystemSyncAccessHandle | undefined;
let stopServing: ((reason: string) => void) | undefined;

const fileName = (name: string): string => `${name}.pack`;

async function carryOut(order: Exclude<FileOrder, { do: 'serve' }>): Promise<void> {
  folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
  switch (order.do) {
    case 'open':
      project = order.project;
      open = await openExclusively(await folder.getFileHandle(fileName(project), { create: true }));
      return;
    case 'close':
      stopServing?.('The project has been closed.');
      open?.close();
      open = undefined;
      return;
    case 'copy':
      return copyProject(order.from, order.to);
  }
}

async function openExclusively(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if ((error as DOMException).name !== 'NoModificationAllowedError') throw error;
      if (waitedMs >= WAIT_MS)
        throw new Error('The project’s file is in use by another tab. Close that tab, then try again.');
      await sleep(STEP_MS);
    }
  }
}

/** The whole file under a name that tells when; there is no name for it in the list of projects. */
async function setAside(): Promise<string> {
  const name = fileName(`${project}.damaged-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`);
  const from = open!;
  await writeWhole(name, async (to) => {
    const piece = new Uint8Array(COPY_BYTES);
    for (let at = 0; ; ) {
      const count = from.read(piece, { at });
      if (count === 0) return;
      writeAll(to, piece.subarray(0, count), at);
      at += count;
    }
  });
  return name;
}

/** The file may be in use here or in another tab: then it is read as it is at one moment, and the log in it ends where that was. */
async function copyProject(from: string, to: string): Promise<void> {
  let file: FileSystemFileHandle;
  try {
    file = await folder.getFileHandle(fileName(from));
  } catch (error) {
    // Never opened: there is nothing yet.
    if ((error as DOMException).name === 'NotFoundError') return;
    throw error;
  }
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    try {
      const content = await file.getFile();
      await writeWhole(fileName(to), async (handle) => {
        for (let at = 0; at < content.size; at += COPY_BYTES)
          writeAll(handle, new Uint8Array(await content.slice(at, at + COPY_BYTES).arrayBuffer()), at);
      });
      return;
    } catch (error) {
      // Written to while it was read.
      if ((error as DOMException).name !== 'NotReadableError') throw error;
      if (waitedMs >= WAIT_MS)
        throw new Error('The project is being written to all the time. Stop what runs in it, then try again.');
      await sleep(STEP_MS);
    }
  }
}

async function writeWhole(name: string, fill: (handle: FileSystemSyncAccessHandle) => Promise<void>): Promise<void> {
  const handle = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
  try {
    handle.truncate(0);
    await fill(handle);
    handle.flush();
    handle.close();
  } catch (error) {
    handle.close();
    await folder.removeEntry(name);
    throw error;
  }
}

function writeAll(handle: FileSystemSyncAccessHandle, bytes: Uint8Array<ArrayBuffer>, at: number): void {
  if (handle.write(bytes, { at }) !== bytes.length)
    throw new DOMException('There is no room for a copy of the project.', 'QuotaExceededError');
}

scope.onmessage = ({ data }: MessageEvent<FileOrder>) => {
  if (data.do === 'serve') {
    stopServing?.('Another kernel has the project’s file now.');
    stopServing = serveFile(data.port, open!, setAside);
    return;
  }
  carryOut(data).then(
    () => scope.postMessage({ done: true } satisfies FileAnswer),
    (error: Error) => scope.postMessage({ done: false, name: error.name, message: error.message } satisfies FileAnswer),
  );
};
