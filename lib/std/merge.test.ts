import { expect, test } from 'vitest';
import { editsBetween, mergeText, type TextEdit } from './merge';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const merged = (text: string) => ({ kind: 'merged', text });

test('changes in different places are both kept', () => {
  expect(mergeText(base, base.replace('one', 'ONE'), base.replace('five', 'FIVE'))).toEqual(
    merged('ONE\ntwo\nthree\nfour\nFIVE\n'),
  );
  expect(mergeText(base, `zero\n${base}`, base.replace('three\n', ''))).toEqual(merged('zero\none\ntwo\nfour\nfive\n'));
});

test('the same change on both sides happens once', () => {
  const both = base.replace('two', '2');
  expect(mergeText(base, both, `${both}six\n`)).toEqual(merged(`${both}six\n`));
});

test('neighbouring lines are not a conflict, the same line is', () => {
  expect(mergeText(base, base.replace('two', 'TWO'), base.replace('three', 'THREE'))).toEqual(
    merged('one\nTWO\nTHREE\nfour\nfive\n'),
  );
  expect(mergeText(base, base.replace('two', 'A'), base.replace('two', 'B')).kind).toBe('conflict');
  expect(mergeText(base, `${base}mine`, `${base}theirs`).kind).toBe('conflict');
  expect(mergeText(base, base.replace('two\n', ''), base.replace('two', 'B')).kind).toBe('conflict');
});

test('one side unchanged: the other one is the result', () => {
  expect(mergeText(base, base, 'x')).toEqual(merged('x'));
  expect(mergeText(base, 'x', base)).toEqual(merged('x'));
  expect(mergeText('', 'a', 'a')).toEqual(merged('a'));
});

function apply(text: string, edits: TextEdit[]): string {
  return edits.reduceRight((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text);
}

test('edits turn one text into the other and touch only what differs', () => {
  expect(editsBetween(base, base.replace('three', 'thee'))).toEqual([{ start: 10, end: 11, text: '' }]);
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  const words = ['a\n', 'b\n', 'a🐎\n', 'a🐍\n', '\n', 'end'];
  const text = () => Array.from({ length: random(9) }, () => words[random(words.length)]).join('');
  for (let round = 0; round < 2000; round++) {
    const [from, to] = [text(), text()];
    const edits = editsBetween(from, to);
    expect(apply(from, edits)).toBe(to);
    for (const edit of edits)
      expect([edit.text.isWellFormed(), from.slice(0, edit.start).isWellFormed()]).toEqual([true, true]);
  }
});
