// Decides what a file runs as, from its bytes alone: a builtin's marker, a `#!` line, or nothing that can run here.
// The same function serves the kernel and the spawn binding, which must answer ENOENT before a process exists.
import { EACCES, ELOOP, ENOENT, ENOEXEC } from '../memory/errno';
import { FILE_TYPE, type FileTree } from '../tree/types';

/** First bytes of a file that stands for a builtin program: `\0cloche:<program>\n`. */
export const PROGRAM_MARKER = '\0cloche:';
/** Linux reads this much of a `#!` line. */
const HEAD_BYTES = 256;
const MAX_INTERPRETERS = 5;

export interface ResolvedProgram {
  /** Name of the builtin. */
  program: string;
  /** The file that was executed in the end (an interpreter's, for a script). */
  file: string;
  /** argv with interpreters put in front. */
  argv: string[];
}

/** The content of a file that runs builtin `program`. */
export function programFile(program: string): string {
  return `${PROGRAM_MARKER}${program}\n`;
}

/** What executing `file` with `argv` runs, or ENOENT, EACCES, ENOEXEC, ELOOP. `searchPath` serves `#!/usr/bin/env name`. */
export function resolveProgram(
  tree: FileTree,
  file: string,
  argv: readonly string[],
  searchPath: string | undefined,
): ResolvedProgram | number {
  let current = file;
  let args = [...argv];
  for (let depth = 0; depth < MAX_INTERPRETERS; depth++) {
    const head = readHead(tree, current);
    if (typeof head === 'number') return head;
    if (head.startsWith(PROGRAM_MARKER)) {
      return { program: head.slice(PROGRAM_MARKER.length).split('\n', 1)[0], file: current, argv: args };
    }
    const line = /^#![ \t]*([^\s]+)[ \t]*([^\n]*?)[ \t]*(?:\r?\n|$)/.exec(head);
    if (!line) return ENOEXEC;
    const [, interpreter, argument] = line;
    if (/(^|\/)env$/.test(interpreter)) {
      const words = argument.split(/\s+/).filter((word) => word !== '' && word !== '-S');
      const name = words.shift();
      if (name === undefined) return ENOEXEC;
      const found = findOnPath(tree, name, searchPath, '/');
      if (typeof found === 'number') return found;
      args = [name, ...words, current, ...args.slice(1)];
      current = found;
    } else {
      args = [interpreter, ...(argument === '' ? [] : [argument]), current, ...args.slice(1)];
      current = interpreter;
    }
  }
  return ELOOP;
}

/** Absolute path of `command`: itself when it holds a slash, else the first executable on `searchPath`; ENOENT or EACCES. */
export function findOnPath(
  tree: FileTree,
  command: string,
  searchPath: string | undefined,
  cwd: string,
): string | number {
  if (command.includes('/')) return command.startsWith('/') ? command : `${cwd}/${command}`;
  let failure = ENOENT;
  for (const directory of (searchPath ?? '/usr/local/bin:/usr/bin:/bin').split(':')) {
    const base = directory === '' ? cwd : directory;
    const path = `${base.startsWith('/') ? base : `${cwd}/${base}`}/${command}`;
    const reason = executable(tree, path);
    if (reason > 0) return path;
    if (reason === EACCES) failure = EACCES;
  }
  return failure;
}

/** The inode of an executable regular file, or why it is none. */
function executable(tree: FileTree, path: string): number {
  const ino = tree.lookup(path, true);
  if (ino < 0) return ino;
  if (tree.typeOf(ino) !== FILE_TYPE.file || (tree.modeOf(ino) & 0o111) === 0) return EACCES;
  return ino;
}

function readHead(tree: FileTree, path: string): string | number {
  const ino = executable(tree, path);
  if (ino < 0) return ino;
  const bytes = new Uint8Array(HEAD_BYTES);
  const count = tree.read(ino, bytes, 0);
  if (count < 0) return count;
  return new TextDecoder().decode(bytes.subarray(0, count));
}
