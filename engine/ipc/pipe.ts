// Byte rings of 64 KiB in shared memory, with readers and writers counted per end and a lock per ring that the kernel can steal.
// Data is copied first and published by one store, so a stolen lock always finds a consistent ring.
import { EAGAIN, EBADF, ECONNRESET, EPIPE } from '../memory/errno';
import { bumpActivity, isFenced, ownerOf, type Party, PROCESS_WORD, passFence, processWord } from './party';
import { PIPE_BASE, PIPE_BYTES, PIPE_HINT_WORD, PIPE_WORDS, PIPES, RING_OFFSET } from './regions';
import type { Pipe, PipeEnd, Pipes } from './types';

/** Writes up to this size are atomic (PIPE_BUF); a ring counts as writable when this much is free. */
const ATOMIC_BYTES = 4096;
const MASK = PIPE_BYTES - 1;
const EOF_MARKS = 4;
const LOCK_WAIT_MS = 5;
/** A fenced worker has certainly stopped after this; only then may the kernel, which must not block for ever, take its lock. */
const GONE_MS = 2500;
const NEWLINE = 10;

const WORD = {
  lock: 0,
  used: 1,
  /** Bytes ever written and ever read; they wrap. */
  head: 2,
  tail: 3,
  readers: 4,
  writers: 5,
  /** Bumped and notified when the ring becomes readable / writable. */
  readSignal: 6,
  writeSignal: 7,
  /** Changes when the ring is freed, so that a stale Pipe cannot touch the next user's bytes. */
  generation: 8,
  /** 1: a read returns at most one line (canonical terminal input). */
  lineMode: 9,
  lockWaiters: 10,
  /** Positions at which one read returns 0 although writers exist (^D). */
  eofCount: 11,
  eofMarks: 12,
  /** 1: the connection was reset by one of its ends. */
  reset: 16,
} as const;

class Ring implements Pipe {
  readonly index: number;
  readonly #party: Party;
  readonly #words: Int32Array;
  readonly #base: number;
  readonly #data: Uint8Array;
  readonly #generation: number;

  constructor(party: Party, index: number) {
    this.index = index;
    this.#party = party;
    this.#words = party.words;
    this.#base = PIPE_BASE + index * PIPE_WORDS;
    this.#data = party.bytes.subarray(RING_OFFSET + index * PIPE_BYTES, RING_OFFSET + (index + 1) * PIPE_BYTES);
    this.#generation = this.#load(WORD.generation);
  }

  #load(field: number): number {
    return Atomics.load(this.#words, this.#base + field);
  }

  #store(field: number, value: number): void {
    Atomics.store(this.#words, this.#base + field, value);
  }

