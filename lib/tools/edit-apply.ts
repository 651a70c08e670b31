// Applying an edit to the text of a file: which match is meant, literal splicing, and line endings kept line by line.
import { cutLine } from '../std/bound-text';
import { lfView, mainLineEnding, toLf, withLineEnding } from '../std/line-endings';
import { editPrompt } from './edit.prompt';
import { type EditMatch, findMatches, lineAt, type MatchStrategy } from './edit-match';
import { ToolError } from './tool';

export interface EditRequest {
  oldString: string;
  newString: string;
  replaceAll?: boolean;
  /** 1-based; of several matches the one that starts nearest to it is meant. */
  nearLine?: number;
}

export interface AppliedEdit {
  text: string;
  strategy: MatchStrategy;
  replacements: number;
  /** 1-based lines of the first replacement in the new text. */
  firstLine: number;
  lastLine: number;
  /** How many lines of the old text the first match touches. */
  oldLines: number;
  /** The match begins or ends in the middle of a word. */
  splitsWord: boolean;
}

/** The edited text; ToolErrors say what was found instead. `exactOnly`: the model doesn't know this version of the file. */
export function applyEdit(path: string, original: string, edit: EditRequest, exactOnly = false): AppliedEdit {
  const { text, map } = lfView(original);
  const oldText = toLf(edit.oldString);
  const newText = toLf(edit.newString);
  const result = findMatches(text, oldText, newText, exactOnly);
  if (result.kind === 'none') throw new ToolError(editPrompt.notFound(path, nearestExcerpt(text, oldText)));
  const chosen = choose(path, text, result.matches, edit);
  const fileEnding = mainLineEnding(original);
  let output = '';
  let from = 0;
  for (const match of chosen) {
    const [start, end] = [map(match.start), map(match.end)];
    const replaced = original.slice(start, end);
    const ending = replaced.includes('\n') ? mainLineEnding(replaced) : fileEnding;
    output += original.slice(from, start) + withLineEnding(match.replacement, ending);
    from = end;
  }
  output += original.slice(from);
  const [first] = chosen;
  const firstLine = lineAt(text, first!.start);
  return {
    text: output,
    strategy: result.strategy,
    replacements: chosen.length,
    firstLine,
    lastLine: firstLine + first!.replacement.replace(/\n$/, '').split('\n').length - 1,
    oldLines: text.slice(first!.start, first!.end).replace(/\n$/, '').split('\n').length,
    splitsWord: chosen.some((match) => splitsWord(text, match)),
  };
}

function choose(path: string, text: string, matches: EditMatch[], edit: EditRequest): EditMatch[] {
  if (edit.replaceAll || matches.length === 1) return matches;
  if (edit.nearLine !== undefined) {
    const wanted = edit.nearLine;
    const byDistance = matches
      .map((match) => ({ match, distance: Math.abs(lineAt(text, match.start) - wanted) }))
      .sort((a, b) => a.distance - b.distance);
    if (byDistance[0]!.distance < byDistance[1]!.distance) return [byDistance[0]!.match];
  }
  const lines = text.split('\n');
  const places = matches.slice(0, 10).map((match) => {
    const line = lineAt(text, match.start);
    return `  line ${line}: ${cutLine(lines[line - 1]!.trim(), 120)}`;
  });
  if (matches.length > places.length) places.push(`  and ${matches.length - places.length} more`);
  throw new ToolError(editPrompt.ambiguous(path, matches.length, places.join('\n')));
}

function splitsWord(text: string, match: EditMatch): boolean {
  const word = /[\p{L}\p{N}_$]/u;
  const inside = (at: number) => at > 0 && at < text.length && word.test(text[at - 1]!) && word.test(text[at]!);
  return inside(match.start) || inside(match.end);
}

/** Up to seven numbered lines around the line that shares the longest piece with the wanted text; empty when nothing resembles it. */
export function nearestExcerpt(text: string, wanted: string): string {
  const needles = wanted
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 2);
  const lines = text.split('\n');
  let best = { at: -1, score: 0 };
  for (const [at, line] of lines.slice(0, 20_000).entries()) {
    const trimmed = line.trim();
    if (trimmed.length < 3) continue;
    for (const [order, needle] of needles.slice(0, 20).entries()) {
      const score = likeness(trimmed, needle);
      if (score > best.score + 1e-9) best = { at: Math.max(0, at - order), score };
    }
  }
  if (best.score < 0.5) return '';
  const from = Math.max(0, best.at - 1);
  return lines
    .slice(from, from + 7)
    .map((line, index) => `${from + index + 1}: ${cutLine(line, 200)}`)
    .join('\n');
}

/** Share of common words, 0 to 1. For showing only; nothing is ever matched by it. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const words = (line: string) => new Set(line.split(/[^\p{L}\p{N}_$]+/u).filter(Boolean));
  const [left, right] = [words(a), words(b)];
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return (2 * shared) / (left.size + right.size);
}
