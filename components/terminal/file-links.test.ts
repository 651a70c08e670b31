import { expect, test } from 'vitest';
import { printedFileLinks, type ScreenRows } from './file-links';

/** A screen of so many columns on which this was printed; wide letters take two cells. */
function screenOf(columns: number, ...lines: string[]): ScreenRows {
  const rows: { isWrapped: boolean; cells: { chars: string; width: number }[] }[] = [];
  for (const line of lines) {
    let row = { isWrapped: false, cells: [] as { chars: string; width: number }[] };
    rows.push(row);
    for (const letter of line) {
      const width = /\p{Script=Han}/u.test(letter) ? 2 : 1;
      if (row.cells.length + width > columns) {
        row = { isWrapped: true, cells: [] };
        rows.push(row);
      }
      row.cells.push({ chars: letter, width });
      if (width === 2) row.cells.push({ chars: '', width: 0 });
    }
  }
  return {
    row: (y) =>
      rows[y] && {
        isWrapped: rows[y].isWrapped,
        length: columns,
        getCell: (x) =>
          ({ getChars: () => rows[y]!.cells[x]?.chars ?? '', getWidth: () => rows[y]!.cells[x]?.width ?? 1 }) as never,
      },
  };
}

test('a file with its line leads to it from each row that it takes, also behind wide letters', () => {
  const screen = screenOf(20, '错误 in src/long-name.ts:12:5 of it', 'plain');
  expect(printedFileLinks(screen, 0, 20)).toEqual([
    { link: { kind: 'file', path: 'src/long-name.ts', line: 12, column: 5 }, from: { x: 8, y: 0 }, to: { x: 8, y: 1 } },
  ]);
  expect(printedFileLinks(screen, 1, 20)).toEqual(printedFileLinks(screen, 0, 20));
  expect(printedFileLinks(screen, 2, 20)).toEqual([]);
});

test('of a line that is longer than what is looked at, what stands at the cut is no link', () => {
  const long = `${'a'.repeat(3000)} src/a.ts:3:5 ${'b'.repeat(3000)}`;
  const screen = screenOf(10, long);
  const at = (row: number) =>
    printedFileLinks(screen, row, 10).map(({ link }) => `${link.path}:${link.line}:${link.column}`);
  expect(at(300)).toEqual(['src/a.ts:3:5']);
  const wrongs = Array.from({ length: 600 }, (_, row) => at(row)).flat();
  expect(new Set(wrongs)).toEqual(new Set(['src/a.ts:3:5']));
});

test('addresses of the web are not its business', () => {
  expect(printedFileLinks(screenOf(80, 'see https://example.com/a.ts:3 and node:fs:12:3'), 0, 80)).toEqual([]);
});
