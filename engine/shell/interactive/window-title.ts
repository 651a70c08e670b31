// What runs in a terminal, for the tab that shows it.
import fs from 'node:fs';
import type { Shell } from '../state';

/** Tells the window what runs in it (OSC 0), nothing at the prompt. Only a terminal that asked for it by TERM_PROGRAM: bash says nothing. */
export function sayTitle(shell: Shell, command: string): void {
  if (shell.vars.get('TERM_PROGRAM') !== 'cloche') return;
  // Control characters would end the title, or begin something else.
  const title = command
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 120);
  fs.writeSync(2, `\x1b]0;${title}\x07`);
}
