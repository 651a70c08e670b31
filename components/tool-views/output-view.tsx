// Text that a tool printed: in the terminal's font, as text only, and no more of it than was asked for.
'use client';

import { useMemo, useState } from 'react';
import { plainOutput } from '../../lib/std/bound-text';
import { CopyButton } from './copy-button';

interface OutputViewProps {
  text: string;
  /** How many lines are shown before *more*. */
  lines: number;
  /** Which end is shown. */
  from: 'start' | 'end';
}

const maxLineChars = 2000;

/** The text without terminal escapes. */
export function OutputView({ text, lines, from }: OutputViewProps) {
  const [all, setAll] = useState(false);
  const plain = useMemo(() => plainOutput(text).replace(/\n+$/, ''), [text]);
  const { shown, left } = useMemo(() => cut(plain, all ? 5000 : lines, from), [plain, all, lines, from]);
  const more = left > 0 && (
    <button type="button" className="more-lines" onClick={() => setAll(true)} disabled={all}>
      {all ? `${left} lines are not shown` : `Show ${left} more ${left === 1 ? 'line' : 'lines'}`}
    </button>
  );
  return (
    <div className="output">
      {from === 'end' && more}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{shown}</pre>
      {from === 'start' && more}
      <CopyButton text={plain} label="Copy the output" />
    </div>
  );
}

function cut(text: string, count: number, from: 'start' | 'end'): { shown: string; left: number } {
  const lines = text.split('\n');
  const kept = from === 'start' ? lines.slice(0, count) : lines.slice(-count);
  const shown = kept.map((line) => (line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line)).join('\n');
  return { shown, left: lines.length - kept.length };
}
