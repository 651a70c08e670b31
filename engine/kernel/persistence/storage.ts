// The one file that a project is kept in, as the pack needs it: bytes at positions. In the browser it is an OPFS file with a synchronous handle.

/** A file of bytes. Every call may throw: the pack treats a throw as "not written". */
export interface PackStorage {
  /** Copies what there is from `at`, at most target.length bytes; returns the count. */
  read(at: number, target: Uint8Array): number;
  /** Writes all of `source` or throws (QuotaExceededError when the disk is full). */
  write(at: number, source: Uint8Array): void;
  /** Returns when everything written so far would survive a crash. */
  flush(): void;
  size(): number;
  truncate(size: number): void;
}

/** What is used of a FileSystemSyncAccessHandle. */
interface SyncHandle {
  read(target: Uint8Array, options: { at: number }): number;
  write(source: Uint8Array, options: { at: number }): number;
  flush(): void;
  getSize(): number;
  truncate(size: number): void;
}

/** An OPFS file, opened with createSyncAccessHandle (which also keeps other tabs out). Closing the handle is the caller's. */
export function opfsStorage(handle: SyncHandle): PackStorage {
  return {
    read: (at, target) => handle.read(target, { at }),
    write(at, source) {
      const written = handle.write(source, { at });
      if (written !== source.length)
        throw new DOMException(`only ${written} of ${source.length} bytes were written`, 'QuotaExceededError');
    },
    flush: () => handle.flush(),
    size: () => handle.getSize(),
    truncate: (size) => handle.truncate(size),
  };
}
