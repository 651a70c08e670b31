// Pre-booted process workers: starting a program takes one from here, and the pool refills when the burst is over.
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
  /** False once the program was killed before it ran: no worker is booted for it. */
  isWanted(): boolean;
}

export interface WorkerPool {
  /** A booted worker that runs nothing, undefined when it is not wanted any more; rejects when three boots in a row have failed. */
  take(claim: Claim): Promise<ProcessWorker | undefined>;
  /** Resolves when the first worker has booted; rejects as `take` does. */
  ready: Promise<void>;
  dispose(): void;
}

const ATTEMPTS = 3;
/** A boot is work for a processor: more at once would only make each of them late, in a crowd too late. */
const MAX_BOOTING = Math.max(4, globalThis.navigator?.hardwareConcurrency ?? 4);
/** Refilling waits for the started program to get going: booting a worker beside it slows both. */
const REFILL_DELAY_MS = 60;
/** As long as another worker is ready there is no hurry: short programs are over by then. */
const UNHURRIED_REFILL_DELAY_MS = 300;

/** Fills the pool and keeps it full. */
export function createWorkerPool(options: PoolOptions): WorkerPool {
  const ready: ProcessWorker[] = [];
  const waiting: { claim: Claim; resolve(worker: ProcessWorker | undefined): void; reject(error: Error): void }[] = [];
  const booting = new Set<ProcessWorker>();
  const settleReady = Promise.withResolvers<void>();
  // Whoever does not wait for the boot hears of its failure through onFailure.
  settleReady.promise.catch(() => {});
  let failures = 0;
  let disposed = false;
  let mayFill = options.fillAfter === undefined;
  let refillTimer: ReturnType<typeof setTimeout> | undefined;

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

  const bootForWaiting = (): void => {
    while (!disposed && booting.size < Math.min(waiting.length, MAX_BOOTING)) bootOne();
  };

  const refill = (): void => {
    if (!disposed && mayFill && missing() > 0 && booting.size === 0) bootOne();
  };

  const refillIn = (ms: number): void => {
    clearTimeout(refillTimer);
    refillTimer = setTimeout(refill, ready.length > 0 ? ms : Math.min(ms, REFILL_DELAY_MS));
  };

  const take = (claim: Claim): Promise<ProcessWorker | undefined> => {
    const worker = ready.shift();
    refillIn(UNHURRIED_REFILL_DELAY_MS);
    if (worker) return Promise.resolve(worker);
    return new Promise((resolve, reject) => {
      const behind = claim.isUrgent ? waiting.findIndex((other) => !other.claim.isUrgent) : -1;
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { claim, resolve, reject });
      bootForWaiting();
    });
  };

  bootOne();
  void options.fillAfter?.then(() => {
    mayFill = true;
    refillIn(UNHURRIED_REFILL_DELAY_MS);
  });
  return {
    take,
    ready: settleReady.promise,
    dispose() {
      disposed = true;
      clearTimeout(refillTimer);
      for (const worker of [...ready.splice(0), ...booting]) worker.terminate();
      for (const { reject } of waiting.splice(0)) reject(new Error('The kernel has been disposed of.'));
    },
  };
}
