// Text that a tool printed: in the terminal's font and colours, as text only, and no more of it than was asked for. Files with a line and addresses
// in it can be opened.
'use client';

import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { counted } from '../../lib/std/counted';
import { plainOutput, type StyleRun } from '../../lib/std/terminal-text';
import { trimEnd } from '../../lib/std/trim-end';
import { CopyButton } from './copy-button';
import { OutputLinked } from './output-linked';
import { maxLineChars, type OutputPiece, outputPieces } from './output-pieces';
import { pieceStyle } from './piece-style';

/** How pieces of a text of `length` UTF-16 units look. A text of another length (cut, or with something blotted out) is shown plain. */
export interface OutputLooks {
  length: number;
  runs: readonly StyleRun[];
}

interface OutputViewProps {
  text: string;
  looks: OutputLooks | undefined;
  /** How many lines are shown before *more*. */
  lines: number;
  /** Which end is shown. */
  from: 'start' | 'end';
}

const maxLines = 5000;

/** The text without terminal escapes. */
export function OutputView({ text, looks, lines, from }: OutputViewProps) {
  const [all, setAll] = useState(false);
  const plain = useMemo(() => trimEnd(plainOutput(text), '\n'), [text]);
  const { shown, left } = useMemo(() => cut(plain, all ? maxLines : lines, from), [plain, all, lines, from]);
  const runs = looks?.length === text.length ? looks.runs : none;
  const drawn = useMemo(
    () =>
      shown.map(({ start, text: line }, at) => (
        <Fragment key={start}>
          {at > 0 && '\n'}
          {drawnPieces(outputPieces(line, start, runs))}
          {line.length > maxLineChars && '…'}
        </Fragment>
      )),
    [shown, runs],
  );
  const more = left > 0 && (
    <button type="button" className="more-lines" onClick={() => setAll(true)} disabled={all}>
      {all ? `${counted(left, 'line')} not shown` : `Show ${left} more ${left === 1 ? 'line' : 'lines'}`}
    </button>
  );
  return (
    <div className="output">
      {from === 'end' && more}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{drawn}</pre>
      {from === 'start' && more}
      <CopyButton text={plain} label="Copy the output" />
    </div>
  );
}

const none: never[] = [];

/** Pieces of one link lie in one link. */
function drawnPieces(pieces: readonly OutputPiece[]): ReactNode[] {
  const drawn: ReactNode[] = [];
  for (let at = 0; at < pieces.length; ) {
    const { link } = pieces[at]!;
    let to = at + 1;
    while (link !== undefined && pieces[to]?.link === link) to++;
    const inside = pieces.slice(at, to).map(drawnPiece);
    drawn.push(
      link === undefined ? (
        inside
      ) : (
        <OutputLinked key={at} link={link}>
          {inside}
        </OutputLinked>
      ),
    );
    at = to;
  }
  return drawn;
}

function drawnPiece({ text, style }: OutputPiece, at: number): ReactNode {
  if (style === undefined) return text;
  return (
    <span key={at} style={pieceStyle(style)}>
      {text}
    </span>
  );
}

interface ShownLine {
  /** Where it begins in the whole text. */
  start: number;
  text: string;
}

function cut(text: string, count: number, from: 'start' | 'end'): { shown: ShownLine[]; left: number } {
  let start = 0;
  const lines = text.split('\n').map((line): ShownLine => {
    const one = { start, text: line };
    start += line.length + 1;
    return one;
  });
  const shown = from === 'start' ? lines.slice(0, count) : lines.slice(-count);
  return { shown, left: lines.length - shown.length };
}
