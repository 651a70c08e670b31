// What a command word means: where it is looked up, and whether it is a process of its own.
import fs from 'node:fs';
import path from 'node:path';
import { isApplet } from '../applets/applets';
import { controlsJobs, type Shell } from '../state';
import { parseInvocation } from './command-line';
import { errorText } from './control';

/** Where a command that is neither function nor builtin leads. */
export type Found =
  | { kind: 'applet'; name: string; path: string }
  | { kind: 'file'; path: string }
  | { kind: 'none' }
  | { kind: 'denied'; path: string; reason: string };

const SYSTEM_FOLDERS = new Set(['/bin', '/usr/bin', '/sbin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']);

/** Looks up a command by its name or path. */
export function findCommand(shell: Shell, name: string): Found {
  if (name.includes('/')) {
    const file = path.resolve(shell.cwd, name);
    let stat: fs.Stats | undefined;
    try {
      stat = fs.statSync(file, { throwIfNoEntry: false });
    } catch (error) {
      return { kind: 'denied', path: name, reason: errorText(error) };
    }
    if (!stat) return { kind: 'none' };
    if (stat.isDirectory()) return { kind: 'denied', path: name, reason: 'Is a directory' };
    if ((stat.mode & 0o111) === 0) return { kind: 'denied', path: name, reason: 'Permission denied' };
    const program = shell.os.programOf(file);
    return program !== undefined && isApplet(program)
      ? { kind: 'applet', name: program, path: file }
      : { kind: 'file', path: file };
  }
  const all = findInPath(shell, name);
  const [first] = all;
  if (first === undefined)
    return shell.os.appletsFirst && isApplet(name)
      ? { kind: 'applet', name, path: `/usr/bin/${name}` }
      : { kind: 'none' };
  if (shell.os.appletsFirst && isApplet(name) && SYSTEM_FOLDERS.has(path.dirname(first)))
    return { kind: 'applet', name, path: first };
  const program = shell.os.programOf(first);
  return program !== undefined && isApplet(program)
    ? { kind: 'applet', name: program, path: first }
    : { kind: 'file', path: first };
}

function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** All executable files of that name on PATH. */
export function findInPath(
  shell: Shell,
  name: string,
  search = shell.vars.get('PATH') ?? '/usr/local/bin:/usr/bin:/bin',
): string[] {
  const found: string[] = [];
  if (name === '') return found;
  for (const folder of search.split(':')) {
    const file = path.join(path.resolve(shell.cwd, folder || '.'), name);
    const stat = statOf(file);
    if (stat?.isFile() && (stat.mode & 0o111) !== 0)
      found.push(folder === '' || folder.startsWith('/') ? file : path.join(folder, name));
  }
  return found;
}

/**
 * Whether a shell that is started with these words is a process of its own: one that was typed at a prompt, so that ending it ends all that it
 * has started, and one that would talk with the person. The others run in here.
 */
export function isShellApart(shell: Shell, words: string[]): boolean {
  if (isTyped(shell)) return true;
  if (![0, 2].every((fd) => shell.fds.get(fd)?.isTerminal())) return false;
  const { command, file } = parseInvocation(words);
  return command === undefined && file === undefined;
}

/** Whether what runs belongs to a line that was typed at a prompt. */
function isTyped(shell: Shell): boolean {
  return controlsJobs(shell) || shell.job !== undefined;
}

/** Whether running this command means one child process. */
export function isOwnProcess(shell: Shell, found: Found, words: string[]): boolean {
  if (found.kind === 'applet') return /^(sh|bash)$/.test(found.name) && isShellApart(shell, words);
  return found.kind === 'file' && (!isShellScript(shebang(found.path)) || isTyped(shell));
}

/** Whether a `#!` line names a shell, which then runs inside this one. */
export function isShellScript(interpreter: string[] | undefined): interpreter is string[] {
  return interpreter !== undefined && /^(sh|bash|dash)$/.test(path.basename(interpreter[0]!));
}

/** The words of a `#!` line; `/usr/bin/env` is looked through. Text without one counts as a shell script. */
export function shebang(file: string): string[] | undefined {
  const head = Buffer.alloc(256);
  let count: number;
  try {
    const fd = fs.openSync(file, 'r');
    count = fs.readSync(fd, head, 0, 256, 0);
    fs.closeSync(fd);
  } catch {
    return undefined;
  }
  const text = head.toString('latin1', 0, count);
  if (!text.startsWith('#!')) return text.includes('\0') || text === '' ? undefined : ['bash'];
  const words = text.slice(2).split('\n')[0]!.trim().split(/\s+/);
  if (path.basename(words[0]!) !== 'env') return words;
  return words.slice(words[1] === '-S' ? 2 : 1);
}
