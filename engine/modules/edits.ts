// Text edits that keep the number of lines, and the way back: from a column in the edited text to the column in the source.

import { END } from './names';

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Edited text with its edits in source order. */
export interface EditedText {
  text: string;
  edits: Edit[];
}

const startsName = /^[\p{ID_Start}$]/u;
const endsName = /[\p{ID_Continue}$]$/u;

/** The edits that count, in source order: of edits that overlap an earlier one (nested in it) the inner is dropped. */
export function settleEdits(source: string, unsorted: Edit[]): Edit[] {
  const edits: Edit[] = [];
  // The last two units of the text so far.
  let tail = '';
  let done = 0;
  const follow = (piece: string): void => {
    tail = piece.length > 1 ? piece.slice(-2) : (tail + piece).slice(-2);
  };
  for (const edit of unsorted
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order)) {
    const { start, end } = edit;
    if (start < done) continue;
    follow(source.slice(Math.max(done, start - 2), start));
    // Minified code has `return[1]`, `of[1]`, `await"x"`: a name that is put there must not become a part of the word before it.
    const text = startsName.test(edit.text) && endsName.test(tail) ? END + edit.text : edit.text;
    follow(text);
    done = end;
    edits.push({ start, end, text });
  }
  return edits;
}

/** The text with settled edits applied. */
export function editedText(source: string, edits: Edit[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, text } of edits) {
    pieces.push(source.slice(done, start), text);
    done = end;
  }
  pieces.push(source.slice(done));
  return pieces.join('');
}

/** Settles edits and applies them. */
export function applyEdits(source: string, unsorted: Edit[]): EditedText {
  const edits = settleEdits(source, unsorted);
  return { text: editedText(source, edits), edits };
}

/** Line breaks of a stretch of source, to stand in for what is removed. */
export function lineBreaks(source: string, start: number, end: number): string {
  let breaks = 0;
  for (let index = start; index < end; index++) if (source.charCodeAt(index) === 10) breaks++;
  return '\n'.repeat(breaks);
}

/** Maps 1-based columns of a line of the edited text (behind `headWidth` characters on line 1) to columns of the source. */
export function columnMapper(
  source: string,
  edits: Edit[],
  headWidth: number,
): (line: number, column: number) => number {
  let lineStarts: number[] | undefined;
  return (line, column) => {
    if (!lineStarts) {
      lineStarts = [0];
      for (let index = source.indexOf('\n'); index >= 0; index = source.indexOf('\n', index + 1))
        lineStarts.push(index + 1);
    }
    const start = lineStarts[line - 1] ?? 0;
    const end = lineStarts[line] ?? Number.POSITIVE_INFINITY;
    let shift = line === 1 ? headWidth : 0;
    for (const edit of edits) {
      if (edit.start < start) continue;
      if (edit.start >= end) break;
      const before = edit.start - start + shift;
      if (before >= column) break;
      // What was inserted stands for what it stands before.
      if (edit.start === edit.end && column <= before + edit.text.length) return edit.start - start + 1;
      shift += edit.text.length - (edit.end - edit.start);
      // V8 reports a call of `(0,f)` at its arguments, and one of `f` at the name.
      if (edit.text.startsWith('(0,') && column - shift - 1 === edit.end - start) return edit.start - start + 1;
    }
    return Math.max(1, column - shift);
  };
}
