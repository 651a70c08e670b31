// The sandbox on the published WebContainer client. The client lacks stat, copy, modes, pids, signals and separate outputs, so a small program of ours
// (engine/agent) runs in the container and answers as our own kernel does; terminals, watches and ports are the client's own.
import { connectAgent } from '../../engine/client/agent-connection';
import { EngineError } from '../../engine/client/connection';
import { defaultEnvironment } from '../../engine/client/default-environment';
import { createEngine } from '../../engine/client/engine';
import { displayPath, isInside } from '../std/paths';
import { embeddedSandbox } from './embedded';
import { type OpenPort, type Sandbox, SandboxError, type SandboxFs } from './sandbox';
import { bootContainer, type ContainerBoot } from './webcontainer-boot';
import { keepContainer, type LinkCalls } from './webcontainer-keeping';
import { spawnTerminal } from './webcontainer-terminal';
import { watchContainer } from './webcontainer-watch';

export interface WebContainerOptions extends ContainerBoot {
  /** The source of the agent's program: `agent.js` as engine/build makes it. */
  agentSource(): Promise<string>;
  /** Keeps the project in this browser under this name; without it everything ends with the tab. */
  keepAs?: string;
  /** What is being done (`container`, `agent`, `files`), and how far it is (0–1) where that is known. */
  onProgress?(what: 'container' | 'agent' | 'files', fraction?: number): void;
  /** Something broke that no call can be blamed for. */
  onFault?(message: string): void;
}

const AGENT_TIMEOUT_MS = 30_000;

/** Boots a container and the agent in it; rejects with a SandboxError that names what failed. Aborting gives up within moments. */
export async function createWebContainerSandbox(options: WebContainerOptions): Promise<Sandbox> {
  const source = options.agentSource();
  source.catch(() => {});
  options.onProgress?.('container');
  const container = await bootContainer(options);
  try {
    options.onProgress?.('agent');
    // Nothing of it lies in the project's files.
    const program = await container.spawn('node', ['-e', await source], { terminal: { cols: 1000, rows: 24 } });
    const keys = program.input.getWriter();
    const { connection, env } = await within(
      connectAgent({ output: program.output, exit: program.exit, write: (text) => void keys.write(text) }),
      options.signal,
    );
    const onFault = options.onFault ?? ((message: string) => console.error(message));
    container.on('error', ({ message }) => onFault(message));
    const engine = createEngine(connection, { onFault }, () => {});
    const sandbox = containerSandbox(container, engine, env);
    if (options.keepAs === undefined) return sandbox;
    options.onProgress?.('files');
    const followPaths = (listener: (path: string) => void) => {
      const watcher = container.fs.watch('.', { recursive: true }, (_event, name) =>
        listener(`${container.workdir}/${typeof name === 'string' ? name : new TextDecoder().decode(name)}`),
      );
      return () => watcher.close();
    };
    const keeping = await keepContainer(sandbox, options.keepAs, linkCalls(sandbox), followPaths, (fraction) =>
      options.onProgress?.('files', fraction),
    );
    return {
      ...sandbox,
      storage: keeping.storage,
      async dispose() {
        await keeping.close();
        await sandbox.dispose();
      },
    };
  } catch (error) {
    container.teardown();
    if (error instanceof EngineError) throw new SandboxError(error.code, error.message, error.path);
    throw error;
  }
}

/** Links are rare: each call is a program of its own. */
function linkCalls(sandbox: Sandbox): LinkCalls {
  const run = async (code: string, argument: string): Promise<string> => {
    const child = await sandbox.spawn('node', ['-e', code, argument]);
    const [output, errors, end] = await Promise.all([
      new Response(child.output).text(),
      new Response(child.stderr).text(),
      child.exit,
    ]);
    if (end.kind === 'exited' && end.code === 0) return output;
    throw new SandboxError(/\b(E[A-Z]+): /.exec(errors)?.[1] ?? 'EIO', `A link failed: ${errors.trim()}`);
  };
  return {
    read: (path) => run('process.stdout.write(fs.readlinkSync(process.argv[1]))', path),
    async make(links) {
      const code = 'for (const { path, target } of JSON.parse(process.argv[1])) fs.symlinkSync(target, path)';
      await run(code, JSON.stringify(links));
    },
  };
}

/** The value, unless Node in the container takes longer than anybody would wait, or the signal aborts. */
async function within<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  const limit = AbortSignal.any([AbortSignal.timeout(AGENT_TIMEOUT_MS), ...(signal ? [signal] : [])]);
  const stopped = new Promise<never>((_resolve, reject) => {
    limit.addEventListener('abort', () => {
      const late = new SandboxError(
        'ETIMEDOUT',
        `Node did not start in the container within ${AGENT_TIMEOUT_MS / 1000} s.`,
      );
      reject(signal?.aborted ? signal.reason : late);
    });
  });
  return Promise.race([work, stopped]);
}

