// Advisory locks on ranges of a file's bytes (fcntl's F_SETLK), for databases that several processes have open: a table in shared memory.
// A lock is written first and compared after, without a lock of its own: of two at the same instant both may fail, never both succeed.
import { EAGAIN, ENOLCK } from '../memory/errno';
import { type Party, PROCESS_WORD, passFence, processWord } from './party';
import { RECORD_LOCK_BASE, RECORD_LOCK_WORDS, RECORD_LOCKS } from './regions';
import { type ByteRange, LOCK_TYPE, type LockType, PROCESS_STATE, type RecordLocks } from './types';

const WORD = { state: 0, slot: 1, pid: 2, ino: 3, type: 4, start: 5, end: 6 } as const;
const STATE = { free: 0, filling: 1, held: 2 } as const;

/** The table as one party sees it. */
export function openRecordLocks(party: Party): RecordLocks {
  const { words } = party;
  const at = (index: number, field: number): number => RECORD_LOCK_BASE + index * RECORD_LOCK_WORDS + field;
  const load = (index: number, field: number): number => Atomics.load(words, at(index, field));
  const pidAt = (slot: number): number => Atomics.load(words, processWord(slot, PROCESS_WORD.pid));
  const free = (index: number): void => {
    Atomics.store(words, at(index, WORD.ino), 0);
    Atomics.store(words, at(index, WORD.state), STATE.free);
  };
  const isOwn = (index: number): boolean =>
    load(index, WORD.slot) === party.slot && load(index, WORD.pid) === pidAt(party.slot);
  const isDead = (index: number): boolean => {
    const slot = load(index, WORD.slot);
    const state = Atomics.load(words, processWord(slot, PROCESS_WORD.state));
    return pidAt(slot) !== load(index, WORD.pid) || state === PROCESS_STATE.zombie || state === PROCESS_STATE.free;
  };

  /** Indexes of the held locks of the file that touch the range. */
  const touching = (ino: number, { start, end }: ByteRange): number[] => {
    const found: number[] = [];
    for (let index = 0; index < RECORD_LOCKS; index++) {
      if (load(index, WORD.ino) !== ino || load(index, WORD.state) !== STATE.held) continue;
      if (load(index, WORD.start) < end && load(index, WORD.end) > start) found.push(index);
    }
    return found;
  };
  const isBlocked = (ino: number, type: LockType, range: ByteRange): boolean =>
    touching(ino, range).some((index) => {
      if (isOwn(index) || (type === LOCK_TYPE.read && load(index, WORD.type) === LOCK_TYPE.read)) return false;
      if (!isDead(index)) return true;
      free(index);
      return false;
    });

  const write = (ino: number, type: LockType, { start, end }: ByteRange): number => {
    for (let index = 0; index < RECORD_LOCKS; index++) {
      const state = at(index, WORD.state);
      if (Atomics.compareExchange(words, state, STATE.free, STATE.filling) !== STATE.free) continue;
      const record = { slot: party.slot, pid: pidAt(party.slot), ino, type, start, end };
      for (const [name, value] of Object.entries(record))
        Atomics.store(words, at(index, WORD[name as keyof typeof record]), value);
      Atomics.store(words, state, STATE.held);
      return index;
    }
    return ENOLCK;
  };

  return {
    isBlocked,
    set(ino, type, range) {
      passFence(party);
      const before = touching(ino, range).filter(isOwn);
      if (type !== LOCK_TYPE.none) {
        const made = write(ino, type, range);
        if (made < 0) return made;
        if (isBlocked(ino, type, range)) {
          free(made);
          return EAGAIN;
        }
      }
      for (const index of before) {
        const [type, start, end] = [load(index, WORD.type) as LockType, load(index, WORD.start), load(index, WORD.end)];
        if (start < range.start) write(ino, type, { start, end: range.start });
        if (end > range.end) write(ino, type, { start: range.end, end });
        free(index);
      }
      return 0;
    },
  };
}
