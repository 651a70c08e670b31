// What the IDE imports: boots the engine in a hidden iframe on the sandbox's origin and talks to its kernel.
// Every attempt uses a new iframe, so a boot that failed or hung can be tried again without reloading the page.
import type { HostToPage, PageToHost } from '../kernel/boot-protocol';
import type {
  FileSearch,
  KernelPageMessage,
  PageCalls,
  PathChange,
  RunRequest,
  TextSearch,
} from '../kernel/page-protocol';
import { type Connection, createConnection, EngineError } from './connection';
import { createProcess, type EngineProcess, type ProcessEvent, type ProcessLink } from './process';

export interface BootOptions {
  /** URL of the host page, e.g. `http://sandbox.cloche.localhost:3000/engine/host.html`. */
  hostUrl: string;
  /** For one attempt; default 30 s. */
  timeoutMs?: number;
  /** Attempts before giving up; default 2. */
  attempts?: number;
  /** What is being done (`frame`, `manifest`, `assets`, `process`, later `image`) and how far it is (0–1). */
  onProgress?(what: string, fraction: number): void;
  /** Something broke that no call can be blamed for. */
  onFault?(message: string): void;
}

type Call<Method extends keyof PageCalls> = (
  ...args: Parameters<PageCalls[Method]>
) => Promise<ReturnType<PageCalls[Method]>>;

/** Paths are absolute; failures are EngineErrors with Node's codes. */
export interface Engine {
  readonly read: Call<'read'>;
  /** The bytes are copied; the caller keeps its buffer. */
  readonly write: Call<'write'>;
  readonly list: Call<'list'>;
  readonly stat: Call<'stat'>;
  readonly exists: Call<'exists'>;
  readonly makeDirectory: Call<'makeDirectory'>;
  readonly move: Call<'move'>;
  readonly copy: Call<'copy'>;
  readonly remove: Call<'remove'>;
  readonly realpath: Call<'realpath'>;
  readonly setMode: Call<'setMode'>;
  /** Batches of changes below `path`, from when the promise resolves until the returned function is called. */
  watch(path: string, listener: (changes: PathChange[]) => void): Promise<() => void>;
  searchText(search: TextSearch, signal?: AbortSignal): Promise<ReturnType<PageCalls['searchText']>>;
  searchFiles(search: FileSearch, signal?: AbortSignal): Promise<ReturnType<PageCalls['searchFiles']>>;
  readonly snapshot: Call<'snapshot'>;
  readonly mount: Call<'mount'>;
  spawn(request: RunRequest): Promise<EngineProcess>;
  readonly processes: Call<'processes'>;
  readonly usage: Call<'usage'>;
  /** TCP ports that are listened on; the listener is called at once and on every change. */
  subscribePorts(listener: (ports: number[]) => void): () => void;
  /** Lends the kernel a channel on which HTTP for `port` is spoken. */
  connectPreview(port: number, channel: MessagePort): void;
  /** Ends everything; later calls fail with EPIPE. */
  dispose(): void;
}

/** Boots an engine, trying again with a new iframe when an attempt fails. Rejects with the last failure. */
export async function bootEngine(options: BootOptions): Promise<Engine> {
  const attempts = options.attempts ?? 2;
  for (let attempt = 1; ; attempt++) {
    try {
      return await bootOnce(options);
    } catch (error) {
      if (attempt >= attempts) throw error;
      options.onFault?.(`Boot attempt ${attempt} failed: ${(error as Error).message}`);
    }
  }
}

async function bootOnce(options: BootOptions): Promise<Engine> {
  const { hostUrl, timeoutMs = 30_000, onProgress } = options;
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = 'Cloche engine';
  frame.allow = 'cross-origin-isolated';
  frame.src = hostUrl;
  const hostOrigin = new URL(hostUrl, location.href).origin;
  const channel = new MessageChannel();
  const connection = createConnection(channel.port1);
  let doing = 'frame';
  const report = (what: string, fraction: number): void => {
    doing = what;
    onProgress?.(what, fraction);
  };
  report('frame', 0);

  let unsubscribe = (): void => {};
  let onMessage: (event: MessageEvent<HostToPage>) => void = () => {};
  const booted = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new EngineError('ETIMEDOUT', `The engine did not boot within ${timeoutMs / 1000} s (at: ${doing}).`)),
      timeoutMs,
    );
    onMessage = ({ data, source, origin }) => {
      if (source !== frame.contentWindow || origin !== hostOrigin) return;
      if (data.cloche === 'waiting') {
        const connect: PageToHost = { cloche: 'connect' };
        frame.contentWindow?.postMessage(connect, hostOrigin, [channel.port2]);
      } else if (data.cloche === 'progress') report(data.what, data.fraction);
      else if (data.cloche === 'failed') reject(new EngineError('EIO', data.message));
    };
    window.addEventListener('message', onMessage);
    unsubscribe = connection.subscribe((message) => {
      if (message.type === 'progress') report(message.what, message.fraction);
      if (message.type !== 'booted') return;
      clearTimeout(timer);
      resolve();
    });
  });
  document.body.append(frame);
  try {
    await booted;
  } catch (error) {
    connection.close('The engine did not boot.');
    frame.remove();
    throw error;
  } finally {
    window.removeEventListener('message', onMessage);
    unsubscribe();
  }
  return createEngine(connection, options, () => frame.remove());
}

