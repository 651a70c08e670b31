// Three texts into one: what was saved last, what the person has typed since, and what something else wrote to the file. Lines that only one
// side changed are taken from that side; where both changed the same lines differently, nothing is guessed: it is a conflict.
import { type LineChange, lineChanges, linesWithEndings } from './line-diff';

export type MergeResult = { kind: 'merged'; text: string } | { kind: 'conflict' };

/** Merges line by line; line endings are part of the lines. */
export function mergeText(base: string, mine: string, theirs: string): MergeResult {
  if (mine === theirs || base === theirs) return { kind: 'merged', text: mine };
  if (base === mine) return { kind: 'merged', text: theirs };
  const baseLines = linesWithEndings(base);
  const ours = lineChanges(baseLines, linesWithEndings(mine));
  const others = lineChanges(baseLines, linesWithEndings(theirs));
  const merged: string[] = [];
  let at = 0;
  let [i, j] = [0, 0];
  while (i < ours.length || j < others.length) {
    const [a, b] = [ours[i], others[j]];
    if (a && b && touches(a, b)) {
      if (!sameHunk(a, b)) return { kind: 'conflict' };
      merged.push(...baseLines.slice(at, a.start), ...a.lines);
      at = a.end;
      i++;
      j++;
      continue;
    }
    const next = !b || (a && a.start < b.start) ? a! : b;
    merged.push(...baseLines.slice(at, next.start), ...next.lines);
    at = next.end;
    if (next === a) i++;
    else j++;
  }
  merged.push(...baseLines.slice(at));
  return { kind: 'merged', text: merged.join('') };
}

function touches(a: LineChange, b: LineChange): boolean {
  if (a.start === b.start) return true;
  return a.start < b.end && b.start < a.end;
}

function sameHunk(a: LineChange, b: LineChange): boolean {
  return a.start === b.start && a.end === b.end && a.lines.join('') === b.lines.join('');
}

/** A replacement of whole characters: offsets into the old text in UTF-16 units. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** The edits that turn `from` into `to`, in order, disjoint; each replaces runs of lines, trimmed to what differs. */
export function editsBetween(from: string, to: string): TextEdit[] {
  const lines = linesWithEndings(from);
  const offsets = [0];
  for (const line of lines) offsets.push(offsets.at(-1)! + line.length);
  return lineChanges(lines, linesWithEndings(to)).map((hunk) =>
    trimEdit(from, { start: offsets[hunk.start]!, end: offsets[hunk.end]!, text: hunk.lines.join('') }),
  );
}

/** Keeps equal beginnings and ends out of the edit, so that a cursor in them stays where it is. Never cuts a surrogate pair. */
function trimEdit(from: string, edit: TextEdit): TextEdit {
  let { start, end, text } = edit;
  let head = 0;
  while (head < text.length && start + head < end && from[start + head] === text[head]) head++;
  if (head > 0 && isHighSurrogate(text.charCodeAt(head - 1))) head--;
  start += head;
  text = text.slice(head);
  let tail = 0;
  while (tail < text.length && end - tail > start && from[end - tail - 1] === text[text.length - tail - 1]) tail++;
  if (
    tail > 0 &&
    !isHighSurrogate(text.charCodeAt(text.length - tail)) &&
    isLowSurrogate(text.charCodeAt(text.length - tail))
  )
    tail--;
  end -= tail;
  return { start, end, text: text.slice(0, text.length - tail) };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
