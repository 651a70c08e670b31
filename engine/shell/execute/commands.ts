// What a command word means: where it is looked up, how a child process is started, how an applet runs in the shell.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { APPLETS, isApplet, loadApplet } from '../applets/applets';
import { complain, NOT_EXECUTABLE, NOT_FOUND, type Tool, UsageError } from '../applets/tool';
import { DescriptorChannel } from '../io/channel';
import { shareGate } from '../io/gate';
import { Input, Output } from '../io/streams';
import type { RunOptions, Shell } from '../state';
import { errorText, Killed, killedBy, ShellError, signalNumber } from './control';
import { parseInvocation } from './invocation';

/** Where a command that is neither function nor builtin leads. */
export type Found =
  | { kind: 'applet'; name: string; path: string }
  | { kind: 'file'; path: string }
  | { kind: 'none' }
  | { kind: 'denied'; path: string; reason: string };

const SYSTEM_FOLDERS = new Set(['/bin', '/usr/bin', '/sbin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']);

/** Looks up a command by its name or path. */
export function findCommand(shell: Shell, name: string): Found {
  if (name.includes('/')) {
    const file = path.resolve(shell.cwd, name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat) return { kind: 'none' };
    if (stat.isDirectory()) return { kind: 'denied', path: name, reason: 'Is a directory' };
    if ((stat.mode & 0o111) === 0) return { kind: 'denied', path: name, reason: 'Permission denied' };
    const program = shell.os.programOf(file);
    return program !== undefined && isApplet(program)
      ? { kind: 'applet', name: program, path: file }
      : { kind: 'file', path: file };
  }
  const all = findInPath(shell, name);
  const [first] = all;
  if (first === undefined)
    return shell.os.appletsFirst && isApplet(name)
      ? { kind: 'applet', name, path: `/usr/bin/${name}` }
      : { kind: 'none' };
  if (shell.os.appletsFirst && isApplet(name) && SYSTEM_FOLDERS.has(path.dirname(first)))
    return { kind: 'applet', name, path: first };
  const program = shell.os.programOf(first);
  return program !== undefined && isApplet(program)
    ? { kind: 'applet', name: program, path: first }
    : { kind: 'file', path: first };
}

/** All executable files of that name on PATH. */
export function findInPath(
  shell: Shell,
  name: string,
  search = shell.vars.get('PATH') ?? '/usr/local/bin:/usr/bin:/bin',
): string[] {
  const found: string[] = [];
  if (name === '') return found;
  for (const folder of search.split(':')) {
    const file = path.join(path.resolve(shell.cwd, folder || '.'), name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() && (stat.mode & 0o111) !== 0)
      found.push(folder === '' || folder.startsWith('/') ? file : path.join(folder, name));
  }
  return found;
}

/** Runs an applet or a file, with the shell's descriptors. */
export async function runFound(shell: Shell, found: Found, words: string[], options: RunOptions = {}): Promise<number> {
  const name = words[0]!;
  switch (found.kind) {
    case 'none':
      await shell.complain(name.includes('/') ? `${name}: No such file or directory` : `${name}: command not found`);
      return 127;
    case 'denied':
      await shell.complain(`${found.path}: ${found.reason}`);
      return 126;
    case 'applet':
      return runApplet(shell, found.name, words, options);
    case 'file':
      return runFile(shell, found.path, words, options);
    default:
      return found satisfies never;
  }
}

/** Runs an applet as a task of this process. EPIPE ends it like SIGPIPE does. */
export async function runApplet(
  shell: Shell,
  program: string,
  words: string[],
  options: RunOptions = {},
): Promise<number> {
  if (program === 'sh' || program === 'bash') {
    if (asksPerson(shell, words)) return startChild(shell, `/bin/${program}`, words, options);
    return shell.executor.runShell(shell, words, options);
  }
  const missing = (fd: number) =>
    shell.fds.get(fd) ?? new DescriptorChannel(shell.os, fs.openSync('/dev/null', fd === 0 ? 'r' : 'w'));
  const stdout = new Output(missing(1), shell.signal);
  const tool: Tool = {
    name: words[0]!,
    args: words.slice(1),
    cwd: options.cwd ?? shell.cwd,
    environment: options.environment ?? shell.vars.environment(),
    stdin: new Input(missing(0), shell.signal, () => stdout.flush()),
    stdout,
    stderr: new Output(missing(2), shell.signal),
    signal: shell.signal,
    os: shell.os,
    umask: shell.umask,
    run: (command, settings = {}) => runFromApplet(shell, command, settings),
    descriptor: (fd) => shell.fds.get(fd),
  };
  try {
    const applet = await loadApplet(program);
    const status = await applet(tool);
    await stdout.flush();
    await tool.stderr.flush();
    return status;
  } catch (error) {
    return await appletFailure(tool, program, error);
  }
}

/** Whether a shell that is started with these words would talk with the person; such a one is a process of its own, the others run in here. */
function asksPerson(shell: Shell, words: string[]): boolean {
  if (![0, 2].every((fd) => shell.fds.get(fd)?.isTerminal())) return false;
  const { command, file } = parseInvocation(words);
  return command === undefined && file === undefined;
}

/** Whether running this command means one child process. */
export function isOwnProcess(shell: Shell, found: Found, words: string[]): boolean {
  if (found.kind === 'applet') return /^(sh|bash)$/.test(found.name) && asksPerson(shell, words);
  return found.kind === 'file' && !isShellScript(shebang(found.path));
}

function isShellScript(interpreter: string[] | undefined): interpreter is string[] {
  return interpreter !== undefined && /^(sh|bash|dash)$/.test(path.basename(interpreter[0]!));
}

