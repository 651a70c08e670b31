// Why a model step failed, sorted by what can be done about it.
import { isAbortError } from '../std/signals';

/** For people. `retryable`: trying the same again may work. `key`: the key is missing or refused. */
export interface RunError {
  message: string;
  retryable: boolean;
  kind: 'network' | 'provider' | 'key' | 'limit' | 'bug';
  /** The prompt is longer than the model's context. */
  overflow?: boolean;
  /** HTTP status of the provider or of our route, where there was one. */
  status?: number;
}

/** Thrown by models; carries the readable error and how long the other side asks to wait. */
export class ModelError extends Error {
  readonly error: RunError;
  readonly retryAfterMs?: number;
  constructor(error: RunError, retryAfterMs?: number) {
    super(error.message);
    this.name = 'ModelError';
    this.error = error;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/** Any throw as a RunError. *Contract:* not for aborts. */
export function toRunError(error: unknown): RunError {
  if (error instanceof ModelError) return error.error;
  const message = error instanceof Error ? error.message : String(error);
  // What fetch and a torn stream throw, in all three browsers.
  if (error instanceof TypeError && /fetch|network|load failed|terminated/i.test(message))
    return {
      message:
        'The server could not be reached. Real models need the network: try again when you are online, or choose the practice model.',
      retryable: true,
      kind: 'network',
    };
  return { message: message || 'Something broke without saying why.', retryable: true, kind: 'bug' };
}

/** Worth waiting for and trying again without asking: rate limits, overload, and connections that broke. */
export function isTransient(error: unknown): boolean {
  if (isAbortError(error)) return false;
  const { retryable, kind, status } = toRunError(error);
  if (!retryable || kind === 'bug' || kind === 'key') return false;
  return (
    kind === 'network' || status === undefined || status === 408 || status === 409 || status === 429 || status >= 500
  );
}

/** Milliseconds from `retry-after-ms` or `retry-after` (seconds or a date); undefined when absent or not understood. */
export function retryAfterMs(headers: { get(name: string): string | null }, nowMs = Date.now()): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number.parseFloat(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
