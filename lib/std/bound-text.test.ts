import { describe, expect, test } from 'vitest';
import { boundText, byteLength, cutLine, outputBudget, safeCut } from './bound-text';

const note = (lines: number, bytes: number) => `[${lines} lines, ${bytes} bytes]`;
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n');

describe('boundText', () => {
  test('exactly the limit passes unchanged, also with a final newline', () => {
    expect(boundText(`${lines(2000)}\n`, outputBudget, note)).toMatchObject({
      truncated: false,
      text: `${lines(2000)}\n`,
    });
  });

  test('one line more keeps both ends and counts exactly', () => {
    const bounded = boundText(lines(2001), outputBudget, note);
    expect(bounded).toMatchObject({ truncated: true, omittedLines: 1 });
    const shown = bounded.text.split('\n');
    expect([shown[0], shown[1000], shown.at(-1)]).toEqual(['line 1', '[1 lines, 10 bytes]', 'line 2001']);
  });

  test('head only', () => {
    const bounded = boundText(lines(10), { maxLines: 3, maxBytes: 1000, maxTokens: 1000 }, note, 1);
    expect(bounded.text).toBe('line 1\nline 2\nline 3\n[7 lines, 50 bytes]');
  });

  test('a single line of 60 kB is cut inside, never an empty preview', () => {
    const bounded = boundText('a'.repeat(30_000) + 'z'.repeat(30_000), { ...outputBudget, maxTokens: 1e9 }, note);
    const [head, middle, tail] = bounded.text.split('\n');
    expect(head).toMatch(/^a{25000,}…$/);
    expect(tail).toMatch(/^…z{25000,}$/);
    expect(bounded.omittedLines).toBe(0);
    expect(middle).toBe(`[0 lines, ${bounded.omittedBytes} bytes]`);
    expect(bounded.omittedBytes).toBeGreaterThan(8000);
  });

  test('the byte budget holds for wide characters and splits no pair', () => {
    const bounded = boundText('🐎'.repeat(20_000), outputBudget, note);
    expect(bounded.text.isWellFormed()).toBe(true);
    expect(byteLength(bounded.text)).toBeLessThan(outputBudget.maxBytes + 100);
  });

  test('the token budget counts too', () => {
    const bounded = boundText(`${'漢'.repeat(100)}\n`.repeat(300), { ...outputBudget, maxBytes: 1e9 }, note);
    expect(bounded.truncated).toBe(true);
    expect(bounded.omittedLines).toBeGreaterThan(130);
  });
});

test('byteLength agrees with TextEncoder', () => {
  for (const text of ['abc', 'žluť', '漢字', '🐎x🐎', '\ud800lone']) {
    expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
  }
});

test('a cut is outside of pairs and terminal escapes', () => {
  expect(safeCut('a🐎b', 2)).toBe(1);
  expect(safeCut('a🐎b', 2, true)).toBe(3);
  expect(safeCut('ab\x1b[31mred', 4)).toBe(2);
  expect(safeCut('ab\x1b[31mred', 4, true)).toBe(7);
  expect(cutLine('x'.repeat(20), 5)).toBe('xxxxx… (15 more characters)');
});

test('bytes are counted as UTF-8 has them, over the borders of what is counted at once too', () => {
  for (const unit of ['a', 'é', '€', '🐎', '\ud83d', '\udc0e', 'a🐎'])
    for (const before of [0, 1, 2])
      for (const count of [1, 8191, 8192, 16_383, 16_384, 16_385]) {
        const text = 'x'.repeat(before) + unit.repeat(count);
        expect(byteLength(text)).toBe(Buffer.byteLength(text));
      }
});

test('a million short lines: both ends and exact counts', () => {
  const { text, omittedLines, omittedBytes } = boundText('y\n'.repeat(1_000_000), outputBudget, note, 0.3);
  const shown = text.split('\n');
  expect([shown.length, shown.indexOf(`[998000 lines, ${omittedBytes} bytes]`), omittedLines]).toEqual([
    2001, 600, 998_000,
  ]);
  expect(omittedBytes).toBe(2_000_000 - (2 * 2000 - 1));
});
