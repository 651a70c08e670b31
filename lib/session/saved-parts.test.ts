import { expect, test } from 'vitest';
import type { MessagePart } from './messages';
import { partsInPlace } from './saved-parts';

const text = (id: string): MessagePart => ({ type: 'text', id, text: id });
const saved = (parts: [number, unknown][]) => parts.map(([index, part]) => ({ index, part: part as MessagePart }));

test('what was lost leaves a remark in its place, and later parts keep theirs', () => {
  const parts = partsInPlace(
    saved([
      [1, text('b')],
      [3, text('d')],
    ]),
  );
  expect(parts.map(({ type, id }) => [type, id])).toEqual([
    ['notice', 'lost-0'],
    ['text', 'b'],
    ['notice', 'lost-2'],
    ['text', 'd'],
  ]);
});

test('what another version or nobody wrote is a remark, not the end of the conversation', () => {
  for (const wrong of [
    null,
    1,
    'x',
    [],
    {},
    { type: 'hologram', id: 'x' },
    { type: '__proto__', id: 'x' },
    { type: 'text', id: 'x' },
    { type: 'tool', id: 'x', tool: 1 },
    { type: 'file', id: 'x', file: null },
  ])
    expect(
      partsInPlace(
        saved([
          [0, wrong],
          [1, text('b')],
        ]),
      ).map(({ type }) => type),
      JSON.stringify(wrong),
    ).toEqual(['notice', 'text']);
  expect(
    partsInPlace(
      saved([
        [0, text('a')],
        [4e9, text('b')],
      ]),
    ),
  ).toEqual([text('a')]);
});
