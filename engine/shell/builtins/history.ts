// history and fc: the list of commands, and running one of them again.
import fs from 'node:fs';
import path from 'node:path';
import { ShellError } from '../execute/control';
import { parseHistory } from '../interactive/history';
import { expandHistory } from '../interactive/history-expansion';
import type { Shell } from '../state';
import { type Builtin, builtinOptions } from './types';

/** Takes the command that is being run out of the list: what it leaves there is another one, or none. */
function dropOwnEntry(shell: Shell, name: string): void {
  if (shell.interactive && new RegExp(`^\\s*${name}\\b`).test(shell.history.at(-1) ?? '')) shell.history.pop();
}

function fileOf(shell: Shell, name: string | undefined): string {
  const file = name ?? shell.vars.get('HISTFILE') ?? path.join(shell.vars.get('HOME') ?? shell.home(), '.bash_history');
  return path.resolve(shell.cwd, file);
}

async function history(shell: Shell, args: string[]): Promise<number> {
  if (args.length === 1 && /^-\d+$/.test(args[0]!)) throw new ShellError(`history: ${args[0]}: invalid option`, 2);
  const { options, rest } = builtinOptions('history', args, 'acd:nprsw');
  const list = shell.history;
  if (options.has('c')) list.length = 0;
  else if (options.has('d')) {
    const [, first, last] = /^(-?\d+)(?:-(-?\d+))?$/.exec(options.get('d')!) ?? [];
    const place = (text: string | undefined) => (text?.startsWith('-') ? list.length + Number(text) : Number(text) - 1);
    const [from, to] = [place(first), place(last ?? first)];
    if (!(from >= 0 && to < list.length && from <= to))
      throw new ShellError(`history: ${options.get('d')}: history position out of range`);
    list.splice(from, to - from + 1);
  } else if (options.has('s')) {
    dropOwnEntry(shell, 'history');
    if (rest.length > 0) list.push(rest.join(' '));
  } else if (options.has('p')) {
    dropOwnEntry(shell, 'history');
    for (const word of rest) {
      const expanded = expandHistory(word, list);
      if ('error' in expanded) throw new ShellError(`history: ${word}: history expansion failed`);
      await shell.write(1, `${expanded.text}\n`);
    }
  } else if (options.has('n'))
    throw new ShellError('history: -n: which lines of the file are new is not known here; -r reads all of them');
  else if (options.has('w')) fs.writeFileSync(fileOf(shell, rest[0]), list.map((line) => `${line}\n`).join(''));
  else if (options.has('r')) list.push(...parseHistory(fs.readFileSync(fileOf(shell, rest[0]), 'utf8')));
  else if (options.has('a')) {
    // Each command is in the file as soon as it is typed; another file gets all of them.
    if (rest[0] !== undefined) fs.appendFileSync(fileOf(shell, rest[0]), list.map((line) => `${line}\n`).join(''));
  } else await print(shell, rest);
  return 0;
}

async function print(shell: Shell, rest: string[]): Promise<void> {
  if (rest.length > 1) throw new ShellError('history: too many arguments');
  const count = rest[0] === undefined ? Number.POSITIVE_INFINITY : Number(rest[0]);
  if (Number.isNaN(count)) throw new ShellError(`history: ${rest[0]}: numeric argument required`);
  const from = Math.max(0, shell.history.length - Math.abs(count));
  const lines = shell.history.slice(from).map((line, at) => `${String(from + at + 1).padStart(5)}  ${line}\n`);
  await shell.write(1, lines.join(''));
}

/** `fc -l` lists, `fc -s` runs again. There is no editor to start for the third use. */
async function fc(shell: Shell, args: string[]): Promise<number> {
  // A number behind `-` is a place, not an option.
  const at = args.findIndex((word) => !/^-[elnrs]/.test(word));
  const own = at < 0 ? args : args.slice(0, at);
  const { options } = builtinOptions('fc', own, 'e:lnrs');
  const rest = at < 0 ? [] : args.slice(at);
  const isRun = options.has('s') || options.get('e') === '-';
  if (!isRun && !options.has('l'))
    throw new ShellError("fc: there is no editor to start here; `fc -s old=new command' runs a command again");
  const list = shell.interactive ? shell.history.slice(0, -1) : shell.history;
  const find = (word: string): number => {
    const found = /^-?\d+$/.test(word)
      ? Number(word) < 0
        ? list.length + Number(word)
        : Number(word) - 1
      : list.findLastIndex((entry) => entry.startsWith(word));
    if (found < 0 && !/^-?\d+$/.test(word)) throw new ShellError('fc: no command found');
    return Math.max(0, Math.min(list.length - 1, found));
  };
  if (isRun) {
    const changes = rest.filter((word) => word.includes('='));
    const word = rest.find((one) => !one.includes('='));
    let command = list[word === undefined ? list.length - 1 : find(word)];
    if (command === undefined) throw new ShellError('fc: no command found');
    for (const change of changes) {
      const cut = change.indexOf('=');
      command = command.replaceAll(change.slice(0, cut), () => change.slice(cut + 1));
    }
    dropOwnEntry(shell, 'fc');
    if (shell.interactive && shell.history.at(-1) !== command) shell.history.push(command);
    await shell.write(2, `${command}\n`);
    return shell.executor.runText(shell, command, shell.name);
  }
  if (list.length === 0) return 0;
  const first = rest[0] === undefined ? Math.max(0, list.length - 16) : find(rest[0]);
  const last = rest[1] === undefined ? list.length - 1 : find(rest[1]);
  const numbers = Array.from({ length: Math.abs(last - first) + 1 }, (_, step) => Math.min(first, last) + step);
  if (options.has('r') !== first > last) numbers.reverse();
  for (const number of numbers) await shell.write(1, `${options.has('n') ? '' : number + 1}\t ${list[number]}\n`);
  return 0;
}

/** Builtins of this file by name. */
export const HISTORY_BUILTINS: Record<string, Builtin> = { history, fc };
