// The project's file over a MessagePort: the kernel, on the sandbox's origin, asks; a worker of the IDE's origin answers. Memory can't be shared across
// origins, so bytes are moved as buffers. The answering side believes nothing: whoever asks may be a hostile program.
import type { PackStorage } from './storage';

/** Kernel → storage. Answered in order, each once. */
export type StorageRequest = { id: number } & (
  | { do: 'read'; at: number; length: number }
  | { do: 'write'; at: number; bytes: Uint8Array<ArrayBuffer> }
  | { do: 'flush' }
  | { do: 'size' }
  | { do: 'truncate'; size: number }
  | { do: 'setAside' }
);

/** Storage → kernel. */
export type StorageReply =
  | { id: number; value: unknown }
  /** `name` is the exception's, such as QuotaExceededError. */
  | { id: number; failed: { name: string; message: string } }
  /** The file is closed: nothing will be answered any more. */
  | { closed: string };

/** More than any request of the pack moves at once. */
export const MAX_TRANSFER_BYTES = 16 << 20;
/** No project's file grows beyond this, whatever the browser would give. */
export const MAX_STORAGE_BYTES = 4 * 2 ** 30;

/** A request without its number. */
type Question = StorageRequest extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

/** The storage behind `port`, which it owns. */
export function portStorage(port: MessagePort): PackStorage {
  const pending = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let nextId = 1;
  let closed: string | undefined;

  port.onmessage = ({ data }: MessageEvent<StorageReply>) => {
    if ('closed' in data) {
      closed = data.closed;
      for (const { reject } of pending.values()) reject(new Error(closed));
      pending.clear();
      return;
    }
    const asked = pending.get(data.id);
    pending.delete(data.id);
    if ('failed' in data) asked?.reject(new DOMException(data.failed.message, data.failed.name));
    else asked?.resolve(data.value as never);
  };

  const ask = <Value>(question: Question, transfer: Transferable[] = []): Promise<Value> =>
    new Promise((resolve, reject) => {
      if (closed !== undefined) return reject(new Error(closed));
      const id = nextId++;
      pending.set(id, { resolve, reject });
      port.postMessage({ id, ...question }, transfer);
    });

  return {
    read: (at, length) => ask({ do: 'read', at, length: Math.min(length, MAX_TRANSFER_BYTES) }),
    write: (at, bytes) => ask({ do: 'write', at, bytes }, [bytes.buffer]),
    flush: () => ask({ do: 'flush' }),
    size: () => ask({ do: 'size' }),
    truncate: (size) => ask({ do: 'truncate', size }),
    setAside: () => ask({ do: 'setAside' }),
  };
}

/** Answers the requests that come through `port` from `storage`, one after the other, until the returned function is called with the reason. */
export function serveStorage(port: MessagePort, storage: PackStorage): (reason: string) => void {
  let isClosed = false;
  let isAside = false;
  let queue: Promise<void> = Promise.resolve();

  const answer = async (request: StorageRequest): Promise<unknown> => {
    switch (request.do) {
      case 'read':
        checkRange(request.at, request.length);
        return storage.read(request.at, request.length);
      case 'write': {
        const { at, bytes } = request;
        if (!(bytes instanceof Uint8Array)) throw new TypeError('what is to be written are no bytes');
        checkRange(at, bytes.length);
        if (at + bytes.length > MAX_STORAGE_BYTES)
          throw new DOMException('A project’s file may not be larger than 4 GB.', 'QuotaExceededError');
        return storage.write(at, bytes);
      }
      case 'flush':
        return storage.flush();
      case 'size':
        return storage.size();
      case 'truncate':
        checkRange(request.size, 0);
        return storage.truncate(request.size);
      case 'setAside':
        // A copy is as large as the file: one is enough.
        if (isAside) throw new Error('the project’s file has been set aside already');
        isAside = true;
        return storage.setAside();
      default:
        throw new TypeError('there is no such request');
    }
  };

  port.onmessage = ({ data }: MessageEvent<StorageRequest>) => {
    queue = queue.then(async () => {
      if (isClosed) return;
      let reply: StorageReply;
      try {
        reply = { id: data.id, value: await answer(data) };
      } catch (error) {
        const { name = 'Error', message = String(error) } = error as Error;
        reply = { id: data.id, failed: { name, message } };
      }
      const transfer = 'value' in reply && reply.value instanceof Uint8Array ? [reply.value.buffer as ArrayBuffer] : [];
      port.postMessage(reply, transfer);
    });
  };
  return (reason) => {
    if (isClosed) return;
    isClosed = true;
    port.postMessage({ closed: reason } satisfies StorageReply);
    port.close();
  };
}

function checkRange(at: number, length: number): void {
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError(`${at} is no position in the project’s file`);
  if (!Number.isSafeInteger(length) || length < 0 || length > MAX_TRANSFER_BYTES)
    throw new RangeError(`${length} bytes are not moved at once`);
}
