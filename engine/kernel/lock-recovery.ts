// What a dead process may still hold: a terminated worker runs on for a while, perhaps inside a lock. Its locks are freed when it can't take them
// any more, and its slot goes to nobody before that.

import type { Ipc } from '../ipc/types';

/** How a dead process's hold on the file tree's lock is found and taken away. */
export interface TreeLocks {
  isLockedBy(slot: number): boolean;
  steal(slot: number): void;
}

/** Longest time that a browser lets a terminated worker run on, and some. */
export const TERMINATION_MS = 2500;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Frees the locks of fenced and terminated slots; the promise resolves when they hold none. */
export function createLockRecovery({ pipes, processes }: Ipc, locks: TreeLocks): (slots: number[]) => Promise<void> {
  const stealLocks = (slot: number): void => {
    pipes.stealLocks(slot);
    locks.steal(slot);
  };

  /** A worker that had passed the fence before it went up may have taken a lock once more, after the others were freed. Now it is gone for certain. */
  const layGhost = (slot: number): void => {
    stealLocks(slot);
    processes.setGhost(slot, false);
  };

  return async (slots) => {
    for (const slot of slots) processes.setGhost(slot, true);
    setTimeout(() => slots.forEach(layGhost), TERMINATION_MS);
    const isLocked = (): boolean => slots.some((slot) => pipes.isLockedBy(slot) || locks.isLockedBy(slot));
    const deadline = performance.now() + TERMINATION_MS;
    // One turn even without a lock: an operation that has passed the fence gets time to finish.
    do await sleep(1);
    while (isLocked() && performance.now() < deadline);
    slots.forEach(stealLocks);
  };
}
