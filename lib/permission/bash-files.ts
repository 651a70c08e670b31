// Which files a known command reads, writes or looks at, from its words. For judging by path only: an unknown command is judged by its name.
import type { ShellWord } from './bash-words';

/** Words that are paths. `visits`: named or listed, their contents not shown. */
export interface TouchedFiles {
  reads: ShellWord[];
  writes: ShellWord[];
  visits: ShellWord[];
}

const set = (names: string): Set<string> => new Set(names.split(' '));
const everyArgumentWritten = set('tee touch mkdir rmdir rm unlink shred truncate');
const allButFirstWritten = set('chmod chown chgrp');
const lastArgumentWritten = set('cp ln install rsync mv');
const everyArgumentRead = set(
  'cat tac head tail less more nl wc od xxd strings base64 diff cmp cut column rev fold paste comm source .',
);
/** Their first operand is a pattern or a program, unless an option gives that. */
const patternFirst = set('grep egrep fgrep rg awk jq');
const givesPattern = /^(-[a-zA-Z]*[ef]$|--regexp|--file|--expression|--from-file)/;
const everyArgumentVisited = set('ls dir du df tree stat cd pushd chdir realpath readlink file test [');
const compresses = set('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma');
/** They write in the directory where they run, or where an option says. */
const here: ShellWord = { text: '.', dynamic: false };
/** What names files without showing what is in them. */
const namesOnly = set(
  'ls dir du df tree stat cd pushd chdir realpath readlink file test [ find fd echo printf which type basename dirname touch mkdir rm rmdir unlink shred truncate chmod chown chgrp tee',
);
const secretWord = /(?:^|[/=@:])[^/=@:]*\.env(?:\.[^/=@:]*)?$/;

