// The browser's database of projects, on the IDE's origin: the list, and what waits to be brought into a project's computer (waiting-files.ts). What a
// project holds is in a file of its own (lib/sandbox/project-file.ts).
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { namedBlock, openedInTime } from '../std/blocked-storage';

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

/** A file that waits; `path` is relative to the project. */
export interface WaitingFile {
  project: string;
  path: string;
  /** `directory`: an empty one. `link`: a symbolic one, to what its contents say. */
  kind: 'file' | 'directory' | 'link';
  contents: Uint8Array;
  /** Absent in what older versions kept. */
  executable?: boolean;
}

/** A snapshot of the project's node_modules, as versions before the project file kept it. */
export interface WaitingPackages {
  project: string;
  bytes: Uint8Array;
}

export interface ProjectSchema extends DBSchema {
  projects: { key: string; value: Project };
  files: { key: [string, string]; value: WaitingFile };
  packages: { key: string; value: WaitingPackages };
}

let opening: Promise<IDBPDatabase<ProjectSchema>> | undefined;

/** The open database; opened once, again after a failure or when another tab needed it to close. */
export function projectDatabase(): Promise<IDBPDatabase<ProjectSchema>> {
  opening ??= openedInTime(openFresh(), () => location.host).catch((error: unknown) => {
    opening = undefined;
    if ((error as DOMException).name === 'VersionError')
      throw new Error(
        'A newer version of Cloche keeps the projects of this browser by now. Reload this page to go on.',
      );
    throw namedBlock(error, () => location.host);
  });
  return opening;
}

/** `async`: a broken browser throws where it should reject. */
async function openFresh(): Promise<IDBPDatabase<ProjectSchema>> {
  return openDB<ProjectSchema>('cloche-projects', 1, {
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
  });
}

/** All files of a project. */
export function filesOf(project: string): IDBKeyRange {
  // Strings sort before arrays, so this is after every path.
  return IDBKeyRange.bound([project], [project, []]);
}
