// Group 2: output that is too long, beyond the tables beside boundText (lib/std/bound-text.test.ts).
import { describe, expect, test } from 'vitest';
import { boundText, byteLength, outputBudget } from '../../../lib/std/bound-text';

const note = (lines: number, bytes: number) => `[${lines} lines, ${bytes} bytes]`;
/** What is shown and what is said to be left out must make up the whole. */
function accountedFor(text: string, budget = outputBudget) {
  const bounded = boundText(text, budget, note);
  expect(bounded.truncated).toBe(true);
  const marker = bounded.text.split('\n').find((line) => /^\[\d+ lines, \d+ bytes\]$/.test(line))!;
  expect(marker).toBe(note(bounded.omittedLines, bounded.omittedBytes));
  return bounded;
}

describe('the budget holds and nothing goes uncounted', () => {
  test.each<[string, string]>([
    ['too many lines', 'x\n'.repeat(5000)],
    ['too many bytes', `${'x'.repeat(99)}\n`.repeat(1900)],
    ['both', `${'x'.repeat(99)}\n`.repeat(9000)],
    ['CRLF', 'x\r\n'.repeat(5000)],
    ['wide characters', `${'žluťoučký kůň '.repeat(5)}\n`.repeat(2500)],
    ['astral characters', `${'🐎'.repeat(30)}\n`.repeat(2500)],
    ['no newline at the end', 'x\n'.repeat(5000).slice(0, -1)],
    ['blank lines', '\n'.repeat(5000)],
  ])('%s', (_name, text) => {
    const bounded = accountedFor(text);
    expect(bounded.text.isWellFormed()).toBe(true);
    expect(bounded.text.split('\n').length).toBeLessThanOrEqual(outputBudget.maxLines + 2);
    expect(byteLength(bounded.text)).toBeLessThanOrEqual(outputBudget.maxBytes + 100);
    expect(bounded.omittedLines).toBeGreaterThan(0);
  });
  test.each([2000, 1999])('%i lines are not cut', (count) =>
    expect(boundText('x\n'.repeat(count), outputBudget, note).truncated).toBe(false),
  );
  test('one line more than fits costs one line, not half of the text', () => {
    const bounded = accountedFor('x\n'.repeat(2001));
    expect(bounded.omittedLines).toBe(1);
  });
  test('both ends are kept', () => {
    const text = Array.from({ length: 9000 }, (_, at) => `line ${at}`).join('\n');
    const { text: shown } = accountedFor(text);
    expect(shown.startsWith('line 0\n')).toBe(true);
    expect(shown.endsWith('line 8999')).toBe(true);
  });
  test('the budget is the caller’s', () => {
    const bounded = accountedFor('x\n'.repeat(100), { maxLines: 10, maxBytes: 1e9, maxTokens: 1e9 });
    expect(bounded.omittedLines).toBe(90);
  });
});
