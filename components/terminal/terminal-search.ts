// Finds text in the scrollback, through lines that were wrapped at the edge. Results are selected, which also scrolls to them.
import type { Terminal } from '@xterm/xterm';

/** A hit in the buffer: the row where it begins, its column, its length in cells. */
export interface Hit {
  row: number;
  column: number;
  length: number;
}

/** The text of the buffer as logical lines: wrapped rows are joined. */
export interface LogicalLine {
  row: number;
  text: string;
}

/** All hits, top to bottom; case is ignored. `columns` is the terminal's width. */
export function findHits(lines: readonly LogicalLine[], query: string, columns: number): Hit[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return [];
  const hits: Hit[] = [];
  for (const { row, text } of lines) {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length))
      hits.push({ row: row + Math.floor(at / columns), column: at % columns, length: wanted.length });
  }
  return hits;
}

/** The whole scrollback as logical lines. */
export function readLines(terminal: Terminal): LogicalLine[] {
  const { active } = terminal.buffer;
  const lines: LogicalLine[] = [];
  for (let row = 0; row < active.length; row++) {
    const line = active.getLine(row);
    if (!line) continue;
    const wraps = active.getLine(row + 1)?.isWrapped ?? false;
    const text = line.translateToString(!wraps);
    if (line.isWrapped && lines.length > 0) lines.at(-1)!.text += text;
    else lines.push({ row, text });
  }
  return lines;
}

/** Selects the hit after (or before) the selected one, round the end; tells which of how many it is. */
export function findNext(terminal: Terminal, query: string, backwards = false): { index: number; count: number } {
  const hits = findHits(readLines(terminal), query, terminal.cols);
  if (hits.length === 0) {
    terminal.clearSelection();
    return { index: -1, count: 0 };
  }
  const selected = terminal.getSelectionPosition();
  const place = (hit: Hit) => hit.row * terminal.cols + hit.column;
  const from = selected ? selected.start.y * terminal.cols + selected.start.x : undefined;
  let index: number;
  if (from === undefined) index = hits.length - 1;
  else if (backwards) index = hits.findLastIndex((hit) => place(hit) < from);
  else index = hits.findIndex((hit) => place(hit) > from);
  if (index < 0) index = backwards ? hits.length - 1 : 0;
  const hit = hits[index]!;
  terminal.select(hit.column, hit.row, hit.length);
  terminal.scrollToLine(Math.max(0, hit.row - Math.floor(terminal.rows / 2)));
  return { index, count: hits.length };
}