/** True when running it with unknown arguments could change files. */
export function writesFiles(name: string): boolean {
  return (
    [everyArgumentWritten, allButFirstWritten, lastArgumentWritten, compresses].some((names) => names.has(name)) ||
    /^(dd|tar|zip|unzip|patch|split|csplit|uniq)$/.test(name)
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
  return everyArgumentRead.has(name) || patternFirst.has(name) || /^(sed|sort|cp|mv|uniq|tar|dd|curl)$/.test(name);
}

/** Looks at `words` (name first). */
export function touchedFiles(name: string, words: readonly ShellWord[]): TouchedFiles {
  const touched = { reads: [], writes: [], visits: [], ...knownFiles(name, words) };
  if (namesOnly.has(name)) return touched;
  // A file that holds keys by its name is read by whatever is given it.
  const secrets = words
    .slice(1)
    .filter((word) => !word.dynamic && !word.text.startsWith('--env-file') && secretWord.test(word.text))
    .map((word) => ({ ...word, text: word.text.replace(/^.*[=@:]/, '') }))
    .filter((word) => ![...touched.reads, ...touched.writes].some((one) => one.text === word.text));
  return { ...touched, reads: [...touched.reads, ...secrets] };
}

function knownFiles(name: string, words: readonly ShellWord[]): Partial<TouchedFiles> {
  const args = operands(words.slice(1));
  const has = (pattern: RegExp): boolean => words.slice(1).some((word) => pattern.test(word.text));
  if (everyArgumentWritten.has(name)) return { writes: args };
  if (allButFirstWritten.has(name)) return { writes: args.slice(1) };
  if (name === 'mv') return { writes: [...args, ...targetDirectory(words)], reads: secretsOf(args.slice(0, -1)) };
  if (lastArgumentWritten.has(name))
    return { reads: args.slice(0, -1), writes: [...args.slice(-1), ...targetDirectory(words)] };
  if (name === 'sed' || name === 'perl') {
    const inPlace = has(/^-[a-zA-Z]*i|^--in-place/);
    const files = has(givesPattern) ? args : args.slice(1);
    return inPlace ? { writes: files } : { reads: files };
  }
  if (compresses.has(name)) return has(/^-[a-zA-Z]*[clt]|^--(stdout|list|test)/) ? { reads: args } : { writes: args };
  if (everyArgumentRead.has(name)) return { reads: [...args, ...optionValues(words, '', '--files0-from')] };
  if (patternFirst.has(name)) return { reads: has(givesPattern) ? args : args.slice(1) };
  if (everyArgumentVisited.has(name)) {
    const paths = /^(test|\[)$/.test(name) ? args.filter((word) => word.text.includes('/')) : args;
    return { visits: paths, writes: name === 'tree' ? optionValues(words, '-o', '') : [] };
  }
  switch (name) {
    case 'dd':
      return { writes: assigned(words, 'of='), reads: assigned(words, 'if=') };
    case 'uniq':
      return { reads: args.slice(0, 1), writes: args.slice(1) };
    case 'sort':
      return { reads: args, writes: optionValues(words, '-o', '--output') };
    case 'date':
      return { reads: [...optionValues(words, '-f', '--file'), ...optionValues(words, '-r', '--reference')] };
    case 'curl': {
      const named = has(/^-[a-zA-Z]*O|^--remote-name/) ? [here] : [];
      return {
        writes: [...optionValues(words, '-o', '--output'), ...named],
        reads: optionValues(words, '-T', '--upload-file'),
      };
    }
    case 'wget': {
      const file = optionValues(words, '-O', '--output-document');
      return { writes: file.length > 0 ? file : [optionValues(words, '-P', '--directory-prefix')[0] ?? here] };
    }
    case 'git':
      return { writes: optionValues(words, '', '--output') };
    case 'tar':
      return tarFiles(words, args);
    case 'zip':
      return { writes: args.slice(0, 1), reads: args.slice(1) };
    case 'unzip':
      return has(/^-[a-zA-Z]*[lptZ]/)
        ? { reads: args.slice(0, 1) }
        : { writes: [optionValues(words, '-d', '')[0] ?? here] };
    case 'patch':
    case 'split':
    case 'csplit':
      return { writes: [here], reads: name === 'patch' ? [] : args.slice(0, 1) };
    case 'find':
    case 'fd':
      return findFiles(words);
    default:
      return {};
  }
}

const secretsOf = (words: readonly ShellWord[]): ShellWord[] => words.filter((word) => secretWord.test(word.text));

function operands(words: readonly ShellWord[]): ShellWord[] {
  const end = words.findIndex((word) => word.text === '--');
  const before = (end < 0 ? words : words.slice(0, end)).filter(
    (word) => !word.text.startsWith('-') || word.text === '-',
  );
  return [...before, ...(end < 0 ? [] : words.slice(end + 1))].filter((word) => word.text !== '-');
}

/** Values of an option in its forms `-o x`, `-ox`, `--output x` and `--output=x`; `''` for a form that it does not have. */
function optionValues(words: readonly ShellWord[], short: string, long: string): ShellWord[] {
  return words.flatMap((word, at) => {
    if (word.text !== '' && (word.text === short || word.text === long)) return words[at + 1] ? [words[at + 1]!] : [];
    if (long !== '' && word.text.startsWith(`${long}=`)) return [{ ...word, text: word.text.slice(long.length + 1) }];
    return short !== '' && word.text.startsWith(short) && word.text.length > 2 && !word.text.startsWith('--')
      ? [{ ...word, text: word.text.slice(2) }]
      : [];
  });
}

/** The scripts on a command line of sed; a script in a file is a word that nobody knows. */
export function sedScripts(words: readonly ShellWord[]): ShellWord[] {
  if (words.some((word) => /^(-[a-zA-Z]*f|--file)/.test(word.text))) return [{ text: '', dynamic: true }];
  const given = [...optionValues(words, '-e', '--expression'), ...optionValues(words, '-ne', '')];
  return given.length > 0 ? given : operands(words.slice(1)).slice(0, 1);
}

function assigned(words: readonly ShellWord[], prefix: string): ShellWord[] {
  return words
    .filter((word) => word.text.startsWith(prefix))
    .map((word) => ({ ...word, text: word.text.slice(prefix.length) }));
}

function targetDirectory(words: readonly ShellWord[]): ShellWord[] {
  return optionValues(words, '-t', '--target-directory');
}

function tarFiles(words: readonly ShellWord[], args: readonly ShellWord[]): Partial<TouchedFiles> {
  const letters = words
    .slice(1)
    .filter((word, at) => /^-[a-zA-Z]/.test(word.text) || (at === 0 && /^[a-zA-Z]+$/.test(word.text)))
    .map((word) => word.text)
    .join('');
  const long = (pattern: RegExp): boolean => words.some((word) => pattern.test(word.text));
  if (letters.includes('x') || long(/^--(extract|get)$/))
    return { writes: [optionValues(words, '-C', '--directory')[0] ?? here] };
  if (/[cruA]/.test(letters) || long(/^--(create|append|update|catenate|delete)$/))
    return { writes: [...args], reads: [...args] };
  return { reads: [...args] };
}

function findFiles(words: readonly ShellWord[]): Partial<TouchedFiles> {
  const start = words.findIndex((word, at) => at > 0 && /^[-(!]/.test(word.text));
  const roots = words.slice(1, start < 0 ? undefined : start);
  const from = roots.length > 0 ? roots : [here];
  const deletes = words.some((word) => word.text === '-delete');
  const printed = words.flatMap((word, at) =>
    /^-f(print|print0|printf|ls)$/.test(word.text) && words[at + 1] ? [words[at + 1]!] : [],
  );
  return { writes: [...(deletes ? from : []), ...printed], visits: words[0]?.text === 'fd' ? [] : from };
}
