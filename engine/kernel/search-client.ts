// The kernel's side of the search worker: started on first use, ended by a cancellation or when a search takes too long.
import { Failure } from './failure';
import type { SearchOrder } from './search';

/** What the search worker answers. */
export type SearchReply =
  | { kind: 'found'; result: unknown }
  | { kind: 'failed'; code: string; message: string; path?: string };

/** The part of a web worker that is used here. */
export interface SearchWorker {
  postMessage(message: SearchOrder): void;
  terminate(): void;
  onmessage: ((event: { data: SearchReply }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

export interface SearchClient {
  /** One search at a time; further ones wait. Rejects with a Failure, ECANCELED when `signal` aborts, ETIMEDOUT after a minute. */
  run(order: SearchOrder, signal: AbortSignal): Promise<unknown>;
  dispose(): void;
}

const TIMEOUT_MS = 60_000;

/** `create` starts a search worker on the same memory. */
export function createSearchClient(create: () => SearchWorker): SearchClient {
  let worker: SearchWorker | undefined;
  let tail: Promise<unknown> = Promise.resolve();

  const drop = (): void => {
    worker?.terminate();
    worker = undefined;
  };

  const runNow = (order: SearchOrder, signal: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Failure('ECANCELED', 'The search was cancelled.'));
      const current = (worker ??= create());
      const timer = setTimeout(() => {
        drop();
        settle(() =>
          reject(new Failure('ETIMEDOUT', 'The search took longer than a minute. Narrow the path or the pattern.')),
        );
      }, TIMEOUT_MS);
      const onAbort = (): void => {
        drop();
        settle(() => reject(new Failure('ECANCELED', 'The search was cancelled.')));
      };
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        finish();
      };
      signal.addEventListener('abort', onAbort);
      current.onmessage = ({ data }) =>
        settle(() => {
          if (data.kind === 'found') resolve(data.result);
          else reject(new Failure(data.code, data.message, data.path));
        });
      current.onerror = ({ message }) => {
        drop();
        settle(() => reject(new Failure('EIO', `The search worker failed: ${message ?? 'no reason given'}`)));
      };
      current.postMessage(order);
    });

  return {
    run(order, signal) {
      const result = tail.then(() => runNow(order, signal));
      tail = result.catch(() => {});
      return result;
    },
    dispose: drop,
  };
}
