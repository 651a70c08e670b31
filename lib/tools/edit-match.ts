// Finding the text that an edit replaces. Exact first; where that is ambiguous, it stays ambiguous. Then tolerances in a fixed order, each
// of which keeps the shape of the file: typographic twins, trailing blanks, uniform indentation. No similarity, ever.
import { foldUnicode } from '../std/fold-unicode';

export type MatchStrategy = 'exact' | 'unicode' | 'trailing-blanks' | 'indentation';

/** A place in the LF text, and what stands there after the edit. */
export interface EditMatch {
  start: number;
  end: number;
  replacement: string;
}

export type MatchResult = { kind: 'found'; strategy: MatchStrategy; matches: EditMatch[] } | { kind: 'none' };

/** All places of `oldText` in `text` under the first strategy that finds any. All three use LF only. */
export function findMatches(text: string, oldText: string, newText: string, exactOnly = false): MatchResult {
  const exact = occurrences(text, oldText).map((start) => ({
    start,
    end: start + oldText.length,
    replacement: newText,
  }));
  if (exact.length > 0) return { kind: 'found', strategy: 'exact', matches: exact };
  if (exactOnly) return { kind: 'none' };
  const folded = foldUnicode(text);
  const unicode = occurrences(folded, foldUnicode(oldText)).map((start) => ({
    start,
    end: start + oldText.length,
    replacement: newText,
  }));
  if (unicode.length > 0) return { kind: 'found', strategy: 'unicode', matches: unicode };
  for (const strategy of ['trailing-blanks', 'indentation'] as const) {
    const matches = lineMatches(folded, oldText, newText, strategy);
    if (matches.length > 0) return { kind: 'found', strategy, matches };
  }
  return { kind: 'none' };
}

function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

function lineMatches(
  folded: string,
  oldText: string,
  newText: string,
  strategy: 'trailing-blanks' | 'indentation',
): EditMatch[] {
  const endsWithNewline = oldText.endsWith('\n');
  const wanted = foldUnicode(endsWithNewline ? oldText.slice(0, -1) : oldText)
    .split('\n')
    .map((line) => line.trimEnd());
  if (wanted.every((line) => line === '')) return [];
  const lines = folded.split('\n');
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const matches: EditMatch[] = [];
  for (let first = 0; first + wanted.length <= lines.length; first++) {
    const window = lines.slice(first, first + wanted.length).map((line) => line.trimEnd());
    const replacement =
      strategy === 'trailing-blanks'
        ? sameLines(window, wanted)
          ? newText
          : undefined
        : reindented(window, wanted, newText);
    if (replacement === undefined) continue;
    const last = first + wanted.length - 1;
    const end = starts[last]! + lines[last]!.length;
    // A final newline in oldString must exist in the file too: the last line without one is not it.
    if (endsWithNewline && last === lines.length - 1) continue;
    matches.push({ start: starts[first]!, end: endsWithNewline ? end + 1 : end, replacement });
    first = last;
  }
  return matches;
}

function sameLines(a: string[], b: string[]): boolean {
  return a.every((line, at) => line === b[at]);
}

/** `newText` moved by the same indentation that separates `window` from `wanted`; undefined when they differ in more than that. */
export function reindented(window: string[], wanted: string[], newText: string): string | undefined {
  let delta: { kind: 'add' | 'remove'; indent: string } | undefined;
  for (const [at, line] of window.entries()) {
    const other = wanted[at]!;
    if (line === '' && other === '') continue;
    if (line.trimStart() !== other.trimStart() || line === '') return undefined;
    const [have, want] = [indentOf(line), indentOf(other)];
    const found = have.endsWith(want)
      ? { kind: 'add' as const, indent: have.slice(0, have.length - want.length) }
      : want.endsWith(have)
        ? { kind: 'remove' as const, indent: want.slice(0, want.length - have.length) }
        : undefined;
    if (found === undefined || found.indent === '') return undefined;
    if (delta !== undefined && (delta.kind !== found.kind || delta.indent !== found.indent)) return undefined;
    delta = found;
  }
  if (delta === undefined) return undefined;
  const { kind, indent } = delta;
  const lines = newText.split('\n');
  if (kind === 'add') return lines.map((line) => (line.trim() === '' ? line : indent + line)).join('\n');
  if (lines.some((line) => line.trim() !== '' && !line.startsWith(indent))) return undefined;
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n');
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** 1-based line of a position. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