  #isStale(): boolean {
    return this.#load(WORD.generation) !== this.#generation;
  }

  #signal(field: number): void {
    Atomics.add(this.#words, this.#base + field, 1);
    Atomics.notify(this.#words, this.#base + field);
    bumpActivity(this.#words);
  }

  #lock(): void {
    lockRing(this.#party, this.#base);
  }

  #unlock(): void {
    unlockRing(this.#words, this.#base);
  }

  /** Bytes that may be read before the end or the next end-of-file mark. */
  #readable(head: number, tail: number): number {
    const all = (head - tail) | 0;
    if (this.#load(WORD.eofCount) === 0) return all;
    return Math.min(all, (this.#load(WORD.eofMarks) - tail) | 0);
  }

  read(target: Uint8Array): number {
    if (this.#isStale()) return EBADF;
    if (target.length === 0) return 0;
    this.#lock();
    const head = this.#load(WORD.head);
    const tail = this.#load(WORD.tail);
    let count = Math.min(this.#readable(head, tail), target.length);
    if (count === 0) {
      let result = this.#load(WORD.writers) === 0 ? 0 : EAGAIN;
      if (this.#load(WORD.reset) === 1) result = ECONNRESET;
      if (this.#load(WORD.eofCount) > 0) {
        this.#shiftMark();
        result = 0;
      }
      this.#unlock();
      return result;
    }
    const start = tail & MASK;
    if (this.#load(WORD.lineMode) === 1) count = this.#lineLength(start, count);
    const first = Math.min(count, PIPE_BYTES - start);
    target.set(this.#data.subarray(start, start + first));
    if (count > first) target.set(this.#data.subarray(0, count - first), first);
    this.#store(WORD.tail, (tail + count) | 0);
    const freeBefore = PIPE_BYTES - ((head - tail) | 0);
    const becameWritable = freeBefore < ATOMIC_BYTES && freeBefore + count >= ATOMIC_BYTES;
    this.#unlock();
    if (becameWritable) this.#signal(WORD.writeSignal);
    return count;
  }

  #lineLength(start: number, count: number): number {
    for (let i = 0; i < count; i++) if (this.#data[(start + i) & MASK] === NEWLINE) return i + 1;
    return count;
  }

  #shiftMark(): void {
    const count = this.#load(WORD.eofCount);
    for (let i = 1; i < count; i++) this.#store(WORD.eofMarks + i - 1, this.#load(WORD.eofMarks + i));
    this.#store(WORD.eofCount, count - 1);
  }

  write(source: Uint8Array): number {
    if (this.#isStale()) return EPIPE;
    this.#lock();
    // Its process has ended while it waited for the lock: what it would write now comes behind its end.
    if (isFenced(this.#words, this.#party.slot)) {
      this.#unlock();
      passFence(this.#party);
      return this.write(source);
    }
    const isReset = this.#load(WORD.reset) === 1;
    if (isReset || this.#load(WORD.readers) === 0) {
      this.#unlock();
      return isReset ? ECONNRESET : EPIPE;
    }
    const head = this.#load(WORD.head);
    const filled = (head - this.#load(WORD.tail)) | 0;
    const free = PIPE_BYTES - filled;
    if (free < Math.min(source.length, ATOMIC_BYTES)) {
      this.#unlock();
      return EAGAIN;
    }
    const count = Math.min(free, source.length);
    const start = head & MASK;
    const first = Math.min(count, PIPE_BYTES - start);
    this.#data.set(first === source.length ? source : source.subarray(0, first), start);
    if (count > first) this.#data.set(source.subarray(first, count), 0);
    this.#store(WORD.head, (head + count) | 0);
    this.#unlock();
    if (filled === 0 && count > 0) this.#signal(WORD.readSignal);
    return count;
  }

  markEof(): boolean {
    if (this.#isStale()) return false;
    this.#lock();
    const count = this.#load(WORD.eofCount);
    if (count < EOF_MARKS) {
      this.#store(WORD.eofMarks + count, this.#load(WORD.head));
      this.#store(WORD.eofCount, count + 1);
    }
    this.#unlock();
    this.#signal(WORD.readSignal);
    return count < EOF_MARKS;
  }

  reset(): void {
    if (this.#isStale()) return;
    this.#store(WORD.reset, 1);
    this.#signal(WORD.readSignal);
    this.#signal(WORD.writeSignal);
  }

  setLineMode(on: boolean): void {
    if (!this.#isStale()) this.#store(WORD.lineMode, on ? 1 : 0);
  }

  discard(count = Number.POSITIVE_INFINITY): void {
    if (this.#isStale()) return;
    this.#lock();
    const [head, tail] = [this.#load(WORD.head), this.#load(WORD.tail)];
    if (count < this.#readable(head, tail)) this.#store(WORD.tail, (tail + count) | 0);
    else {
      this.#store(WORD.eofCount, 0);
      this.#store(WORD.tail, head);
    }
    this.#unlock();
    this.#signal(WORD.writeSignal);
  }

  available(): number {
    return this.#isStale() ? 0 : this.#readable(this.#load(WORD.head), this.#load(WORD.tail));
  }

  settled(): number {
    if (this.#isStale()) return 0;
    this.#lock();
    const count = this.available();
    this.#unlock();
    return count;
  }

  isReadable(): boolean {
    if (this.#isStale()) return true;
    return (
      this.#load(WORD.head) !== this.#load(WORD.tail) ||
      this.#load(WORD.writers) === 0 ||
      this.#load(WORD.eofCount) > 0 ||
      this.#load(WORD.reset) === 1
    );
  }

  isWritable(): boolean {
    if (this.#isStale() || this.#load(WORD.readers) === 0 || this.#load(WORD.reset) === 1) return true;
    return PIPE_BYTES - ((this.#load(WORD.head) - this.#load(WORD.tail)) | 0) >= ATOMIC_BYTES;
  }

  hasReader(): boolean {
    return !this.#isStale() && this.#load(WORD.readers) > 0;
  }

  hasWriter(): boolean {
    return !this.#isStale() && this.#load(WORD.writers) > 0;
  }

  waitReadable(timeoutMs?: number, interruptible = false): boolean {
    return this.#wait(WORD.readSignal, () => this.isReadable(), timeoutMs, interruptible);
  }

  waitWritable(timeoutMs?: number, interruptible = false): boolean {
    return this.#wait(WORD.writeSignal, () => this.isWritable(), timeoutMs, interruptible);
  }

  #wait(field: number, isReady: () => boolean, timeoutMs = Infinity, interruptible: boolean): boolean {
    const end = timeoutMs === Infinity ? Infinity : performance.now() + timeoutMs;
    const word = this.#base + field;
    const { slot } = this.#party;
    const blockedOn = processWord(slot, PROCESS_WORD.blockedOn);
    const raised = processWord(slot, PROCESS_WORD.raised);
    const raisedBefore = interruptible ? Atomics.load(this.#words, raised) : 0;
    if (interruptible) Atomics.store(this.#words, blockedOn, word);
    try {
      for (;;) {
        const seen = Atomics.load(this.#words, word);
        if (isReady()) return true;
        if (interruptible && (hasPending(this.#words, slot) || Atomics.load(this.#words, raised) !== raisedBefore))
          return false;
        const left = end - performance.now();
        if (left <= 0) return false;
        passFence(this.#party);
        Atomics.wait(this.#words, word, seen, left);
      }
    } finally {
      if (interruptible) Atomics.store(this.#words, blockedOn, 0);
    }
  }

  whenReadable(): Promise<void> {
    return this.#when(WORD.readSignal, () => this.isReadable());
  }

  whenWritable(): Promise<void> {
    return this.#when(WORD.writeSignal, () => this.isWritable());
  }

  async #when(field: number, isReady: () => boolean): Promise<void> {
    for (;;) {
      const seen = this.#load(field);
      if (isReady()) return;
      const wait = Atomics.waitAsync(this.#words, this.#base + field, seen);
      if (wait.async) await wait.value;
    }
  }
}

function hasPending(words: Int32Array, slot: number): boolean {
  const pending = processWord(slot, PROCESS_WORD.pending);
  return Atomics.load(words, pending) !== 0 || Atomics.load(words, pending + 1) !== 0;
}

function lockRing(party: Party, base: number): void {
  const { words } = party;
  const owner = ownerOf(party);
  passFence(party);
  let waitedMs = 0;
  for (let spins = 0; Atomics.compareExchange(words, base + WORD.lock, 0, owner) !== 0; spins++) {
    if (spins < 100) continue;
    Atomics.add(words, base + WORD.lockWaiters, 1);
    const holder = Atomics.load(words, base + WORD.lock);
    // The time limit covers a waiter that was terminated and took the only notification with it.
    if (holder !== 0) Atomics.wait(words, base + WORD.lock, holder, LOCK_WAIT_MS);
    Atomics.sub(words, base + WORD.lockWaiters, 1);
    passFence(party);
    waitedMs += LOCK_WAIT_MS;
    if (party.slot === 0 && waitedMs > GONE_MS && isFenced(words, holder - 1)) {
      Atomics.compareExchange(words, base + WORD.lock, holder, 0);
    }
  }
}

function unlockRing(words: Int32Array, base: number): void {
  Atomics.store(words, base + WORD.lock, 0);
  if (Atomics.load(words, base + WORD.lockWaiters) > 0) Atomics.notify(words, base + WORD.lock, 1);
}

/** All rings, as one party sees them. */
export function openPipes(party: Party): Pipes {
  const { words } = party;
  const opened = new Map<number, { generation: number; ring: Ring }>();

  const open = (index: number): Pipe => {
    const generation = Atomics.load(words, PIPE_BASE + index * PIPE_WORDS + WORD.generation);
    const known = opened.get(index);
    if (known?.generation === generation) return known.ring;
    const ring = new Ring(party, index);
    opened.set(index, { generation, ring });
    return ring;
  };

  const create = (readers: number, writers: number): number => {
    passFence(party);
    const hint = Atomics.load(words, PIPE_HINT_WORD);
    for (let i = 0; i < PIPES; i++) {
      const index = (hint + i) % PIPES;
      const base = PIPE_BASE + index * PIPE_WORDS;
      if (Atomics.compareExchange(words, base + WORD.used, 0, 1) !== 0) continue;
      Atomics.store(words, PIPE_HINT_WORD, (index + 1) % PIPES);
      for (const field of [WORD.head, WORD.tail, WORD.lineMode, WORD.eofCount, WORD.reset])
        Atomics.store(words, base + field, 0);
      Atomics.store(words, base + WORD.readers, readers);
      Atomics.store(words, base + WORD.writers, writers);
      return index;
    }
    return EAGAIN;
  };

  const countWord = (index: number, end: PipeEnd): number =>
    PIPE_BASE + index * PIPE_WORDS + (end === 'read' ? WORD.readers : WORD.writers);

  const wakeBoth = (base: number): void => {
    for (const field of [WORD.readSignal, WORD.writeSignal]) {
      Atomics.add(words, base + field, 1);
      Atomics.notify(words, base + field);
    }
    bumpActivity(words);
  };

  const release = (index: number, end: PipeEnd): void => {
    const base = PIPE_BASE + index * PIPE_WORDS;
    lockRing(party, base);
    const left = Atomics.sub(words, countWord(index, end), 1) - 1;
    const isFree = Atomics.load(words, base + WORD.readers) + Atomics.load(words, base + WORD.writers) === 0;
    if (isFree) Atomics.add(words, base + WORD.generation, 1);
    unlockRing(words, base);
    if (isFree) Atomics.store(words, base + WORD.used, 0);
    if (left === 0) wakeBoth(base);
  };

  const isLockedBy = (slot: number): boolean => {
    for (let i = 0; i < PIPES; i++)
      if (Atomics.load(words, PIPE_BASE + i * PIPE_WORDS + WORD.lock) === slot + 1) return true;
    return false;
  };

  const stealLocks = (slot: number): number => {
    let stolen = 0;
    for (let i = 0; i < PIPES; i++) {
      const base = PIPE_BASE + i * PIPE_WORDS;
      if (Atomics.load(words, base + WORD.lock) !== slot + 1) continue;
      unlockRing(words, base);
      wakeBoth(base);
      stolen++;
    }
    return stolen;
  };

  const usedCount = (): number => {
    let used = 0;
    for (let i = 0; i < PIPES; i++) used += Atomics.load(words, PIPE_BASE + i * PIPE_WORDS + WORD.used);
    return used;
  };

  const retain = (index: number, end: PipeEnd): void => {
    Atomics.add(words, countWord(index, end), 1);
  };

  return { open, create, retain, release, isLockedBy, stealLocks, usedCount };
}
