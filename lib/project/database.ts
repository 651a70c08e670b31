// The browser's database of projects, on the IDE's origin: the list, the files of every project, and its packages as one piece.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** One row of the start page. Times are milliseconds since the epoch. */
export interface Project {
  /** 16 characters of `a-z0-9`, the first one a letter: also a valid part of a host name. */
  id: string;
  name: string;
  /** Template id, `import` or `copy`. */
  template: string;
  createdAtMs: number;
  openedAtMs: number;
  /** Bytes of the project's own files (without node_modules). */
  sizeBytes: number;
  /** Set while the deletion can still be undone. */
  deletedAtMs?: number;
}

/** A kept file; `path` is relative to the project. */
export interface KeptFile {
  project: string;
  path: string;
  /** `directory`: an empty one. */
  kind: 'file' | 'directory';
  contents: Uint8Array;
}

/** `Sandbox.snapshot` of the project's node_modules. */
export interface KeptPackages {
  project: string;
  bytes: Uint8Array;
}

export interface ProjectSchema extends DBSchema {
  projects: { key: string; value: Project };
  files: { key: [string, string]; value: KeptFile };
  packages: { key: string; value: KeptPackages };
}

let opening: Promise<IDBPDatabase<ProjectSchema>> | undefined;

/** The open database; opened once, again after a failure or when another tab needed it to close. */
export function projectDatabase(): Promise<IDBPDatabase<ProjectSchema>> {
  opening ??= openDB<ProjectSchema>('cloche-projects', 1, {
    upgrade(db) {
      db.createObjectStore('projects', { keyPath: 'id' });
      db.createObjectStore('files', { keyPath: ['project', 'path'] });
      db.createObjectStore('packages', { keyPath: 'project' });
    },
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      opening = undefined;
    },
    terminated: () => {
      opening = undefined;
    },
  }).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** All files of a project. */
export function filesOf(project: string): IDBKeyRange {
  // Strings sort before arrays, so this is after every path.
  return IDBKeyRange.bound([project], [project, []]);
}

/** Everything below a directory, without the directory itself. */
export function filesBelow(project: string, directory: string): IDBKeyRange {
  // `0` comes right after `/`.
  return IDBKeyRange.bound([project, `${directory}/`], [project, `${directory}0`], false, true);
}
