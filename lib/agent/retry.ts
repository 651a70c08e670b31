// Trying a model step again after a transient failure: 2 s doubled up to 30 s, a quarter of jitter, the provider's own wish respected.
import { sleep } from '../std/signals';
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
      const backoff = Math.min(30_000, baseDelayMs * 2 ** failures) * (1 + Math.random() / 4);
      const delayMs = Math.max(wish ?? 0, wish === undefined ? backoff : 0);
      onRetry({ attempt: failures + 1, message: toRunError(error).message, nextAtMs: Date.now() + delayMs });
      await sleep(delayMs, signal);
    }
  }
}
