// Prompts: the backslash escapes of PS1 and PS2, then `$` expansions.
import path from 'node:path';
import { strftime } from '../applets/strftime';
import type { Shell } from '../state';

/** The text of a prompt string. */
export async function promptText(
  shell: Shell,
  prompt: string,
  expandText: (shell: Shell, text: string) => Promise<string>,
): Promise<string> {
  const now = new Date();
  const home = shell.vars.get('HOME') ?? '';
  const folder =
    home && (shell.cwd === home || shell.cwd.startsWith(`${home}/`)) ? `~${shell.cwd.slice(home.length)}` : shell.cwd;
  const escapes: Record<string, () => string> = {
    a: () => '\x07',
    d: () => strftime('%a %b %d', now),
    e: () => '\x1b',
    h: () => shell.hostName().split('.')[0]!,
    H: () => shell.hostName(),
    j: () => String(shell.jobs.list().length),
    l: () => 'tty',
    n: () => '\n',
    r: () => '\r',
    s: () =>
      path.basename(
        shell.fromCommand || shell.interactive ? shell.name : shell.script === 'main' ? shell.name : shell.script,
      ),
    t: () => strftime('%H:%M:%S', now),
    T: () => strftime('%I:%M:%S', now),
    '@': () => strftime('%I:%M %p', now),
    A: () => strftime('%H:%M', now),
    u: () => shell.userName(),
    v: () => '5.2',
    V: () => '5.2.15',
    w: () => trimmed(folder, Number(shell.vars.get('PROMPT_DIRTRIM') ?? 0)),
    W: () => (folder === '~' || folder === '/' ? folder : path.basename(folder)),
    $: () => (shell.userId() === 0 ? '#' : '$'),
    // Quoted for the expansion that follows.
    '\\': () => (shell.shopts.has('promptvars') ? '\\\\' : '\\'),
    '[': () => '',
    ']': () => '',
    '!': () => String(shell.historySize() + 1),
    '#': () => String(shell.interactive ? shell.commandNumber + 1 : 1),
  };
  const decoded = prompt.replace(/\\(D\{[^}]*\}|[0-7]{3}|[\s\S])/g, (whole, key: string) => {
    if (key.startsWith('D{')) return strftime(key.slice(2, -1) || '%X', now);
    if (/^[0-7]{3}$/.test(key)) return String.fromCharCode(Number.parseInt(key, 8) & 255);
    return escapes[key]?.() ?? whole;
  });
  return shell.shopts.has('promptvars') ? expandText(shell, decoded) : decoded;
}

/** PROMPT_DIRTRIM: the last so many folders of a path, dots in the place of the others. */
function trimmed(folder: string, count: number): string {
  const parts = folder.split('/').slice(1);
  if (!(count > 0) || parts.length <= count) return folder;
  return `${folder.startsWith('~') ? '~/' : ''}.../${parts.slice(-count).join('/')}`;
}
