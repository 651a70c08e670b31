// One run as the CLI orders it, on whichever browser.
import type { Readable } from 'node:stream';
import { type SandboxBrowser, TabLost } from './browser.ts';
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

/** Mounts, runs, and streams the output. A command that cannot be started is told on stderr as a shell does (127, 126), a lost tab as a crash (134) or as the time limit (124). */
export async function performRun(
  sandbox: SandboxBrowser,
  order: RunOrder,
  stdin: Readable | undefined,
  onOutput: (channel: 'output' | 'stderr', bytes: Buffer) => void,
): Promise<Outcome> {
  if (order.mount !== undefined) await sandbox.mount(readEntries(order.mount), PROJECT, true);
  const [command, ...args] = order.command;
  const failed = (reason: string, code: number, timedOut = false): Outcome => {
    onOutput('stderr', Buffer.from(`sandbox: ${reason}\n`));
    return { code, signal: undefined, timedOut, durationMs: performance.now() - started, changedFiles: [] };
  };
  const started = performance.now();
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
    if (error instanceof TabLost)
      return error.how === 'silent' ? failed(error.message, 124, true) : failed(error.message, 134);
    const reason = /(ENOENT|EACCES|ENOEXEC|ENOTDIR|ELOOP): [^\n]*/.exec(String(error));
    if (!reason) throw error;
    return failed(reason[0], reason[1] === 'ENOENT' ? 127 : 126);
  }
}
