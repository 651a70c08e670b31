// Life and death of processes: start, exec, signals, the end, and what the end owes to others (descriptors, locks, children, parent).
// Whoever is gone is fenced off first and cleaned up after, because a terminated worker may run on for a while.

import { isInBackground } from '../ipc/terminal';
import { type Ipc, PROCESS_STATE } from '../ipc/types';
import { ENOENT, ESRCH } from '../memory/errno';
import type { FileTree } from '../tree/types';
import { errnoCode } from './failure';
import { leaveFor } from './leave';
import { createLockRecovery, type TreeLocks } from './lock-recovery';
import type { RunEnd } from './page-protocol';
import type { FirstProcess, ProcessRecord } from './process-record';
import { resolveProgram } from './programs';
import type { KernelMessage, ProcessMessage, SpawnRequest } from './protocol';
import { sayOnStderr } from './say-on-stderr';
import { defaultAction, SIGNAL, signalName } from './signals';
import { createThreads } from './threads';
import type { ProcessWorker, WorkerPool } from './worker-pool';

export interface ProcessControlOptions {
  ipc: Ipc;
  tree: FileTree;
  pool: WorkerPool;
  locks: TreeLocks;
  /** Messages that are not about life and death. */
  onMessage(pid: number, slot: number, message: ProcessMessage): void;
  /** Runs after the descriptors of a process have been closed. */
  onEnded(pid: number, slot: number): void;
  fault(message: string): void;
}

export interface ProcessControl {
  /** Starts an allocated slot. `onEnd` hears how it ended; then the kernel is its parent and frees the slot. */
  start(request: SpawnRequest, first: FirstProcess): void;
  /** kill(2) by the kernel or on behalf of the process `from`. 0, or ESRCH. */
  signal(target: number, signal: number, from?: number): number;
  /** A key's signal for the group in a terminal's foreground. `mark` is called when nobody of the group writes any more who will not hear of the signal first, and before anybody has heard of it. */
  keySignal(group: number, signal: number, mark: () => void): void;
  post(pid: number, message: KernelMessage): void;
  dispose(): void;
}

/** How long a script may take to hear Ctrl-C. */
const INTERRUPT_MS = 2000;
const INIT_PID = 1;
/** Exit codes of a shell for what cannot be executed or found. */
const CANNOT_EXECUTE = 126;
const NOT_FOUND = 127;

