import { applyPatch } from 'diff';
import { describe, expect, test } from 'vitest';
import { lineChanges, lineHunks, linesWithEndings } from './line-diff';
import { mergeText } from './merge';

const numbered = (word: string, count: number, end = '\n') =>
  `${Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n')}${end}`;

describe.each([
  ['all lines differ', numbered('a', 30_000), numbered('b', 30_000)],
  ['all but the ends', `x\ny\n${numbered('a', 20_000)}z\n`, `x\ny\n${numbered('b', 25_000)}z\n`],
  ['no newline at one end', numbered('a', 20_000), numbered('b', 20_000, '')],
  ['a file of thousands of lines becomes empty', numbered('a', 20_000), ''],
  ['and the other way round', '', numbered('a', 20_000, '')],
  ['two lines', 'a\nb\n', 'a\nc\n'],
])('two texts: %s', (_name, before, after) => {
  test('the hunks make one of the other', () =>
    expect(
      applyPatch(before, {
        oldFileName: '',
        newFileName: '',
        oldHeader: undefined,
        newHeader: undefined,
        hunks: lineHunks(before, after),
      }),
    ).toBe(after));
  test('so do the changes', () => {
    const lines = linesWithEndings(before);
    for (const { start, end, lines: others } of lineChanges(lines, linesWithEndings(after)).toReversed())
      lines.splice(start, end - start, ...others);
    expect(lines.join('')).toBe(after);
  });
});

test('what the person changed at the end survives a file that became another', () => {
  const base = `${numbered('a', 20_000)}keep\nend\n`;
  const theirs = `${numbered('b', 20_000)}keep\nend\n`;
  const mine = base.replace('end\n', 'END\n');
  expect(mergeText(base, mine, theirs)).toEqual({ kind: 'merged', text: theirs.replace('end\n', 'END\n') });
});
