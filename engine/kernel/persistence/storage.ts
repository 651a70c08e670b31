// The one file that a project is kept in, as the pack needs it: bytes at positions. In the browser the file lies on another origin, so every call is a
// message; here it is also what a file with synchronous access gives.

/** A file of bytes. Calls are carried out in the order in which they are made, without waiting for each other's promise. */
export interface PackStorage {
  /** What there is from `at`, at most `length` bytes. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** Writes all of `source` or rejects (with a QuotaExceededError when the disk is full). Takes the buffer: the caller may not use it again. */
  write(at: number, source: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Resolves when everything written so far would survive a crash. */
  flush(): Promise<void>;
  size(): Promise<number>;
  truncate(size: number): Promise<void>;
  /** Keeps a copy of the whole file as it is now, under another name; resolves with that name. */
  setAside(): Promise<string>;
}

/** What is used of a FileSystemSyncAccessHandle. */
export interface SyncHandle {
  read(target: Uint8Array, options: { at: number }): number;
  write(source: Uint8Array, options: { at: number }): number;
  flush(): void;
  getSize(): number;
  truncate(size: number): void;
}

/** A file with synchronous access, opened with createSyncAccessHandle (which also keeps other tabs out). Closing the handle is the caller's. */
export function handleStorage(handle: SyncHandle, setAside: () => Promise<string>): PackStorage {
  return {
    async read(at, length) {
      const target = new Uint8Array(Math.max(0, Math.min(length, handle.getSize() - at)));
      const count = handle.read(target, { at });
      return count === target.length ? target : target.subarray(0, count);
    },
    async write(at, source) {
      const written = handle.write(source, { at });
      if (written !== source.length)
        throw new DOMException(`only ${written} of ${source.length} bytes were written`, 'QuotaExceededError');
    },
    flush: async () => handle.flush(),
    size: async () => handle.getSize(),
    truncate: async (size) => handle.truncate(size),
    setAside,
  };
}
