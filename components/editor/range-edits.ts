// Edits as editors give them, by line and column, made in a text whose line ends are kept.

interface RangeEdit {
  /** 1-based; columns in UTF-16 code units. */
  range: { startLineNumber: number; startColumn: number; endLineNumber: number; endColumn: number };
  text: string;
}

/** The text with all of them made; they are about the same text and do not overlap. */
export function withEdits(text: string, edits: readonly RangeEdit[]): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (line: number, column: number) => (starts[line - 1] ?? text.length) + column - 1;
  let made = '';
  let from = 0;
  const inOrder = edits
    .map(({ range, text: inserted }) => ({
      start: offset(range.startLineNumber, range.startColumn),
      end: offset(range.endLineNumber, range.endColumn),
      inserted,
    }))
    .sort((a, b) => a.start - b.start);
  for (const { start, end, inserted } of inOrder) {
    made += text.slice(from, start) + inserted;
    from = end;
  }
  return made + text.slice(from);
}
