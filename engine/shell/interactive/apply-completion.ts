// What Tab puts into the line: all that the candidates have in common, and what ends the word when there is only one.
import type { LineState } from './line-state';

/** One candidate. */
export interface Match {
  /** What would stand in the line, quoted as the word already is. */
  text: string;
  /** What the list shows. */
  label: string;
  /** Put behind it when it is the only one: a blank, a quote and a blank, or nothing after a folder's slash. */
  suffix: string;
}

/** Candidates for the text that ends at the cursor. */
export interface Completions {
  /** The part before the cursor that they replace. */
  replaced: string;
  /** The word is a pattern: several matches have nothing in common that could take its place. */
  isPattern?: boolean;
  matches: Match[];
}

/** Completes as far as it is clear. False: nothing could be added. */
export function applyCompletion(line: LineState, { replaced, matches, isPattern }: Completions): boolean {
  const [first] = matches;
  if (!first) return false;
  let shared = first.text;
  for (const { text } of matches) while (!text.startsWith(shared)) shared = shared.slice(0, -1);
  const only = matches.length === 1;
  // In the middle of a word nothing ends it.
  const isInside = line.cursor < line.text.length && line.text[line.cursor] !== ' ';
  const text = only ? first.text + (isInside ? first.suffix.trimEnd() : first.suffix) : shared;
  const from = line.cursor - replaced.length;
  if (!only && (isPattern || text.length <= replaced.length)) return false;
  if (only && text === replaced) return false;
  let to = line.cursor;
  // What would be typed again stands there already.
  if (only && first.suffix.endsWith(' ') && line.text[to] === ' ') to++;
  line.replace(from, to, text);
  if (to > from + replaced.length) line.cursor--;
  return true;
}
