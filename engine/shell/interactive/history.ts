// The history: a list in memory, and HISTFILE (~/.bash_history), to which each command is appended at once, so that a closed tab loses nothing.
// A time stamp (`#1700000000`, as bash writes it) stands before each command: only so do commands of several lines stay whole.
import fs from 'node:fs';
import path from 'node:path';
import type { Shell } from '../state';

const STAMP = /^#\d+$/;

function historyFile(shell: Shell): string {
  return shell.vars.get('HISTFILE') ?? path.join(shell.vars.get('HOME') ?? shell.home(), '.bash_history');
}

function limitOf(shell: Shell, name: 'HISTSIZE' | 'HISTFILESIZE'): number {
  const limit = Number(shell.vars.get(name) || Number.NaN);
  return Number.isNaN(limit) || limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

/** The commands of a history file's text; lines without a stamp before them are commands of one line. */
export function parseHistory(text: string): string[] {
  const commands: string[] = [];
  let isStamped = false;
  let isOpen = false;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (STAMP.test(line)) {
      isStamped = true;
      isOpen = false;
    } else if (isStamped && isOpen) commands.push(`${commands.pop()}\n${line}`);
    else if (line !== '' || isStamped) {
      commands.push(line);
      isOpen = true;
    }
  }
  return commands;
}

/** Fills the shell's history from its file, and shortens a file that has grown far beyond HISTFILESIZE. */
export function loadHistory(shell: Shell): void {
  const file = historyFile(shell);
  try {
    const commands = parseHistory(fs.readFileSync(file, 'utf8'));
    const most = limitOf(shell, 'HISTFILESIZE');
    if (commands.length > most * 2)
      fs.writeFileSync(file, commands.slice(-most).map(stamped).join(''), { mode: 0o600 });
    const size = limitOf(shell, 'HISTSIZE');
    shell.history.push(...(size < commands.length ? commands.slice(commands.length - size) : commands));
  } catch {
    // A new user has no history.
  }
}

function stamped(command: string): string {
  return `#${Math.floor(Date.now() / 1000)}\n${command}\n`;
}

/** Notes a command, unless HISTCONTROL or HISTIGNORE leaves it out. */
export function remember(shell: Shell, command: string): void {
  const control = (shell.vars.get('HISTCONTROL') ?? '').split(':');
  const ignores = (name: string) => control.includes(name) || control.includes('ignoreboth');
  if (command.trim() === '') return;
  if (ignores('ignorespace') && command.startsWith(' ')) return;
  if (ignores('ignoredups') && shell.history.at(-1) === command) return;
  if (control.includes('erasedups')) {
    const kept = shell.history.filter((entry) => entry !== command);
    shell.history.splice(0, shell.history.length, ...kept);
  }
  shell.history.push(command);
  const size = limitOf(shell, 'HISTSIZE');
  if (shell.history.length > size) shell.history.splice(0, shell.history.length - size);
  if (shell.vars.get('HISTFILE') === '') return;
  try {
    fs.appendFileSync(historyFile(shell), stamped(command), { mode: 0o600 });
  } catch {
    // A read-only home does not keep anybody from working.
  }
}

/** How a command of several lines becomes one entry: with `; ` where that means the same, as bash's cmdhist does. */
export function joinLines(before: string, line: string, inText: boolean): string {
  if (inText) return `${before}\n${line}`;
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(before)) return before.slice(0, -1) + line;
  // Behind a comment a semicolon would be part of it.
  if (
    /(?:^|[\s;&|(])#/.test(
      before
        .split('\n')
        .at(-1)!
        .replace(/\\.|'[^']*'|"(?:\\.|[^"])*"/g, 'x'),
    )
  )
    return `${before}\n${line}`;
  const needsNone = /(?:[;&|({]|\b(?:then|do|else|elif|if|while|until|case\s.*\sin)|\(\))\s*$/.test(before);
  return `${before}${needsNone || line.trim() === '' ? ' ' : '; '}${line}`;
}
