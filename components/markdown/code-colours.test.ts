import { expect, test } from 'vitest';
import { piecesOf } from './code-colours';

test('tokens become pieces; neighbours of one kind are one piece, and no character is lost', () => {
  const text = 'const a = "x"; // y\n\nplain';
  const tokens = [
    [
      { offset: 0, type: 'keyword.ts' },
      { offset: 5, type: 'white.ts' },
      { offset: 6, type: 'identifier.ts' },
      { offset: 10, type: 'string.quote.ts' },
      { offset: 11, type: 'string.ts' },
      { offset: 13, type: 'delimiter.ts' },
      { offset: 15, type: 'comment.ts' },
    ],
    [],
  ];
  const pieces = piecesOf(text, tokens);
  expect(pieces).toEqual([
    [
      { text: 'const', kind: 'keyword' },
      { text: ' a = ' },
      { text: '"x"', kind: 'string' },
      { text: '; ' },
      { text: '// y', kind: 'comment' },
    ],
    [],
    [{ text: 'plain' }],
  ]);
});
