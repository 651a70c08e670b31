// The one shared memory, region by region: offsets and sizes that every worker agrees on.
// Metadata lies below INITIAL_BYTES, so its typed views never go stale; only the heap grows.

const KiB = 1024;
const MiB = 1024 * KiB;

/** WebAssembly page size in bytes. */
export const WASM_PAGE_BYTES = 64 * KiB;

/** Bytes 0–64 KiB: single words, indexed as Int32 from the start of the memory. */
export const HEADER_BYTES = 64 * KiB;

/** Int32 word indexes in the header. Words 64–127 belong to the tree, 128–255 to ipc. */
export const HEADER_WORD = {
  magic: 0,
  layoutVersion: 1,
  /** Owner of the writer lock: 0 when free, else an owner id (1 = kernel, otherwise a process slot + 2). */
  lockOwner: 2,
  /** Number of workers that wait for the lock. */
  lockWaiters: 3,
  /** Bumped on every change of the namespace (create, unlink, rename): validates path caches. Odd while one is under way. */
  namespaceGeneration: 4,
  /** The next pid to hand out. */
  nextPid: 5,
  /** Bumped and notified whenever anything happens that a blocked multi-wait could be waiting for. */
  activity: 6,
  /** The maximum that the memory was created with, in pages: a memory does not tell it itself. */
  maximumPages: 7,
  tree: 64,
  ipc: 128,
} as const;

export const LAYOUT_MAGIC = 0x434c4f43; // "CLOC"
export const LAYOUT_VERSION = 2;

/** Processes, descriptors, pipe rings, terminals. */
export const IPC_OFFSET = HEADER_BYTES;
export const IPC_BYTES = 80 * MiB;

/** Inodes and the directory hash. */
export const TREE_OFFSET = IPC_OFFSET + IPC_BYTES;
export const TREE_BYTES = 96 * MiB;

/** File contents, names and link targets. Grows to the memory's maximum. */
export const HEAP_OFFSET = TREE_OFFSET + TREE_BYTES;

/** Size at creation; the untouched part costs no physical memory. */
export const INITIAL_BYTES = HEAP_OFFSET + 16 * MiB;
export const INITIAL_PAGES = INITIAL_BYTES / WASM_PAGE_BYTES;

/** 4 GiB, the most that a WebAssembly memory can address. */
export const MAXIMUM_PAGES = 65536;
