// A sandbox in ordinary memory for unit tests: real files and search, and commands that the test scripts itself.
import { resolvePath } from '../std/paths';
import { confinedFs } from './confine';
import { memorySearch } from './memory-search';
import { memoryTree } from './memory-tree';
import { type OpenPort, type Process, type ProcessEnd, type Sandbox, SandboxError, type SpawnOptions } from './sandbox';

/** What a scripted command may do. Return the exit code; `signal` aborts when the process is killed. */
export interface CommandIo {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  fs: Sandbox['fs'];
  out(text: string): void;
  err(text: string): void;
  /** All of standard input, once it is closed. */
  stdin(): Promise<string>;
  signal: AbortSignal;
  /** Opens a port until the process ends. */
  listen(port: number): void;
}

export type ScriptedCommand = (io: CommandIo) => number | Promise<number>;

export interface MemoryOptions {
  workdir?: string;
  /** By path, relative ones to the workdir. */
  files?: Record<string, string | Uint8Array>;
  commands?: Record<string, ScriptedCommand>;
}

/** A ready sandbox. Unknown commands reject with ENOENT, as spawn does in Node. */
export async function createMemorySandbox(options: MemoryOptions = {}): Promise<Sandbox> {
  const workdir = options.workdir ?? '/home/project';
  const fs = memoryTree();
  await fs.makeDirectory(workdir);
  await fs.makeDirectory('/tmp');
  for (const [path, contents] of Object.entries(options.files ?? {}))
    await fs.write(resolvePath(workdir, path), contents);

  const commands = options.commands ?? {};
  const open = new Map<number, OpenPort>();
  const portListeners = new Set<(ports: OpenPort[]) => void>();
  const running = new Set<Process>();
  let nextPid = 100;
  const reportPorts = () => {
    for (const listener of portListeners) listener([...open.values()]);
  };

  async function spawn(command: string, args: string[], spawnOptions: SpawnOptions = {}): Promise<Process> {
    const script = commands[command];
    if (script === undefined) throw new SandboxError('ENOENT', `spawn ${command} ENOENT`, command);
    const cwd = spawnOptions.cwd ?? workdir;
    if (!(await fs.exists(cwd))) throw new SandboxError('ENOENT', `ENOENT: no such directory, chdir '${cwd}'`, cwd);
    const output = pushStream();
    const stderr = pushStream();
    const input = collectStream();
    const stopped = new AbortController();
    const ports: number[] = [];
    let killedBy: string | undefined;
    const work = (async (): Promise<ProcessEnd> => {
      const code = await script({
        args,
        cwd,
        env: spawnOptions.env ?? {},
        fs: spawnOptions.policy === undefined ? fs : confinedFs(fs, spawnOptions.policy),
        out: (text) => output.push(text),
        err: (text) => (spawnOptions.terminal ? output : stderr).push(text),
        stdin: () => input.all,
        signal: stopped.signal,
        listen: (port) => {
          ports.push(port);
          open.set(port, { port, url: `http://memory.invalid:${port}/` });
          reportPorts();
        },
      });
      return { kind: 'exited', code };
    })().catch(
      (error: unknown): ProcessEnd => ({
        kind: 'crashed',
        message: error instanceof Error ? error.message : String(error),
      }),
    );
    const killed = new Promise<ProcessEnd>((resolve) => {
      stopped.signal.addEventListener('abort', () => resolve({ kind: 'signalled', signal: killedBy ?? 'SIGTERM' }));
    });
    const exit = Promise.race([work, killed]).then((end) => {
      output.close();
      stderr.close();
      running.delete(child);
      for (const port of ports) open.delete(port);
      if (ports.length > 0) reportPorts();
      return end;
    });
    const child: Process = {
      pid: nextPid++,
      output: output.stream,
      stderr: stderr.stream,
      input: input.stream,
      exit,
      resize: () => {},
      kill: (signal = 'SIGTERM') => {
        killedBy ??= signal;
        stopped.abort();
      },
    };
    running.add(child);
    return child;
  }

  const sandbox: Sandbox = {
    backend: 'memory',
    workdir,
    home: '/root',
    fs,
    spawn,
    ports: {
      list: () => [...open.values()],
      subscribe(listener) {
        portListeners.add(listener);
        listener([...open.values()]);
        return () => portListeners.delete(listener);
      },
    },
    search: memorySearch(fs),
    async snapshot(path) {
      const { paths } = await sandbox.search.files({ path, pattern: '**', respectIgnore: false, maxResults: 1e6 });
      const files = await Promise.all(
        paths.map(
          async (file) => [file.slice(path === '/' ? 1 : path.length + 1), Array.from(await fs.read(file))] as const,
        ),
      );
      return new TextEncoder().encode(JSON.stringify(files));
    },
    async mount(snapshot, path) {
      const files = JSON.parse(new TextDecoder().decode(snapshot)) as [string, number[]][];
      for (const [file, bytes] of files) await fs.write(resolvePath(path, file), Uint8Array.from(bytes));
    },
    async dispose() {
      for (const child of running) child.kill('SIGKILL');
      await Promise.all([...running].map((child) => child.exit));
    },
  };
  return sandbox;
}

function pushStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let closed = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    cancel: () => {
      closed = true;
    },
  });
  return {
    stream,
    push: (text: string) => {
      if (!closed) controller.enqueue(new TextEncoder().encode(text));
    },
    close: () => {
      if (!closed) controller.close();
      closed = true;
    },
  };
}

function collectStream() {
  const decoder = new TextDecoder();
  let text = '';
  let finish!: (text: string) => void;
  const all = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => {
      text += decoder.decode(chunk, { stream: true });
    },
    close: () => finish(text + decoder.decode()),
    abort: () => finish(text),
  });
  return { stream, all };
}
