// How a shell is invoked: `bash -c text`, `bash file`, `bash -s`, options. Used for the process itself and for `bash …` as
// a command of another shell.
import fs from 'node:fs';
import path from 'node:path';
import { BUILTINS } from '../builtins/builtins';
import { setLetter, setOption } from '../builtins/flow';
import { bindDynamic } from '../dynamic-variables';
import { decodeText } from '../io/text';
import { parseScript } from '../parse';
import { type RunOptions, Shell } from '../state';
import type { Invocation } from './command-line';
import { parseInvocation } from './command-line';
import { errorText, ShellError } from './control';
import { Jobs } from './jobs';
import { runToEnd } from './run-to-end';

/** A new shell's variables and options, from an environment. */
export function prepareShell(
  shell: Shell,
  invocation: Invocation,
  environment: Record<string, string>,
  cwd: string,
): void {
  shell.name = invocation.name;
  shell.args = invocation.args;
  shell.interactive = invocation.interactive;
  shell.builtinNames = Object.keys(BUILTINS);
  for (const [name, value] of Object.entries(environment))
    if (/^[A-Za-z_]\w*$/.test(name) && !/^(_|SHELLOPTS|BASHOPTS)$/.test(name))
      shell.vars.put(name, { value, exported: true });
  const pwd = environment.PWD;
  shell.cwd = cwd;
  if (pwd?.startsWith('/') && sameFolder(pwd, cwd)) shell.cwd = path.normalize(pwd).replace(/(.)\/$/, '$1');
  shell.vars.put('PWD', { value: shell.cwd, exported: true });
  if (shell.vars.own('OLDPWD') === undefined) shell.vars.put('OLDPWD', { value: undefined, exported: true });
  shell.vars.put('SHLVL', { value: String(Number(environment.SHLVL ?? 0) + 1), exported: true });
  const defaults: Record<string, string> = {
    IFS: ' \t\n',
    OPTIND: '1',
    PS4: '+ ',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    BASH: '/bin/bash',
    BASH_VERSION: '5.2.15(1)-cloche',
    HOSTNAME: shell.hostName(),
    HOSTTYPE: 'wasm32',
    OSTYPE: 'linux-gnu',
    MACHTYPE: 'wasm32-cloche-linux-gnu',
  };
  for (const [name, value] of Object.entries(defaults))
    if (shell.vars.get(name) === undefined || name === 'IFS' || name === 'OPTIND') shell.vars.put(name, { value });
  shell.vars.put('BASH_VERSINFO', {
    value: new Map(
      ['5', '2', '15', '1', 'cloche', 'wasm32-cloche-linux-gnu'].map((text, position): [number, string] => [
        position,
        text,
      ]),
    ),
  });
  for (const [name, value] of [
    ['UID', shell.userId()],
    ['EUID', shell.userId()],
    ['PPID', process.ppid],
  ] as const)
    shell.vars.put(name, { value: String(value), readonly: true, integer: true });
  bindDynamic(shell);
  shell.lastArgument = environment._ ?? shell.name;
  for (const name of environment.SHELLOPTS?.split(':') ?? []) setOption(shell, name, true);
  if (environment.SHELLOPTS !== undefined) shell.vars.own('SHELLOPTS')!.exported = true;
  for (const [letter, on] of invocation.letters)
    if (!setLetter(shell, letter, on)) throw new ShellError(`-${letter}: invalid option`, 2);
  for (const [name, on] of invocation.options)
    if (!name.startsWith('--') && !setOption(shell, name, on)) throw new ShellError(`${name}: invalid option name`, 2);
  for (const [name, on] of invocation.shopts) if (on) shell.shopts.add(name);
  if (invocation.interactive) {
    shell.shopts.add('expand_aliases');
    shell.options.monitor = true;
    shell.options.histexpand = true;
  }
}

function sameFolder(a: string, b: string): boolean {
  try {
    const [first, second] = [fs.statSync(a), fs.statSync(b)];
    return first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}

/** Runs the shell's input to its end. The result is what the shell's body ends with; exits are thrown. */
export async function runInvocation(shell: Shell, invocation: Invocation): Promise<number> {
  if (invocation.options.some(([name]) => name === '--version')) {
    await shell.write(1, 'Cloche shell, compatible with GNU bash, version 5.2.15\n');
    return 0;
  }
  if (invocation.command !== undefined) {
    shell.fromCommand = true;
    shell.file = 'environment';
    bindDynamic(shell);
    return runSource(shell, invocation.command, '-c: ');
  }
  if (invocation.file !== undefined) {
    let text: string;
    try {
      text = decodeText(fs.readFileSync(path.resolve(shell.cwd, invocation.file)));
    } catch (error) {
      await shell.write(2, `bash: ${invocation.file}: ${errorText(error)}\n`);
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 127 : 126;
    }
    shell.script = shell.file = invocation.file;
    return runSource(shell, text, '');
  }
  const channel = shell.fds.get(0);
  const parts: Buffer[] = [];
  const buffer = new Uint8Array(65536);
  for (;;) {
    const count = channel ? await channel.read(buffer, shell.signal) : 0;
    if (count === 0) break;
    parts.push(Buffer.from(buffer.slice(0, count)));
  }
  return runSource(shell, decodeText(Buffer.concat(parts)), '');
}

/** Runs a whole script; what stands before a syntax error runs first, as in bash, which reads line by line. */
async function runSource(shell: Shell, text: string, label: string): Promise<number> {
  const parsed = parseScript(text);
  if (!parsed.error || parsed.error.message === '') {
    const status = await shell.executor.runText(shell, text, shell.name);
    return status;
  }
  const { error } = parsed;
  const lines = text.split('\n');
  for (let count = error.line - 1; count > 0; count--) {
    const before = lines.slice(0, count).join('\n');
    if (parseScript(before).error) continue;
    await shell.executor.runText(shell, before, shell.name);
    break;
  }
  await shell.write(2, `${shell.name}: ${label}line ${error.line}: ${error.message}\n`);
  if (/unexpected token/.test(error.message))
    await shell.write(2, `${shell.name}: ${label}line ${error.line}: \`${lines[error.line - 1] ?? ''}'\n`);
  return 2;
}

/** `bash …` inside another shell: same process and descriptors, only the environment is inherited. */
export async function runShell(parent: Shell, words: string[], options: RunOptions): Promise<number> {
  const shell = new Shell(parent.os, parent.executor, new Jobs(parent.os));
  shell.control = parent.control;
  shell.pid = parent.os.allocateJob(words.join(' '), parent.pid);
  shell.fds = new Map(parent.fds);
  shell.umask = parent.umask;
  shell.job = parent.job;
  shell.jobPids = [...parent.jobPids, parent.pid];
  shell.traceDepth = parent.traceDepth;
  for (const channel of shell.fds.values()) channel.retain();
  try {
    const invocation = parseInvocation(words);
    prepareShell(
      shell,
      { ...invocation, interactive: false },
      options.environment ?? parent.vars.environment(),
      options.cwd ?? parent.cwd,
    );
    return await runToEnd(shell, () => runInvocation(shell, invocation));
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    await shell.write(2, `${words[0]}: ${error.message}\n`);
    return error.status;
  } finally {
    parent.os.endJob(shell.pid, 0, undefined);
    parent.jobs.adopt(shell.jobs);
    shell.jobs.dispose();
    shell.dispose();
  }
}
