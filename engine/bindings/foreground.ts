// Who may use the keyboard: only the terminal's foreground group. A program in the background that reads is stopped by SIGTTIN, one that sets
// modes by SIGTTOU, until the shell brings it back: `vite &` must not take the shell's keys.
import { isInBackground } from '../ipc/terminal';
import type { Terminal } from '../ipc/types';
import { PROCESS_STATE } from '../ipc/types';
import type { ProcessEnvironment } from '../process/environment';

const SIGTTIN = 21;
const SIGTTOU = 22;

/** Whether this process stands in the background of the terminal. */
export function standsInBackground({ processes, state }: ProcessEnvironment, terminal: Terminal): boolean {
  return isInBackground(processes, state.slot, terminal);
}

/** Sends the group of this process the signal for reading in the background, if it still stands there when the kernel looks. */
export function refuseKeyboard(environment: ProcessEnvironment): void {
  environment.post({ type: 'refused', signal: SIGTTIN });
}

/** Before a blocking read: waits, stopped, until the keyboard is this process's. False when it handles SIGTTIN itself: then the read fails with EIO. */
export function awaitKeyboard(environment: ProcessEnvironment, terminal: Terminal): boolean {
  return awaitForeground(environment, terminal, SIGTTIN);
}

/** Before modes are set: the same with SIGTTOU; a program that handles it may go on. */
export function awaitModes(environment: ProcessEnvironment, terminal: Terminal): void {
  awaitForeground(environment, terminal, SIGTTOU);
}

function awaitForeground(environment: ProcessEnvironment, terminal: Terminal, signal: number): boolean {
  const { processes, state } = environment;
  /** What the terminal's changes were when it was last sent. */
  let sentAt: number | undefined;
  for (;;) {
    const seen = environment.activity();
    const changes = terminal.changes();
    if (!standsInBackground(environment, terminal)) return true;
    if (processes.isHandled(state.slot, signal)) return false;
    // Once for each time that it runs: `bg` lets it try again, and stops it again. And once for each change: what was sent before is void if it came to the front meanwhile.
    if (processes.stateOf(state.slot) === PROCESS_STATE.stopped) sentAt = undefined;
    else if (sentAt !== changes) {
      environment.post({ type: 'refused', signal });
      sentAt = changes;
    }
    environment.waitForActivity(seen, 100);
  }
}
