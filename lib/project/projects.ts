// The list of projects of this browser, in IndexedDB on the IDE's origin. A project's files live in the sandbox's own storage; here are only
// its name, its dates, and (until it was opened for the first time) the files to start from.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** One row of the start page. Times are milliseconds since the epoch. */
export interface Project {
  /** 16 characters of `a-z0-9`: also a valid part of a host name. */
  id: string;
  name: string;
  /** Template id, `import` or `copy`. */
  template: string;
  createdAtMs: number;
  openedAtMs: number;
  /** Bytes of the project's own files (without node_modules); undefined until measured. */
  sizeBytes?: number;
  /** True while a `Seed` waits to be written at the first start. */
  unopened: boolean;
  /** Set while the deletion can still be undone. */
  deletedAtMs?: number;
}

/** What a project starts from. `snapshot` is what `Sandbox.snapshot` gave. */
export type Seed =
  | { kind: 'files'; files: { path: string; contents: Uint8Array | string }[] }
  | { kind: 'snapshot'; bytes: Uint8Array };

interface Schema extends DBSchema {
  projects: { key: string; value: Project };
  seeds: { key: string; value: Seed & { id: string } };
}

let opening: Promise<IDBPDatabase<Schema>> | undefined;

function database(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>('cloche-projects', 1, {
    upgrade(db) {
      db.createObjectStore('projects', { keyPath: 'id' });
      db.createObjectStore('seeds', { keyPath: 'id' });
    },
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      opening = undefined;
    },
  }).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** Projects that are not deleted, the last opened first. */
export async function listProjects(): Promise<Project[]> {
  const all = await (await database()).getAll('projects');
  return all
    .filter((project) => project.deletedAtMs === undefined)
    .sort((a, b) => b.openedAtMs - a.openedAtMs || b.createdAtMs - a.createdAtMs);
}

/** The project, or undefined when there is none of this id or it was deleted. */
export async function findProject(id: string): Promise<Project | undefined> {
  const project = await (await database()).get('projects', id);
  return project?.deletedAtMs === undefined ? project : undefined;
}

/** Adds a project whose name is made unique (`name 2`), with the files that its first start writes. */
export async function createProject(name: string, template: string, seed: Seed, nowMs = Date.now()): Promise<Project> {
  const names = new Set((await listProjects()).map((project) => project.name));
  const project: Project = {
    id: newProjectId(),
    name: uniqueName(cleanName(name), names),
    template,
    createdAtMs: nowMs,
    openedAtMs: nowMs,
    unopened: true,
  };
  const tx = (await database()).transaction(['projects', 'seeds'], 'readwrite');
  await Promise.all([
    tx.objectStore('projects').put(project),
    tx.objectStore('seeds').put({ ...seed, id: project.id }),
    tx.done,
  ]);
  return project;
}

/** The files that the first start still has to write. */
export async function pendingSeed(id: string): Promise<Seed | undefined> {
  return (await database()).get('seeds', id);
}

/** To be called when the seed is safely in the sandbox's storage: forgets it. */
export async function forgetSeed(id: string): Promise<void> {
  const tx = (await database()).transaction(['projects', 'seeds'], 'readwrite');
  const project = await tx.objectStore('projects').get(id);
  if (project) await tx.objectStore('projects').put({ ...project, unopened: false });
  await tx.objectStore('seeds').delete(id);
  await tx.done;
}

/** Changes the given members; the others stay. Rejects when there is no such project. */
export async function updateProject(
  id: string,
  change: Partial<Pick<Project, 'name' | 'openedAtMs' | 'sizeBytes' | 'deletedAtMs'>>,
): Promise<Project> {
  const tx = (await database()).transaction('projects', 'readwrite');
  const project = await tx.store.get(id);
  if (project === undefined) throw new Error(`There is no project ${id} in this browser.`);
  const next = { ...project, ...change };
  if (change.name !== undefined) next.name = cleanName(change.name);
  if ('deletedAtMs' in change && change.deletedAtMs === undefined) delete next.deletedAtMs;
  await tx.store.put(next);
  await tx.done;
  return next;
}

/** Ids of projects that were deleted before `beforeMs`: their storage can go, then `forgetProject`. */
export async function deletedProjects(beforeMs: number): Promise<string[]> {
  const all = await (await database()).getAll('projects');
  return all.filter((project) => (project.deletedAtMs ?? Infinity) < beforeMs).map((project) => project.id);
}

/** Removes the row and its seed for good. */
export async function forgetProject(id: string): Promise<void> {
  const tx = (await database()).transaction(['projects', 'seeds'], 'readwrite');
  await Promise.all([tx.objectStore('projects').delete(id), tx.objectStore('seeds').delete(id), tx.done]);
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
