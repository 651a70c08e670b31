// Creates the shared memory, and gives views of it that can never be stale: whoever touches the heap asks for a view that covers it.
import { HEADER_WORD, INITIAL_PAGES, MAXIMUM_PAGES, WASM_PAGE_BYTES } from './layout';

/**
 * A shared memory of at most 4 GiB; where that much address space cannot be reserved (phones), the largest of 2, 1 and 0.5 GiB.
 * The maximum that was granted is in the header (maximumPages). Throws when not even the initial size can be had.
 */
export function createSharedMemory(maximumPages = MAXIMUM_PAGES): WebAssembly.Memory {
  let failure: unknown;
  for (let maximum = maximumPages; maximum >= INITIAL_PAGES; maximum = Math.floor(maximum / 2)) {
    try {
      const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared: true });
      new Int32Array(memory.buffer)[HEADER_WORD.maximumPages] = maximum;
      return memory;
    } catch (error) {
      failure = error;
    }
  }
  throw new Error(
    `This browser cannot reserve ${(INITIAL_PAGES * WASM_PAGE_BYTES) >> 20} MB of shared memory: ${String(failure)}`,
  );
}

/** Views over the whole memory, made anew when it has grown (another worker may have grown it). */
export class MemoryViews {
  readonly memory: WebAssembly.Memory;
  words: Int32Array;
  bytes: Uint8Array;
  doubles: Float64Array;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    this.words = new Int32Array(memory.buffer);
    this.bytes = new Uint8Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
  }

  /** Makes the views cover bytes up to `end`; false when the memory is not that large. */
  cover(end: number): boolean {
    if (end <= this.bytes.length) return true;
    const { buffer } = this.memory;
    this.words = new Int32Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.doubles = new Float64Array(buffer);
    return end <= this.bytes.length;
  }

  /** Grows the memory so that it holds `end` bytes; false when the maximum is reached or the browser refuses. Only under the writer lock. */
  grow(end: number): boolean {
    if (this.cover(end)) return true;
    const missing = Math.ceil((end - this.bytes.length) / WASM_PAGE_BYTES);
    // In steps: growing is a system call, and every other worker renews its views.
    for (const pages of [Math.max(missing, 1024), missing]) {
      try {
        this.memory.grow(pages);
        return this.cover(end);
      } catch {
        // The maximum is near: try the exact need, then give up.
      }
    }
    return false;
  }
}
