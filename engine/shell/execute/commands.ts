// How a command that was found is run: an applet inside the shell, a program as a child process.
import fs from 'node:fs';
import path from 'node:path';
import { APPLETS, loadApplet } from '../applets/applets';
import { asksItself, describeApplet, SelfDescription } from '../applets/self-description';
import { complain, NOT_EXECUTABLE, NOT_FOUND, type Tool, UsageError } from '../applets/tool';
import { DescriptorChannel } from '../io/channel';
import { shareGate } from '../io/gate';
import { Input, Output } from '../io/streams';
import type { RunOptions, Shell } from '../state';
import { errorText, Killed, killedBy, ShellError, signalNumber } from './control';
import { type Found, findCommand, isShellApart, isShellScript, shebang } from './find-command';
import { adviceFor } from './unknown-programs';

/** Runs an applet or a file, with the shell's descriptors. */
export async function runFound(shell: Shell, found: Found, words: string[], options: RunOptions = {}): Promise<number> {
  const name = words[0]!;
  switch (found.kind) {
    case 'none': {
      await shell.complain(name.includes('/') ? `${name}: No such file or directory` : `${name}: command not found`);
      const advice = adviceFor(shell, words);
      if (advice !== undefined) await shell.write(2, `${advice}\n`);
      return 127;
    }
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
    if (isShellApart(shell, words)) return startChild(shell, `/bin/${program}`, words, options);
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
    pids: [shell.pid, ...shell.jobPids],
    run: (command, settings = {}) => runFromApplet(shell, command, settings),
    descriptor: (fd) => shell.fds.get(fd),
  };
  process.umask(shell.umask);
  try {
    const asked = asksItself(program, tool.args);
    if (asked) throw asked;
    const applet = await loadApplet(program);
    const status = await applet(tool);
    await stdout.flush();
    await tool.stderr.flush();
    return status;
  } catch (error) {
    return await appletFailure(tool, program, error);
  }
}

/** Errors after which GNU tools point to their help. */
const HINTED =
  /option|operand|invalid time interval|invalid mode|numbered from|must specify|only one list|delimiter must|invalid decreasing|invalid field|invalid byte/;

async function appletFailure(tool: Tool, program: string, error: unknown): Promise<number> {
  if (error instanceof Killed || error instanceof ShellError) throw error;
  if (tool.signal.aborted) throw killedBy(tool.signal);
  if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return 141;
  try {
    if (error instanceof SelfDescription) await tool.stdout.write(describeApplet(tool.name, error));
    await tool.stdout.flush();
    if (error instanceof SelfDescription) return 0;
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
  // Loaded now: a prompt needs none of it.
  const { spawn } = process.getBuiltinModule('node:child_process');
  process.umask(shell.umask);
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
