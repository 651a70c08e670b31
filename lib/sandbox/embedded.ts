// The sandbox on Cloche's own engine: a thin layer that turns the engine's calls into the Sandbox interface and its errors into SandboxErrors.

import { type BootOptions, bootEngine } from '../../engine/client/boot-engine';
import { EngineError } from '../../engine/client/connection';
import { defaultEnvironment } from '../../engine/client/default-environment';
import type { Engine } from '../../engine/client/engine';
import { connectPreviews } from '../../engine/client/preview-bridge';
import { globExpression } from '../std/glob';
import { keepInFile } from './kept-storage';
import { type OpenPort, type Process, type Sandbox, SandboxError, type SandboxFs, type SpawnOptions } from './sandbox';
import { searchExpression } from './search-expression';

export interface EmbeddedOptions extends Omit<BootOptions, 'storage'> {
  /** Default PROJECT_DIRECTORY. */
  workdir?: string;
  /** Added to the environment of every process. */
  env?: Record<string, string>;
  /** What every process begins with; default: `defaultEnvironment`. */
  environment?(cwd: string, terminal: boolean): Record<string, string>;
  /** Keeps the project and the home directory in this browser under this name; without it everything ends with the tab. */
  keepAs?: string;
  /** Where an iframe shows the port. */
  previewUrl(port: number): string;
}

/** A sandbox that also shows its engine, for previews and the process list. */
export interface EmbeddedSandbox extends Sandbox {
  readonly engine: Engine;
}

/** Where projects live, and the home of the one user. */
const PROJECT_DIRECTORY = '/home/project';
const HOME_DIRECTORY = '/root';
const DEFAULT_MAX_RESULTS = 1000;

/** Boots the engine and connects its previews; rejects with a SandboxError (ETIMEDOUT, EIO) that says what failed. */
export async function createEmbeddedSandbox(options: EmbeddedOptions): Promise<EmbeddedSandbox> {
  const { keepAs, workdir = PROJECT_DIRECTORY } = options;
  const file = keepAs === undefined ? undefined : keepInFile(keepAs, [workdir, HOME_DIRECTORY]);
  let engine: Engine;
  try {
    engine = await translated(bootEngine({ ...options, storage: file?.engineStorage }));
  } catch (error) {
    await file?.close();
    throw error;
  }
  const disconnect = connectPreviews(engine, options.previewUrl);
  const sandbox = embeddedSandbox(engine, options);
  return {
    ...sandbox,
    storage: file?.storageOf(engine),
    async dispose() {
      disconnect();
      await sandbox.dispose();
      await file?.close();
    },
  };
}

/** The sandbox over an engine that has booted. */
export function embeddedSandbox(
  engine: Engine,
  options: Pick<EmbeddedOptions, 'workdir' | 'env' | 'environment' | 'previewUrl'>,
): EmbeddedSandbox {
  const environment = options.environment ?? defaultEnvironment;
  const workdir = options.workdir ?? PROJECT_DIRECTORY;
  let open: OpenPort[] = [];
  engine.subscribePorts((ports) => {
    open = ports.map((port) => ({ port, url: options.previewUrl(port) }));
  });

  return {
    engine,
    backend: 'embedded',
    workdir,
    home: HOME_DIRECTORY,
    fs: engineFs(engine),
    async spawn(command, args, spawnOptions: SpawnOptions = {}): Promise<Process> {
      const cwd = spawnOptions.cwd ?? workdir;
      const { terminal, policy } = spawnOptions;
      const env = { ...environment(cwd, terminal !== undefined), ...options.env, ...spawnOptions.env };
      return translated(engine.spawn({ command, args, cwd, env, terminal, policy }));
    },
    ports: {
      list: () => open,
      // The engine calls at once, after `open` has been set by the subscription above.
      subscribe: (listener) => engine.subscribePorts(() => listener(open)),
    },
    search: {
      text(search) {
        const { source, flags } = searchExpression(search);
        const include = search.include === undefined ? undefined : globExpression(search.include);
        const request = {
          path: search.path,
          pattern: { source, flags },
          multiline: search.multiline ?? false,
          include: include && { source: include.source, flags: include.flags },
          respectIgnore: search.respectIgnore ?? true,
          maxResults: search.maxResults ?? DEFAULT_MAX_RESULTS,
          ...(search.maxPerFile === undefined ? {} : { maxPerFile: search.maxPerFile }),
        };
        return abortable(engine.searchText(request, search.signal), search.signal);
      },
      files(search) {
        const { source, flags } = globExpression(search.pattern);
        const request = {
          path: search.path,
          include: { source, flags },
          respectIgnore: search.respectIgnore ?? true,
          maxResults: search.maxResults ?? DEFAULT_MAX_RESULTS,
          newestFirst: search.newestFirst ?? false,
        };
        return abortable(engine.searchFiles(request, search.signal), search.signal);
      },
    },
    snapshot: (path) => translated(engine.snapshot(path)),
    async mount(snapshot, path) {
      await translated(engine.makeDirectory(path));
      await translated(engine.mount(snapshot, path));
    },
    dispose: async () => engine.dispose(),
  };
}

function engineFs(engine: Engine): SandboxFs {
  return {
    read: (path) => translated(engine.read(path)),
    readText: async (path) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(await translated(engine.read(path))),
    write: (path, contents) =>
      translated(engine.write(path, typeof contents === 'string' ? new TextEncoder().encode(contents) : contents)),
    list: (path) => translated(engine.list(path)),
    stat: (path) => translated(engine.stat(path)),
    exists: (path) => translated(engine.exists(path)),
    makeDirectory: (path) => translated(engine.makeDirectory(path)),
    move: (from, to) => translated(engine.move(from, to)),
    copy: (from, to) => translated(engine.copy(from, to)),
    remove: (path) => translated(engine.remove(path)),
    setMode: (path, mode) => translated(engine.setMode(path, mode)),
    realpath: (path) => translated(engine.realpath(path)),
    readlink: (path) => translated(engine.readlink(path)),
    watch(path, listener) {
      let isStopped = false;
      const stop = engine.watch(path, (changes) => {
        if (!isStopped) listener(changes);
      });
      // A directory that does not exist has no changes; who needs to know asks `exists`.
      stop.catch(() => {});
      return () => {
        isStopped = true;
        void stop.then(
          (end) => end(),
          () => {},
        );
      };
    },
  };
}

async function translated<Value>(call: Promise<Value>): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EngineError) throw new SandboxError(error.code, error.message, error.path);
    throw error;
  }
}

/** As `translated`; an aborted search rejects with the signal's reason, as fetch does. */
async function abortable<Value>(call: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await translated(call);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
