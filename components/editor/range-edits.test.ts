import { expect, test } from 'vitest';
import { withEdits } from './range-edits';

const at = (line: number, from: number, to: number, text: string) => ({
  range: { startLineNumber: line, startColumn: from, endLineNumber: line, endColumn: to },
  text,
});

test('edits of any order are made in the text that they are about; line ends stay', () => {
  const text = 'greet(greet)\r\nsmile 😀 greet\r\n';
  expect(withEdits(text, [at(2, 10, 15, 'salute'), at(1, 7, 12, 'salute'), at(1, 1, 6, 'salute')])).toBe(
    'salute(salute)\r\nsmile 😀 salute\r\n',
  );
  const whole = { range: { startLineNumber: 1, startColumn: 1, endLineNumber: 3, endColumn: 1 }, text: '' };
  expect(withEdits(text, [whole])).toBe('');
  expect(withEdits('a', [at(1, 2, 2, 'b')])).toBe('ab');
});
