// The text of one line of a diff: in the editor's colours, the words that differ marked.
import type { ReactNode } from 'react';
import { visibleText } from '../../lib/std/visible-text';
import type { CodePiece } from '../markdown/code-colours';
import type { DiffLine } from './diff-lines';

/** `pieces` are the line's text; undefined: no colours. */
export function DiffText({ line, pieces }: { line: DiffLine; pieces: readonly CodePiece[] | undefined }) {
  const { text, changed } = line;
  const whole = pieces ?? [{ text }];
  if (!changed) return drawn(whole);
  const [start, end] = changed;
  return (
    <>
      {drawn(between(whole, 0, start))}
      <mark>{drawn(between(whole, start, end))}</mark>
      {drawn(between(whole, end, text.length))}
    </>
  );
}

function between(pieces: readonly CodePiece[], from: number, to: number): CodePiece[] {
  let start = 0;
  return pieces.flatMap((piece) => {
    const at = start;
    start += piece.text.length;
    const text = piece.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    return text === '' ? [] : [{ ...piece, text }];
  });
}

function drawn(pieces: readonly CodePiece[]): ReactNode[] {
  return pieces.map(({ text, kind }, at) =>
    kind === undefined ? (
      shownText(text)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move.
      <span key={at} className={`code-${kind}`}>
        {shownText(text)}
      </span>
    ),
  );
}

/** A carriage return at the end is that of the line. */
function shownText(text: string): string {
  return visibleText(text.replace(/\r$/, ''));
}
