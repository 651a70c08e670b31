// Diffs are drawn from what the tools really write.
import { expect, test } from 'vitest';
import { fileDiff } from '../../lib/tools/file-diff';
import { withoutHunk } from '../../lib/tools/without-hunk';
import { diffHunks } from './diff-lines';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const join = (all: string[]) => `${all.join('\n')}\n`;

test('numbers both sides and marks the words that changed', () => {
  const after = lines(9);
  after[4] = 'line five';
  const { hunks, cut } = diffHunks(fileDiff('a.txt', join(lines(9)), join(after)).diff);
  expect(cut).toBe(false);
  expect(hunks).toHaveLength(1);
  const changed = hunks[0]!.lines.filter((line) => line.kind !== 'same');
  expect(changed).toEqual([
    { kind: 'removed', text: 'line 5', old: 5, changed: [5, 6] },
    { kind: 'added', text: 'line five', now: 5, changed: [5, 9] },
  ]);
  expect(hunks[0]!.lines[0]).toEqual({ kind: 'same', text: 'line 2', old: 2, now: 2 });
});

test('lines that have nothing in common are not paired', () => {
  const { hunks } = diffHunks(fileDiff('a', 'alpha beta\n', 'something else\n').diff);
  expect(hunks[0]!.lines.every((line) => line.changed === undefined)).toBe(true);
});

test('a new file, an emptied file, and a missing final newline', () => {
  expect(diffHunks(fileDiff('a', undefined, 'x\ny\n').diff).hunks[0]!.lines).toEqual([
    { kind: 'added', text: 'x', now: 1 },
    { kind: 'added', text: 'y', now: 2 },
  ]);
  expect(diffHunks(fileDiff('a', 'x\n', '').diff).hunks[0]!.lines).toEqual([{ kind: 'removed', text: 'x', old: 1 }]);
  const kinds = diffHunks(fileDiff('a', 'x\n', 'x').diff).hunks[0]!.lines.map((line) => line.kind);
  expect(kinds).toContain('note');
  expect(diffHunks(fileDiff('a', 'x\n', 'x\n').diff).hunks).toEqual([]);
});

test('a diff that was cut keeps its whole hunks', () => {
  const after = lines(200).map((line, at) => (at % 50 === 10 ? `${line}!` : line));
  const { diff } = fileDiff('a', join(lines(200)), join(after));
  const whole = diffHunks(diff);
  expect(whole.hunks).toHaveLength(4);
  const half = diffHunks(diff.slice(0, diff.lastIndexOf('@@') + 30));
  expect(half.cut).toBe(true);
  expect(half.hunks).toEqual(whole.hunks.slice(0, half.hunks.length));
  expect(half.hunks).toHaveLength(3);
});

test('one hunk is taken back, the others and later edits elsewhere stay', () => {
  const before = lines(60);
  const after = before.map((line, at) => (at === 5 || at === 40 ? line.toUpperCase() : line));
  const { hunks } = diffHunks(fileDiff('a', join(before), join(after)).diff);
  expect(hunks).toHaveLength(2);
  const since = ['a new first line', ...after];
  expect(withoutHunk(join(since), hunks[1]!.source)).toBe(
    join(since.map((line, at) => (at === 41 ? before[40]! : line))),
  );
  const crlf = join(since).replaceAll('\n', '\r\n');
  expect(withoutHunk(crlf, hunks[1]!.source)).toBe(
    withoutHunk(join(since), hunks[1]!.source)!.replaceAll('\n', '\r\n'),
  );
});

test('a hunk whose lines were changed since is left alone', () => {
  const after = lines(9);
  after[4] = 'changed';
  const { hunks } = diffHunks(fileDiff('a', join(lines(9)), join(after)).diff);
  after[4] = 'changed again';
  expect(withoutHunk(join(after), hunks[0]!.source)).toBeUndefined();
  expect(withoutHunk('', hunks[0]!.source)).toBeUndefined();
});
