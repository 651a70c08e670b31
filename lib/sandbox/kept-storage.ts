// Joins the engine's keeping of files to the project's file: opens it beside the boot, and says in words how it stands. A browser without storage
// is no reason not to work: then everything is in memory, and that is said.
import type { EngineStorage } from '../../engine/client/boot-engine';
import type { Keeping } from '../../engine/client/mirror';
import { NoStorageError, openProjectFile } from './project-file';
import type { SandboxStorage, StorageState } from './sandbox';

export interface FileKeeping {
  engineStorage: EngineStorage;
  /** Once, for the engine (or the mirror) that has it. */
  storageOf(engine: Keeping): SandboxStorage;
  /** Lets go of the file. */
  close(): Promise<void>;
}

/** Begins to open the file of that name. */
export function keepInFile(name: string, roots: string[]): FileKeeping {
  const opening = openProjectFile(name);
  // Whoever boots with it hears of it.
  opening.catch(() => {});
  let missing: NoStorageError | undefined;
  return {
    engineStorage: {
      roots,
      async connect() {
        try {
          return (await opening).connect();
        } catch (error) {
          if (!(error instanceof NoStorageError)) throw error;
          missing = error;
          return undefined;
        }
      },
    },
    storageOf: (engine) =>
      missing === undefined ? engineStorage(engine) : unkept(`${missing.message} Everything is in memory only.`),
    async close() {
      const file = await opening.catch(() => undefined);
      await file?.close();
    },
  };
}

function engineStorage(engine: Keeping): SandboxStorage {
  const listeners = new Set<() => void>();
  let state: StorageState = { kind: 'saved' };
  engine.subscribeSaving((next) => {
    state = next;
    for (const listener of [...listeners]) listener();
  });
  const { keptAs, problems = [] } = engine.restored ?? {};
  const notices: string[] = [];
  if (keptAs !== undefined)
    notices.push(
      `This project’s file in the browser was damaged. What lay before the damage is here; check your latest changes. The damaged file is kept as ${keptAs}.`,
    );
  if (problems.length > 0)
    notices.push(
      `${problems.length === 1 ? 'One file' : `${problems.length} files`} could not be brought back, and stay kept: ${problems[0]}.`,
    );
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush: () => engine.flush(),
    notices,
  };
}

function unkept(message: string): SandboxStorage {
  const state: StorageState = { kind: 'unkept', message };
  return { state: () => state, subscribe: () => () => {}, flush: async () => {}, notices: [message] };
}
