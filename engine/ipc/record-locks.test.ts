// Locks on ranges of a file: who is in whose way, what a change of one's own lock leaves, and that the dead hold nothing.
import { describe, expect, it } from 'vitest';
import { EAGAIN } from '../memory/errno';
import { createSharedMemory } from '../memory/memory';
import { createParty, PROCESS_WORD, processWord } from './party';
import { openRecordLocks } from './record-locks';
import { LOCK_TYPE, PROCESS_STATE } from './types';

const { read, write, none } = LOCK_TYPE;
const FILE = 7;

/** Two processes at one memory; `end` ends the first. */
function processes() {
  const memory = createSharedMemory(4096);
  const start = (slot: number, pid: number) => {
    const party = createParty(memory, slot, pid);
    const fields = { state: PROCESS_STATE.running, pid, alive: pid };
    for (const [name, value] of Object.entries(fields))
      Atomics.store(party.words, processWord(slot, PROCESS_WORD[name as keyof typeof fields]), value);
    return { party, locks: openRecordLocks(party) };
  };
  const first = start(1, 20);
  const second = start(2, 21);
  return {
    first: first.locks,
    second: second.locks,
    end: () => Atomics.store(first.party.words, processWord(1, PROCESS_WORD.state), PROCESS_STATE.zombie),
  };
}

describe('record locks', () => {
  it('lets readers share and keeps a writer alone', () => {
    const { first, second } = processes();
    const range = { start: 10, end: 20 };
    expect(first.set(FILE, read, range)).toBe(0);
    expect(second.set(FILE, read, { start: 15, end: 16 })).toBe(0);
    expect(first.set(FILE, write, range)).toBe(EAGAIN);
    expect(second.isBlocked(FILE, write, range)).toBe(true);
    expect(second.isBlocked(FILE, write, { start: 20, end: 30 })).toBe(false);
    expect(second.isBlocked(8, write, range)).toBe(false);
    expect(second.set(FILE, none, { start: 0, end: 0x7fffffff })).toBe(0);
    expect(first.set(FILE, write, range)).toBe(0);
    expect(second.set(FILE, read, { start: 19, end: 20 })).toBe(EAGAIN);
  });

  it('changes and gives back a part of its own range', () => {
    const { first, second } = processes();
    first.set(FILE, write, { start: 0, end: 100 });
    first.set(FILE, read, { start: 40, end: 60 });
    first.set(FILE, none, { start: 90, end: 100 });
    expect(second.set(FILE, read, { start: 45, end: 55 })).toBe(0);
    expect(second.isBlocked(FILE, read, { start: 39, end: 40 })).toBe(true);
    expect(second.isBlocked(FILE, read, { start: 60, end: 61 })).toBe(true);
    expect(second.set(FILE, write, { start: 90, end: 95 })).toBe(0);
  });

  it('frees what a dead process held', () => {
    const { first, second, end } = processes();
    first.set(FILE, write, { start: 0, end: 1 });
    expect(second.set(FILE, write, { start: 0, end: 1 })).toBe(EAGAIN);
    end();
    expect(second.set(FILE, write, { start: 0, end: 1 })).toBe(0);
  });
});
