// The list of projects of this browser. What a project starts with and its row are written in one transaction: a project is never half there.
import { copyProjectFile, removeProjectFile } from '../sandbox/project-file';
import { namedBlock } from '../std/blocked-storage';
import { filesOf, type Project, projectDatabase, type WaitingFile } from './database';

export type { Project } from './database';

/** A file to start from; `path` is relative to the project. */
export interface StartFile {
  path: string;
  /** Default `file`; `directory`: an empty one; `link`: a symbolic one, to what its contents say. */
  kind?: 'file' | 'directory' | 'link';
  contents: Uint8Array | string;
  executable?: boolean;
}

/** Files that the database is given at a time. */
const lanes = 64;

/** Projects that are not deleted, the last opened first. */
export async function listProjects(): Promise<Project[]> {
  const all = await (await projectDatabase()).getAll('projects');
  return all
    .filter((project) => project.deletedAtMs === undefined)
    .sort((a, b) => b.openedAtMs - a.openedAtMs || b.createdAtMs - a.createdAtMs);
}

/** The project, or undefined when there is none of this id or it was deleted. */
export async function findProject(id: string): Promise<Project | undefined> {
  const project = await (await projectDatabase()).get('projects', id);
  return project?.deletedAtMs === undefined ? project : undefined;
}

export interface CreateOptions {
  nowMs?: number;
  /** The part of the files that the database has (0–1). */
  onProgress?: (fraction: number) => void;
  /** Aborted, nothing is left of the project. */
  signal?: AbortSignal;
}

/** Adds a project with these files; its name is made unique (`name 2`). Rejects with the signal's reason when that aborts before all is written. */
export async function createProject(
  name: string,
  template: string,
  files: readonly StartFile[],
  options: CreateOptions = {},
): Promise<Project> {
  const id = newProjectId();
  const waiting = files.map(
    ({ path, kind = 'file', contents, executable = false }): WaitingFile => ({
      project: id,
      path,
      kind,
      contents: asBytes(contents),
      executable,
    }),
  );
  const sizeBytes = waiting.reduce((sum, file) => sum + file.contents.length, 0);
  return add(id, name, template, { files: waiting }, sizeBytes, options);
}

/** A project with the same files as they are kept now. Rejects when there is no such project, or no room. */
export async function copyProject(id: string, nowMs = Date.now()): Promise<Project> {
  const db = await projectDatabase();
  const [original, files, packages] = await Promise.all([
    db.get('projects', id),
    db.getAll('files', filesOf(id)),
    db.get('packages', id),
  ]);
  if (original === undefined) throw noProject(id);
  const copy = newProjectId();
  const waiting = files.map((file) => ({ ...file, project: copy }));
  await copyProjectFile(id, copy);
  try {
    const contents = { files: waiting, packages: packages?.bytes };
    return await add(copy, `${original.name} copy`, 'copy', contents, original.sizeBytes, { nowMs });
  } catch (error) {
    await removeProjectFile(copy);
    throw error;
  }
}

async function add(
  id: string,
  name: string,
  template: string,
  waiting: { files: WaitingFile[]; packages?: Uint8Array },
  sizeBytes: number,
  { nowMs = Date.now(), onProgress, signal }: CreateOptions,
): Promise<Project> {
  const names = new Set((await listProjects()).map((project) => project.name));
  const project: Project = {
    id,
    name: uniqueName(cleanName(name), names),
    template,
    createdAtMs: nowMs,
    openedAtMs: nowMs,
    sizeBytes,
  };
  const db = await projectDatabase();
  signal?.throwIfAborted();
  const tx = db.transaction(['projects', 'files', 'packages'], 'readwrite');
  const asked: Promise<unknown>[] = [tx.done, tx.objectStore('projects').put(project)];
  // The next ones are handed over when the ones before are there: all at once would hold the page, and could neither be stopped nor counted.
  const rest = waiting.files.values();
  let written = 0;
  const putSome = async () => {
    for (const file of rest) {
      await tx.objectStore('files').put(file);
      written++;
      if (signal?.aborted) tx.abort();
      signal?.throwIfAborted();
      onProgress?.(written / waiting.files.length);
    }
  };
  for (let lane = 0; lane < lanes; lane++) asked.push(putSome());
  if (waiting.packages) asked.push(tx.objectStore('packages').put({ project: id, bytes: waiting.packages }));
  try {
    await Promise.all(asked);
  } catch (error) {
    signal?.throwIfAborted();
    throw namedBlock(error, () => location.host);
  }
  return project;
}

/** Changes the given members; the others stay. Rejects when there is no such project. */
export async function updateProject(
  id: string,
  change: Partial<Pick<Project, 'name' | 'openedAtMs' | 'sizeBytes' | 'deletedAtMs'>>,
): Promise<Project> {
  const tx = (await projectDatabase()).transaction('projects', 'readwrite');
  const project = await tx.store.get(id);
  if (project === undefined) throw noProject(id);
  const next = { ...project, ...change };
  if (change.name !== undefined) next.name = cleanName(change.name);
  if ('deletedAtMs' in change && change.deletedAtMs === undefined) delete next.deletedAtMs;
  await tx.store.put(next);
  await tx.done;
  return next;
}

/**
 * Removes for good the project (only if its deletion was not undone), or all that were deleted before a time. Returns their ids. One that a tab still has
 * open is left for the next time. The row goes last: what is left by a tab that dies meanwhile is found again.
 */
export async function purgeProjects(which: { id: string } | { deletedBeforeMs: number }): Promise<string[]> {
  const db = await projectDatabase();
  const gone: string[] = [];
  for (const { id, deletedAtMs } of await db.getAll('projects')) {
    if (deletedAtMs === undefined) continue;
    if ('id' in which ? id !== which.id : deletedAtMs >= which.deletedBeforeMs) continue;
    try {
      await removeProjectFile(id);
    } catch (error) {
      if ((error as Error).name === 'NoModificationAllowedError') continue;
      throw error;
    }
    const tx = db.transaction(['projects', 'files', 'packages'], 'readwrite');
    void tx.objectStore('projects').delete(id);
    void tx.objectStore('files').delete(filesOf(id));
    void tx.objectStore('packages').delete(id);
    await tx.done;
    gone.push(id);
  }
  return gone;
}

/** The name without line breaks and surrounding space, at most 80 characters; `untitled` when nothing is left. */
export function cleanName(name: string): string {
  const cleaned = name.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return cleaned.slice(0, 80) || 'untitled';
}

function uniqueName(name: string, taken: Set<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name} ${number}`)) return `${name} ${number}`;
}

function newProjectId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const first = 'abcdefghijklmnopqrstuvwxyz'[bytes[0]! % 26]!;
  return first + Array.from(bytes.subarray(1), (byte) => (byte % 36).toString(36)).join('');
}

/** A view would be kept with everything that it is a view of: each file of a shared link with the whole link. */
function asBytes(contents: Uint8Array | string): Uint8Array {
  if (typeof contents === 'string') return new TextEncoder().encode(contents);
  return contents.byteLength === contents.buffer.byteLength ? contents : contents.slice();
}

function noProject(id: string): Error {
  return new Error(`There is no project ${id} in this browser.`);
}
