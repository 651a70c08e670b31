// Trying a model step again after a transient failure: 2 s doubled up to 30 s, a quarter of jitter, the provider's own wish respected.
import { untilOnline } from '../std/online';
import { sleep } from '../std/signals';
import { steadyNow } from '../std/steady';
import { isTransient, ModelError, toRunError } from './run-error';

/** Told before each wait, so that the view can count down. */
export interface RetryNotice {
  attempt: number;
  message: string;
  nextAtMs: number;
}

export interface RetryOptions {
  signal: AbortSignal;
  onRetry(notice: RetryNotice): void;
  maxRetries?: number;
  baseDelayMs?: number;
}

/** A provider that wants more patience than this gets none: the person decides. */
const maxWishMs = 120_000;

/** How long to wait after so many failures: doubled up to 30 s, with a quarter of jitter. */
export function backoffMs(failures: number, baseDelayMs = 2000): number {
  return Math.min(30_000, baseDelayMs * 2 ** failures) * (1 + Math.random() / 4);
}

/** Runs `attempt` until it works, fails for good, or the signal aborts (also during the wait). */
export async function withRetry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, onRetry, maxRetries = 5, baseDelayMs = 2000 } = options;
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || failures >= maxRetries || !isTransient(error)) throw error;
      const wish = error instanceof ModelError ? error.retryAfterMs : undefined;
      if (wish !== undefined && wish > maxWishMs) throw error;
      const delayMs = wish ?? backoffMs(failures, baseDelayMs);
      onRetry({ attempt: failures + 1, message: toRunError(error).message, nextAtMs: steadyNow() + delayMs });
      await sleep(delayMs, signal);
      // Without a network every attempt is wasted: the budget is for a provider that fails.
      await untilOnline(signal);
    }
  }
}
