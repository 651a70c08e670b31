// How a shell is invoked: `bash -c text`, `bash file`, `bash -s`, options. Used for the process itself and for `bash …` as
// a command of another shell.
import fs from 'node:fs';
import path from 'node:path';
import { BUILTINS } from '../builtins/builtins';
import { setLetter, setOption } from '../builtins/flow';
import { assign } from '../expand/scope';
import { parseScript } from '../parse';
import { type RunOptions, Shell } from '../state';
import { Discard, Exit, errorText, Killed, LoopExit, Return, ShellError } from './control';
import { Jobs } from './jobs';

/** A parsed command line of the shell. */
export interface Invocation {
  name: string;
  /** The text after -c, or the script's path, or neither: standard input. */
  command: string | undefined;
  file: string | undefined;
  args: string[];
  interactive: boolean;
  login: boolean;
  letters: [string, boolean][];
  options: [string, boolean][];
  shopts: [string, boolean][];
}

/** Parses `[argv0, ...arguments]`. Throws ShellError for an unknown option. */
export function parseInvocation(words: string[]): Invocation {
  const result: Invocation = {
    name: words[0]!,
    command: undefined,
    file: undefined,
    args: [],
    interactive: false,
    login: words[0]!.startsWith('-'),
    letters: [],
    options: [],
    shopts: [],
  };
  let wantsCommand = false;
  let fromInput = false;
  let i = 1;
  for (; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--' || word === '-') {
      i++;
      break;
    }
    if (word === '--login') result.login = true;
    else if (word === '--norc' || word === '--noprofile' || word === '--posix' || word === '--noediting') continue;
    else if (word === '--rcfile' || word === '--init-file') i++;
    else if (word === '--version' || word === '--help') result.options.push([word, true]);
    else if (/^[-+][A-Za-z]/.test(word)) {
      const on = word[0] === '-';
      for (const letter of word.slice(1)) {
        if (letter === 'c' && on) wantsCommand = true;
        else if (letter === 's' && on) fromInput = true;
        else if (letter === 'i' && on) result.interactive = true;
        else if (letter === 'l' && on) result.login = true;
        else if (letter === 'o') result.options.push([words[++i] ?? '', on]);
        else if (letter === 'O') result.shopts.push([words[++i] ?? '', on]);
        else result.letters.push([letter, on]);
      }
    } else if (word.startsWith('--')) throw new ShellError(`${word}: invalid option`, 2);
    else break;
  }
  const rest = words.slice(i);
  if (wantsCommand) {
    if (rest[0] === undefined) throw new ShellError('-c: option requires an argument', 2);
    result.command = rest[0];
    if (rest[1] !== undefined) result.name = rest[1];
    result.args = rest.slice(2);
  } else if (rest[0] !== undefined && !fromInput) {
    result.file = rest[0];
    result.name = rest[0];
    result.args = rest.slice(1);
  } else result.args = rest;
  return result;
}

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
    if (/^[A-Za-z_]\w*$/.test(name)) shell.vars.put(name, { value, exported: true });
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
  shell.bindDynamic();
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
    return runSource(shell, invocation.command, '-c: ');
  }
  if (invocation.file !== undefined) {
    let text: string;
    try {
      text = fs.readFileSync(path.resolve(shell.cwd, invocation.file), 'utf8');
    } catch (error) {
      await shell.write(2, `bash: ${invocation.file}: ${errorText(error)}\n`);
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 127 : 126;
    }
    assign(shell, 'BASH_SOURCE', invocation.file);
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
  return runSource(shell, Buffer.concat(parts).toString('utf8'), '');
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
  shell.pid = parent.os.allocateJob(words.join(' '));
  shell.fds = new Map(parent.fds);
  shell.umask = parent.umask;
  shell.job = parent.job;
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
    shell.jobs.dispose();
    shell.dispose();
  }
}

/** Runs a shell's body, its EXIT trap, and waits for jobs inside the process. The result is the exit status. */
export async function runToEnd(shell: Shell, body: () => Promise<number>): Promise<number> {
  let status = await settle(shell, body);
  const action = shell.traps.get('EXIT');
  if (action) {
    shell.status = status;
    shell.traps.delete('EXIT');
    let explicit: number | undefined;
    const after = await settle(shell, async () => {
      await shell.executor.runText(shell, action);
      return -1;
    });
    if (after >= 0) explicit = after;
    status = explicit ?? status;
  }
  return status;
}

async function settle(shell: Shell, body: () => Promise<number>): Promise<number> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof Exit || error instanceof Return || error instanceof Killed || error instanceof Discard)
      return error.status;
    if (error instanceof LoopExit) return 0;
    if (error instanceof ShellError) {
      await shell.complain(error.message);
      return error.status;
    }
    if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return 141;
    throw error;
  }
}
