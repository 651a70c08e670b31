// A file with synchronous access that can be killed, for tests: what has not been flushed may be lost, in part, out of order, and torn at any byte.
import { handleStorage, type PackStorage, type SyncHandle } from './storage';

export interface MemoryHandle extends SyncHandle {
  /** A file as a machine could find it after being cut off now. `random(n)` gives an integer below n. */
  afterKill(random: (limit: number) => number): MemoryHandle;
  /** From now on writes fail when the file would become larger than this. */
  limit(bytes: number): void;
  bytes(): Uint8Array;
  /** Copies that were set aside. */
  aside: Uint8Array[];
}

type Operation = { kind: 'write'; at: number; bytes: Uint8Array } | { kind: 'truncate'; size: number };

/** A file with the given content, all of it flushed. */
export function createMemoryHandle(content: Uint8Array = new Uint8Array(0)): MemoryHandle {
  let current: Uint8Array = content.slice();
  let durable: Uint8Array = content.slice();
  let pending: Operation[] = [];
  let maximum = Number.POSITIVE_INFINITY;

  const perform = (on: Uint8Array, operation: Operation): Uint8Array => {
    const size =
      operation.kind === 'write' ? Math.max(on.length, operation.at + operation.bytes.length) : operation.size;
    const result = new Uint8Array(size);
    result.set(on.subarray(0, size));
    if (operation.kind === 'write') result.set(operation.bytes, operation.at);
    return result;
  };
  const run = (operation: Operation): void => {
    current = perform(current, operation);
    pending.push(operation);
  };

  return {
    aside: [],
    read(target, { at }) {
      const bytes = current.subarray(at, at + target.length);
      target.set(bytes);
      return bytes.length;
    },
    write(source, { at }) {
      if (at + source.length > maximum) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      run({ kind: 'write', at, bytes: source.slice() });
      return source.length;
    },
    flush() {
      durable = current;
      pending = [];
    },
    getSize: () => current.length,
    truncate: (size) => run({ kind: 'truncate', size }),
    afterKill(random) {
      let found = durable;
      for (const operation of pending) {
        const fate = random(4);
        if (fate === 0) continue;
        if (fate === 1 && operation.kind === 'write')
          found = perform(found, {
            ...operation,
            bytes: operation.bytes.subarray(0, random(operation.bytes.length + 1)),
          });
        else found = perform(found, operation);
      }
      return createMemoryHandle(found);
    },
    limit(bytes) {
      maximum = bytes;
    },
    bytes: () => current,
  };
}

/** Keeps what is set aside in `aside`. */
export function keepCopy(handle: MemoryHandle): () => Promise<string> {
  return async () => `copy ${handle.aside.push(handle.bytes().slice())}`;
}

/** The storage of a memory file. */
export function memoryStorage(handle: MemoryHandle): PackStorage {
  return handleStorage(handle, keepCopy(handle));
}
