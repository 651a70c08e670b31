// Replacing in files: what the search finds and nothing else, through the buffers of open files (there it is one step of undo), with a way back for all
// of it. What somebody changed meanwhile is not written over.

import type { Sandbox, SearchOptions } from '../../lib/sandbox/sandbox';
import { searchExpression } from '../../lib/sandbox/search-expression';
import type { OpenBuffers } from '../../lib/session/buffered-sandbox';
import { decodeText, encodeText } from '../../lib/std/text-file';
import { type Changed, putBack } from '../files/put-back';

/** What to search for, without where the limits are. */
export type Wanted = Omit<SearchOptions, 'maxResults' | 'maxPerFile' | 'multiline' | 'signal'>;

export interface Replaced {
  count: number;
  files: number;
  /** Why files with matches were left as they are, by path. */
  left: { path: string; why: string }[];
  /** Puts the old texts back, also where something was typed since; resolves to the paths where that can't be. */
  undo(): Promise<string[]>;
}

const mostFiles = 100_000;

/** Replaces in all files. Aborted, what is done stays and is told. `onProgress` gets how many files are done, and of how many. */
export async function replaceInFiles(
  { fs, search }: Pick<Sandbox, 'fs' | 'search'>,
  buffers: Pick<OpenBuffers, 'write' | 'saveAll'>,
  wanted: Wanted,
  replacement: string,
  options: { signal?: AbortSignal; onProgress?: (done: number, all: number) => void } = {},
): Promise<Replaced> {
  await buffers.saveAll();
  const { matches } = await search.text({ ...wanted, maxResults: mostFiles, maxPerFile: 1, signal: options.signal });
  const replaceLine = lineReplacer(wanted, replacement);
  const changed: Changed[] = [];
  const left: Replaced['left'] = [];
  const write = async (path: string, contents: Uint8Array, base: Uint8Array) => {
    if (!(await buffers.write(path, contents, base))) await fs.write(path, contents);
  };
  let count = 0;
  for (const [at, { path }] of matches.entries()) {
    if (options.signal?.aborted) break;
    try {
      const before = new Uint8Array(await fs.read(path));
      const decoded = decodeText(before);
      if (decoded.kind === 'binary') throw new Error(decoded.reason);
      const result = replaceLine(decoded.text);
      if (result.count > 0) {
        const after = encodeText(result.text, decoded);
        await write(path, after, before);
        changed.push({ path, before, after });
        count += result.count;
      }
    } catch (error) {
      left.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
    options.onProgress?.(at + 1, matches.length);
  }
  return { count, files: changed.length, left, undo: () => putBack(fs, buffers, changed) };
}

/** Replaces in a text line by line, as the search reads it; line ends stay. In a regular expression's replacement `$1`, `$&`, `$<name>`, `\n` and `\t` count. */
export function lineReplacer(
  wanted: Pick<Wanted, 'path' | 'pattern' | 'literal' | 'ignoreCase'>,
  replacement: string,
): (text: string) => { text: string; count: number } {
  const expression = searchExpression(wanted);
  const expand = wanted.literal ? () => replacement : expander(replacement);
  return (text) => {
    let count = 0;
    const lines = text.split('\n').map((raw) => {
      const [line, end] = raw.endsWith('\r') ? [raw.slice(0, -1), '\r'] : [raw, ''];
      let made = '';
      let from = 0;
      for (const match of line.matchAll(expression)) {
        if (match[0] === '') continue;
        made += line.slice(from, match.index) + expand(match);
        from = match.index + match[0].length;
        count++;
      }
      return from === 0 ? raw : made + line.slice(from) + end;
    });
    return { text: count === 0 ? text : lines.join('\n'), count };
  };
}

function expander(replacement: string): (match: RegExpExecArray | RegExpMatchArray) => string {
  return (match) =>
    replacement.replace(
      /\\([nt\\])|\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>)/g,
      (whole, escape, dollar, all, number, name) => {
        if (escape !== undefined) return escape === 'n' ? '\n' : escape === 't' ? '\t' : '\\';
        if (dollar !== undefined) return '$';
        if (all !== undefined) return match[0];
        if (number !== undefined) return Number(number) in match ? (match[Number(number)] ?? '') : whole;
        return match.groups && name in match.groups ? (match.groups[name] ?? '') : whole;
      },
    );
}
