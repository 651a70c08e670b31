// Web locks of one process: held and waiting requests by name, in order. Worker threads have locks of their own (Node's are shared).
import type { Binding } from '../process/environment';

type Mode = 'shared' | 'exclusive';

interface Request {
  name: string;
  clientId: string;
  mode: Mode;
  callback: (lock: { name: string; mode: Mode; clientId: string } | null) => unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  stolen: boolean;
}

export const locks: Binding = ({ dumped }) => {
  const binding = dumped('locks');
  let held: Request[] = [];
  let pending: Request[] = [];

  const grantable = (request: Request): boolean => {
    const holders = held.filter(({ name }) => name === request.name);
    return holders.length === 0 || (request.mode === 'shared' && holders.every(({ mode }) => mode === 'shared'));
  };

  const run = (request: Request, lock: Parameters<Request['callback']>[0]): void => {
    let result: unknown;
    try {
      result = request.callback(lock);
    } catch (error) {
      release(request);
      request.reject(error);
      return;
    }
    Promise.resolve(result).then(
      (value) => {
        release(request);
        if (!request.stolen) request.resolve(value);
      },
      (error) => {
        release(request);
        if (!request.stolen) request.reject(error);
      },
    );
  };

  const grant = (request: Request): void => {
    held.push(request);
    run(request, { name: request.name, mode: request.mode, clientId: request.clientId });
  };

  const release = (request: Request): void => {
    held = held.filter((other) => other !== request);
    for (const waiting of pending.filter(({ name }) => name === request.name)) {
      if (!grantable(waiting)) break;
      pending = pending.filter((other) => other !== waiting);
      grant(waiting);
    }
  };

  const snapshot = (requests: Request[]) => requests.map(({ name, mode, clientId }) => ({ name, mode, clientId }));

  return Object.assign(binding, {
    request(
      name: string,
      clientId: string,
      mode: Mode,
      steal: boolean,
      ifAvailable: boolean,
      callback: Request['callback'],
    ) {
      let settle!: Pick<Request, 'resolve' | 'reject'>;
      const promise = new Promise((resolve, reject) => {
        settle = { resolve, reject };
      });
      const request: Request = { name, clientId, mode, callback, ...settle, stolen: false };
      if (steal) {
        for (const holder of held.filter((other) => other.name === name)) {
          holder.stolen = true;
          holder.reject(new Error(binding.LOCK_STOLEN_ERROR));
        }
        held = held.filter((other) => other.name !== name);
        grant(request);
      } else if (grantable(request) && !pending.some((other) => other.name === name)) {
        grant(request);
      } else if (ifAvailable) {
        run(request, null);
      } else {
        pending.push(request);
      }
      return promise;
    },
    query: () => Promise.resolve({ held: snapshot(held), pending: snapshot(pending) }),
  });
};
