// The end of a process whose worker runs on for a while: its locks are freed at last, and nobody gets its slot before that.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatIpc, openIpc } from '../ipc/ipc';
import { HEADER_WORD } from '../memory/layout';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree } from '../tree/tree';
import type { RunEnd } from './page-protocol';
import { createProcessControl, TERMINATION_MS } from './process-control';
import { programFile } from './programs';
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
  const worker = (): ProcessWorker => ({ postMessage() {}, terminate() {}, onmessage: null, onerror: null });
  const words = new Int32Array(memory.buffer);
  const control = createProcessControl({
    ipc,
    tree,
    pool: { take: async () => worker(), ready: Promise.resolve(), dispose() {} },
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
  const start = (): { pid: number; slot: number; end: Promise<RunEnd> } => {
    const made = ipc.processes.allocate(-1);
    if (typeof made === 'number') throw new Error('no slot');
    const request = { type: 'spawn' as const, ...made, file: '/bin/true', argv: ['true'], env: {}, cwd: '/' };
    const end = new Promise<RunEnd>((resolve) => control.start(request as never, { onEnd: resolve }));
    return { ...made, end };
  };
  return { ipc, tree, control, words, start };
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