/** Runs processes on the pool's workers. */
export function createProcessControl(options: ProcessControlOptions): ProcessControl {
  const { ipc, tree, pool } = options;
  const { processes } = ipc;
  const freeLocks = createLockRecovery(ipc, options.locks);
  const records = new Map<number, ProcessRecord>();
  /** Jobs without a worker: pid → pid of the process that plays them. */
  const jobs = new Map<number, number>();

  const post = (pid: number, message: KernelMessage): void => {
    const record = records.get(pid);
    if (!record) threads.post(pid, message);
    else if (!record.ended) record.worker?.postMessage(message);
  };

  const start = (request: SpawnRequest, { onEnd, policy }: FirstProcess, starter?: number): void => {
    const { pid, slot } = request;
    const record: ProcessRecord = {
      pid,
      slot,
      worker: undefined,
      incarnation: 0,
      ended: false,
      interruptible: false,
      onEnd,
      starter,
      policy,
    };
    records.set(pid, record);
    void launch(record, request);
  };

  const launch = async (record: ProcessRecord, request: SpawnRequest): Promise<void> => {
    const incarnation = ++record.incarnation;
    const resolved = resolveProgram(tree, request.file, request.argv, request.env.PATH);
    if (typeof resolved === 'number') {
      writeError(record.slot, `${request.argv[0] ?? request.file}: ${errnoCode(resolved)}\n`);
      return end(record, resolved === ENOENT ? NOT_FOUND : CANNOT_EXECUTE, 0, 'asked');
    }
    processes.setCommand(record.slot, resolved.argv.join(' '));
    const isWanted = (): boolean => !record.ended && record.incarnation === incarnation;
    let worker: ProcessWorker | undefined;
    try {
      worker = await pool.take({ isUrgent: isForPerson(record.slot), isOurs: resolved.program !== 'node', isWanted });
    } catch (error) {
      return crash(record, String((error as Error).message));
    }
    if (!worker || !isWanted()) return worker?.terminate();
    record.worker = worker;
    worker.onmessage = ({ data }) => receive(record, data);
    worker.onerror = (event) => crash(record, event.message ?? 'The worker failed without a reason.');
    if (processes.stateOf(record.slot) === PROCESS_STATE.starting)
      processes.setState(record.slot, PROCESS_STATE.running);
    worker.postMessage({
      type: 'start',
      program: resolved.program,
      request: { ...request, file: resolved.file, argv: resolved.argv },
      ppid: processes.parentPidOf(record.slot),
      policy: record.policy,
    } satisfies KernelMessage);
  };

  /** Started by the page, or typed into the shell at a prompt. */
  const isForPerson = (slot: number): boolean => {
    const parent = processes.parentPidOf(slot);
    return parent === INIT_PID || parent === processes.sessionOf(slot);
  };

  const receive = (record: ProcessRecord, message: ProcessMessage): void => {
    if (record.ended) return;
    switch (message.type) {
      case 'ready':
        return;
      case 'exit':
        return end(record, message.code & 0xff, 0, message.isFree ? 'free' : 'asked');
      case 'leave':
        return leaveFor(message, record, { processes, records, jobs, settle, fault: options.fault });
      case 'crash':
        return crash(record, message.message);
      case 'kill':
        return kill(message, record.pid, record.pid);
      case 'refused':
        return refuse(record.slot, message.signal);
      case 'spawn':
        return spawn(record.pid, message);
      case 'thread':
        return threads.start(record.pid, record, message.boot, record.policy);
      case 'stopThread':
        return threads.stop(record.pid, message.threadId);
      case 'broadcast':
        return threads.broadcast(record.pid, record.pid, message);
      case 'exec':
        record.worker?.terminate();
        record.worker = undefined;
        for (let number = 1; number <= 64; number++) processes.setHandled(record.slot, number, false);
        // Its watches and listeners were the old program's.
        options.onEnded(record.pid, record.slot);
        return void launch(record, { ...message, pid: record.pid, slot: record.slot });
      case 'job':
        if (processes.find(message.pid) >= 0) jobs.set(message.pid, record.pid);
        return;
      case 'jobEnd':
        return void jobs.delete(message.pid);
      case 'interruptible':
        record.interruptible = message.on;
        return;
      default:
        return options.onMessage(record.pid, record.slot, message);
    }
  };

  const spawn = (parent: number, request: SpawnRequest, starter?: number): void => {
    const { pid, slot } = request;
    if (processes.find(pid) === slot && processes.parentPidOf(slot) === parent && !records.has(pid))
      start(request, { policy: records.get(parent)?.policy }, starter);
    else options.fault(`Process ${parent} spawned ${pid}, which is not its child.`);
  };

  const writeError = (slot: number, text: string): void => sayOnStderr(ipc, tree, slot, text);

  const crash = (record: ProcessRecord, message: string): void => {
    if (record.ended) return;
    writeError(record.slot, `The process crashed: ${message}\n`);
    options.fault(`Process ${record.pid} crashed: ${message}`);
    void end(record, 0, SIGNAL.SIGABRT, 'forced', { kind: 'crashed', message });
  };

  /** `asked`: the worker itself said so and does nothing more; `free`: it may even do something else; `forced`: it may be anywhere, even inside a lock. */
  const end = (
    record: ProcessRecord,
    code: number,
    signalNumber: number,
    how: 'asked' | 'free' | 'forced',
    told: RunEnd = signalNumber > 0
      ? { kind: 'signalled', signal: signalName(signalNumber) }
      : { kind: 'exited', code },
  ): void => {
    if (record.ended) return;
    record.ended = true;
    processes.fence(record.slot);
    // A worker that sees the tree by one program's policy is nobody else's.
    if (how === 'free' && record.worker && !record.policy) pool.giveBack(record.worker);
    else record.worker?.terminate();
    const dead = threads.endAll(record.pid);
    if (how !== 'forced' && dead.length === 0) settle(record, code, signalNumber, told);
    else void freeLocks([record.slot, ...dead]).then(() => settle(record, code, signalNumber, told));
  };

  const settle = (record: ProcessRecord, code: number, signalNumber: number, told: RunEnd): void => {
    const { pid, slot } = record;
    threads.settleAll(pid);
    ipc.tableOf(slot).closeAll();
    options.onEnded(pid, slot);
    for (const [job, owner] of jobs) if (owner === pid) jobs.delete(job);
    hangUp(pid, slot);
    adoptChildren(pid);
    records.delete(pid);
    const parent = processes.parentPidOf(slot);
    const parentSlot = parent === INIT_PID ? -1 : processes.find(parent);
    processes.end(slot, code, signalNumber);
    if (parentSlot < 0 || (record.starter !== undefined && !threads.has(record.starter))) {
      processes.reap(slot);
    } else {
      post(record.starter ?? parent, { type: 'childExit', pid, code, signal: signalNumber });
      deliver(parent, parentSlot, SIGNAL.SIGCHLD);
    }
    record.onEnd?.(told);
  };

  /** The end of a session's leader is a hang-up for the group in its terminal's foreground. */
  const hangUp = (pid: number, slot: number): void => {
    const index = processes.terminalOf(slot);
    if (index < 0 || processes.sessionOf(slot) !== pid) return;
    const terminal = ipc.terminals.open(index);
    if (terminal.session === pid && terminal.foregroundGroup > 0) signalGroup(terminal.foregroundGroup, SIGNAL.SIGHUP);
  };

  /** Children go to init, which frees zombies at once; slots that the dead process took but never started are freed too. */
  const adoptChildren = (pid: number): void => {
    for (const { slot, pid: child } of processes.all()) {
      if (child === INIT_PID || processes.parentPidOf(slot) !== pid) continue;
      processes.setParent(slot, INIT_PID);
      if (records.has(child)) continue;
      ipc.tableOf(slot).closeAll();
      processes.reap(slot);
    }
  };

  const membersOf = (group: number) =>
    processes.all().filter(({ slot, pid }) => pid !== INIT_PID && processes.groupOf(slot) === group);

  const signalGroup = (group: number, number: number): boolean => {
    const members = membersOf(group);
    for (const { slot, pid } of members) deliver(pid, slot, number);
    return members.length > 0;
  };

  const keySignal = (group: number, number: number, mark: () => void): void => {
    const members = membersOf(group);
    for (const { slot, pid } of members) {
      if (jobs.has(pid) || processes.isHandled(slot, number)) processes.raise(slot, number);
      else if (records.has(pid) && defaultAction(number) === 'terminate') processes.fence(slot);
    }
    mark();
    for (const { slot, pid } of members) deliver(pid, slot, number, true);
  };

  const signal = (target: number, number: number, from?: number): number => {
    const known = (): number => (from === undefined ? -1 : processes.find(from));
    if (target > 0) {
      const slot = processes.find(target);
      if (slot < 0) return ESRCH;
      if (slot > 0) deliver(target, slot, number);
      return 0;
    }
    if (target === -1) {
      for (const { slot, pid } of processes.all()) if (pid !== INIT_PID && pid !== from) deliver(pid, slot, number);
      return 0;
    }
    const group = target === 0 ? processes.groupOf(Math.max(known(), 0)) : -target;
    return signalGroup(group, number) ? 0 : ESRCH;
  };

  const kill = (message: Extract<ProcessMessage, { type: 'kill' }>, from: number, answerTo: number): void => {
    signal(message.pid, message.signal, from);
    if (message.told !== undefined) post(answerTo, { type: 'killed', id: message.told });
  };

  /** It has wanted the keyboard from the background. By now it may have been brought to the front, and must not be stopped behind SIGCONT. */
  const refuse = (slot: number, number: number): void => {
    const index = processes.terminalOf(slot);
    if (index >= 0 && isInBackground(processes, slot, ipc.terminals.open(index)))
      signalGroup(processes.groupOf(slot), number);
  };

  const deliver = (pid: number, slot: number, number: number, isRaised = false): void => {
    const state = processes.stateOf(slot);
    if (number === 0 || state === PROCESS_STATE.zombie || state === PROCESS_STATE.free) return;
    const owner = jobs.get(pid);
    if (owner !== undefined) {
      post(owner, { type: 'signal', signal: number, pid });
      return;
    }
    const record = records.get(pid);
    if (!record || record.ended) return;
    if (number === SIGNAL.SIGKILL) {
      end(record, 0, number, 'forced');
      return;
    }
    if (number === SIGNAL.SIGSTOP) {
      stop(record, number);
      return;
    }
    if (number === SIGNAL.SIGCONT) goOn(record);
    if (processes.isHandled(slot, number)) {
      if (!isRaised) processes.raise(slot, number);
      record.worker?.postMessage({ type: 'signal', signal: number } satisfies KernelMessage);
      if (number === SIGNAL.SIGINT && record.interruptible) setTimeout(endIfDeaf, INTERRUPT_MS, record);
      return;
    }
    switch (defaultAction(number)) {
      case 'ignore':
      case 'continue':
        return;
      case 'stop':
        stop(record, number);
        return;
      case 'terminate':
        end(record, 0, number, 'forced');
        return;
    }
  };

  /** A loop that never asks for its signal. */
  const endIfDeaf = (record: ProcessRecord): void => {
    if (record.interruptible && processes.isPending(record.slot, SIGNAL.SIGINT))
      end(record, 0, SIGNAL.SIGINT, 'forced');
  };

  const stop = (record: ProcessRecord, number: number): void => {
    if (processes.stateOf(record.slot) !== PROCESS_STATE.running) return;
    processes.setStopped(record.slot, true);
    threads.setStopped(record.pid, true);
    post(record.starter ?? processes.parentPidOf(record.slot), {
      type: 'childStopped',
      pid: record.pid,
      signal: number,
    });
  };

  const goOn = (record: ProcessRecord): void => {
    if (processes.stateOf(record.slot) !== PROCESS_STATE.stopped) return;
    processes.setStopped(record.slot, false);
    threads.setStopped(record.pid, false);
    post(record.starter ?? processes.parentPidOf(record.slot), { type: 'childContinued', pid: record.pid });
  };

  const threads = createThreads({
    ipc,
    pool,
    freeLocks,
    post,
    writeError,
    onEnded: options.onEnded,
    receive(thread, message) {
      const { tid, leader } = thread;
      switch (message.type) {
        case 'kill':
          return kill(message, leader, tid);
        case 'refused':
          return refuse(thread.slot, message.signal);
        case 'spawn':
          return spawn(leader, message, tid);
        case 'thread':
          return threads.start(
            tid,
            { pid: leader, slot: processes.find(leader) },
            message.boot,
            records.get(leader)?.policy,
          );
        case 'stopThread':
          return threads.stop(tid, message.threadId);
        case 'broadcast':
          return threads.broadcast(leader, tid, message);
        case 'exec':
        case 'leave':
        case 'job':
        case 'jobEnd':
          return options.fault(`A thread of process ${leader} asked for ${message.type}, which only a process may.`);
        default:
          return options.onMessage(tid, thread.slot, message);
      }
    },
  });

  return {
    start: (request, first) => start(request, first),
    keySignal,
    signal,
    post,
    dispose() {
      for (const record of records.values()) {
        record.ended = true;
        processes.fence(record.slot);
        record.worker?.terminate();
      }
      records.clear();
    },
  };
}
