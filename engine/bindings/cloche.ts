// cloche: our own binding, for the shell: pipes, non-blocking descriptor I/O, jobs, process groups, terminals. Not reachable by guest code
// (lib's loader hands internalBinding only to builtins).
import { PROCESS_STATE } from '../ipc/types';
import { EAGAIN, EBADF, EINVAL, ENOTTY, ESRCH } from '../memory/errno';
import type { Binding } from '../process/environment';
import { canRunAnother } from '../process/worker-reuse';
import type { ShellBinding } from '../shell/os';
import { DescriptorIo } from './fs/descriptor-io';

const SIGCONT = 18;
const STATE_LETTERS = ['', 'R', 'R', 'T', 'Z'];

export const cloche: Binding = (environment): Record<string, any> => {
  const { descriptors, descriptions, processes, loop, state, post } = environment;
  const io = new DescriptorIo(environment);
  const originalThen = Promise.prototype.then;
  const stateListeners = new Set<(pid: number, state: 'stopped' | 'running') => void>();
  const jobListeners = new Set<(pid: number, signal: NodeJS.Signals) => void>();
  const listen = <Listener>(listeners: Set<Listener>, listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const signalNames = new Map<number, NodeJS.Signals>(
    Object.entries(environment.dumped('constants').os.signals as Record<NodeJS.Signals, number>).map(
      ([name, number]) => [number, name as NodeJS.Signals],
    ),
  );
  for (const [type, state] of [
    ['childStopped', 'stopped'],
    ['childContinued', 'running'],
  ] as const)
    environment.onKernel(type, ({ pid }) => {
      for (const listener of [...stateListeners]) listener(pid, state);
    });
  const told = new Map<number, () => void>();
  let lastKill = 0;
  environment.onKernel('killed', ({ id }) => {
    told.get(id)?.();
    told.delete(id);
  });
  environment.onJobSignal((pid, signal) => {
    const slot = jobSlots.get(pid);
    if (slot !== undefined) processes.takeOne(slot, signal);
    for (const listener of [...jobListeners]) listener(pid, signalNames.get(signal) ?? 'SIGTERM');
  });

  /** The inode path of an fs descriptor, which never blocks; `undefined` when a ring is behind it. */
  const ring = (fd: number, direction: 'incoming' | 'outgoing') => {
    const description = descriptors.get(fd);
    return description < 0 ? undefined : descriptions[direction](description);
  };
  const errnoOf = (run: () => number): number => {
    try {
      return run();
    } catch (thrown: any) {
      if (typeof thrown?.errno === 'number') return thrown.errno;
      throw thrown;
    }
  };
  const terminalAt = (fd: number) => {
    const description = descriptors.get(fd);
    return description < 0 ? undefined : descriptions.terminalOf(description);
  };
  /** Where the jobs of this process stand in the table. */
  const jobSlots = new Map<number, number>();
  /** A key's signal is on its way to this process or to one of its jobs: the screen has been cleared of what they wrote, and they write nothing more before they know it. */
  const isHeld = (fd: number): boolean =>
    terminalAt(fd) !== undefined &&
    (processes.hasPending(state.slot) || [...jobSlots.values()].some((slot) => processes.hasPending(slot)));
  const binding: ShellBinding = {
    pipe() {
      const pair = descriptors.openPipe();
      if (typeof pair === 'number') throw environment.uvException(pair, 'pipe');
      return pair;
    },
    tryRead: (fd, bytes) => ring(fd, 'incoming')?.read(bytes) ?? errnoOf(() => io.read(fd, bytes, null)),
    tryWrite: (fd, bytes) =>
      isHeld(fd) ? EAGAIN : (ring(fd, 'outgoing')?.write(bytes) ?? errnoOf(() => io.write(fd, bytes, null))),
    wait(fd, direction, callback) {
      const pipe = ring(fd, direction === 'read' ? 'incoming' : 'outgoing');
      let stopped = false;
      const ready = pipe ? (direction === 'read' ? pipe.whenReadable() : pipe.whenWritable()) : Promise.resolve();
      loop.startRequest();
      const finish = (): void => {
        if (stopped) return;
        stopped = true;
        loop.endRequest();
      };
      originalThen.call(ready, () =>
        loop.enqueue(() => {
          if (stopped) return;
          finish();
          callback();
        }),
      );
      return finish;
    },
    allocateJob(words, shell) {
      const job = processes.allocate(state.slot);
      if (typeof job === 'number') throw environment.uvException(job, 'fork');
      processes.setCommand(job.slot, words ?? processes.commandOf(Math.max(0, processes.find(shell))));
      processes.setState(job.slot, PROCESS_STATE.running);
      jobSlots.set(job.pid, job.slot);
      post({ type: 'job', pid: job.pid });
      return job.pid;
    },
    endJob(pid, code, signal) {
      jobSlots.delete(pid);
      const slot = processes.find(pid);
      if (slot < 0) return;
      processes.end(slot, code, signal ? (environment.dumped('constants').os.signals[signal] ?? 0) : 0);
      processes.reap(slot);
      post({ type: 'jobEnd', pid });
    },
    retire(code) {
      if (jobSlots.size > 0 || told.size > 0 || !canRunAnother(environment)) return false;
      stateListeners.clear();
      jobListeners.clear();
      environment.nodeLoop.pause();
      post({ type: 'exit', code: code & 0xff, isFree: true });
      return true;
    },
    leave(code) {
      // The end of a terminal's first process is the end of the terminal.
      if (processes.terminalOf(state.slot) >= 0 && processes.sessionOf(state.slot) === state.pid) return false;
      const made = processes.allocate(state.slot);
      if (typeof made === 'number') return false;
      const { pid, slot } = made;
      processes.setCommand(slot, processes.commandOf(state.slot));
      processes.setState(slot, PROCESS_STATE.running);
      for (const fd of descriptors.list()) descriptors.giveTo(slot, fd, fd);
      environment.become(slot, pid);
      post({ type: 'leave', code, pid, slot });
      return true;
    },
    onJobSignal: (listener) => listen(jobListeners, listener),
    setGroup(pid, group) {
      const slot = pid === 0 ? state.slot : processes.find(pid);
      if (slot < 0) return ESRCH;
      if (group < 0) return EINVAL;
      processes.setGroup(slot, group === 0 ? processes.groupOf(state.slot) : group);
      return 0;
    },
    setForeground(fd, group) {
      const terminal = terminalAt(fd);
      if (!terminal) return descriptors.get(fd) < 0 ? EBADF : ENOTTY;
      terminal.foregroundGroup = group === 0 ? processes.groupOf(state.slot) : group;
      return 0;
    },
    continueGroup(group, done) {
      const id = ++lastKill;
      told.set(id, done);
      post({ type: 'kill', pid: -group, signal: SIGCONT, told: id });
    },
    onChildState: (listener) => listen(stateListeners, listener),
    terminalSize(fd) {
      const terminal = terminalAt(fd);
      return terminal && { columns: terminal.columns, rows: terminal.rows };
    },
    terminalModes: (fd) => terminalAt(fd)?.modes,
    setTerminalModes(fd, modes) {
      const terminal = terminalAt(fd);
      if (!terminal) return descriptors.get(fd) < 0 ? EBADF : ENOTTY;
      terminal.setModes(modes);
      return 0;
    },
    descriptors: () => descriptors.list(),
    processes: () =>
      processes.all().map(({ slot, pid }) => ({
        pid,
        ppid: processes.parentPidOf(slot),
        command: processes.commandOf(slot),
        startedAt: processes.startedAtOf(slot),
        state: STATE_LETTERS[processes.stateOf(slot)],
      })),
  };
  return binding;
};
