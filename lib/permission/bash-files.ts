// Which files a known command reads, writes or looks at, from its words. For judging by path only: an unknown command is judged by its name.
import { curlWrites, tables } from './bash-option-tables';
import { isGiven, readOptions, valuesOf } from './bash-options';
import { secretWord } from './bash-secrets';
import type { ShellWord } from './bash-words';

/** Words that are paths. `visits`: named or listed, their contents not shown. `mentions`: told to a program that is not known here. */
export interface TouchedFiles {
  reads: ShellWord[];
  writes: ShellWord[];
  visits: ShellWord[];
  mentions: ShellWord[];
  /** They look like files with keys, and may be something else. */
  maybeReads: ShellWord[];
}

const set = (names: string): Set<string> => new Set(names.split(' '));
const everyArgumentWritten = set('tee touch mkdir rmdir rm unlink shred truncate');
const allButFirstWritten = set('chmod chown chgrp');
const lastArgumentWritten = set('cp ln install rsync mv');
const everyArgumentRead = set(
  'cat tac head tail less more nl wc od strings base64 diff cmp cut column rev fold expand paste comm join zcat source . md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum sum b2sum',
);
/** Their first operand is a pattern or a program, unless an option gives that. */
const patternFirst = set('grep egrep fgrep rg awk jq');
const givesPattern = /^(-[a-zA-Z]*[ef]|--regexp|--file|--expression|--from-file)/;
const everyArgumentVisited = set('ls dir du df tree stat cd pushd chdir realpath readlink file test [');
const compresses = set('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma');
/** They write in the directory where they run, or where an option says. */
const here: ShellWord = { text: '.', dynamic: false };
/** What names files without showing what is in them. */
const namesOnly = set(
  'tr expr seq ls dir du df tree stat cd pushd chdir realpath readlink file test [ find fd echo printf which type basename dirname touch mkdir rm rmdir unlink shred truncate chmod chown chgrp tee',
);
/** Their words are no paths. */
const wordsOnly = set(
  'echo printf tr expr seq basename dirname which type true false sleep export declare typeset local readonly unset set exit',
);

/** True when running it with unknown arguments could change files. */
export function writesFiles(name: string): boolean {
  return (
    [everyArgumentWritten, allButFirstWritten, lastArgumentWritten, compresses].some((names) => names.has(name)) ||
    /^(dd|tar|zip|unzip|patch|split|csplit|uniq|xxd|mktemp|shuf)$/.test(name)
  );
}

/** True when it shows or copies the contents of files that its words don't name: searches, comparisons and archives of directories. */
export function readsTrees(name: string, words: readonly ShellWord[]): boolean {
  if (/^(rg|ag|ack|zip|rsync|cpio|7z)$/.test(name)) return true;
  const read = readOptions(words.slice(1), tables[name] ?? {});
  const text = words.map((word) => word.text).join(' ');
  if (/^[ef]?grep$/.test(name))
    return (
      isGiven(read, 'r', 'R', 'recursive', 'dereference-recursive') ||
      valuesOf(read, 'd', 'directories').some((word) => word.text.startsWith('rec'))
    );
  if (name === 'diff') return isGiven(read, 'r', 'recursive');
  if (name === 'tar') return tarMode(words) === 'create';
  if (name === 'git') return /^git( -\S+)* (grep|archive|stash|diff|show|log -p)\b/.test(text);
  return isGiven(read, 'files0-from');
}

/** True when the files that its words name are not shown. */
export function namesNoFiles(name: string): boolean {
  return namesOnly.has(name) || wordsOnly.has(name);
}

/** True when it shows the contents of the files that it is given. */
export function showsFiles(name: string): boolean {
  return everyArgumentRead.has(name) || patternFirst.has(name) || /^(sed|sort|cp|mv|uniq|tar|dd|curl)$/.test(name);
}

/** Looks at `words` (name first). */
export function touchedFiles(name: string, words: readonly ShellWord[]): TouchedFiles {
  const touched = { reads: [], writes: [], visits: [], mentions: [], maybeReads: [], ...knownFiles(name, words) };
  if (namesOnly.has(name)) return touched;
  // A file that holds keys by its name is read by whatever is given it.
  const given = words
    .slice(1)
    .filter((word) => !word.dynamic && !/^--env-f/.test(word.text) && secretWord(word.text) !== undefined)
    .map((word) => ({ ...word, isSure: secretWord(word.text) === 'sure', text: word.text.replace(/^.*[=@:]/, '') }))
    .filter((word) => ![...touched.reads, ...touched.writes].some((one) => one.text === word.text));
  return {
    ...touched,
    reads: [...touched.reads, ...given.filter((word) => word.isSure)],
    maybeReads: given.filter((word) => !word.isSure),
  };
}

