// The page's file calls on Node's fs, with the meaning that the kernel gives them (engine/kernel/files.ts). Node's own errors go back as they are.
import fs from 'node:fs/promises';
import path from 'node:path';
import type { EntryKind, PageCalls } from '../kernel/page-protocol';
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from '../tree/snapshot-entries';

type FileCalls = Pick<
  PageCalls,
  | 'read'
  | 'write'
  | 'list'
  | 'stat'
  | 'exists'
  | 'makeDirectory'
  | 'move'
  | 'copy'
  | 'remove'
  | 'realpath'
  | 'readlink'
  | 'setMode'
  | 'snapshot'
  | 'mount'
>;

/** Like the calls, but each answers later. */
export type Later<Calls extends { [Name in keyof Calls]: (...args: never[]) => unknown }> = {
  [Name in keyof Calls]: (...args: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>>;
};

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Bytes without Buffer's own JSON form. */
export function plainBytes(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength);
}

/** The file calls on this computer. */
export const agentFiles: Later<FileCalls> = {
  read: async (file) => plainBytes(await fs.readFile(file)),
  async write(file, contents) {
    try {
      await fs.writeFile(file, contents);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await fs.mkdir(path.dirname(file), { recursive: true });
      await fs.writeFile(file, contents);
    }
  },
  async list(directory) {
    const entries = await fs.readdir(directory, { withFileTypes: true });
    return entries
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  },
  async stat(file) {
    const stats = await fs.stat(file);
    return { kind: kindOf(stats), size: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode & 0o7777 };
  },
  exists: (file) =>
    fs.stat(file).then(
      () => true,
      () => false,
    ),
  makeDirectory: async (directory) => void (await fs.mkdir(directory, { recursive: true })),
  async move(from, to) {
    await fs.lstat(from);
    await fs.mkdir(path.dirname(to), { recursive: true });
    await fs.rename(from, to);
  },
  async copy(from, to) {
    await fs.lstat(from);
    await fs.mkdir(path.dirname(to), { recursive: true });
    await fs.cp(from, to, { recursive: true, verbatimSymlinks: true });
  },
  remove: (file) => fs.rm(file, { recursive: true }),
  realpath: (file) => fs.realpath(file),
  readlink: (file) => fs.readlink(file),
  setMode: (file, mode) => fs.chmod(file, mode),
  async snapshot(directory) {
    const entries: SnapshotEntry[] = [];
    await gather(directory, '', entries);
    return encodeSnapshot(entries);
  },
  async mount(snapshot, directory) {
    const entries = decodeSnapshot(snapshot);
    const base = await fs.realpath(directory);
    const known = new Set(['.']);
    for (const entry of entries) await put(base, entry, known);
  },
};

async function gather(directory: string, prefix: string, entries: SnapshotEntry[]): Promise<void> {
  for (const { name, kind } of await agentFiles.list(directory)) {
    const file = path.join(directory, name);
    const relative = `${prefix}${name}`;
    switch (kind) {
      case 'directory':
        entries.push({ kind, path: relative, mode: (await fs.stat(file)).mode & 0o7777 });
        await gather(file, `${relative}/`, entries);
        break;
      case 'symlink':
        entries.push({ kind, path: relative, target: await fs.readlink(file) });
        break;
      case 'file': {
        const { mode, mtimeMs } = await fs.stat(file);
        const contents = plainBytes(await fs.readFile(file));
        entries.push({ kind, path: relative, mode: mode & 0o7777, mtimeMs: Math.floor(mtimeMs), contents });
        break;
      }
      case 'other':
        break;
    }
  }
}

/** As the kernel's mount: nothing is written through a link, and a directory neither replaces a file nor gives way to one. */
async function put(base: string, entry: SnapshotEntry, known: Set<string>): Promise<void> {
  await ensureDirectory(base, path.dirname(entry.path), known);
  const file = path.join(base, entry.path);
  const there = await fs.lstat(file).catch(() => undefined);
  const isDirectory = entry.kind === 'directory';
  if (there && isDirectory !== there.isDirectory()) throw inTheWay(file);
  switch (entry.kind) {
    case 'directory':
      if (!there) await fs.mkdir(file);
      known.add(entry.path);
      return fs.chmod(file, entry.mode);
    case 'symlink':
      if (there) await fs.unlink(file);
      return fs.symlink(entry.target, file);
    case 'file':
      if (there && !there.isFile()) await fs.unlink(file);
      await fs.writeFile(file, entry.contents);
      await fs.chmod(file, entry.mode);
      return fs.utimes(file, entry.mtimeMs / 1000, entry.mtimeMs / 1000);
  }
}

async function ensureDirectory(base: string, relative: string, known: Set<string>): Promise<void> {
  if (known.has(relative)) return;
  await ensureDirectory(base, path.dirname(relative), known);
  const directory = path.join(base, relative);
  const there = await fs.lstat(directory).catch(() => undefined);
  if (there && !there.isDirectory()) throw inTheWay(directory);
  if (!there) await fs.mkdir(directory);
  known.add(relative);
}

function inTheWay(file: string): Error {
  return Object.assign(new Error(`EEXIST: file already exists, mount '${file}'`), { code: 'EEXIST', path: file });
}

function kindOf(entry: Kinds): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
