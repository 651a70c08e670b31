// Request and response over one MessagePort, and the pieces of process streams by pid. Knows nothing of iframes.
import type { KernelPageMessage, PageCall, PageCalls, PageMessage } from '../kernel/page-protocol';

/** A call that the kernel refused; `code` is Node's (`ENOENT` …). */
export class EngineError extends Error {
  readonly code: string;
  readonly path: string | undefined;

  constructor(code: string, message: string, path?: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.path = path;
  }
}

export interface Connection {
  /** Sends a call; `transfer` moves buffers instead of copying. Aborting sends a cancellation, and the call fails with ECANCELED. */
  call<Method extends keyof PageCalls>(
    method: Method,
    args: Parameters<PageCalls[Method]>,
    options?: { transfer?: Transferable[]; signal?: AbortSignal },
  ): Promise<ReturnType<PageCalls[Method]>>;
  send(message: PageMessage, transfer?: Transferable[]): void;
  /** Messages that are not answers. */
  subscribe(listener: (message: KernelPageMessage) => void): () => void;
  /** Fails what is pending and everything later. */
  close(reason: string): void;
}

interface Pending {
  resolve(value: never): void;
  reject(error: EngineError): void;
}

/** A connection over `port`, which it owns. */
export function createConnection(port: MessagePort): Connection {
  const pending = new Map<number, Pending>();
  const listeners = new Set<(message: KernelPageMessage) => void>();
  let nextId = 1;
  let closed: string | undefined;

  port.onmessage = ({ data }: MessageEvent<KernelPageMessage>) => {
    if (data.type === 'result' || data.type === 'failure') {
      const waiting = pending.get(data.id);
      pending.delete(data.id);
      if (data.type === 'result') waiting?.resolve(data.value as never);
      else waiting?.reject(new EngineError(data.code, data.message, data.path));
      return;
    }
    for (const listener of [...listeners]) listener(data);
  };

  return {
    call(method, args, { transfer = [], signal } = {}) {
      return new Promise((resolve, reject) => {
        if (closed !== undefined) return reject(new EngineError('EPIPE', closed));
        if (signal?.aborted) return reject(new EngineError('ECANCELED', `${method} was cancelled.`));
        const id = nextId++;
        pending.set(id, { resolve: resolve as Pending['resolve'], reject });
        signal?.addEventListener('abort', () => port.postMessage({ type: 'cancel', id } satisfies PageMessage), {
          once: true,
        });
        port.postMessage({ type: 'call', id, call: { method, args } as PageCall } satisfies PageMessage, transfer);
      });
    },
    send(message, transfer = []) {
      if (closed === undefined) port.postMessage(message, transfer);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(reason) {
      if (closed !== undefined) return;
      closed = reason;
      port.close();
      for (const { reject } of pending.values()) reject(new EngineError('EPIPE', reason));
      pending.clear();
    },
  };
}
