// Who may use the keyboard: only the terminal's foreground group. A program in the background that reads is stopped by SIGTTIN, one that sets
// modes by SIGTTOU, until the shell brings it back: `vite &` must not take the shell's keys.
import type { Terminal } from '../ipc/types';
import { PROCESS_STATE } from '../ipc/types';
import type { ProcessEnvironment } from '../process/environment';

const SIGTTIN = 21;
const SIGTTOU = 22;

/** Whether this process stands in the background of its controlling terminal. Another session's terminal is anybody's, as on Linux. */
export function isInBackground(environment: ProcessEnvironment, terminal: Terminal): boolean {
  const { processes, state } = environment;
  if (terminal.session === 0 || processes.sessionOf(state.slot) !== terminal.session) return false;
  return terminal.foregroundGroup > 0 && processes.groupOf(state.slot) !== terminal.foregroundGroup;
}

/** Sends the group of this process the signal for reading in the background. */
export function refuseKeyboard(environment: ProcessEnvironment): void {
  signalOwnGroup(environment, SIGTTIN);
}

/** Before a blocking read: waits, stopped, until the keyboard is this process's. False when it handles SIGTTIN itself: then the read fails with EIO. */
export function awaitKeyboard(environment: ProcessEnvironment, terminal: Terminal): boolean {
  return awaitForeground(environment, terminal, SIGTTIN);
}

/** Before modes are set: the same with SIGTTOU; a program that handles it may go on. */
export function awaitModes(environment: ProcessEnvironment, terminal: Terminal): void {
  awaitForeground(environment, terminal, SIGTTOU);
}

function signalOwnGroup({ processes, state, post }: ProcessEnvironment, signal: number): void {
  post({ type: 'kill', pid: -processes.groupOf(state.slot), signal });
}

function awaitForeground(environment: ProcessEnvironment, terminal: Terminal, signal: number): boolean {
  const { processes, state } = environment;
  let isSent = false;
  while (isInBackground(environment, terminal)) {
    if (processes.isHandled(state.slot, signal)) return false;
    const seen = environment.activity();
    // Once for each time that it runs: `bg` lets it try again, and stops it again.
    if (processes.stateOf(state.slot) === PROCESS_STATE.stopped) isSent = false;
    else if (!isSent) {
      signalOwnGroup(environment, signal);
      isSent = true;
    }
    environment.waitForActivity(seen, 100);
  }
  return true;
}
