// The project's file over a MessagePort: the kernel, on the sandbox's origin, asks; a worker of the IDE's origin answers. Memory can't be shared across
// origins, so bytes are moved as buffers. The answering side is engine/client/serve-storage.ts.
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
