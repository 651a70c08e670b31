// The history: a list in memory, and ~/.bash_history, to which each command is appended at once.
import fs from 'node:fs';
import path from 'node:path';
import type { Shell } from '../state';

function historyFile(shell: Shell): string {
  return shell.vars.get('HISTFILE') ?? path.join(shell.vars.get('HOME') ?? shell.home(), '.bash_history');
}

/** Fills the shell's history from its file; several lines of one command are kept as bash keeps them: one line each. */
export function loadHistory(shell: Shell): void {
  const limit = Number(shell.vars.get('HISTSIZE') ?? 1000);
  try {
    const lines = fs
      .readFileSync(historyFile(shell), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    shell.history.push(...lines.slice(-limit));
  } catch {
    // A new user has no history.
  }
}

/** Notes a command, unless it starts with a space or repeats the one before. */
export function remember(shell: Shell, command: string): void {
  const line = command.replace(/\n+$/, '');
  if (line.startsWith(' ') || shell.history.at(-1) === line) return;
  shell.history.push(line);
  const limit = Number(shell.vars.get('HISTSIZE') ?? 1000);
  if (shell.history.length > limit) shell.history.splice(0, shell.history.length - limit);
  try {
    fs.appendFileSync(historyFile(shell), `${line}\n`, { mode: 0o600 });
  } catch {
    // A read-only home does not keep anybody from working.
  }
}
