// The end of a process whose worker runs on for a while: its locks are freed at last, and nobody gets its slot before that.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatIpc, openIpc } from '../ipc/ipc';
import { isFenced } from '../ipc/party';
import { PROCESS_STATE } from '../ipc/types';
import { HEADER_WORD } from '../memory/layout';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree } from '../tree/tree';
import type { FilePolicy } from '../tree/types';
import { TERMINATION_MS } from './lock-recovery';
import type { RunEnd } from './page-protocol';
import { createProcessControl } from './process-control';
import { programFile } from './programs';
import type { KernelMessage, ProcessMessage, ThreadBoot } from './protocol';
import type { ProcessWorker } from './worker-pool';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function machine() {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory, 1);
  formatIpc(memory);
  const ipc = openIpc(memory, tree, 0, 1);
  tree.mkdir('/bin', 0o755);
  tree.write(tree.create('/bin/true', 0o755), new TextEncoder().encode(programFile('node')), 0);
  const workers: ProcessWorker[] = [];
  const given: ProcessWorker[] = [];
  const sent: KernelMessage[] = [];
  const worker = (): ProcessWorker => {
    const made = {
      postMessage: (message: KernelMessage) => void sent.push(message),
      terminate() {},
      onmessage: null,
      onerror: null,
    };
    workers.push(made);
    return made;
  };
  const words = new Int32Array(memory.buffer);
  const control = createProcessControl({
    ipc,
    tree,
    pool: {
      take: async () => worker(),
      giveBack: (free) => void given.push(free),
      ready: Promise.resolve(),
      dispose() {},
    },
    locks: {
      isLockedBy: (slot) => Atomics.load(words, HEADER_WORD.lockOwner) === slot + 2,
      steal: (slot) => void tree.recover(slot + 2),
    },
    onMessage() {},
    onEnded() {},
    fault(message) {
      throw new Error(message);
    },
  });
  const start = (policy?: FilePolicy): { pid: number; slot: number; end: Promise<RunEnd> } => {
    const made = ipc.processes.allocate(-1);
    if (typeof made === 'number') throw new Error('no slot');
    const request = { type: 'spawn' as const, ...made, file: '/bin/true', argv: ['true'], env: {}, cwd: '/' };
    const end = new Promise<RunEnd>((resolve) => control.start(request as never, { onEnd: resolve, policy }));
    return { ...made, end };
  };
  /** What the worker of the nth process says. */
  const say = (nth: number, message: ProcessMessage): void => workers[nth].onmessage?.({ data: message });
  return { ipc, tree, control, words, start, say, sent, workers, given };
}

