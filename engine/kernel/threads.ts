// Threads: workers that belong to a process. Each has a slot and an id of its own, so that its locks, its fence and the kernel's answers
// to it are its own; descriptors, signals and the end are the process's.
import type { Ipc } from '../ipc/types';
import type { FilePolicy } from '../tree/types';
import type { KernelMessage, ProcessMessage, ThreadBoot } from './protocol';
import type { ProcessWorker, WorkerPool } from './worker-pool';

/** One thread. `creator` is the process or the thread that started it. */
export interface ThreadRecord {
  readonly tid: number;
  readonly slot: number;
  readonly threadId: number;
  readonly creator: number;
  readonly leader: number;
  worker: ProcessWorker | undefined;
  ended: boolean;
}

export interface ThreadsOptions {
  ipc: Ipc;
  pool: WorkerPool;
  /** What a thread says that is not about its own end. */
  receive(thread: ThreadRecord, message: ProcessMessage): void;
  /** Resolves when these dead slots hold no lock any more. */
  freeLocks(slots: number[]): Promise<void>;
  /** To a process or a thread. */
  post(id: number, message: KernelMessage): void;
  /** Runs once nothing of the thread can happen any more. */
  onEnded(tid: number, slot: number): void;
  writeError(slot: number, text: string): void;
}

export interface Threads {
  /** Starts a thread of the process `leader` for `creator`, which hears of its end. */
  start(creator: number, leader: { pid: number; slot: number }, boot: ThreadBoot, policy: FilePolicy | undefined): void;
  /** Ends the thread that `creator` calls `threadId`, with exit code 1. */
  stop(creator: number, threadId: number): void;
  /** Fences and terminates all threads of a process; returns their slots, which may still hold locks. */
  endAll(leader: number): number[];
  /** After `endAll`, when the locks are free: gives the slots back. */
  settleAll(leader: number): void;
  setStopped(leader: number, stopped: boolean): void;
  /** Passes a message on to the main thread and all threads of a process but its sender: in one order for all. */
  broadcast(leader: number, from: number, message: KernelMessage): void;
  /** False when there is no such thread. */
  post(tid: number, message: KernelMessage): boolean;
  has(tid: number): boolean;
}

/** Exit code of a thread that was ended from outside. */
const TERMINATED = 1;

export function createThreads(options: ThreadsOptions): Threads {
  const { ipc, pool } = options;
  const { processes } = ipc;
  const threads = new Map<number, ThreadRecord>();
  const of = (leader: number): ThreadRecord[] => [...threads.values()].filter((thread) => thread.leader === leader);

  const start: Threads['start'] = (creator, leader, boot, policy) => {
    const { threadId } = boot;
    const taken = processes.allocate(leader.slot);
    if (typeof taken === 'number') {
      options.post(creator, { type: 'threadExit', threadId, code: TERMINATED, problem: 'too many threads' });
      return;
    }
    const { pid: tid, slot } = taken;
    processes.makeThread(slot, leader.slot);
    const thread: ThreadRecord = { tid, slot, threadId, creator, leader: leader.pid, worker: undefined, ended: false };
    threads.set(tid, thread);
    void launch(thread, boot, policy);
  };

  const launch = async (thread: ThreadRecord, boot: ThreadBoot, policy: FilePolicy | undefined): Promise<void> => {
    let worker: ProcessWorker | undefined;
    try {
      worker = await pool.take({ isUrgent: false, isOurs: false, isWanted: () => !thread.ended });
    } catch (error) {
      end(thread, TERMINATED, 'asked', (error as Error).message);
      return;
    }
    if (!worker || thread.ended) return worker?.terminate();
    thread.worker = worker;
    worker.onmessage = ({ data }) => receive(thread, data);
    worker.onerror = (event) => crash(thread, event.message ?? 'The worker failed without a reason.');
    const message: KernelMessage = { type: 'startThread', boot, slot: thread.slot, tid: thread.tid, policy };
    worker.postMessage(message, [boot.port.port]);
  };

  const receive = (thread: ThreadRecord, message: ProcessMessage): void => {
    if (thread.ended) return;
    if (message.type === 'exit') end(thread, message.code & 0xff, 'asked');
    else if (message.type === 'crash') crash(thread, message.message);
    else if (message.type !== 'ready') options.receive(thread, message);
  };

  const crash = (thread: ThreadRecord, message: string): void => {
    if (thread.ended) return;
    options.writeError(thread.slot, `A worker thread crashed: ${message}\n`);
    end(thread, TERMINATED, 'forced');
  };

  const kill = (thread: ThreadRecord): void => {
    thread.ended = true;
    processes.fence(thread.slot);
    thread.worker?.terminate();
  };

  /** A thread takes the threads with it that it has started. */
  const end = (thread: ThreadRecord, code: number, how: 'asked' | 'forced', problem?: string): void => {
    if (thread.ended) return;
    kill(thread);
    for (const other of threads.values()) if (other.creator === thread.tid) end(other, TERMINATED, 'forced');
    const { threadId } = thread;
    const settled = (): void => {
      settle(thread);
      options.post(thread.creator, { type: 'threadExit', threadId, code, problem });
    };
    if (how === 'asked') settled();
    else void options.freeLocks([thread.slot]).then(settled);
  };

  const settle = (thread: ThreadRecord): void => {
    if (!threads.delete(thread.tid)) return;
    options.onEnded(thread.tid, thread.slot);
    processes.reap(thread.slot);
  };

  return {
    start,
    stop(creator, threadId) {
      for (const thread of threads.values())
        if (thread.creator === creator && thread.threadId === threadId) end(thread, TERMINATED, 'forced');
    },
    endAll(leader) {
      const members = of(leader);
      for (const thread of members) kill(thread);
      return members.map(({ slot }) => slot);
    },
    settleAll(leader) {
      for (const thread of of(leader)) settle(thread);
    },
    setStopped(leader, stopped) {
      for (const { slot } of of(leader)) processes.setStopped(slot, stopped);
    },
    post(tid, message) {
      const thread = threads.get(tid);
      if (thread && !thread.ended) thread.worker?.postMessage(message);
      return thread !== undefined;
    },
    broadcast(leader, from, message) {
      for (const id of [leader, ...of(leader).map(({ tid }) => tid)]) if (id !== from) options.post(id, message);
    },
    has: (tid) => threads.has(tid),
  };
}
