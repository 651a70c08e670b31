// The editor's colours for the lines of a diff. Each side is read as one text, so that a comment over several lines of a hunk is one.
import { useMemo } from 'react';
import { type CodePiece, useCodeColours } from '../markdown/code-colours';
import type { DiffHunk, DiffLine } from './diff-lines';

/** By line; a line without colours is not in it. */
export function useDiffColours(path: string, hunks: readonly DiffHunk[]): ReadonlyMap<DiffLine, CodePiece[]> {
  const language = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const [before, after] = useMemo(() => {
    const lines = hunks.flatMap((hunk) => hunk.lines);
    return [lines.filter((line) => line.old !== undefined), lines.filter((line) => line.now !== undefined)];
  }, [hunks]);
  const oldColours = useCodeColours(textOf(before), language);
  const newColours = useCodeColours(textOf(after), language);
  return useMemo(() => {
    const colours = new Map<DiffLine, CodePiece[]>();
    for (const [lines, of] of [
      [before, oldColours],
      [after, newColours],
    ] as const)
      for (const [at, line] of lines.entries())
        if (of?.[at] !== undefined) colours.set(line, withText(of[at], line.text));
    return colours;
  }, [before, after, oldColours, newColours]);
}

/** The pieces over what really stands there. */
function withText(pieces: readonly CodePiece[], text: string): CodePiece[] {
  let at = 0;
  return pieces.map((piece) => {
    const from = at;
    at += piece.text.length;
    return { ...piece, text: text.slice(from, at) };
  });
}

/** A carriage return at the end of a line is not a line of its own. */
function textOf(lines: readonly DiffLine[]): string {
  return lines.map((line) => line.text.replaceAll('\r', ' ')).join('\n');
}
