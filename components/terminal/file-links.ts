// Files with a line that a program printed (`src/a.ts:3:5` of a compiler, a stack trace) lead into the editor, where they are files of the project.
import type { IBufferLine, ILink, ILinkProvider, Terminal } from '@xterm/xterm';
import { maxLineChars, type OutputLink, outputPieces } from '../tool-views/output-pieces';

export type FileLink = Extract<OutputLink, { kind: 'file' }>;

/** How rows of a screen are read: xterm's buffer, or a test's. */
export interface ScreenRows {
  row(y: number): Pick<IBufferLine, 'isWrapped' | 'length' | 'getCell'> | undefined;
}

interface PrintedLink {
  link: FileLink;
  /** First and last cell, both counted from 0. */
  from: { x: number; y: number };
  to: { x: number; y: number };
}

/** The links of the line to which this row belongs; a line may take many rows. What may go on where it was not read is none. */
export function printedFileLinks(screen: ScreenRows, y: number, columns: number): PrintedLink[] {
  const most = Math.max(1, Math.floor(maxLineChars / 2 / columns));
  let first = y;
  while (first > y - most && screen.row(first)?.isWrapped) first--;
  let text = '';
  const cells: { x: number; y: number }[] = [];
  let last = first;
  for (; last < y + most; last++) {
    const row = screen.row(last);
    if (row === undefined || (last > first && !row.isWrapped)) break;
    for (let x = 0; x < row.length; x++) {
      const cell = row.getCell(x);
      // The second half of a wide letter.
      if (cell === undefined || cell.getWidth() === 0) continue;
      const letters = cell.getChars() || ' ';
      for (let at = 0; at < letters.length; at++) cells.push({ x, y: last });
      text += letters;
    }
  }
  const startsBefore = screen.row(first)?.isWrapped === true;
  const goesOn = screen.row(last)?.isWrapped === true;
  let start = 0;
  return outputPieces(text, 0, []).flatMap(({ text: piece, link }): PrintedLink[] => {
    const end = start + piece.length;
    const [from, to] = [cells[start], cells[end - 1]];
    const isCut = (startsBefore && start === 0) || (goesOn && end === text.length);
    start = end;
    return link?.kind !== 'file' || isCut || !from || !to ? [] : [{ link, from, to }];
  });
}

/** For `Terminal.registerLinkProvider`. `exists` is asked before anything is underlined. */
export function fileLinkProvider(
  xterm: Terminal,
  exists: (link: FileLink) => Promise<boolean>,
  open: (link: FileLink, event: MouseEvent) => void,
): ILinkProvider {
  return {
    provideLinks(row, give) {
      const screen: ScreenRows = { row: (y) => xterm.buffer.active.getLine(y) };
      const found = printedFileLinks(screen, row - 1, xterm.cols);
      if (found.length === 0) return give(undefined);
      void Promise.all(
        found.map(async ({ link, from, to }): Promise<ILink | undefined> => {
          if (!(await exists(link))) return undefined;
          return {
            range: { start: { x: from.x + 1, y: from.y + 1 }, end: { x: to.x + 1, y: to.y + 1 } },
            text: link.path,
            activate: (event) => open(link, event),
          };
        }),
      ).then(
        (links) => give(links.filter((one) => one !== undefined)),
        () => give(undefined),
      );
    },
  };
}
