// The pool with workers that behave and misbehave on command.
import { describe, expect, it, vi } from 'vitest';
import { createWorkerPool, type ProcessWorker } from './worker-pool';

type Behaviour = 'ready' | 'crash' | 'silent' | 'unloadable';

function pool(behaviours: Behaviour[], size = 1) {
  const failures: string[] = [];
  const made: { worker: ProcessWorker; terminated: boolean }[] = [];
  const created = createWorkerPool({
    create() {
      const behaviour = behaviours[made.length] ?? 'ready';
      const entry = { terminated: false } as (typeof made)[number];
      entry.worker = {
        onmessage: null,
        onerror: null,
        terminate: () => void (entry.terminated = true),
        postMessage() {
          setTimeout(() => {
            if (behaviour === 'ready') entry.worker.onmessage?.({ data: { type: 'ready' } });
            if (behaviour === 'crash') entry.worker.onmessage?.({ data: { type: 'crash', message: 'no lib' } });
            if (behaviour === 'unloadable') entry.worker.onerror?.({ message: 'syntax' });
          }, 1);
        },
      };
      made.push(entry);
      return entry.worker;
    },
    prepare: { type: 'prepare' } as never,
    size,
    bootTimeoutMs: 30,
    onFailure: (message) => failures.push(message),
  });
  return { created, failures, made };
}

describe('the worker pool', () => {
  it('gives out every worker once and refills', async () => {
    const { created, made } = pool([], 2);
    const taken = await Promise.all([created.take(), created.take(), created.take()]);
    expect(new Set(taken).size).toBe(3);
    await vi.waitFor(() => expect(made.length).toBe(5), { timeout: 5000 });
    created.dispose();
    expect(made.map(({ terminated }) => terminated)).toEqual([false, false, false, true, true]);
  });

  it('replaces workers that crash, hang or do not load, and says so', async () => {
    const { created, failures, made } = pool(['crash', 'silent', 'ready']);
    expect(await created.take()).toBe(made[2].worker);
    expect(failures).toEqual([expect.stringMatching(/no lib/), expect.stringMatching(/did not boot within 0.03 s/)]);
    expect([made[0].terminated, made[1].terminated]).toEqual([true, true]);
    created.dispose();
  });

  it('refuses a start after three failures in a row, and works again afterwards', async () => {
    const { created } = pool(['unloadable', 'crash', 'unloadable', 'ready']);
    await expect(created.take()).rejects.toThrow(/failed to load: syntax/);
    await expect(created.take()).resolves.toBeDefined();
    created.dispose();
  });
});
