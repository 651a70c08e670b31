// One run as the CLI orders it, on whichever browser.
import type { Readable } from 'node:stream';
import type { SandboxBrowser } from './browser.ts';
import { readEntries } from './entries.ts';

export interface RunOrder {
  command: string[];
  mount: string | undefined;
  cwd: string;
  timeoutMs: number;
  hasStdin: boolean;
  /** Collect changed files. */
  watch: boolean;
}

export interface Outcome {
  code: number;
  signal: string | undefined;
  timedOut: boolean;
  durationMs: number;
  changedFiles: string[];
}

const PROJECT = '/home/project';

/** Mounts, runs, and streams the output. A command that cannot be started is told on stderr as a shell does (127, 126). */
export async function performRun(
  sandbox: SandboxBrowser,
  order: RunOrder,
  stdin: Readable | undefined,
  onOutput: (channel: 'output' | 'stderr', bytes: Buffer) => void,
): Promise<Outcome> {
  if (order.mount !== undefined) await sandbox.mount(readEntries(order.mount), PROJECT, true);
  const [command, ...args] = order.command;
  try {
    const { code, signal, timedOut, durationMs, changedFiles } = await sandbox.run(command, args, {
      cwd: order.cwd,
      stdin,
      timeoutMs: order.timeoutMs,
      watch: order.watch ? PROJECT : undefined,
      onOutput,
    });
    return { code, signal, timedOut, durationMs, changedFiles };
  } catch (error) {
    const reason = /(ENOENT|EACCES|ENOEXEC|ENOTDIR|ELOOP): [^\n]*/.exec(String(error));
    if (!reason) throw error;
    onOutput('stderr', Buffer.from(`sandbox: ${reason[0]}\n`));
    return {
      code: reason[1] === 'ENOENT' ? 127 : 126,
      signal: undefined,
      timedOut: false,
      durationMs: 0,
      changedFiles: [],
    };
  }
}
