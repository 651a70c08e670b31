// Who is using the shared memory: the kernel or one process, its views, and the fence that keeps a dead worker out.
// A browser lets a terminated worker run on for up to two seconds; every changing call therefore first asks the fence.
import { HEADER_WORD, INITIAL_BYTES } from '../memory/layout';
import { PROCESS_BASE, PROCESS_SLOTS, PROCESS_WORDS } from './regions';

/** Words of a process record, relative to its start. */
export const PROCESS_WORD = {
  state: 0,
  pid: 1,
  ppid: 2,
  group: 3,
  session: 4,
  exitCode: 5,
  exitSignal: 6,
  /** Controlling terminal's index + 1, or 0. */
  terminal: 7,
  /** Two words each: bit n − 1 stands for signal n. */
  handled: 8,
  pending: 10,
  /** The pid while the process may act, −pid while it is stopped, else 0. */
  alive: 12,
  /** Bumped with every raise. */
  raised: 13,
  /** The word that the process is blocked on, or 0: raise bumps it. */
  blockedOn: 14,
  /** Bytes of the command text. */
  commandBytes: 15,
  /** A Float64: milliseconds since the epoch. */
  startedAt: 16,
  /** A thread's record: the slot of its process + 1; else 0. */
  leader: 18,
  /** 1 while a terminated worker of this slot may still run: the slot is given to nobody. Not part of what a new process resets. */
  ghost: 19,
  /** UTF-8, to the end of the record. */
  command: 20,
} as const;

/** First word of a process record. */
export function processWord(slot: number, field: number): number {
  return PROCESS_BASE + slot * PROCESS_WORDS + field;
}

/** The slot that descriptors belong to: a thread works with those of its process. */
export function leaderSlot(words: Int32Array, slot: number): number {
  const leader = slot > 0 ? Atomics.load(words, processWord(slot, PROCESS_WORD.leader)) : 0;
  return leader === 0 ? slot : leader - 1;
}

/** One user of the shared memory. `slot` and `pid` may be set once, when a pooled worker learns which process it is. */
export interface Party {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  readonly floats: Float64Array;
  slot: number;
  pid: number;
}

/** Views over the part of the memory that never moves. Slot 0 with pid 1 is the kernel; slot −1 may only read. */
export function createParty(memory: WebAssembly.Memory, slot: number, pid: number): Party {
  const buffer = memory.buffer as ArrayBufferLike;
  return {
    words: new Int32Array(buffer, 0, INITIAL_BYTES >> 2),
    bytes: new Uint8Array(buffer, 0, INITIAL_BYTES),
    floats: new Float64Array(buffer, 0, INITIAL_BYTES >> 3),
    slot,
    pid,
  };
}

/** Owner id of this party in every lock: never 0. */
export function ownerOf(party: Party): number {
  return party.slot + 1;
}

/**
 * Returns if the party may still act; parks the worker while it is stopped, and for ever once the kernel has declared it dead.
 * Contract: the kernel itself (slot 0) is never fenced.
 */
export function passFence(party: Party): void {
  if (party.slot <= 0) return;
  const { words } = party;
  const alive = processWord(party.slot, PROCESS_WORD.alive);
  for (;;) {
    const value = Atomics.load(words, alive);
    if (value === party.pid) return;
    Atomics.wait(words, alive, value);
  }
}

/** True when the process in `slot` has been declared dead (or there is none). */
export function isFenced(words: Int32Array, slot: number): boolean {
  return slot > 0 && slot < PROCESS_SLOTS && Atomics.load(words, processWord(slot, PROCESS_WORD.alive)) === 0;
}

/** Tells every blocked multi-wait that something has happened. */
export function bumpActivity(words: Int32Array): void {
  Atomics.add(words, HEADER_WORD.activity, 1);
  Atomics.notify(words, HEADER_WORD.activity);
}
