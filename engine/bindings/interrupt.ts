// Ctrl-C in a script that never returns, and a script's time limit. A worker can't be stopped in the middle of its JavaScript and go on, so such a
// script (a REPL's, one with `timeout`) asks at each turn of a loop and at each call (rewrite.ts). What does not ask, a loop of a module that it
// calls, is ended by the kernel when it does not hear Ctrl-C.
import { NAME } from '../modules/names';
import type { ProcessEnvironment } from '../process/environment';

const SIGINT = 2;

export interface Interrupt {
  /** From now on SIGINT interrupts instead of ending the process. Calls nest. */
  watch(): void;
  /** Ends the innermost `watch`; true when a SIGINT came that interrupted nothing. */
  unwatch(): boolean;
  isPending(): boolean;
  /** Runs text that asks; throws Node's error when SIGINT came or the time (milliseconds; −1 is no limit) is over. */
  run(body: () => unknown, onSignal: boolean, timeoutMs: number): unknown;
}

/** Makes the process's interrupt and publishes what rewritten loops call. Once per process. */
export function createInterrupt(environment: ProcessEnvironment): Interrupt {
  const { processes, state, post, browser } = environment;
  let watching = 0;
  let wasHandled = false;
  let running = 0;
  let deadline = Number.POSITIVE_INFINITY;
  let reason: 'signal' | 'timeout' | undefined;
  Object.defineProperty(globalThis, NAME.stop, {
    configurable: true,
    value() {
      if (running === 0) return;
      if (watching > 0 && processes.takeOne(state.slot, SIGINT)) reason = 'signal';
      else if (deadline < Number.POSITIVE_INFINITY && browser.performanceNow() > deadline) reason ??= 'timeout';
      // Again in a loop around what caught it.
      if (reason) throw new Error('interrupted');
    },
  });
  const interrupt: Interrupt = {
    watch() {
      if (watching++ > 0) return;
      wasHandled = processes.isHandled(state.slot, SIGINT);
      processes.setHandled(state.slot, SIGINT, true);
      post({ type: 'interruptible', on: true });
    },
    unwatch() {
      if (--watching > 0) return false;
      post({ type: 'interruptible', on: false });
      const isPending = !wasHandled && processes.takeOne(state.slot, SIGINT);
      processes.setHandled(state.slot, SIGINT, wasHandled);
      return isPending;
    },
    isPending: () => processes.isPending(state.slot, SIGINT),
    run(body, onSignal, timeoutMs) {
      const outer = deadline;
      if (timeoutMs >= 0) deadline = Math.min(outer, browser.performanceNow() + timeoutMs);
      if (onSignal) interrupt.watch();
      running++;
      try {
        return body();
      } catch (error) {
        if (!reason) throw error;
        const isSignal = reason === 'signal';
        throw Object.assign(
          new Error(
            isSignal
              ? 'Script execution was interrupted by `SIGINT`'
              : `Script execution timed out after ${timeoutMs}ms`,
          ),
          { code: isSignal ? 'ERR_SCRIPT_EXECUTION_INTERRUPTED' : 'ERR_SCRIPT_EXECUTION_TIMEOUT' },
        );
      } finally {
        running--;
        deadline = outer;
        reason = undefined;
        if (onSignal) interrupt.unwatch();
      }
    },
  };
  return interrupt;
}
