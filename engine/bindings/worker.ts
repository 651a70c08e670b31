// worker: which thread this is, and the handle of a thread that this one starts. The kernel makes the thread (kernel/threads.ts); what is said
// between the two goes through a private port, by lib's own protocol.

import { currentFrame } from '../modules/context-frame';
import { parseCommandLine } from '../process/command-line';
import { unsupported } from '../process/dump';
import type { Binding, LiveHandle, ProcessEnvironment } from '../process/environment';
import { createThreadShare, followThreadShare, nextThreadId } from '../process/thread-share';
import { AsyncScopes } from './async-scopes';
import { threadPortsOf } from './messaging';
import { PortQueue, type RemoteEnd } from './port-queue';
import { settleArrivals } from './thread-links';

/** Limits that nobody has set, as Node reports them: young and old generation, code range, stack, in MB. */
const DEFAULT_LIMITS = [48, 4144, 0, 4];

export const worker: Binding = (environment) => {
  const scopes = AsyncScopes.of(environment);
  const { loop, state, browser } = environment;
  const handles = new Map<number, Worker>();
  environment.onKernel('threadExit', ({ threadId, code, problem }) => {
    const handle = handles.get(threadId);
    handles.delete(threadId);
    // What the thread has sent before its end is heard before its end.
    if (handle) settleArrivals(browser.setTimeout, () => handle.ended(code, problem));
  });

  class Worker implements LiveHandle {
    readonly messagePort: object;
    readonly threadId: number;
    readonly threadName: string;
    declare readonly invalidExecArgv: string[] | undefined;
    declare readonly invalidNodeOptions: string[] | undefined;
    onexit: ((code: number, problem: string | null, reason: string | null) => void) | null = null;
    readonly #env: Record<string, string>;
    readonly #execArgv: string[];
    readonly #options: Record<string, unknown>;
    readonly #limits: Float64Array;
    readonly #isInternal: boolean;
    readonly #end: RemoteEnd;
    #referenced = true;
    readonly #frame = currentFrame();
    readonly #ids = scopes.begin(this, 'WORKER');

    constructor(
      _url: unknown,
      env: Record<string, string> | null | undefined,
      execArgv: string[] | undefined,
      limits: Float64Array,
      _trackUnmanagedFds: boolean,
      isInternal: boolean,
      name: string,
    ) {
      if (env === undefined) throw unsupported('worker_threads.SHARE_ENV');
      if (!state.threadShare) {
        state.threadShare = createThreadShare(state);
      }
      this.threadId = nextThreadId(state.threadShare);
      this.threadName = name;
      this.#env = { ...(env ?? state.env) };
      this.#limits = limits.map((limit, index) => (limit > 0 ? limit : DEFAULT_LIMITS[index]));
      this.#isInternal = isInternal;
      this.#execArgv = execArgv ?? state.execArgv;
      this.#options = state.options;
      if (execArgv || env?.NODE_OPTIONS) {
        const given = (words: string[], nodeOptions?: string) =>
          parseCommandLine(
            words,
            environment.dump,
            environment.reader,
            { NODE_OPTIONS: nodeOptions ?? '' },
            { parentOptions: state.env.NODE_OPTIONS ?? '' },
          );
        const fromEnvironment = given([], env?.NODE_OPTIONS).problem;
        const line = given(execArgv ?? []);
        if (fromEnvironment) this.invalidNodeOptions = [fromEnvironment];
        else if (line.problem) this.invalidExecArgv = [line.problem];
        else if (line.foreign.length > 0) this.invalidExecArgv = line.foreign;
        this.#options = given(this.#execArgv, this.#env.NODE_OPTIONS).options;
      }
      const [near, far] = PortQueue.pair();
      // From here on the channel is the browser's: messages wait there for the thread.
      this.#end = far.toRemoteEnd([]);
      this.messagePort = threadPortsOf(environment).attach(near);
    }

    startThread(): void {
      handles.set(this.threadId, this);
      if (this.#referenced) loop.addHandle(this);
      const { pid, threadShare, argv, umask } = state;
      environment.post(
        {
          type: 'thread',
          boot: {
            threadId: this.threadId,
            name: this.threadName,
            pid,
            ppid: state.ppid,
            argv0: argv[0],
            execArgv: this.#execArgv,
            options: this.#options,
            env: this.#env,
            umask,
            resourceLimits: [...this.#limits],
            isInternal: this.#isInternal,
            share: threadShare as NonNullable<typeof threadShare>,
            port: this.#end as never,
          },
        },
        [this.#end.port as unknown as MessagePort],
      );
    }

    ended(code: number, problem: string | undefined): void {
      loop.enqueueIn(this.#frame, () => {
        loop.removeHandle(this);
        scopes.finish(this.#ids, () =>
          this.onexit?.(code, problem === undefined ? null : 'ERR_WORKER_INIT_FAILED', problem ?? null),
        );
      });
    }

    stopThread(): void {
      environment.post({ type: 'stopThread', threadId: this.threadId });
    }

    ref(): void {
      this.#referenced = true;
      if (handles.has(this.threadId)) loop.addHandle(this);
    }

    unref(): void {
      this.#referenced = false;
      loop.removeHandle(this);
    }

    hasRef(): boolean {
      return this.#referenced;
    }

    getResourceLimits(): Float64Array {
      return this.#limits;
    }
  }

  for (const name of [
    'takeHeapSnapshot',
    'loopIdleTime',
    'loopStartTime',
    'getHeapStatistics',
    'cpuUsage',
    'startCpuProfile',
    'stopCpuProfile',
    'startHeapProfile',
    'stopHeapProfile',
  ]) {
    (Worker.prototype as any)[name] = () => {
      throw unsupported(`worker_threads.Worker#${name}`);
    };
  }

  return Object.assign(environment.dumped('worker'), {
    isMainThread: true,
    isInternalThread: false,
    ownsProcessState: true,
    threadId: 0,
    threadName: '',
    resourceLimits: new Float64Array(4),
    getEnvMessagePort: () => undefined,
    Worker: Worker,
  });
};

/** Turns a pre-booted main thread into the thread that `boot` describes, before any module has asked which one it is. */
export function becomeThread(environment: ProcessEnvironment): void {
  const { state, builtins, process, primordials, realm } = environment;
  const boot = state.thread;
  if (!boot) throw new Error('there is no thread to become');
  followThreadShare(state, boot.share);
  state.threadShare = boot.share;
  const port = threadPortsOf(environment).attach(PortQueue.fromRemoteEnd(boot.port));
  Object.assign(environment.internalBinding('worker'), {
    isMainThread: false,
    isInternalThread: boot.isInternal,
    ownsProcessState: false,
    threadId: boot.threadId,
    threadName: boot.name,
    resourceLimits: Float64Array.from(boot.resourceLimits),
    getEnvMessagePort: () => port,
  });
  for (const name of ['is_not_main_thread', 'does_not_own_process_state']) {
    builtins.compile(`internal/bootstrap/switches/${name}`)(
      process,
      realm.requireBuiltin,
      realm.internalBinding,
      primordials,
    );
  }
}
