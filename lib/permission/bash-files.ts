// Which files a known command reads or writes, from its words. For judging by path only: an unknown command is judged by its name.
import type { ShellWord } from './bash-words';

/** Words that are paths. `unknown`: it writes, but where is only known to the shell. */
export interface TouchedFiles {
  reads: ShellWord[];
  writes: ShellWord[];
}

const everyArgumentWritten = new Set(['tee', 'touch', 'mkdir', 'rmdir', 'rm', 'unlink', 'shred', 'truncate', 'mv']);
const allButFirstWritten = new Set(['chmod', 'chown', 'chgrp']);
const lastArgumentWritten = new Set(['cp', 'ln', 'install', 'rsync']);
const everyArgumentRead = new Set(
  'cat tac head tail less more nl wc od xxd strings base64 diff cmp uniq cut column rev fold paste comm source .'.split(
    ' ',
  ),
);
/** Their first operand is a pattern or a program, unless an option gives that. */
const patternFirst = new Set(['grep', 'egrep', 'fgrep', 'rg', 'awk', 'jq']);
const givesPattern = /^(-[a-zA-Z]*[ef]$|--regexp|--file|--expression|--from-file)/;

/** True when running it with unknown arguments could change files. */
export function writesFiles(name: string): boolean {
  return (
    everyArgumentWritten.has(name) || allButFirstWritten.has(name) || lastArgumentWritten.has(name) || name === 'dd'
  );
}

/** True when it shows the contents of files that its words don't name: recursive searches. */
export function readsTrees(name: string, words: readonly ShellWord[]): boolean {
  if (name === 'rg') return true;
  return (
    /^[ef]?grep$/.test(name) &&
    words.some((word) => /^(-[a-zA-Z]*[rR]|--(dereference-)?recursive|--directories=recurse)/.test(word.text))
  );
}

/** True when it shows the contents of the files that it is given. */
export function showsFiles(name: string): boolean {
  return (
    everyArgumentRead.has(name) ||
    patternFirst.has(name) ||
    name === 'sed' ||
    name === 'sort' ||
    name === 'cp' ||
    name === 'mv'
  );
}

/** Looks at `words` (name first). */
export function touchedFiles(name: string, words: readonly ShellWord[]): TouchedFiles {
  const args = operands(words.slice(1));
  const none: TouchedFiles = { reads: [], writes: [] };
  if (everyArgumentWritten.has(name)) return { ...none, writes: args };
  if (allButFirstWritten.has(name)) return { ...none, writes: args.slice(1) };
  if (lastArgumentWritten.has(name))
    return { reads: args.slice(0, -1), writes: [...args.slice(-1), ...targetDirectory(words)] };
  if (name === 'sed' || name === 'perl') {
    const inPlace = words.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word.text));
    const files = words.some((word) => givesPattern.test(word.text)) ? args : args.slice(1);
    return inPlace ? { ...none, writes: files } : { ...none, reads: files };
  }
  if (name === 'dd')
    return {
      ...none,
      writes: words
        .filter((word) => word.text.startsWith('of='))
        .map((word) => ({ ...word, text: word.text.slice(3) })),
    };
  if (name === 'sort') return { reads: args, writes: optionValues(words, '-o', '--output') };
  if (name === 'curl') return { ...none, writes: optionValues(words, '-o', '--output') };
  if (name === 'wget') return { ...none, writes: optionValues(words, '-O', '--output-document') };
  if (name === 'find') return findFiles(words);
  if (everyArgumentRead.has(name)) return { ...none, reads: args };
  if (patternFirst.has(name))
    return { ...none, reads: words.some((word) => givesPattern.test(word.text)) ? args : args.slice(1) };
  return none;
}

function operands(words: readonly ShellWord[]): ShellWord[] {
  const end = words.findIndex((word) => word.text === '--');
  const before = (end < 0 ? words : words.slice(0, end)).filter(
    (word) => !word.text.startsWith('-') || word.text === '-',
  );
  return [...before, ...(end < 0 ? [] : words.slice(end + 1))].filter((word) => word.text !== '-');
}

function optionValues(words: readonly ShellWord[], short: string, long: string): ShellWord[] {
  return words.flatMap((word, at) => {
    if (word.text === short || word.text === long) return words[at + 1] ? [words[at + 1]!] : [];
    if (word.text.startsWith(`${long}=`)) return [{ ...word, text: word.text.slice(long.length + 1) }];
    return word.text.startsWith(short) && word.text.length > 2 && !word.text.startsWith('--')
      ? [{ ...word, text: word.text.slice(2) }]
      : [];
  });
}

function targetDirectory(words: readonly ShellWord[]): ShellWord[] {
  return optionValues(words, '-t', '--target-directory');
}

function findFiles(words: readonly ShellWord[]): TouchedFiles {
  const start = words.findIndex((word, at) => at > 0 && /^[-(!]/.test(word.text));
  const roots = words.slice(1, start < 0 ? undefined : start);
  const from = roots.length > 0 ? roots : [{ text: '.', dynamic: false }];
  const deletes = words.some((word) => word.text === '-delete');
  const printed = words.flatMap((word, at) =>
    /^-f(print|print0|printf|ls)$/.test(word.text) && words[at + 1] ? [words[at + 1]!] : [],
  );
  return { reads: [], writes: [...(deletes ? from : []), ...printed] };
}
