// Words under a robust lock with an undo journal. A worker can be terminated between any two instructions: whoever takes the lock away from
// the dead undoes its half transaction, so the tables are always those of some moment between two transactions.
import { HEADER_WORD } from '../memory/layout';
import { MemoryViews } from '../memory/memory';
import { JOURNAL, JOURNAL_CAPACITY, TREE_WORD } from './geometry';

const SPINS = 100;

export class Store extends MemoryViews {
  /** Id that the lock word holds while we have it: 1 for the kernel, slot + 2 for a process. */
  owner: number;
  /** Parks a worker that the kernel has declared dead (a browser lets it run on for a while). Passed before every lock. */
  fence: () => void = () => {};
  private depth = 0;
  private journalLength = 0;

  constructor(memory: WebAssembly.Memory, owner: number) {
    super(memory);
    this.owner = owner;
  }

  /** Runs a transaction. Not re-entrant: nested calls join the outer one. */
  transaction<T>(body: () => T): T {
    if (this.depth > 0) return body();
    this.lock();
    this.depth++;
    try {
      return body();
    } finally {
      this.depth--;
      Atomics.store(this.words, TREE_WORD.journalLength, 0);
      this.journalLength = 0;
      this.unlock();
    }
  }

  /** Sets a word inside a transaction; its old value is journalled first. */
  set(index: number, value: number): void {
    const { words } = this;
    const length = this.journalLength;
    if (length < JOURNAL_CAPACITY) {
      words[JOURNAL + length * 2] = index;
      words[JOURNAL + length * 2 + 1] = words[index];
      this.journalLength = length + 1;
      Atomics.store(words, TREE_WORD.journalLength, length + 1);
    } else throw new Error('the file tree journal is full: a transaction changed more words than it may');
    words[index] = value;
  }

  add(index: number, by: number): number {
    const value = this.words[index] + by;
    this.set(index, value);
    return value;
  }

  private lock(): void {
    const { words, owner } = this;
    for (let attempt = 0; ; attempt++) {
      if (attempt % SPINS === 0) this.fence();
      const holder = Atomics.compareExchange(words, HEADER_WORD.lockOwner, 0, owner);
      if (holder === 0) return;
      if (attempt < SPINS) continue;
      Atomics.add(words, HEADER_WORD.lockWaiters, 1);
      Atomics.wait(words, HEADER_WORD.lockOwner, holder, 50);
      Atomics.sub(words, HEADER_WORD.lockWaiters, 1);
    }
  }

  private unlock(): void {
    Atomics.store(this.words, HEADER_WORD.lockOwner, 0);
    if (Atomics.load(this.words, HEADER_WORD.lockWaiters) > 0) Atomics.notify(this.words, HEADER_WORD.lockOwner, 1);
  }

  /** Takes the lock away from a terminated owner and undoes what it had begun; false when it did not hold it. */
  recover(deadOwner: number): boolean {
    const { words } = this;
    if (Atomics.compareExchange(words, HEADER_WORD.lockOwner, deadOwner, this.owner) !== deadOwner) return false;
    this.cover(this.memory.buffer.byteLength);
    for (let index = Atomics.load(words, TREE_WORD.journalLength) - 1; index >= 0; index--) {
      this.words[this.words[JOURNAL + index * 2]] = this.words[JOURNAL + index * 2 + 1];
    }
    Atomics.store(this.words, TREE_WORD.journalLength, 0);
    // Paths that were looked up during the half transaction must be looked up again; an even number says that nobody is writing.
    const generation = Atomics.load(this.words, HEADER_WORD.namespaceGeneration);
    Atomics.store(this.words, HEADER_WORD.namespaceGeneration, (generation | 1) + 1);
    this.unlock();
    return true;
  }
}