/** An engine over a connection whose kernel has booted; `release` runs once, at dispose. */
export function createEngine(
  connection: Connection,
  options: Pick<BootOptions, 'onProgress' | 'onFault'>,
  release: () => void,
): Engine {
  const processes = new Map<number, ProcessLink>();
  /** Events that came before the answer to `run` that tells their pid. */
  const early: ProcessEvent[] = [];
  let starting = 0;
  const openOutputs = new Map<number, number>();
  const watches = new Map<number, (changes: PathChange[]) => void>();
  const portListeners = new Set<(ports: number[]) => void>();
  let ports: number[] = [];
  let nextWatch = 1;

  const receiveProcess = (event: ProcessEvent): void => {
    const link = processes.get(event.pid);
    if (!link) {
      if (starting > 0) early.push(event);
      return;
    }
    link.receive(event);
    if (event.type !== 'outputEnd') return;
    const left = (openOutputs.get(event.pid) ?? 0) - 1;
    openOutputs.set(event.pid, left);
    if (left > 0) return;
    openOutputs.delete(event.pid);
    void link.process.exit.then(() => processes.delete(event.pid));
  };

  const receive = (message: KernelPageMessage): void => {
    switch (message.type) {
      case 'output':
      case 'outputEnd':
      case 'inputCredit':
      case 'inputClosed':
      case 'ended':
        receiveProcess(message);
        return;
      case 'changes':
        watches.get(message.watchId)?.(message.changes);
        return;
      case 'ports':
        ports = message.ports;
        for (const listener of [...portListeners]) listener(ports);
        return;
      case 'progress':
        options.onProgress?.(message.what, message.fraction);
        return;
      case 'fault':
        options.onFault?.(message.message);
        return;
      case 'booted':
      case 'result':
      case 'failure':
        return;
    }
  };
  connection.subscribe(receive);

  const plain =
    <Method extends keyof PageCalls>(method: Method): Call<Method> =>
    (...args) =>
      connection.call(method, args);

  return {
    read: plain('read'),
    write: (path, contents) => connection.call('write', [path, contents.slice()]),
    list: plain('list'),
    stat: plain('stat'),
    exists: plain('exists'),
    makeDirectory: plain('makeDirectory'),
    move: plain('move'),
    copy: plain('copy'),
    remove: plain('remove'),
    realpath: plain('realpath'),
    setMode: plain('setMode'),
    snapshot: plain('snapshot'),
    mount: plain('mount'),
    processes: plain('processes'),
    usage: plain('usage'),
    searchText: (search, signal) => connection.call('searchText', [search], { signal }),
    searchFiles: (search, signal) => connection.call('searchFiles', [search], { signal }),
    async watch(path, listener) {
      const watchId = nextWatch++;
      watches.set(watchId, listener);
      try {
        await connection.call('watch', [watchId, path]);
      } catch (error) {
        watches.delete(watchId);
        throw error;
      }
      return () => {
        watches.delete(watchId);
        connection.send({ type: 'unwatch', watchId });
      };
    },
    async spawn(request) {
      starting++;
      try {
        const pid = await connection.call('run', [request]);
        const link = createProcess(connection, pid);
        processes.set(pid, link);
        openOutputs.set(pid, 2);
        for (const event of early) if (event.pid === pid) receiveProcess(event);
        return link.process;
      } finally {
        starting--;
        if (starting === 0) early.length = 0;
      }
    },
    subscribePorts(listener) {
      portListeners.add(listener);
      listener(ports);
      return () => portListeners.delete(listener);
    },
    connectPreview: (port, channel) => connection.send({ type: 'preview', port, channel }, [channel]),
    dispose() {
      const reason = 'The engine has been disposed of.';
      connection.close(reason);
      for (const link of processes.values()) link.abandon(reason);
      release();
    },
  };
}
