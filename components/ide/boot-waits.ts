// What a page waits for until its project is on the screen. Every view that has nothing to show yet says so (boot-wait.tsx), and the cover that came with
// the page's HTML shows it: one picture from the first paint to the workbench, whichever code has been loaded by then.
import { createStore } from '../ui/store';

/** What a view waits for. */
export interface BootWaiting {
  /** The project's name, once it is known. */
  title?: string;
  /** What is being done, in words. */
  step?: string;
  /** How far the start of the computer is, 0–1, when that is known. */
  fraction?: number;
  /** Another way to start. */
  instead?: { label: string; run(): void };
  startOver?(): void;
}

/** Those that wait now, the latest last; undefined before any code of the page has run. */
export const bootWaits = createStore<readonly BootWaiting[] | undefined>(undefined);

/** Says that this is waited for; returns how to take it back. What comes in its place in the same moment is seen as the same wait. */
export function waitFor(waiting: BootWaiting): () => void {
  bootWaits.set((now = []) => [...now, waiting]);
  return () => bootWaits.set((now = []) => now.filter((one) => one !== waiting));
}
