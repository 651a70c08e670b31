// What the IDE holds of an engine that has been booted (boot-engine.ts): its calls, its processes, and what it tells by itself.
import type {
  FileSearch,
  KernelPageMessage,
  PageCalls,
  PathChange,
  RestoreReport,
  RunRequest,
  SavingState,
  TextSearch,
} from '../kernel/page-protocol';
import type { Connection } from './connection';
import { createProcess, type EngineProcess, type ProcessEvent, type ProcessLink } from './process';

/** What an engine tells whom it serves. */
export interface EngineEvents {
  /** What is being done (`frame`, `kernel`, `assets`, `process`, `files`, later `image`) and how far it is (0–1). */
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
  readonly readlink: Call<'readlink'>;
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
  /** Resolves when all that the files hold now is safe. Rejects with ENOTSUP when nothing is kept. */
  readonly flush: Call<'flush'>;
  /** How the kept files came back; undefined when nothing is kept. */
  readonly restored: RestoreReport | undefined;
  /** The listener is called at once and on every change, when something is kept. */
  subscribeSaving(listener: (state: SavingState) => void): () => void;
  /** TCP ports that are listened on; the listener is called at once and on every change. */
  subscribePorts(listener: (ports: number[]) => void): () => void;
  /** Lends the kernel a channel on which HTTP for `port` is spoken. */
  connectPreview(port: number, channel: MessagePort): void;
  /** Ends everything; later calls fail with EPIPE. */
  dispose(): void;
}

/** An engine over a connection whose kernel boots or has booted; `release` runs once, at dispose. */
export function createEngine(connection: Connection, options: EngineEvents, release: () => void): Engine {
  const processes = new Map<number, ProcessLink>();
  /** Events that came before the answer to `run` that tells their pid. */
  const early: ProcessEvent[] = [];
  let starting = 0;
  const openOutputs = new Map<number, number>();
  const watches = new Map<number, (changes: PathChange[]) => void>();
  const portListeners = new Set<(ports: number[]) => void>();
  let ports: number[] = [];
  let nextWatch = 1;
  const savingListeners = new Set<(state: SavingState) => void>();
  let saving: SavingState | undefined;
  let restored: RestoreReport | undefined;

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
      case 'restored':
        restored = message.report;
        saving ??= { kind: 'saved' };
        return;
      case 'saving':
        saving = message.state;
        for (const listener of [...savingListeners]) listener(saving);
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
    readlink: plain('readlink'),
    setMode: plain('setMode'),
    snapshot: plain('snapshot'),
    mount: plain('mount'),
    processes: plain('processes'),
    usage: plain('usage'),
    flush: plain('flush'),
    get restored() {
      return restored;
    },
    subscribeSaving(listener) {
      savingListeners.add(listener);
      if (saving) listener(saving);
      return () => savingListeners.delete(listener);
    },
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
