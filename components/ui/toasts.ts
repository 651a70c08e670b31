// Short notices, mostly to undo what was just done. What matters is never said here alone.
import { createStore } from './store';

export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'error';
  action?: { label: string; run: () => void };
  /** Runs when the toast goes without its action: what was undoable is now final. */
  settle?: () => void;
}

const lifeMs = 8000;
/** What was held goes this long after it is let go. */
const heldMs = 2000;
let nextId = 1;

/** What is shown now, the oldest first. */
export const toasts = createStore<Toast[]>([]);

let held = false;

/** While somebody points at the notices or is in them, none goes by itself. */
export function holdToasts(hold: boolean): void {
  held = hold;
}

/** Shows a notice for eight seconds; returns how to take it away (which counts as settled). */
export function showToast(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): () => void {
  const toast: Toast = { id: nextId++, text, tone: 'plain', ...options };
  toasts.set((now) => [...now, toast]);
  const expire = (): void => {
    if (held) timer = setTimeout(expire, heldMs);
    else close(toast.id, true);
  };
  let timer = setTimeout(expire, lifeMs);
  return () => {
    clearTimeout(timer);
    close(toast.id, true);
  };
}

/** A notice of work that goes on: it stays until `done`, and `say` changes its words. */
export function showProgress(text: string, stop: () => void): { say(text: string): void; done(): void } {
  const toast: Toast = { id: nextId++, text, tone: 'plain', action: { label: 'Stop', run: stop } };
  toasts.set((now) => [...now, toast]);
  return {
    say: (words) =>
      toasts.set((now) => now.map((other) => (other.id === toast.id ? { ...other, text: words } : other))),
    done: () => close(toast.id, true),
  };
}

/** Shows an error in one line: what was tried and what happened. */
export function showError(what: string, error: unknown): void {
  showToast(`${what}: ${messageOf(error)}`, { tone: 'error' });
}

/** Runs the toast's action and removes it. */
export function actOnToast(toast: Toast): void {
  close(toast.id, false);
  toast.action?.run();
}

/** Removes the toast; its `settle` runs. */
export function dismissToast(toast: Toast): void {
  close(toast.id, true);
}

function close(id: number, settled: boolean): void {
  const toast = toasts.get().find((other) => other.id === id);
  if (!toast) return;
  // With the last one goes what was pointed at, and nothing tells.
  if (toasts.get().length === 1) held = false;
  toasts.set((now) => now.filter((other) => other.id !== id));
  if (settled) toast.settle?.();
}

/** Whether a part of our own code could not be loaded: the network is gone, or the server has another version by now (then only a reload helps). */
export function isMissingCode(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'ChunkLoadError' || /dynamically imported module/.test(error.message))
  );
}

/** An error's message, whatever was thrown. */
export function messageOf(error: unknown): string {
  if (isMissingCode(error))
    return 'A part of this page can’t be loaded. The network may be gone, or the server has a newer version by now. Try again when the network is there; if that does not help, reload the page: what is saved stays.';
  return error instanceof Error ? error.message : String(error);
}
