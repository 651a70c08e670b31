// `run` of the WebContainer protocol: each process in a terminal of its own, its output in pieces that never cut a character, because the client
// decodes every piece by itself.
import { EngineError } from '../client/connection';
import { defaultEnvironment } from '../client/default-environment';
import type { Engine } from '../client/engine';
import type { RunEnd } from '../kernel/page-protocol';
import { SIGNAL } from '../kernel/signals';
import { Reference, type RemoteFunction } from './comlink-wire';

/** The first argument of `run`. */
export interface RunOptions {
  command: string;
  args: string[];
  /** Relative to the working directory, or absolute. */
  cwd?: string;
  env?: Record<string, string | number | boolean>;
  terminal?: { cols: number; rows: number };
}

const NOT_FOUND = 127;

/** Starts a process; the reference has `onExit`, `write`, `kill` and `resize`. */
export async function runProcess(
  engine: Engine,
  workdir: string,
  options: RunOptions,
  output: RemoteFunction | undefined,
): Promise<Reference> {
  const cwd = options.cwd?.startsWith('/') ? options.cwd : [workdir, options.cwd].filter(Boolean).join('/');
  const given = Object.entries(options.env ?? {}).map(([name, value]) => [name, String(value)]);
  const env = { ...defaultEnvironment(cwd, true), ...Object.fromEntries(given) };
  const { cols: columns, rows } = options.terminal ?? { cols: 80, rows: 24 };
  // A missing directory is the caller's mistake; a missing command ends with 127, as the API's users know it.
  if ((await engine.stat(cwd)).kind !== 'directory')
    throw new EngineError('ENOTDIR', `ENOTDIR: not a directory, chdir '${cwd}'`, cwd);
  try {
    const child = await engine.spawn({
      command: options.command,
      args: options.args,
      cwd,
      env,
      terminal: { columns, rows },
    });
    const keys = child.input.getWriter();
    const sent = output ? forward(child.output, output) : child.output.cancel();
    return new Reference({
      // The client closes its stream by the last piece, and it lets go of everything at the exit.
      onExit: Promise.all([child.exit, sent]).then(([end]) => exitCode(end)),
      write: (text: string) => keys.write(new TextEncoder().encode(text)),
      // The API has one kill, and it must end the process.
      kill: () => child.kill('SIGKILL'),
      resize: (size: { cols: number; rows: number }) => child.resize(size.cols, size.rows),
    });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'ENOENT') throw error;
    await output?.call(new TextEncoder().encode(`command not found: ${options.command}\r\n`));
    await output?.call(null);
    const nothing = (): void => {};
    return new Reference({ onExit: NOT_FOUND, write: nothing, kill: nothing, resize: nothing });
  }
}

/** Each piece is answered before the next is sent: a page that does not keep up slows the process down. */
async function forward(stream: ReadableStream<Uint8Array>, output: RemoteFunction): Promise<void> {
  const reader = stream.getReader();
  let rest = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const bytes = new Uint8Array(rest.length + value.length);
    bytes.set(rest);
    bytes.set(value, rest.length);
    const whole = wholeCharacters(bytes);
    rest = bytes.slice(whole);
    if (whole > 0) await output.call(bytes.slice(0, whole));
  }
  if (rest.length > 0) await output.call(rest);
  await output.call(null);
}

/** How many bytes there are before a character that is not complete; all of them when the end is no UTF-8. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function exitCode(end: RunEnd): number {
  switch (end.kind) {
    case 'exited':
      return end.code;
    case 'signalled':
      return 128 + (SIGNAL[end.signal] ?? 0);
    case 'crashed':
      return 134;
  }
}
