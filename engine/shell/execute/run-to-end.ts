// The end of a shell or a part of one: whatever its body throws becomes a status, and the EXIT trap runs.
import type { Shell } from '../state';
import { Discard, Exit, Killed, LoopExit, Return, ShellError } from './control';

/** Runs a shell's body, its EXIT trap, and waits for jobs inside the process. The result is the exit status. */
export async function runToEnd(shell: Shell, body: () => Promise<number>): Promise<number> {
  let status = await settle(shell, body);
  const action = shell.traps.get('EXIT');
  if (action) {
    shell.status = status;
    shell.traps.delete('EXIT');
    let explicit: number | undefined;
    const after = await settle(shell, async () => {
      await shell.executor.runText(shell, action);
      return -1;
    });
    if (after >= 0) explicit = after;
    status = explicit ?? status;
  }
  return status;
}

async function settle(shell: Shell, body: () => Promise<number>): Promise<number> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof Exit || error instanceof Return || error instanceof Killed || error instanceof Discard)
      return error.status;
    if (error instanceof LoopExit) return 0;
    if (error instanceof ShellError) {
      await shell.complain(error.message);
      return error.status;
    }
    if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return 141;
    throw error;
  }
}
