// The writer lock of the shared memory: a word that holds its owner's id, so that the kernel can take it away from a worker that it has
// terminated. Waiting blocks where a worker may block and spins where it may not (a page's thread).
import { HEADER_BYTES, HEADER_WORD } from './layout';

const SPINS = 100;
/** A terminated waiter can swallow a wake-up; nobody sleeps longer than this because of it. */
const WAIT_MS = 50;

export class WriterLock {
  /** Id that the lock word holds while we have it: 1 for the kernel, slot + 2 for a process. Never 0. */
  owner: number;
  /** Passed before every attempt: parks a worker that the kernel has declared dead (a browser lets it run on for a while). */
  fence: () => void = () => {};
  private readonly words: Int32Array;
  private readonly canBlock: boolean;

  constructor(memory: WebAssembly.Memory, owner: number) {
    this.words = new Int32Array(memory.buffer, 0, HEADER_BYTES >> 2);
    this.owner = owner;
    this.canBlock = mayBlock();
  }

  /** Waits until the lock is ours. Not re-entrant. */
  acquire(): void {
    const { words } = this;
    for (let attempt = 0; ; attempt++) {
      if (attempt % SPINS === 0) this.fence();
      const holder = Atomics.compareExchange(words, HEADER_WORD.lockOwner, 0, this.owner);
      if (holder === 0) return;
      if (attempt < SPINS || !this.canBlock) continue;
      Atomics.add(words, HEADER_WORD.lockWaiters, 1);
      Atomics.wait(words, HEADER_WORD.lockOwner, holder, WAIT_MS);
      Atomics.sub(words, HEADER_WORD.lockWaiters, 1);
      this.fence();
    }
  }

  /** Frees the lock and wakes a waiter; does nothing when it has been stolen from us. */
  release(): void {
    const { words } = this;
    if (Atomics.compareExchange(words, HEADER_WORD.lockOwner, this.owner, 0) !== this.owner) return;
    if (Atomics.load(words, HEADER_WORD.lockWaiters) > 0) Atomics.notify(words, HEADER_WORD.lockOwner, 1);
  }

  isHeldBy(owner: number): boolean {
    return Atomics.load(this.words, HEADER_WORD.lockOwner) === owner;
  }

  /** Takes the lock from `dead`, whose worker no longer runs: it is then ours, to be released. False when `dead` did not hold it. */
  steal(dead: number): boolean {
    return Atomics.compareExchange(this.words, HEADER_WORD.lockOwner, dead, this.owner) === dead;
  }
}

/** Whether this thread may call Atomics.wait: a page's own thread may not. */
function mayBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}
