// Finding the old lines of a patch in a file: exact first, then the tolerances of edit in the same order, each of which keeps the file's shape.
import { foldUnicode } from '../std/fold-unicode';
import type { LineEnding } from '../std/line-endings';
import { type MatchStrategy, reindented } from './edit-match';

/** A line without its ending; the last one of a file may have none. */
export interface FileLine {
  text: string;
  ending: LineEnding | '';
}

/** Where a chunk's old lines are. */
export interface Placement {
  start: number;
  /** The added lines, indented like the place. */
  added: string[];
  strategy: MatchStrategy;
}

/** All places of these old lines from a line on, under the first strategy that finds any. */
export function matches(
  lines: FileLine[],
  from: number,
  old: string[],
  added: string[],
  exactOnly: boolean,
): Placement[] {
  const texts = lines.map((line) => line.text);
  const exact = windows(texts, from, old, added, 'exact', (line) => line);
  if (exact.length > 0 || exactOnly) return exact;
  const unicode = windows(texts, from, old, added, 'unicode', foldUnicode);
  if (unicode.length > 0) return unicode;
  const folded = (line: string) => foldUnicode(line).trimEnd();
  const blanks = windows(texts, from, old, added, 'trailing-blanks', folded);
  if (blanks.length > 0) return blanks;
  const wanted = old.map(folded);
  if (wanted.every((line) => line === '')) return [];
  const file = texts.map(folded);
  const found: Placement[] = [];
  for (let start = from; start + old.length <= lines.length; start++) {
    const moved = reindented(file.slice(start, start + old.length), wanted, added.join('\n'));
    if (moved !== undefined)
      found.push({ start, added: added.length === 0 ? [] : moved.split('\n'), strategy: 'indentation' });
  }
  return found;
}

function windows(
  texts: string[],
  from: number,
  old: string[],
  added: string[],
  strategy: MatchStrategy,
  shape: (line: string) => string,
): Placement[] {
  const file = texts.map(shape);
  const wanted = old.map(shape);
  const found: Placement[] = [];
  for (let start = from; start + wanted.length <= file.length; start++)
    if (wanted.every((line, at) => file[start + at] === line)) found.push({ start, added, strategy });
  return found;
}

/** Line indices just after the last anchor: one for every line that the first anchor may mean, the others being the next of their kind. */
export function anchorEnds(lines: FileLine[], from: number, [first = '', ...inner]: string[]): number[] {
  const ends = new Set<number>();
  for (const outer of linesLike(lines, from, first)) {
    let end = outer + 1;
    for (const anchor of inner) end = (linesLike(lines, end, anchor)[0] ?? Number.NaN) + 1;
    if (!Number.isNaN(end)) ends.add(end);
  }
  return [...ends];
}

/** Lines equal to the anchor: exactly, else without the blanks around it, else with plain characters. */
export function linesLike(lines: FileLine[], from: number, anchor: string): number[] {
  const shapes: ((line: string) => string)[] = [
    (line) => line,
    (line) => line.trim(),
    (line) => foldUnicode(line).trim(),
  ];
  for (const shape of shapes) {
    const wanted = shape(anchor);
    const found: number[] = [];
    for (let at = from; at < lines.length; at++) if (shape(lines[at]!.text) === wanted) found.push(at);
    if (found.length > 0) return found;
  }
  return [];
}

/** Lines with their endings; a final newline does not add an empty line. */
export function splitWithEndings(text: string): FileLine[] {
  const lines: FileLine[] = [];
  for (const [, line, ending] of text.matchAll(/([^\n]*?)(\r?\n|$)/g)) {
    if (line === '' && ending === '') break;
    lines.push({ text: line!, ending: ending as LineEnding | '' });
  }
  return lines;
}
