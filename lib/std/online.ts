// Waiting for the network, where the platform can tell.
import { abortError } from './signals';

/** Resolves at once unless the platform says that there is no network; then when it is back. Rejects when the signal aborts. */
export function untilOnline(signal: AbortSignal): Promise<void> {
  if (globalThis.navigator?.onLine !== false) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = () => {
      globalThis.removeEventListener('online', online);
      signal.removeEventListener('abort', stop);
    };
    const online = () => {
      end();
      resolve();
    };
    const stop = () => {
      end();
      reject(abortError(signal));
    };
    if (signal.aborted) return stop();
    globalThis.addEventListener('online', online);
    signal.addEventListener('abort', stop);
  });
}
