// The pool with workers that behave and misbehave on command.
import { describe, expect, it, vi } from 'vitest';
import { type Claim, createWorkerPool, type ProcessWorker } from './worker-pool';

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

const claim = (given: Partial<Claim> = {}): Claim => ({
  isUrgent: false,
  isOurs: false,
  isWanted: () => true,
  ...given,
});

describe('the worker pool', () => {
  it('gives out every worker once and refills', async () => {
    const { created, made } = pool([], 2);
    const taken = await Promise.all([created.take(claim()), created.take(claim()), created.take(claim())]);
    expect(new Set(taken).size).toBe(3);
    await vi.waitFor(() => expect(made.length).toBe(5), { timeout: 5000 });
    created.dispose();
    expect(made.map(({ terminated }) => terminated)).toEqual([false, false, false, true, true]);
  });

  it('replaces workers that crash, hang or do not load, and says so', async () => {
    const { created, failures, made } = pool(['crash', 'silent', 'ready']);
    expect(await created.take(claim())).toBe(made[2].worker);
    expect(failures).toEqual([expect.stringMatching(/no lib/), expect.stringMatching(/did not boot within 0.03 s/)]);
    expect([made[0].terminated, made[1].terminated]).toEqual([true, true]);
    created.dispose();
  });

  it('refuses a start after three failures in a row, and works again afterwards', async () => {
    const { created } = pool(['unloadable', 'crash', 'unloadable', 'ready']);
    await expect(created.take(claim())).rejects.toThrow(/failed to load: syntax/);
    await expect(created.take(claim())).resolves.toBeDefined();
    created.dispose();
  });

  it('serves a person first, and boots nothing for what was killed while it waited', async () => {
    const { created, made } = pool([], 1);
    const served: string[] = [];
    const killed = new Set<string>();
    const take = (name: string, isUrgent = false) =>
      created
        .take(claim({ isUrgent, isWanted: () => !killed.has(name) }))
        .then((worker) => served.push(worker ? name : `not ${name}`));
    const crowd = Array.from({ length: 100 }, (_, at) => take(`crowd${at}`));
    const typed = [take('first', true), take('second', true)];
    for (let at = 20; at < 100; at++) killed.add(`crowd${at}`);
    await Promise.all([...crowd, ...typed]);
    expect(served.indexOf('second')).toBeLessThan(served.indexOf('crowd9'));
    expect(served.indexOf('first')).toBeLessThan(served.indexOf('second'));
    expect(served.filter((name) => name.startsWith('not '))).toHaveLength(80);
    expect(made.length).toBeLessThan(30);
    created.dispose();
  });

  it('gives a worker that came back to programs of ours alone', async () => {
    const { created, made } = pool([], 1);
    const first = (await created.take(claim({ isOurs: true }))) as ProcessWorker;
    created.giveBack(first);
    const guests = await Promise.all([created.take(claim()), created.take(claim())]);
    expect(guests).not.toContain(first);
    expect(await created.take(claim({ isOurs: true }))).toBe(first);
    // One that waits has it at once.
    const waits = [created.take(claim()), created.take(claim({ isOurs: true }))];
    created.giveBack(first);
    expect(await waits[1]).toBe(first);
    expect(await waits[0]).not.toBe(first);
    // Those that nobody wants back are few, and end with the pool.
    for (const worker of guests) created.giveBack(worker as ProcessWorker);
    created.giveBack(first);
    expect(made[0].terminated).toBe(true);
    created.dispose();
    for (const worker of guests) expect(made.find((one) => one.worker === worker)?.terminated).toBe(true);
  });

  it('boots ahead for whoever starts one after the other', async () => {
    const { created, made } = pool([], 0);
    for (let at = 0; at < 3; at++) await created.take(claim());
    expect(made.length).toBeGreaterThan(3);
    created.dispose();
  });
});
