// Pre-booted process workers: starting a program takes one from here, and the pool refills when the burst is over. Those that have run only programs of
// ours come back and run more of them (engine/process/worker-reuse.ts).
// A worker that fails or does not answer in time is replaced; after the third failure the waiting start is refused with the reason.
import type { KernelMessage, ProcessMessage } from './protocol';

/** The part of a web worker that the kernel uses. */
export interface ProcessWorker {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: { data: ProcessMessage }) => void) | null;
  onerror: ((event: { message?: string; filename?: string; lineno?: number }) => void) | null;
}

export interface PoolOptions {
  create(): ProcessWorker;
  prepare: Extract<KernelMessage, { type: 'prepare' }>;
  /** Workers kept ready. */
  size: number;
  bootTimeoutMs: number;
  /** When the pool may be filled; until then it boots one worker, and more for those who wait. Default: at once. */
  fillAfter?: Promise<void>;
  /** Told of every failed boot. */
  onFailure(message: string): void;
}

/** Who wants a worker. */
export interface Claim {
  /** A person waits for it (a terminal, a command that was typed): it goes before the others, of which a program may make any number. */
  isUrgent: boolean;
  /** A program of ours: a worker that has run others of ours will do. */
  isOurs: boolean;
  /** False once the program was killed before it ran: no worker is booted for it. */
  isWanted(): boolean;
}

export interface WorkerPool {
  /** A booted worker that runs nothing, undefined when it is not wanted any more; rejects when three boots in a row have failed. */
  take(claim: Claim): Promise<ProcessWorker | undefined>;
  /** A worker whose program of ours has ended and left nothing in it. */
  giveBack(worker: ProcessWorker): void;
  /** Resolves when the first worker has booted; rejects as `take` does. */
  ready: Promise<void>;
  dispose(): void;
}

const ATTEMPTS = 3;
const PROCESSORS = globalThis.navigator?.hardwareConcurrency ?? 4;
/** A boot is work for a processor: more at once would only make each of them late, in a crowd too late. */
const MAX_BOOTING = Math.max(4, PROCESSORS);
/** Who found no worker ready twice within this time starts one program after the other: from then on some are booted ahead, at once. */
const STREAK_MS = 1000;
const AHEAD = Math.min(PROCESSORS, 4);
/** Workers given back that are kept: one for a shell, one for what it starts. */
const MAX_USED = 2;
/** Refilling waits for the started program to get going: booting a worker beside it slows both. */
const REFILL_DELAY_MS = 60;
/** As long as another worker is ready there is no hurry: short programs are over by then. */
const UNHURRIED_REFILL_DELAY_MS = 300;

/** Fills the pool and keeps it full. */
export function createWorkerPool(options: PoolOptions): WorkerPool {
  const ready: ProcessWorker[] = [];
  const used: ProcessWorker[] = [];
  const waiting: { claim: Claim; resolve(worker: ProcessWorker | undefined): void; reject(error: Error): void }[] = [];
  const booting = new Set<ProcessWorker>();
  const settleReady = Promise.withResolvers<void>();
  // Whoever does not wait for the boot hears of its failure through onFailure.
  settleReady.promise.catch(() => {});
  let failures = 0;
  let disposed = false;
  let mayFill = options.fillAfter === undefined;
  let refillTimer: ReturnType<typeof setTimeout> | undefined;
  /** When `take` last found no worker ready, and the time before. */
  let missedAt = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

  const dropUnwanted = (): void => {
    for (let at = waiting.length - 1; at >= 0; at--)
      if (!waiting[at]!.claim.isWanted()) waiting.splice(at, 1)[0]!.resolve(undefined);
  };

  const bootOne = (): void => {
    const worker = options.create();
    booting.add(worker);
    const settle = (problem?: string): void => {
      if (!booting.delete(worker)) return;
      clearTimeout(timer);
      worker.onmessage = null;
      worker.onerror = null;
      if (problem === undefined) {
        failures = 0;
        settleReady.resolve();
        dropUnwanted();
        const next = waiting.shift();
        if (next) next.resolve(worker);
        else ready.push(worker);
        bootForWaiting();
        // What nobody waits for yet is booted one after the other.
        if (booting.size === 0) refillIn(UNHURRIED_REFILL_DELAY_MS);
        return;
      }
      worker.terminate();
      failures++;
      options.onFailure(problem);
      if (failures >= ATTEMPTS) {
        const error = new Error(problem);
        settleReady.reject(error);
        for (const { reject } of waiting.splice(0)) reject(error);
        failures = 0;
      } else if (!disposed) bootOne();
    };
    const timer = setTimeout(
      () => settle(`A process worker did not boot within ${options.bootTimeoutMs / 1000} s.`),
      options.bootTimeoutMs,
    );
    worker.onmessage = ({ data }) => {
      if (data.type === 'ready') settle();
      else if (data.type === 'crash') settle(`A process worker failed to boot: ${data.message}`);
    };
    worker.onerror = (event) =>
      settle(
        `A process worker failed to load: ${event.message ?? 'no reason given'} (${event.filename}:${event.lineno})`,
      );
    worker.postMessage(options.prepare);
  };

  const missing = (): number => waiting.length + options.size - ready.length - booting.size;

  const isStreak = (): boolean => performance.now() - missedAt[1]! < STREAK_MS;

  const bootForWaiting = (): void => {
    const ahead = isStreak() ? AHEAD - ready.length : 0;
    while (!disposed && booting.size < Math.min(Math.max(waiting.length, ahead), MAX_BOOTING)) bootOne();
  };

  const refill = (): void => {
    if (!disposed && mayFill && missing() > 0 && booting.size === 0) bootOne();
  };

  const refillIn = (ms: number): void => {
    clearTimeout(refillTimer);
    refillTimer = setTimeout(refill, ready.length > 0 ? ms : Math.min(ms, REFILL_DELAY_MS));
  };

  const take = (claim: Claim): Promise<ProcessWorker | undefined> => {
    const again = claim.isOurs ? used.pop() : undefined;
    if (again) return Promise.resolve(again);
    const worker = ready.shift();
    refillIn(UNHURRIED_REFILL_DELAY_MS);
    if (worker) {
      bootForWaiting();
      return Promise.resolve(worker);
    }
    missedAt = [performance.now(), missedAt[0]!];
    return new Promise((resolve, reject) => {
      const behind = claim.isUrgent ? waiting.findIndex((other) => !other.claim.isUrgent) : -1;
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { claim, resolve, reject });
      bootForWaiting();
    });
  };

  const giveBack = (worker: ProcessWorker): void => {
    worker.onmessage = null;
    worker.onerror = () => {
      const at = used.indexOf(worker);
      if (at >= 0) used.splice(at, 1);
      worker.terminate();
    };
    const next = waiting.findIndex(({ claim }) => claim.isOurs && claim.isWanted());
    if (next >= 0) waiting.splice(next, 1)[0]!.resolve(worker);
    else if (disposed || used.length >= MAX_USED) worker.terminate();
    else used.push(worker);
  };

  bootOne();
  void options.fillAfter?.then(() => {
    mayFill = true;
    refillIn(UNHURRIED_REFILL_DELAY_MS);
  });
  return {
    take,
    giveBack,
    ready: settleReady.promise,
    dispose() {
      disposed = true;
      clearTimeout(refillTimer);
      for (const worker of [...ready.splice(0), ...used.splice(0), ...booting]) worker.terminate();
      for (const { reject } of waiting.splice(0)) reject(new Error('The kernel has been disposed of.'));
    },
  };
}
