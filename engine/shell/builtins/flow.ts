// Builtins that change what runs next: exit, return, loops, eval, source, trap, set, shift, getopts, command, builtin.
import fs from 'node:fs';
import path from 'node:path';
import { Exit, errorText, LoopExit, Return, ShellError, signalName, signalNumber } from '../execute/control';
import { runTrap } from '../execute/runner';
import { isUnprintable, quoteAnsi, quoteDouble, quoteSingle, quoteTrace } from '../expand/quote';
import { assign } from '../expand/scope';
import { evaluateText } from '../expand/word';
import { decodeText } from '../io/text';
import { OPTION_LETTERS, type Options, type Shell } from '../state';
import { entriesOf, isAssociative } from '../variables';
import { type Builtin, builtinOptions, isName } from './types';

async function statusOf(shell: Shell, name: string, text: string | undefined): Promise<number> {
  if (text === undefined) return shell.status;
  if (/^\s*-?\d+\s*$/.test(text)) return Number(text) & 255;
  await shell.complain(`${name}: ${text}: numeric argument required`);
  return 2;
}

function levels(name: string, text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^-?\d+$/.test(text)) throw new ShellError(`${name}: ${text}: numeric argument required`, 128, true);
  if (Number(text) < 1) throw new ShellError(`${name}: ${text}: loop count out of range`);
  return Number(text);
}

async function leaveLoop(shell: Shell, kind: 'break' | 'continue', args: string[]): Promise<number> {
  if (args.length > 1 && shell.loops > 0) {
    await shell.complain(`${kind}: too many arguments`);
    throw shell.fromCommand ? new Exit(1) : new LoopExit('break', shell.loops);
  }
  const count = levels(kind, args[0]);
  if (shell.loops > 0) throw new LoopExit(kind, count);
  await shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
  return 0;
}

async function source(shell: Shell, words: string[], name: string): Promise<number> {
  const { rest: args } = builtinOptions(name, words, '', `${name} filename [arguments]`);
  const file = args[0];
  if (file === undefined)
    throw new ShellError(`${name}: filename argument required\n${name}: usage: ${name} filename [arguments]`, 2);
  const found = file.includes('/') ? file : (searchFile(shell, file) ?? file);
  let text: string;
  try {
    const own = found.match(/^\/dev\/(?:fd\/(\d+)|stdin)$/);
    text = own
      ? await readChannel(shell, Number(own[1] ?? 0))
      : decodeText(fs.readFileSync(path.resolve(shell.cwd, found)));
  } catch (error) {
    throw new ShellError(`${file}: ${errorText(error)}`);
  }
  const saved = { args: shell.args, file: shell.file };
  shell.file = found;
  if (args.length > 1) shell.args = args.slice(1);
  shell.returnable++;
  shell.callStack.push({ name: 'source', source: found, line: shell.line() });
  try {
    let status: number;
    try {
      status = await shell.executor.runText(shell, text, found);
    } catch (error) {
      if (!(error instanceof Return)) throw error;
      status = error.status;
    }
    await runTrap(shell, 'RETURN');
    return status;
  } finally {
    shell.callStack.pop();
    shell.file = saved.file;
    shell.returnable--;
    if (args.length > 1) shell.args = saved.args;
  }
}