function containerSandbox(
  container: Awaited<ReturnType<typeof bootContainer>>,
  engine: ReturnType<typeof createEngine>,
  containerEnv: Record<string, string>,
): Sandbox {
  const { workdir } = container;
  const open = new Map<number, OpenPort>();
  const portListeners = new Set<(ports: OpenPort[]) => void>();
  const stopPorts = container.on('port', (port, type, url) => {
    if (type === 'open') open.set(port, { port, url });
    else open.delete(port);
    for (const listener of [...portListeners]) listener([...open.values()]);
  });

  const environment = (cwd: string, terminal: boolean): Record<string, string> => {
    // The agent's own terminal, directory and shell are not those of the next process.
    const { TERM: _term, COLORTERM: _color, PWD: _pwd, OLDPWD: _old, SHLVL: _level, _: _self, ...kept } = containerEnv;
    return {
      ...defaultEnvironment(cwd, terminal),
      ...kept,
      PWD: cwd,
      PATH: `${cwd}/node_modules/.bin:${containerEnv.PATH ?? container.path}`,
    };
  };
  const base = embeddedSandbox(engine, {
    workdir,
    environment,
    previewUrl: (port) => {
      throw new SandboxError('ENOTSUP', `Only the container knows the address of port ${port}.`);
    },
  });

  /** Watches that have been asked for and may not have begun; what changes files waits for them. */
  let watching: Promise<unknown> = Promise.resolve();
  const afterWatches =
    <Args extends unknown[], Value>(act: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      await watching;
      return act(...args);
    };
  const stops = new Set<() => void>();
  const fs: SandboxFs = {
    ...base.fs,
    write: afterWatches(base.fs.write),
    makeDirectory: afterWatches(base.fs.makeDirectory),
    move: afterWatches(base.fs.move),
    copy: afterWatches(base.fs.copy),
    remove: afterWatches(base.fs.remove),
    setMode: afterWatches(base.fs.setMode),
    watch(path, listener) {
      if (!isInside(path, workdir))
        throw new SandboxError('ENOTSUP', `WebContainers watch only below ${workdir}, not ${path}.`, path);
      const { stop, ready } = watchContainer(container, base.fs, path, displayPath(path, workdir), listener);
      watching = Promise.all([watching, ready]);
      stops.add(stop);
      return () => {
        stops.delete(stop);
        stop();
      };
    },
  };

  /** Rejects with ENOENT, as spawn in Node does: the client would start a process that ends with 127. */
  const checkCommand = async (command: string, cwd: string, path: string): Promise<void> => {
    if ((await fs.stat(cwd)).kind !== 'directory') throw new SandboxError('ENOTDIR', `chdir '${cwd}'`, cwd);
    const places = command.includes('/')
      ? [command.startsWith('/') ? command : `${cwd}/${command}`]
      : path.split(':').map((directory) => `${directory}/${command}`);
    for (const place of places) if (await fs.exists(place)) return;
    throw new SandboxError('ENOENT', `spawn ${command} ENOENT`, command);
  };

  return {
    backend: 'webcontainer',
    workdir,
    home: '/home',
    fs,
    search: base.search,
    snapshot: base.snapshot,
    mount: afterWatches(base.mount),
    async spawn(command, args, options = {}) {
      if (options.policy !== undefined)
        throw new SandboxError(
          'ENOTSUP',
          `WebContainers can't keep a program from changing files, so ${command} was not started.`,
        );
      await watching;
      const { terminal } = options;
      if (!terminal) return base.spawn(command, args, options);
      const cwd = options.cwd ?? workdir;
      const env = { ...environment(cwd, true), ...options.env };
      if (!isInside(cwd, workdir))
        throw new SandboxError('ENOTSUP', `WebContainers open terminals only below ${workdir}, not in ${cwd}.`, cwd);
      await checkCommand(command, cwd, env.PATH);
      return spawnTerminal(container, { command, args, cwd: displayPath(cwd, workdir), env, terminal });
    },
    ports: {
      list: () => [...open.values()],
      subscribe(listener) {
        portListeners.add(listener);
        listener([...open.values()]);
        return () => portListeners.delete(listener);
      },
    },
    async dispose() {
      for (const stop of stops) stop();
      stopPorts();
      engine.dispose();
      container.teardown();
    },
  };
}
