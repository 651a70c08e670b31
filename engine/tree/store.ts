// Words under the writer lock with an undo journal. A worker can be terminated between any two instructions: whoever takes the lock away from
// the dead undoes its half transaction, so the tables are always those of some moment between two transactions. What is not journalled is
// what may be lost: contents of blocks that the tables did not yet name, times, and the inode versions, which undoing renews.
import { HEADER_WORD } from '../memory/layout';
import { WriterLock } from '../memory/lock';
import { MemoryViews } from '../memory/memory';
import { INODE, inodeAt, inodeOfWord, JOURNAL, JOURNAL_CAPACITY, TREE_WORD } from './geometry';

const UNLOCKED_ATTEMPTS = 4;

export class Store extends MemoryViews {
  readonly lock: WriterLock;
  private depth = 0;
  private journalLength = 0;
  private namesAreChanging = false;

  constructor(memory: WebAssembly.Memory, owner: number) {
    super(memory);
    this.lock = new WriterLock(memory, owner);
  }

  /** Runs a transaction; nested ones join the outer one. A throw undoes everything. */
  transaction<T>(body: () => T): T {
    if (this.depth > 0) return body();
    this.lock.acquire();
    this.depth = 1;
    let isComplete = false;
    try {
      const result = body();
      isComplete = true;
      return result;
    } finally {
      if (!isComplete) this.undo();
      Atomics.store(this.words, TREE_WORD.journalLength, 0);
      this.journalLength = 0;
      if (this.namesAreChanging) {
        this.namesAreChanging = false;
        Atomics.add(this.words, HEADER_WORD.namespaceGeneration, 1);
      }
      this.depth = 0;
      this.lock.release();
    }
  }

  /** Sets a word inside a transaction; its old value is journalled first. */
  set(index: number, value: number): void {
    const { words } = this;
    const length = this.journalLength;
    if (length === JOURNAL_CAPACITY) throw new Error('the file tree journal is full: a transaction changed too much');
    words[JOURNAL + length * 2] = index;
    words[JOURNAL + length * 2 + 1] = words[index];
    this.journalLength = length + 1;
    Atomics.store(words, TREE_WORD.journalLength, length + 1);
    words[index] = value;
  }

  add(index: number, by: number): number {
    const value = this.words[index] + by;
    this.set(index, value);
    return value;
  }

  /** A point of the transaction under way that `undo` can return to. */
  mark(): number {
    return this.journalLength;
  }

  /** Takes back everything that the transaction has set since `mark`. */
  undo(mark = 0): void {
    this.cover(this.memory.buffer.byteLength);
    const { words } = this;
    const length = Atomics.load(words, TREE_WORD.journalLength);
    const inodes = new Set<number>();
    for (let index = mark; index < length; index++) inodes.add(inodeOfWord(words[JOURNAL + index * 2]));
    inodes.delete(0);
    // Readers may be copying what was undone: no version from before or from the half transaction stays valid.
    for (const ino of inodes) beginContentChange(this, ino);
    for (let index = length - 1; index >= mark; index--) {
      words[words[JOURNAL + index * 2]] = words[JOURNAL + index * 2 + 1];
    }
    for (const ino of inodes) endContentChange(this, ino);
    Atomics.store(words, TREE_WORD.journalLength, mark);
    this.journalLength = mark;
  }

  /** Declares that the transaction changes names: from here to its end the generation is odd and no unlocked lookup counts. */
  changeNames(): void {
    if (this.namesAreChanging) return;
    this.namesAreChanging = true;
    // An atomic read-modify-write is a full barrier on every processor; a plain atomic store would let later writes overtake it on ARM.
    Atomics.or(this.words, HEADER_WORD.namespaceGeneration, 1);
  }

  /** The namespace's generation, odd while names are changing. */
  generation(): number {
    return Atomics.load(this.words, HEADER_WORD.namespaceGeneration);
  }

  /** Whether nothing has changed the names since `generation` was read. The read-modify-write keeps earlier plain reads before it. */
  isUnchanged(generation: number): boolean {
    return Atomics.add(this.words, HEADER_WORD.namespaceGeneration, 0) === generation;
  }

  /**
   * Runs a body that reads names: without the lock if it can be shown that no writer interfered, else with it.
   * Contract: on torn tables the body must end and must not throw; its result is then thrown away.
   */
  readNames<T>(body: () => T): T {
    if (this.depth > 0) return body();
    for (let attempt = 0; attempt < UNLOCKED_ATTEMPTS; attempt++) {
      const generation = this.generation();
      if (generation & 1) break;
      const result = body();
      if (this.isUnchanged(generation)) return result;
    }
    return this.transaction(body);
  }

  /** Takes the lock away from a terminated owner and undoes what it had begun; false when it did not hold it. */
  recover(deadOwner: number): boolean {
    if (!this.lock.steal(deadOwner)) return false;
    this.undo();
    // Paths that were looked up during the half transaction must be looked up again.
    const generation = this.generation();
    Atomics.store(this.words, HEADER_WORD.namespaceGeneration, ((generation | 1) + 1) | 0);
    this.lock.release();
    return true;
  }
}

/** Marks the start of a change of content: the version becomes odd. Undoing ends it if a word of the inode has been journalled. */
export function beginContentChange(store: Store, ino: number): void {
  Atomics.or(store.words, inodeAt(ino) + INODE.version, 1);
}

/** Gives the inode a version that nothing ever had. */
export function endContentChange(store: Store, ino: number): void {
  const version = (store.words[TREE_WORD.nextVersion] + 2) & 0x7ffffffe;
  store.words[TREE_WORD.nextVersion] = version;
  Atomics.store(store.words, inodeAt(ino) + INODE.version, version);
}