function searchFile(shell: Shell, name: string): string | undefined {
  for (const folder of (shell.vars.get('PATH') ?? '').split(':')) {
    const file = path.join(path.resolve(shell.cwd, folder || '.'), name);
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  return undefined;
}

async function readChannel(shell: Shell, fd: number): Promise<string> {
  const channel = shell.fds.get(fd);
  if (!channel) throw Object.assign(new Error('EBADF'), { code: 'EBADF' });
  const buffer = new Uint8Array(65536);
  const parts: Buffer[] = [];
  for (;;) {
    const count = await channel.read(buffer, shell.signal);
    if (count === 0) return decodeText(Buffer.concat(parts));
    parts.push(Buffer.from(buffer.slice(0, count)));
  }
}

async function trap(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = builtinOptions('trap', args, 'lp', 'trap [-lp] [[arg] signal_spec ...]');
  if (options.has('l')) return shell.executor.runWords(shell, ['kill', '-l'], { functions: false });
  const listed = shell.listedTraps ?? shell.traps;
  if (rest.length === 0 || options.has('p')) {
    const names =
      rest.length > 0
        ? rest.map((text) => trapName(text) ?? text)
        : [...listed.keys()].sort((a, b) => trapOrder(a) - trapOrder(b));
    for (const name of names) {
      const action = listed.get(name);
      if (action !== undefined) await shell.write(1, `trap -- ${quoteSingle(action)} ${name}\n`);
    }
    return 0;
  }
  shell.listedTraps = undefined;
  // A number in the place of an action means that all are to be reset.
  const isList = rest.length === 1 || /^\d+$/.test(rest[0]!);
  const reset = isList || rest[0] === '-';
  let status = 0;
  for (const text of isList ? rest : rest.slice(1)) {
    const name = trapName(text);
    if (!name) {
      await shell.complain(`trap: ${text}: invalid signal specification`);
      status = 1;
    } else {
      if (reset) shell.traps.delete(name);
      else shell.traps.set(name, rest[0]!);
      if (name.startsWith('SIG') && shell.level === 0)
        shell.onTrap?.(name as NodeJS.Signals, reset ? undefined : rest[0]!);
    }
  }
  return status;
}

/** EXIT stands before the signals, the shell's own conditions after them. */
function trapOrder(name: string): number {
  return name === 'EXIT' ? 0 : signalNumber(name) || 100 + ['DEBUG', 'ERR', 'RETURN'].indexOf(name);
}

function trapName(text: string): string | undefined {
  if (text === '0' || text === 'EXIT') return 'EXIT';
  if (['ERR', 'DEBUG', 'RETURN'].includes(text)) return text;
  return signalName(text);
}

async function set(shell: Shell, args: string[]): Promise<number> {
  if (args.length === 0) {
    for (const name of shell.vars.names()) {
      const variable = shell.vars.own(name)!;
      if (variable.value === undefined || variable.dynamic) continue;
      const value =
        typeof variable.value === 'string'
          ? quoteSet(variable.value)
          : `(${entriesOf(variable.value)
              .map(
                ([key, text]) =>
                  `[${isAssociative(variable.value) && !/^\w+$/.test(key) ? quoteDouble(key) : key}]=${isUnprintable(text) ? quoteAnsi(text) : quoteDouble(text)}`,
              )
              .join(' ')}${isAssociative(variable.value) && variable.value.keys.size > 0 ? ' ' : ''})`;
      await shell.write(1, `${name}=${value}\n`);
    }
    return 0;
  }
  let i = 0;
  for (; i < args.length; i++) {
    const argument = args[i]!;
    if (argument === '--') {
      shell.args = args.slice(i + 1);
      return 0;
    }
    if (argument === '-') {
      shell.options.xtrace = shell.options.verbose = false;
      if (i + 1 < args.length) shell.args = args.slice(i + 1);
      return 0;
    }
    if (argument === '+') continue;
    if (!/^[-+]./.test(argument)) break;
    const on = argument[0] === '-';
    for (const letter of argument.slice(1)) {
      if (letter === 'o') {
        const name = args[i + 1];
        if (name === undefined || /^[-+]/.test(name)) return listOptions(shell, on);
        i++;
        if (!setOption(shell, name, on)) throw new ShellError(`set: ${name}: invalid option name`, 2);
      } else if (!setLetter(shell, letter, on))
        throw new ShellError(
          `set: ${argument[0]}${letter}: invalid option\nset: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]`,
          2,
        );
    }
  }
  if (i < args.length) shell.args = args.slice(i);
  return 0;
}

function quoteSet(text: string): string {
  return /^[\w%+,./:=@-]*$/.test(text) ? text : quoteTrace(text);
}

/** Turns an option on by its letter. False: there is none. */
export function setLetter(shell: Shell, letter: string, on: boolean): boolean {
  const known = OPTION_LETTERS.find(([name]) => name === letter);
  if (known) shell.options[known[1]] = on;
  return known !== undefined || 'bkpt'.includes(letter);
}

/** Turns an option on by its long name. False: there is none. */
export function setOption(shell: Shell, name: string, on: boolean): boolean {
  if (name === 'vi' && on && shell.interactive)
    throw new ShellError("set: vi: the lines are edited with Emacs' keys here, and no others");
  if (!(name in shell.options))
    return [
      'emacs',
      'vi',
      'history',
      'ignoreeof',
      'interactive-comments',
      'nolog',
      'notify',
      'onecmd',
      'physical',
      'privileged',
      'keyword',
    ].includes(name);
  shell.options[name as keyof Options] = on;
  return true;
}

async function listOptions(shell: Shell, readable: boolean): Promise<number> {
  const names = (Object.keys(shell.options) as (keyof Options)[]).sort();
  for (const name of names) {
    const on = shell.options[name];
    await shell.write(1, readable ? `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n` : `set ${on ? '-' : '+'}o ${name}\n`);
  }
  return 0;
}

async function getopts(shell: Shell, args: string[]): Promise<number> {
  const [spec, name] = args;
  if (spec === undefined || name === undefined)
    throw new ShellError('getopts: usage: getopts optstring name [arg ...]', 2);
  const words = args.length > 2 ? args.slice(2) : shell.args;
  let index = Number(shell.vars.get('OPTIND') ?? 1);
  if (index !== shell.optionAt.index) shell.optionAt = { index, letter: 1 };
  const silent = spec.startsWith(':');
  const word = words[index - 1];
  const finish = (): number => {
    index = Math.min(index, words.length + 1);
    if (isName(name)) assign(shell, name, '?');
    assign(shell, 'OPTIND', String(Math.min(index, words.length + 1)));
    shell.optionAt = { index, letter: 1 };
    shell.vars.unset('OPTARG');
    return 1;
  };
  if (word === undefined || !word.startsWith('-') || word === '-') return finish();
  if (word === '--') {
    index++;
    return finish();
  }
  const letter = word[shell.optionAt.letter]!;
  const known = letter === ':' ? -1 : spec.indexOf(letter);
  let letterAt = shell.optionAt.letter + 1;
  let value: string | undefined;
  let result = letter;
  const advance = () => {
    index++;
    letterAt = 1;
  };
  if (known < 0) {
    result = '?';
    if (silent) value = letter;
    else await shell.write(2, `${shell.name}: illegal option -- ${letter}\n`);
    if (letterAt >= word.length) advance();
  } else if (spec[known + 1] === ':') {
    if (letterAt < word.length) value = word.slice(letterAt);
    else value = words[index++];
    if (value === undefined) {
      result = silent ? ':' : '?';
      if (silent) value = letter;
      else await shell.write(2, `${shell.name}: option requires an argument -- ${letter}\n`);
      letterAt = 1;
    } else advance();
  } else if (letterAt >= word.length) advance();
  if (!isName(name)) await shell.complain(`getopts: \`${name}': not a valid identifier`);
  else assign(shell, name, result);
  if (value === undefined) shell.vars.unset('OPTARG');
  else assign(shell, 'OPTARG', value);
  assign(shell, 'OPTIND', String(index));
  shell.optionAt = { index, letter: letterAt };
  return isName(name) ? 0 : 1;
}

/** Builtins of this file by name. */
export const FLOW_BUILTINS: Record<string, Builtin> = {
  ':': () => 0,
  true: () => 0,
  false: () => 1,
  async exit(shell, args) {
    if (shell.interactive && shell.level === 0) {
      await shell.write(2, 'exit\n');
      if (shell.warnedAt < shell.commandNumber - 1 && shell.jobs.list().some((job) => job.stopped)) {
        shell.warnedAt = shell.commandNumber;
        await shell.write(2, 'There are stopped jobs.\n');
        return 1;
      }
    }
    if (args.length > 1 && /^\s*-?\d+\s*$/.test(args[0]!)) throw new ShellError('exit: too many arguments', 1, 'line');
    throw new Exit(await statusOf(shell, 'exit', args[0]));
  },
  async return(shell, args) {
    if (shell.returnable === 0) throw new ShellError("return: can only `return' from a function or sourced script", 2);
    throw new Return(await statusOf(shell, 'return', args[0]));
  },
  break: (shell, args) => leaveLoop(shell, 'break', args),
  continue: (shell, args) => leaveLoop(shell, 'continue', args),
  async eval(shell, args) {
    const text = builtinOptions('eval', args[0] === '-' ? ['--', ...args] : args, '', 'eval [arg ...]').rest.join(' ');
    return text.trim() === '' ? 0 : shell.executor.runText(shell, text, undefined, shell.line() - 1);
  },
  source,
  '.': source,
  trap,
  set,
  getopts,
  shift(shell, args) {
    if (args.length > 1) throw new ShellError('shift: too many arguments', 1, true);
    const count = args[0] === undefined ? 1 : Number(args[0]);
    if (!Number.isInteger(count)) throw new ShellError(`shift: ${args[0]}: numeric argument required`, 1);
    if (count < 0) throw new ShellError(`shift: ${args[0]}: shift count out of range`);
    if (count > shell.args.length) return 1;
    shell.args = shell.args.slice(count);
    return 0;
  },
  async let(shell, args) {
    if (args.length === 0) throw new ShellError('let: expression expected');
    let value = 0n;
    try {
      for (const text of args) value = await evaluateText(shell, text);
    } catch (error) {
      throw error instanceof ShellError ? new ShellError(`let: ${error.message}`) : error;
    }
    return value === 0n ? 1 : 0;
  },
  async builtin(shell, args) {
    const { rest } = builtinOptions('builtin', args, '', 'builtin [shell-builtin [arg ...]]');
    if (rest.length === 0) return 0;
    if (!shell.builtinNames.includes(rest[0]!)) throw new ShellError(`builtin: ${rest[0]}: not a shell builtin`);
    return shell.executor.runWords(shell, rest, { functions: false });
  },
  async exec() {
    throw new ShellError('exec: only as a command of its own', 2);
  },
};