/** Errors after which GNU tools point to their help. */
const HINTED =
  /option|operand|invalid time interval|invalid mode|numbered from|must specify|only one list|delimiter must|invalid decreasing|invalid field|invalid byte/;

async function appletFailure(tool: Tool, program: string, error: unknown): Promise<number> {
  if (error instanceof Killed || error instanceof ShellError) throw error;
  if (tool.signal.aborted) throw killedBy(tool.signal);
  if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return 141;
  try {
    await tool.stdout.flush();
    if (error instanceof UsageError) {
      const hint =
        HINTED.test(error.message) && !error.message.includes('Try ') && program !== 'curl' && program !== 'jq';
      await complain(tool, `${error.message}${hint ? `\nTry '${tool.name} --help' for more information.` : ''}`);
      return error.status ?? APPLETS[program]!.usage;
    }
    await complain(tool, errorText(error));
  } catch (second) {
    if (second instanceof Killed) throw second;
  }
  return APPLETS[program]!.usage;
}

/** xargs, env and their like: no functions of the shell, and builtins only where no file would do. */
async function runFromApplet(
  shell: Shell,
  words: string[],
  settings: Parameters<Tool['run']>[1] & {},
): Promise<number> {
  const child = shell.copy();
  const stop = () => child.control.abort(settings.signal!.reason);
  try {
    if (settings.stdin) child.setDescriptor(0, settings.stdin.retain());
    if (settings.stdout) child.setDescriptor(1, settings.stdout.retain());
    if (settings.signal) {
      child.control = new AbortController();
      shareGate(shell.signal, child.signal);
      settings.signal.addEventListener('abort', stop, { once: true });
    }
    if (settings.cwd) child.cwd = settings.cwd;
    if (settings.environment) {
      for (const name of child.vars.names())
        if (child.vars.own(name)?.exported && !(name in settings.environment))
          child.vars.put(name, { value: undefined });
      for (const [name, value] of Object.entries(settings.environment)) child.vars.put(name, { value, exported: true });
    }
    const found = findCommand(child, words[0]!);
    if (found.kind === 'none') return NOT_FOUND;
    if (found.kind === 'denied') return NOT_EXECUTABLE;
    return await runFound(child, found, words);
  } finally {
    settings.signal?.removeEventListener('abort', stop);
    child.dispose();
  }
}

/** Runs an executable file: a shell script in this process, anything else as a child. */
export async function runFile(shell: Shell, file: string, words: string[], options: RunOptions = {}): Promise<number> {
  const interpreter = shebang(path.resolve(shell.cwd, file));
  if (isShellScript(interpreter)) {
    return runApplet(
      shell,
      'bash',
      [interpreter[0]!, ...interpreter.slice(1), words[0]!.includes('/') ? words[0]! : file, ...words.slice(1)],
      options,
    );
  }
  return startChild(shell, file, words, options);
}

/** The words of a `#!` line; `/usr/bin/env` is looked through. Text without one counts as a shell script. */
function shebang(file: string): string[] | undefined {
  const head = Buffer.alloc(256);
  let count: number;
  try {
    const fd = fs.openSync(file, 'r');
    count = fs.readSync(fd, head, 0, 256, 0);
    fs.closeSync(fd);
  } catch {
    return undefined;
  }
  const text = head.toString('latin1', 0, count);
  if (!text.startsWith('#!')) return text.includes('\0') || text === '' ? undefined : ['bash'];
  const words = text.slice(2).split('\n')[0]!.trim().split(/\s+/);
  if (path.basename(words[0]!) !== 'env') return words;
  return words.slice(words[1] === '-S' ? 2 : 1);
}

/** Called with a child's process id as soon as there is one. */
export type Started = (pid: number) => void;
const started = new WeakMap<Shell, Started>();

/** Asks to be told the process id of the child that this shell starts next. */
export function onChild(shell: Shell, listener: Started): void {
  started.set(shell, listener);
}

async function startChild(shell: Shell, file: string, words: string[], options: RunOptions): Promise<number> {
  const numbers = [...shell.fds.keys()];
  const copies = numbers.map((fd) => shell.os.childDescriptor(shell.fds.get(fd)!.descriptor()));
  const stdio: (number | 'ignore')[] = Array.from({ length: Math.max(2, ...numbers) + 1 }, () => 'ignore');
  for (const [position, fd] of numbers.entries()) stdio[fd] = copies[position]!.fd;
  if (shell.signal.aborted) throw killedBy(shell.signal);
  const child = spawn(path.resolve(shell.cwd, file), words.slice(1), {
    argv0: options.argv0 ?? words[0]!,
    cwd: options.cwd ?? shell.cwd,
    env: { ...(options.environment ?? shell.vars.environment()), _: file } as unknown as NodeJS.ProcessEnv,
    stdio,
  });
  for (const copy of copies) copy.release();
  if (child.pid !== undefined) {
    shell.job?.join(child.pid);
    started.get(shell)?.(child.pid);
  }
  const kill = () => {
    const reason = killedBy(shell.signal);
    if (!reason.fromTerminal) child.kill(reason.signal);
  };
  shell.signal.addEventListener('abort', kill, { once: true });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(error));
      child.once('exit', (code, signal) => {
        shell.diedOf = signal ?? undefined;
        resolve(signal ? 128 + signalNumber(signal) : (code ?? 0));
      });
    });
  } catch (error) {
    await shell.complain(`${words[0]}: ${errorText(error)}`);
    return 126;
  } finally {
    shell.signal.removeEventListener('abort', kill);
  }
}
