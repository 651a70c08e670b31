// Text and file search over the shared tree. It runs in a worker of its own (search-worker side of kernel.worker.ts), because a bad
// regular expression can take for ever and a kernel that waits for it would be dead.
import ignore, { type Ignore } from 'ignore';
import { FILE_TYPE, type FileTree } from '../tree/types';
import { checked, failure } from './failure';
import { joinPath, mtimeMsOf, readAll } from './files';
import type { FileSearch, FoundText, FoundTexts, TextSearch } from './page-protocol';

/** What the kernel asks of the search worker. */
export type SearchOrder = { kind: 'text'; search: TextSearch } | { kind: 'files'; search: FileSearch };

const SNIFFED_BYTES = 8192;
/** Characters of a line that are shown whole, and what is shown on both sides of a match in a longer one. */
const LONG_LINE = 10_000;
const KEPT_AROUND = 1000;
/** V8 cannot hold a longer string. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** What a search needs of a tree; the agent on a foreign computer has no more. */
export type SearchedTree = Pick<FileTree, 'lookup' | 'list' | 'sizeOf' | 'read' | 'readText' | 'stat'>;

/** Files whose path matches, in path order or the newest first. */
export function searchFiles(tree: SearchedTree, search: FileSearch): { paths: string[]; truncated: boolean } {
  const include = new RegExp(search.include.source, search.include.flags);
  const found: { path: string; mtimeMs: number }[] = [];
  for (const { ino, relative } of filesBelow(tree, search.path, search.respectIgnore)) {
    if (!include.test(relative)) continue;
    // All have to be looked at to know which are the newest.
    if (!search.newestFirst && found.length > search.maxResults) break;
    found.push({ path: joinPath(search.path, relative), mtimeMs: search.newestFirst ? mtimeMsOf(tree, ino) : 0 });
  }
  if (search.newestFirst) found.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const truncated = found.length > search.maxResults;
  return { paths: found.slice(0, search.maxResults).map((one) => one.path), truncated };
}

/** Matches in text files (those without a NUL in their first bytes, and UTF-16 by its mark), in path order; what is no text is counted. */
export function searchText(tree: SearchedTree, search: TextSearch): FoundTexts {
  const include = search.include && new RegExp(search.include.source, search.include.flags);
  const pattern = new RegExp(search.pattern.source, search.pattern.flags);
  const skipped = { binary: 0, tooLarge: 0, unreadable: 0 };
  const found: FoundTexts = { matches: [], truncated: false, filesSearched: 0, notUnicode: 0, skipped };
  for (const { ino, relative } of filesBelow(tree, search.path, search.respectIgnore)) {
    if (include && !include.test(relative)) continue;
    const file = readTextFile(tree, ino);
    if (typeof file === 'string') {
      skipped[file]++;
      continue;
    }
    found.filesSearched++;
    if (!file.isUnicode) found.notUnicode++;
    const path = joinPath(search.path, relative);
    let left = search.maxPerFile ?? Number.POSITIVE_INFINITY;
    for (const match of search.multiline ? acrossLines(file.text, pattern) : lineByLine(file.text, pattern)) {
      if (found.matches.length >= search.maxResults) return { ...found, truncated: true };
      found.matches.push({ path, ...match });
      if (--left <= 0) break;
    }
  }
  return found;
}

/** As `lib/std/text-file.ts` decodes, which this layer can't import; the contract of the sandbox holds both to it. */
function readTextFile(
  tree: SearchedTree,
  ino: number,
): { text: string; isUnicode: boolean } | keyof FoundTexts['skipped'] {
  if (tree.sizeOf(ino) > MAX_FILE_BYTES) return 'tooLarge';
  let bytes: Uint8Array;
  try {
    bytes = readAll(tree, ino);
  } catch {
    // It may have gone while the search was on its way, or be one that may not be read: the rest is searched all the same.
    return 'unreadable';
  }
  const isLittleEndian = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (isLittleEndian || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    const encoding = isLittleEndian ? 'utf-16le' : 'utf-16be';
    const text = strictText(bytes.subarray(2), encoding);
    return text === undefined ? 'binary' : { text, isUnicode: true };
  }
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return 'binary';
  const text = strictText(bytes, 'utf-8');
  return text === undefined ? { text: new TextDecoder().decode(bytes), isUnicode: false } : { text, isUnicode: true };
}

function strictText(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A line of megabytes has thousands of matches, and each is sent with its text. */
function around(line: string, at: number, length: number): Pick<FoundText, 'text' | 'from'> {
  if (line.length <= LONG_LINE) return { text: line };
  const from = Math.max(0, at - KEPT_AROUND);
  return { text: line.slice(from, at + Math.min(length, LONG_LINE) + KEPT_AROUND), from };
}

function* lineByLine(text: string, pattern: RegExp): Generator<Omit<FoundText, 'path'>> {
  let number = 0;
  for (const raw of text.split('\n')) {
    number++;
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    for (const match of line.matchAll(pattern)) {
      if (match[0] === '') continue;
      yield {
        line: number,
        column: match.index + 1,
        length: match[0].length,
        ...around(line, match.index, match[0].length),
      };
    }
  }
}

function* acrossLines(text: string, pattern: RegExp): Generator<Omit<FoundText, 'path'>> {
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue;
    for (; counted < match.index; counted++) if (text.charCodeAt(counted) === 10) line++;
    const start = text.lastIndexOf('\n', match.index - 1) + 1;
    const end = text.indexOf('\n', match.index + match[0].length);
    yield {
      line,
      column: match.index - start + 1,
      length: match[0].length,
      ...around(text.slice(start, end < 0 ? undefined : end), match.index - start, match[0].length),
    };
  }
}

/** Regular files below a directory, depth first in order; with `respectIgnore` without .git and what .gitignore files exclude. */
function* filesBelow(
  tree: SearchedTree,
  path: string,
  respectIgnore: boolean,
): Generator<{ ino: number; relative: string }> {
  const root = checked(tree.lookup(path), 'scandir', path);
  const rules: { prefix: string; rule: Ignore }[] = [];

  const isIgnored = (relative: string, isDirectory: boolean): boolean => {
    let verdict = false;
    for (const { prefix, rule } of rules) {
      const result = rule.test(relative.slice(prefix.length) + (isDirectory ? '/' : ''));
      if (result.ignored) verdict = true;
      else if (result.unignored) verdict = false;
    }
    return verdict;
  };

  function* below(directory: number, prefix: string): Generator<{ ino: number; relative: string }> {
    const entries = tree.list(directory);
    if (typeof entries === 'number') {
      // The directory may have been removed while we were on the way to it.
      if (prefix === '') throw failure(entries, 'scandir', path);
      return;
    }
    const rulesBefore = rules.length;
    const ignoreFile =
      respectIgnore && entries.find(({ name, type }) => name === '.gitignore' && type === FILE_TYPE.file);
    if (ignoreFile) rules.push({ prefix, rule: ignore().add(tree.readText(ignoreFile.ino)) });
    for (const { name, ino, type } of entries) {
      const relative = `${prefix}${name}`;
      if (respectIgnore && (name === '.git' || isIgnored(relative, type === FILE_TYPE.directory))) continue;
      if (type === FILE_TYPE.directory) yield* below(ino, `${relative}/`);
      else if (type === FILE_TYPE.file) yield { ino, relative };
    }
    rules.length = rulesBefore;
  }
  yield* below(root, '');
}
