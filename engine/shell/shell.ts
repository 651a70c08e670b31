// The program /bin/sh and /bin/bash, and every applet: one bundle that looks at the name it was started by.
import { isApplet } from './applets/applets';
import { engineOs } from './engine-os';
import { type Invocation, parseInvocation } from './execute/command-line';
import { runApplet } from './execute/commands';
import { ShellError } from './execute/control';
import { executor } from './execute/executor';
import { prepareShell, runInvocation } from './execute/invocation';
import { Jobs } from './execute/jobs';
import { runToEnd } from './execute/run-to-end';
import { runInteractive } from './interactive/interactive';
import { DescriptorChannel } from './io/channel';
import type { Os, ShellBinding } from './os';
import { Shell } from './state';

/** How the program is started. */
export interface Start {
  /** `sh`, `bash`, or the name of an applet. */
  program: string;
  /** argv[0] and the arguments. */
  words: string[];
  environment: Record<string, string>;
}

/** Runs the program inside the engine. Ends the process. */
export function main(start: Start, binding: ShellBinding): Promise<void> {
  return runProgram(start, engineOs(binding));
}

/** Runs the program on an operating-system port, then exits the process with its status. */
export async function runProgram({ program, words, environment }: Start, os: Os): Promise<void> {
  const shell = new Shell(os, executor, new Jobs(os));
  const inherited = os.inherited().map((fd) => [fd, new DescriptorChannel(os, fd, false)] as const);
  for (const [fd, channel] of inherited) shell.fds.set(fd, channel);
  shell.umask = process.umask();
  let status: number;
  try {
    status =
      program === 'sh' || program === 'bash'
        ? await runMain(shell, words, environment)
        : await runAlone(shell, program, words, environment);
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    await shell.write(2, `${words[0]}: ${error.message}\n`);
    status = error.status;
  }
  const left = [...shell.jobs.living(), ...shell.substitutions];
  if (left.length > 0) shell.dispose();
  if (left.length > 0 && os.leave(status)) {
    // What it left keeps its own streams open and no others.
    for (const [, channel] of inherited) channel.closeWithLast();
  }
  await Promise.all(left);
  if (left.length > 0 || !os.retire(status)) process.exit(status);
}

async function runAlone(
  shell: Shell,
  program: string,
  words: string[],
  environment: Record<string, string>,
): Promise<number> {
  if (!isApplet(program)) throw new ShellError(`${program}: no such applet`, 127);
  prepareShell(shell, parseInvocation([words[0]!]), environment, process.cwd());
  return runToEnd(shell, () => runApplet(shell, program, words));
}

async function runMain(shell: Shell, words: string[], environment: Record<string, string>): Promise<number> {
  const invocation: Invocation = parseInvocation(words);
  const terminal =
    invocation.command === undefined &&
    invocation.file === undefined &&
    shell.os.isTerminal(0) &&
    shell.os.isTerminal(2);
  invocation.interactive ||= terminal;
  prepareShell(shell, invocation, environment, process.cwd());
  listenForTraps(shell);
  if (invocation.interactive && terminal) return runToEnd(shell, () => runInteractive(shell));
  return runToEnd(shell, () => runInvocation(shell, invocation));
}

/** `trap 'x' TERM` makes the process listen; `trap - TERM` makes it stop. */
function listenForTraps(shell: Shell): void {
  const listeners = new Map<NodeJS.Signals, () => void>();
  shell.onTrap = (signal, action) => {
    const known = listeners.get(signal);
    if (known) process.off(signal, known);
    listeners.delete(signal);
    if (action === undefined || signal === 'SIGKILL' || signal === 'SIGSTOP') return;
    const listener = () => {
      if (action === '') return;
      shell.pendingSignals.push(signal);
      shell.onPending?.();
    };
    listeners.set(signal, listener);
    process.on(signal, listener);
  };
}
