// A container's process in a terminal. The client decodes output piece by piece, so a host that cuts a character in two breaks it there; what it
// does not tell at all (process ids, signals by name) is refused by name.
import type { WebContainer } from '@webcontainer/api';
import { type Process, type ProcessEnd, SandboxError } from './sandbox';

export interface TerminalRequest {
  command: string;
  args: string[];
  /** Relative to the workdir, which is `.`. */
  cwd: string;
  env: Record<string, string>;
  terminal: { columns: number; rows: number };
}

const END_OF_INPUT = '\u0004';
/** The shell's numbers for the signals that end a process. */
const SIGNALS: Record<number, string> = {
  129: 'SIGHUP',
  130: 'SIGINT',
  134: 'SIGABRT',
  137: 'SIGKILL',
  143: 'SIGTERM',
};
/** What the client's only `kill()` may stand for. */
const ENDING = ['SIGTERM', 'SIGKILL', 'SIGHUP'];

/** Starts the command, which must exist. */
export async function spawnTerminal(container: WebContainer, request: TerminalRequest): Promise<Process> {
  const { command, args, cwd, env, terminal } = request;
  const child = await container.spawn(command, args, {
    ...(cwd === '.' ? {} : { cwd }),
    env,
    terminal: { cols: terminal.columns, rows: terminal.rows },
  });
  const keys = child.input.getWriter();
  const decoder = new TextDecoder();
  let isKilled = false;
  let isOver = false;
  const exit = child.exit.then(
    (code): ProcessEnd => {
      isOver = true;
      // A shell also exits with such a number by itself; only after a kill it is a signal for certain.
      return isKilled && SIGNALS[code] ? { kind: 'signalled', signal: SIGNALS[code] } : { kind: 'exited', code };
    },
    (error: Error): ProcessEnd => {
      isOver = true;
      return { kind: 'crashed', message: error.message };
    },
  );
  return {
    get pid(): number {
      throw new SandboxError('ENOTSUP', 'WebContainers do not tell the id of a process in a terminal.');
    },
    output: child.output.pipeThrough(new TextEncoderStream()),
    stderr: new ReadableStream({ start: (controller) => controller.close() }),
    input: new WritableStream<Uint8Array>({
      async write(bytes) {
        if (isOver) throw new SandboxError('EPIPE', 'The process has ended.');
        await keys.write(decoder.decode(bytes, { stream: true }));
      },
      async close() {
        if (!isOver) await keys.write(END_OF_INPUT);
      },
    }),
    exit,
    resize(columns, rows) {
      if (!isOver) child.resize({ cols: columns, rows });
    },
    kill(signal = 'SIGTERM') {
      if (!ENDING.includes(signal))
        throw new SandboxError(
          'ENOTSUP',
          `WebContainers cannot send ${signal} to a process in a terminal, only end it.`,
        );
      isKilled = true;
      child.kill();
    },
  };
}