test('a killed worker that takes the tree once more after its locks were freed does not keep it', async () => {
  const { ipc, tree, control, words, start } = machine();
  const killed = start();
  await vi.advanceTimersByTimeAsync(10);
  control.signal(killed.pid, 9);
  await vi.advanceTimersByTimeAsync(10);
  expect(await killed.end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  expect(ipc.processes.find(killed.pid)).toBeLessThan(0);

  // It had passed the fence, and is terminated inside the lock.
  Atomics.store(words, HEADER_WORD.lockOwner, killed.slot + 2);
  const next = start();
  expect(next.slot).not.toBe(killed.slot);
  await vi.advanceTimersByTimeAsync(TERMINATION_MS);
  expect(Atomics.load(words, HEADER_WORD.lockOwner)).toBe(0);
  expect(tree.mkdir('/after', 0o755)).toBeGreaterThan(0);
  expect(start().slot).toBe(killed.slot);
});

test('a process that ended by itself leaves its slot to the next at once', async () => {
  const { ipc, start } = machine();
  const first = start();
  ipc.processes.reap(first.slot);
  expect(start().slot).toBe(first.slot);
});

test('what wanted the keyboard from the background is not stopped any more once it has been brought to the front', async () => {
  const { ipc, start, say, sent } = machine();
  const [shell, program] = [start(), start()];
  await vi.advanceTimersByTimeAsync(10);
  const terminal = ipc.terminals.open(ipc.terminals.create(80, 24));
  terminal.session = shell.pid;
  terminal.foregroundGroup = shell.pid;
  for (const { slot } of [shell, program]) {
    ipc.processes.setSession(slot, shell.pid);
    ipc.processes.setTerminal(slot, terminal.index);
  }
  const stateAfter = (message: ProcessMessage): number => {
    say(1, message);
    return ipc.processes.stateOf(program.slot);
  };
  expect(stateAfter({ type: 'refused', signal: 21 })).toBe(PROCESS_STATE.stopped);
  // fg: the terminal first, then SIGCONT. What the program sent while it stood in the background comes last.
  terminal.foregroundGroup = program.pid;
  say(0, { type: 'kill', pid: -program.pid, signal: 18, told: 1 });
  expect(sent.at(-1)).toEqual({ type: 'killed', id: 1 });
  expect(stateAfter({ type: 'refused', signal: 21 })).toBe(PROCESS_STATE.running);
  expect(stateAfter({ type: 'refused', signal: 22 })).toBe(PROCESS_STATE.running);
});

test('when a key ends a flood, nobody writes behind what is thrown away: a program is held before, the jobs of a shell know of the signal', async () => {
  const { ipc, control, words, start, say, sent } = machine();
  const [shell, program] = [start(), start()];
  await vi.advanceTimersByTimeAsync(10);
  const job = ipc.processes.allocate(shell.slot);
  if (typeof job === 'number') throw new Error('no slot');
  say(0, { type: 'job', pid: job.pid });
  for (const { slot } of [program, job]) ipc.processes.setGroup(slot, 77);
  const atMark: unknown[] = [];
  control.keySignal(77, 2, () => {
    atMark.push(isFenced(words, program.slot), ipc.processes.hasPending(job.slot), isFenced(words, shell.slot));
    atMark.push(sent.some(({ type }) => type === 'signal'));
  });
  expect(atMark).toEqual([true, true, false, false]);
  expect(sent.at(-1)).toEqual({ type: 'signal', signal: 2, pid: job.pid });
  await vi.advanceTimersByTimeAsync(10);
  expect(await program.end).toEqual({ kind: 'signalled', signal: 'SIGINT' });
});

test('a signal of a key comes once to a program that handles it', async () => {
  const { ipc, control, start, sent } = machine();
  const program = start();
  await vi.advanceTimersByTimeAsync(10);
  ipc.processes.setHandled(program.slot, 2, true);
  const taken: number[] = [];
  control.keySignal(ipc.processes.groupOf(program.slot), 2, () => taken.push(ipc.processes.takePending(program.slot)));
  expect([...taken, ipc.processes.takePending(program.slot)]).toEqual([2, 0]);
  expect(sent.at(-1)).toEqual({ type: 'signal', signal: 2 });
});

test('what a thread broadcasts goes to the other threads of its process and to its main thread, each once, not to others', async () => {
  const { start, say, workers } = machine();
  start();
  start();
  await vi.advanceTimersByTimeAsync(10);
  const heard: [number, string][] = [];
  const boot = (threadId: number) => ({ threadId, port: { port: {} } }) as unknown as ThreadBoot;
  for (const threadId of [1, 2]) say(0, { type: 'thread', boot: boot(threadId) });
  await vi.advanceTimersByTimeAsync(10);
  for (const [nth, worker] of workers.entries())
    worker.postMessage = (message: KernelMessage) => {
      if (message.type === 'broadcast') heard.push([nth, message.name]);
    };
  for (const nth of [2, 0]) say(nth, { type: 'broadcast', name: `from ${nth}`, message: {} });
  expect(heard).toEqual([
    [0, 'from 2'],
    [3, 'from 2'],
    [2, 'from 0'],
    [3, 'from 0'],
  ]);
});

test('a worker that has run only ours and says that it is free serves again, unless it sees the tree by a policy', async () => {
  const { start, say, given, workers } = machine();
  const plain = start();
  await vi.waitFor(() => expect(workers).toHaveLength(1));
  say(0, { type: 'exit', code: 3, isFree: true });
  expect(await plain.end).toEqual({ kind: 'exited', code: 3 });
  expect(given).toEqual([workers[0]]);
  const guest = start();
  await vi.waitFor(() => expect(workers).toHaveLength(2));
  say(1, { type: 'exit', code: 0 });
  await guest.end;
  const confined = start({ writable: [] });
  await vi.waitFor(() => expect(workers).toHaveLength(3));
  say(2, { type: 'exit', code: 0, isFree: true });
  await confined.end;
  expect(given).toEqual([workers[0]]);
});
