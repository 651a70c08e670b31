// What an applet (ls, grep, …) is: a function of its context. The same function runs inside the shell, as a stage of a
// pipeline, and as a process of its own.
import fs from 'node:fs';
import path from 'node:path';
import { errorText } from '../execute/control';
import { type Channel, DescriptorChannel } from '../io/channel';
import { Input, type Output } from '../io/streams';
import type { Os } from '../os';

/** Results of RunCommand when nothing ran: there is no such command, or it may not be run. */
export const NOT_FOUND = -127;
export const NOT_EXECUTABLE = -126;

/** How an applet starts another command; the result is its status, or one of the two above: xargs, env, timeout, find -exec. */
export type RunCommand = (
  words: string[],
  options?: {
    environment?: Record<string, string>;
    cwd?: string;
    stdin?: Channel;
    stdout?: Channel;
    signal?: AbortSignal;
  },
) => Promise<number>;

/** Everything that an applet may use. */
export interface Tool {
  name: string;
  args: string[];
  cwd: string;
  environment: Record<string, string>;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  signal: AbortSignal;
  os: Os;
  umask: number;
  /** Process ids of the shell and the job that it runs in. */
  pids: readonly number[];
  run: RunCommand;
  /** The channel behind a descriptor number, for /dev/fd/N. */
  descriptor(fd: number): Channel | undefined;
}

/** One applet. The result is its exit status. */
export type Applet = (tool: Tool) => Promise<number> | number;

/** A wrong use of an applet: printed, with the status that this tool gives for it. */
export class UsageError {
  readonly message: string;
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    this.message = message;
    this.status = status;
  }
}

/** The absolute path of an operand. */
export function resolvePath(tool: Tool, name: string): string {
  return name === '' ? '/\0' : path.resolve(tool.cwd, name);
}

/** Prints `name: message`. */
export async function complain(tool: Tool, message: string): Promise<void> {
  await tool.stdout.flush();
  await tool.stderr.write(`${tool.name}: ${message}\n`);
  await tool.stderr.flush();
}

/** `path: No such file or directory`. */
export function fileError(name: string, error: unknown): string {
  return `${name}: ${name === '' ? 'No such file or directory' : errorText(error)}`;
}

/** How this tool says that it cannot open a file. */
function openError(tool: Tool, name: string, error: unknown): string {
  switch (path.basename(tool.name)) {
    case 'head':
      return `cannot open '${name}' for reading: ${fileError('', error).slice(2)}`;
    case 'tail':
      return `cannot open '${name}' for reading: ${fileError('', error).slice(2)}`;
    case 'sort':
      return `cannot read: ${fileError(name, error)}`;
    default:
      return fileError(name, error);
  }
}

/** Opens an operand for reading; `-` is the standard input. Throws Node's errors (EISDIR too). The caller closes it. */
export function openInput(tool: Tool, name: string): { input: Input; close(): void } {
  if (name === '-') return { input: tool.stdin, close() {} };
  const own = name.match(/^\/dev\/(?:fd\/(\d+)|(stdin))$/);
  if (own) {
    const channel = tool.descriptor(own[2] ? 0 : Number(own[1]));
    if (channel) return { input: new Input(channel, tool.signal, () => tool.stdout.flush()), close() {} };
  }
  const fd = fs.openSync(resolvePath(tool, name), 'r');
  if (fs.fstatSync(fd).isDirectory()) {
    fs.closeSync(fd);
    throw Object.assign(new Error('EISDIR: illegal operation on a directory'), { code: 'EISDIR' });
  }
  const channel = new DescriptorChannel(tool.os, fd);
  return { input: new Input(channel, tool.signal, () => tool.stdout.flush()), close: () => channel.release() };
}

/** Runs `each` on every operand (`-` or the standard input when there is none); errors are printed and give status 1. */
export async function eachInput(
  tool: Tool,
  names: string[],
  each: (input: Input, name: string) => Promise<void>,
  failure = 1,
): Promise<number> {
  let status = 0;
  for (const name of names.length > 0 ? names : ['-']) {
    let opened: ReturnType<typeof openInput>;
    try {
      opened = openInput(tool, name);
    } catch (error) {
      await complain(tool, openError(tool, name, error));
      status = failure;
      continue;
    }
    try {
      await each(opened.input, name);
    } finally {
      opened.close();
    }
  }
  return status;
}

/** The whole text of an operand. */
export async function readText(tool: Tool, name: string): Promise<string> {
  const { input, close } = openInput(tool, name);
  try {
    return await input.text();
  } finally {
    close();
  }
}

/** Waits, unless the applet is killed first. */
export function pause(tool: Tool, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(tool.signal.reason);
    };
    if (tool.signal.aborted) return reject(tool.signal.reason);
    const timer = setTimeout(() => {
      tool.signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    tool.signal.addEventListener('abort', stop, { once: true });
  });
}

/** Why a command did not run, from the negative result of RunCommand. */
export function notRun(what: string, result: number): string {
  return `${what}: ${result === NOT_FOUND ? 'No such file or directory' : 'Permission denied'}`;
}