function knownFiles(name: string, words: readonly ShellWord[]): Partial<TouchedFiles> {
  const rest = words.slice(1);
  const read = readOptions(rest, tables[name] ?? {});
  const args = operands(rest);
  const given = (...names: string[]) => valuesOf(read, ...names);
  const has = (pattern: RegExp): boolean => rest.some((word) => pattern.test(word.text));
  if (everyArgumentWritten.has(name)) return { writes: args };
  if (allButFirstWritten.has(name)) return { writes: isGiven(read, 'reference') ? args : args.slice(1) };
  const target = given('t', 'target-directory');
  if (name === 'mv') return { writes: [...args, ...target], reads: secretsOf(args.slice(0, -1)) };
  if (lastArgumentWritten.has(name)) {
    const alone = name === 'ln' && args.length === 1 ? [here] : [];
    return {
      reads: [...args.slice(0, -1), ...(alone.length > 0 ? args : [])],
      writes: [...args.slice(-1), ...alone, ...target],
    };
  }
  if (name === 'sed' || name === 'perl') {
    const inPlace = name === 'perl' ? has(/^-[a-zA-Z]*i/) : isGiven(read, 'i', 'in-place');
    const files = has(givesPattern) || isGiven(read, 'e', 'expression') ? args : args.slice(1);
    return inPlace ? { writes: files } : { reads: files };
  }
  if (compresses.has(name)) return has(/^-[a-zA-Z]*[clt]|^--(stdout|list|test)/) ? { reads: args } : { writes: args };
  if (everyArgumentRead.has(name)) return { reads: [...args, ...given('files0-from', 'from-file', 'to-file')] };
  if (patternFirst.has(name))
    return { reads: [...(has(givesPattern) ? args : args.slice(1)), ...given('f', 'file', 'from-file')] };
  if (everyArgumentVisited.has(name)) {
    const paths = /^(test|\[)$/.test(name) ? args.filter((word) => word.text.includes('/')) : args;
    return {
      visits: paths,
      writes: name === 'tree' ? given('o') : [],
      reads: [
        ...(name === 'file' ? given('f', 'files-from') : []),
        ...(name === 'du' ? given('X', 'exclude-from', 'files0-from') : []),
        ...(name === 'tree' && has(/^--fromfile/) ? args : []),
      ],
    };
  }
  switch (name) {
    case 'dd':
      return { writes: assigned(words, 'of='), reads: assigned(words, 'if=') };
    case 'uniq':
    case 'xxd':
      return { reads: args.slice(0, 1), writes: args.slice(1) };
    case 'sort':
    case 'shuf':
      return { reads: [...args, ...given('files0-from', 'random-source')], writes: given('o', 'output') };
    case 'mktemp':
      return { writes: [...given('p', 'tmpdir'), ...args] };
    case 'date':
      return { reads: given('f', 'file', 'r', 'reference') };
    case 'curl': {
      const named = isGiven(read, 'O', 'remote-name', 'remote-name-all', 'J', 'remote-header-name') ? [here] : [];
      return { writes: [...given(...curlWrites), ...named], reads: given('T', 'upload-file'), mentions: pathsIn(rest) };
    }
    case 'wget': {
      const file = given('O', 'output-document', 'o', 'output-file', 'a', 'append-output');
      return {
        writes: isGiven(read, 'O', 'output-document') ? file : [...file, given('P', 'directory-prefix')[0] ?? here],
      };
    }
    case 'git':
      return { writes: given('output'), mentions: pathsIn(rest) };
    case 'tar':
      return tarFiles(words, args);
    case 'zip':
      return { writes: args.slice(0, 1), reads: args.slice(1) };
    case 'unzip':
      return has(/^-[a-zA-Z]*[lptZ]/) ? { reads: args.slice(0, 1) } : { writes: [given('d')[0] ?? here] };
    case 'patch':
    case 'split':
    case 'csplit':
      return { writes: [here], reads: name === 'patch' ? [] : args.slice(0, 1) };
    case 'find':
    case 'fd':
      return findFiles(words);
    default:
      return wordsOnly.has(name) ? {} : { mentions: pathsIn(rest) };
  }
}

/** What an unknown program is told of paths that may lie outside: absolute ones, those of a home, those that climb. */
function pathsIn(words: readonly ShellWord[]): ShellWord[] {
  return words.flatMap((word) => {
    const path = /^(?:[^/\s]*[=@:])?(?:file:\/\/)?((?:~|\/(?!\/|$)|\.\.(?:\/|$)).*)$/.exec(word.text)?.[1];
    return path === undefined ? [] : [{ ...word, text: path }];
  });
}

const secretsOf = (words: readonly ShellWord[]): ShellWord[] =>
  words.filter((word) => secretWord(word.text) !== undefined);

function operands(words: readonly ShellWord[]): ShellWord[] {
  const end = words.findIndex((word) => word.text === '--');
  const before = (end < 0 ? words : words.slice(0, end)).filter(
    (word) => !word.text.startsWith('-') || word.text === '-',
  );
  return [...before, ...(end < 0 ? [] : words.slice(end + 1))].filter((word) => word.text !== '-');
}

/** The scripts on a command line of sed; a script in a file is a word that nobody knows. */
export function sedScripts(words: readonly ShellWord[]): ShellWord[] {
  const read = readOptions(words.slice(1), tables.sed!);
  const unknown = read.options.some((option) => !option.isKnown);
  if (unknown || isGiven(read, 'f', 'file')) return [{ text: '', dynamic: true }];
  const given = valuesOf(read, 'e', 'expression');
  return given.length > 0 ? given : read.operands.slice(0, 1);
}

function assigned(words: readonly ShellWord[], prefix: string): ShellWord[] {
  return words
    .filter((word) => word.text.startsWith(prefix))
    .map((word) => ({ ...word, text: word.text.slice(prefix.length) }));
}

function tarMode(words: readonly ShellWord[]): 'extract' | 'create' | 'list' {
  const letters = words
    .slice(1)
    .filter((word, at) => /^-[a-zA-Z]/.test(word.text) || (at === 0 && /^[a-zA-Z]+$/.test(word.text)))
    .map((word) => word.text)
    .join('');
  const long = (pattern: RegExp): boolean => words.some((word) => pattern.test(word.text));
  if (letters.includes('x') || long(/^--(extr?a?c?t?|ge?t?)$/)) return 'extract';
  if (
    /[cruA]/.test(letters) ||
    long(/^--(cre?a?t?e?|app?e?n?d?|upda?t?e?|cate?n?a?t?e?|concat?e?n?a?t?e?|del?e?t?e?)$/)
  )
    return 'create';
  return 'list';
}

function tarFiles(words: readonly ShellWord[], args: readonly ShellWord[]): Partial<TouchedFiles> {
  const read = readOptions(words.slice(1), tables.tar!);
  const directory = valuesOf(read, 'C', 'directory');
  const file = valuesOf(read, 'f', 'file');
  switch (tarMode(words)) {
    case 'extract':
      return { writes: [directory[0] ?? here], reads: file };
    case 'create':
      return { writes: [...args, ...file], reads: [...args, ...directory] };
    case 'list':
      return { reads: [...args, ...file] };
  }
}

function findFiles(words: readonly ShellWord[]): Partial<TouchedFiles> {
  let first = 1;
  while (/^-([HLP]+|O\d*|D)$/.test(words[first]?.text ?? '')) first += words[first]!.text === '-D' ? 2 : 1;
  const start = words.findIndex((word, at) => at >= first && /^[-(!]/.test(word.text));
  const roots = words.slice(first, start < 0 ? undefined : start);
  const from = roots.length > 0 ? roots : [here];
  const deletes = words.some((word) => word.text === '-delete');
  const printed = words.flatMap((word, at) =>
    /^-f(print|print0|printf|ls)$/.test(word.text) && words[at + 1] ? [words[at + 1]!] : [],
  );
  const lists = words.flatMap((word, at) => (word.text === '-files0-from' && words[at + 1] ? [words[at + 1]!] : []));
  return { reads: lists, writes: [...(deletes ? from : []), ...printed], visits: words[0]?.text === 'fd' ? [] : from };
}
