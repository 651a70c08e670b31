// Servers and watchers: the shell itself writes their output to a file in the sandbox, so the ordinary tools read the log and stop the
// process, and nothing here has to live on.
import { sleep } from '../std/signals';
import { bashPrompt } from './bash.prompt';
import { describeEnd, logPath, spawnShell } from './shell-process';
import type { ToolContext, ToolResult } from './tool';

const settleMs = 5000;
const pollMs = 100;

/** Starts it and waits until it opens a port, ends, or has run for five seconds. Stopping the turn later does not stop it. */
export async function startInBackground(command: string, directory: string, context: ToolContext): Promise<ToolResult> {
  const { sandbox } = context;
  const log = logPath(context);
  await sandbox.fs.write(log, '');
  const portsBefore = new Set(sandbox.ports.list().map((port) => port.port));
  const child = await spawnShell(context, ['-c', 'exec bash -c "$0" >"$1" 2>&1', command, log], directory);
  child.input.close().catch(() => {});
  child.output.cancel().catch(() => {});
  child.stderr.cancel().catch(() => {});
  let state = 'It is running.';
  let exit: string | undefined;
  child.exit.then((end) => {
    exit = describeEnd(end);
  });
  const meta: Record<string, unknown> = { command, pid: child.pid, log };
  try {
    for (let waitedMs = 0; waitedMs < settleMs; waitedMs += pollMs) {
      await sleep(pollMs, context.signal);
      const opened = sandbox.ports.list().find((port) => !portsBefore.has(port.port));
      if (exit !== undefined) {
        state = `It has already ended (${exit}).`;
        break;
      }
      if (opened !== undefined) {
        state = `It listens on port ${opened.port}.`;
        meta.port = opened.port;
        break;
      }
    }
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const printed = (await sandbox.fs.readText(log)).slice(0, 4000);
  return {
    title: command,
    output: [bashPrompt.background(child.pid, log, state), printed && `So far it printed:\n${printed}`]
      .filter(Boolean)
      .join('\n'),
    meta,
  };
}
