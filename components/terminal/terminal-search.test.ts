import { expect, test } from 'vitest';
import { findHits } from './terminal-search';

test('hits are found in any case, several a line, and where a wrapped line goes on', () => {
  const lines = [
    { row: 0, text: 'Error: an error' },
    { row: 1, text: `${'x'.repeat(18)}error` },
  ];
  expect(findHits(lines, 'error', 20)).toEqual([
    { row: 0, column: 0, length: 5 },
    { row: 0, column: 10, length: 5 },
    { row: 1, column: 18, length: 5 },
  ]);
  expect(findHits([{ row: 4, text: `${'y'.repeat(45)}end` }], 'end', 20)).toEqual([{ row: 6, column: 5, length: 3 }]);
  expect(findHits(lines, '', 20)).toEqual([]);
});
