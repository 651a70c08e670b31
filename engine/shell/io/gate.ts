// Stopping the tasks of a job that run inside the shell: whatever they read or write waits until the job goes on. A task is known by its AbortSignal.

import { killedBy } from '../execute/control';

/** What the tasks of a job ask before they read and write. */
export interface Gate {
  /** While the job is stopped: resolves when it goes on. */
  closed: Promise<void> | undefined;
  /** A background job wants the keyboard: it is stopped, as by SIGTTIN. */
  refuseKeyboard(): void;
  inForeground: boolean;
}

const gates = new WeakMap<AbortSignal, Gate>();

/** Makes everything under `signal` obey the gate. */
export function setGate(signal: AbortSignal, gate: Gate): void {
  gates.set(signal, gate);
}

/** The gate of a task, if its job can be stopped. */
export function gateOf(signal: AbortSignal): Gate | undefined {
  return gates.get(signal);
}

/** A task's part with a signal of its own stops with it. */
export function shareGate(from: AbortSignal, to: AbortSignal): void {
  const gate = gates.get(from);
  if (gate) gates.set(to, gate);
}

/** Resolves when the job of the task goes on, at once when it is not stopped. Rejects with Killed. */
export async function whenOpen(signal: AbortSignal): Promise<void> {
  for (let closed = gateOf(signal)?.closed; closed; closed = gateOf(signal)?.closed) {
    const killed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([closed, killed]);
    if (signal.aborted) throw killedBy(signal);
  }
}
