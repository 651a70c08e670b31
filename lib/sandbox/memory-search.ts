// Search for the memory sandbox: walks the tree through SandboxFs, so it is also the readable statement of what search means.
import ignore, { type Ignore } from 'ignore';
import { globMatcher } from '../std/glob';
import { searchableText } from '../std/text-file';
import type { FileSearchOptions, FoundTexts, Sandbox, SandboxFs, SearchOptions, TextMatch } from './sandbox';
import { searchExpression } from './search-expression';

const defaultMaxResults = 1000;
const longLine = 10_000;
const keptAround = 1000;

/** `Sandbox.search` over any SandboxFs. Files that aren't text are skipped; results come in path order. */
export function memorySearch(fs: SandboxFs): Sandbox['search'] {
  return {
    async text(options: SearchOptions) {
      const expression = searchExpression(options);
      const included = options.include === undefined ? () => true : globMatcher(options.include);
      const limit = options.maxResults ?? defaultMaxResults;
      const skipped = { binary: 0, tooLarge: 0, unreadable: 0 };
      const found: FoundTexts = { matches: [], truncated: false, filesSearched: 0, notUnicode: 0, skipped };
      for await (const relative of walk(fs, options.path, options.respectIgnore ?? true, options.signal)) {
        if (!included(relative)) continue;
        const path = `${options.path === '/' ? '' : options.path}/${relative}`;
        const bytes = await fs.read(path).catch(() => undefined);
        const file = bytes && searchableText(bytes);
        if (file === undefined) {
          skipped[bytes === undefined ? 'unreadable' : 'binary']++;
          continue;
        }
        found.filesSearched++;
        if (!file.isUnicode) found.notUnicode++;
        let left = options.maxPerFile ?? Number.POSITIVE_INFINITY;
        for (const match of textMatches(file.text, expression, options.multiline ?? false)) {
          if (found.matches.length >= limit) return { ...found, truncated: true };
          found.matches.push({ path, ...match });
          if (--left <= 0) break;
        }
      }
      return found;
    },
    async files(options: FileSearchOptions) {
      const matcher = globMatcher(options.pattern);
      const limit = options.maxResults ?? defaultMaxResults;
      const found: { path: string; mtimeMs: number }[] = [];
      for await (const relative of walk(fs, options.path, options.respectIgnore ?? true, options.signal)) {
        if (!matcher(relative)) continue;
        if (!options.newestFirst && found.length > limit) break;
        const path = `${options.path === '/' ? '' : options.path}/${relative}`;
        found.push({ path, mtimeMs: options.newestFirst ? (await fs.stat(path)).mtimeMs : 0 });
      }
      if (options.newestFirst) found.sort((a, b) => b.mtimeMs - a.mtimeMs);
      return { paths: found.slice(0, limit).map((one) => one.path), truncated: found.length > limit };
    },
  };
}

function around(line: string, at: number, length: number): Pick<TextMatch, 'text' | 'from'> {
  if (line.length <= longLine) return { text: line };
  const from = Math.max(0, at - keptAround);
  return { text: line.slice(from, at + Math.min(length, longLine) + keptAround), from };
}

/** The matches in one text, in order; empty ones are none. `expression`: from `searchExpression`. */
export function* textMatches(text: string, expression: RegExp, multiline: boolean): Generator<Omit<TextMatch, 'path'>> {
  if (multiline) {
    for (const match of text.matchAll(expression)) {
      if (match[0] === '') continue;
      const lineStart = text.lastIndexOf('\n', match.index - 1) + 1;
      const lineEnd = text.indexOf('\n', match.index + match[0].length);
      yield {
        line: text.slice(0, match.index).split('\n').length,
        column: match.index - lineStart + 1,
        length: match[0].length,
        ...around(text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd), match.index - lineStart, match[0].length),
      };
    }
    return;
  }
  let number = 0;
  for (const raw of text.split('\n')) {
    number++;
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    for (const match of line.matchAll(expression)) {
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

/** Relative paths of files below `path`, in order. `.git` is never entered; ignore files count from `path` down, as git does. */
async function* walk(
  fs: SandboxFs,
  path: string,
  respectIgnore: boolean,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const rules: { prefix: string; rule: Ignore }[] = [];
  yield* below('');

  async function* below(prefix: string): AsyncGenerator<string> {
    signal?.throwIfAborted();
    const directory = `${path === '/' ? '' : path}/${prefix}`.replace(/\/$/, '') || '/';
    const entries = await fs.list(directory);
    const before = rules.length;
    if (respectIgnore && entries.some((entry) => entry.name === '.gitignore' && entry.kind === 'file'))
      rules.push({ prefix, rule: ignore().add(await fs.readText(`${directory === '/' ? '' : directory}/.gitignore`)) });
    for (const entry of entries) {
      const relative = `${prefix}${entry.name}`;
      if (respectIgnore && (entry.name === '.git' || ignored(relative, entry.kind === 'directory'))) continue;
      if (entry.kind === 'directory') yield* below(`${relative}/`);
      else if (entry.kind === 'file') yield relative;
    }
    rules.length = before;
  }

  function ignored(relative: string, directory: boolean): boolean {
    let verdict = false;
    for (const { prefix, rule } of rules) {
      const result = rule.test(relative.slice(prefix.length) + (directory ? '/' : ''));
      if (result.ignored) verdict = true;
      else if (result.unignored) verdict = false;
    }
    return verdict;
  }
}
