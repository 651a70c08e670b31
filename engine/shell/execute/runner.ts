// The face that the parts of the executor show each other, and what they share: yielding, traps, `set -e`.
import type { CommandNode, CompoundList, Statement } from 'unbash';
import { gateOf, whenOpen } from '../io/gate';
import type { Shell } from '../state';
import { Discard, Exit, killedBy, type ShellError } from './control';

/** The executor's recursive entry points. */
export interface Runner {
  list(shell: Shell, statements: readonly Statement[]): Promise<number>;
  body(shell: Shell, list: CompoundList): Promise<number>;
  command(shell: Shell, node: CommandNode): Promise<number>;
}

const SLICE_MS = 12;
/** By the clock, which may be set: asking for `performance` would load ten modules of lib before the first prompt. */
let sliceStart = Date.now();
let ticks = 0;

/** Lets timers, signals and other tasks run now and then; throws when this task was killed; runs traps that wait. */
export async function breathe(shell: Shell): Promise<void> {
  if (++ticks % 64 === 0 && Math.abs(Date.now() - sliceStart) > SLICE_MS) {
    await new Promise((resolve) => setImmediate(resolve));
    sliceStart = Date.now();
  }
  if (shell.signal.aborted) throw killedBy(shell.signal);
  if (gateOf(shell.signal)?.closed) await whenOpen(shell.signal);
  if (shell.pendingSignals.length > 0) await runPendingTraps(shell);
}

/** Prints an error of a command; the status that it leaves, where it does not end more than the command. */
export async function settle(shell: Shell, error: ShellError): Promise<number> {
  await shell.complain(error.message);
  if (error.fatal === true && !shell.interactive) throw new Exit(error.status);
  if (error.fatal) throw new Discard(error.status);
  return error.status;
}

/** Runs the traps of signals that have arrived. */
export async function runPendingTraps(shell: Shell): Promise<void> {
  for (let name = shell.pendingSignals.shift(); name !== undefined; name = shell.pendingSignals.shift())
    await runTrap(shell, name);
}

/** Runs a trap's action, keeping `$?`. It does not trap itself; DEBUG, ERR and RETURN are about the line where they happen. */
export async function runTrap(shell: Shell, name: string): Promise<void> {
  const action = shell.traps.get(name);
  if (!action) return;
  const isSignal = name.startsWith('SIG');
  const { status, lastArgument, trapped } = shell;
  shell.trapped ??= shell.commandText;
  if (!isSignal) shell.traps.delete(name);
  try {
    await shell.executor.runText(shell, action, undefined, isSignal ? 0 : shell.line() - 1);
  } finally {
    if (!isSignal && !shell.traps.has(name)) shell.traps.set(name, action);
  }
  Object.assign(shell, { status, lastArgument, trapped });
}

/** What follows a failed command: the ERR trap, and the end of the shell under `set -e`. */
export async function afterFailure(shell: Shell, status: number): Promise<void> {
  if (shell.quiet > 0) return;
  if (shell.traps.has('ERR') && (shell.callStack.length === 0 || shell.options.errtrace)) {
    shell.status = status;
    await runTrap(shell, 'ERR');
  }
  if (shell.options.errexit) throw new Exit(status);
}
