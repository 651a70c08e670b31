import { expect, test } from 'vitest';
import { longSession } from '../../tests/fixtures/long-session';
import { blockHeight, blockParts, blocksOf, blockText, chapterBlocks, chaptersOf, stretchesOf } from './turn-blocks';

const { parts } = longSession(1, 9999).messages[1]!;

test('every part is in one block, in order; blocks that are the same keep their identity', () => {
  const before = blocksOf(parts, []);
  expect(before.flat()).toEqual(parts);
  expect(Math.max(...before.map((block) => block.length))).toBe(blockParts);
  const changed = parts.with(500, { ...parts[500]! });
  const after = blocksOf([...changed, parts[0]!], before);
  expect(after.flatMap((block, at) => (block === before[at] ? [] : [at]))).toEqual([62, 1249]);
  const chapters = chaptersOf(before, []);
  expect(chapters.flat()).toEqual(before);
  expect(Math.max(...chapters.map((chapter) => chapter.length))).toBe(chapterBlocks);
  const changedChapters = chaptersOf(after, chapters);
  expect(changedChapters.flatMap((chapter, at) => (chapter === chapters[at] ? [] : [at]))).toEqual([1, 39]);
});

test('the text of a block holds what is seen without a click, and not what is closed', () => {
  const text = blockText(parts.slice(0, 8));
  expect(text.split('\n').filter((line) => /^(prose|Read|Searched|Ran|Edited)/.test(line))).toEqual([
    'prose 0.1: I look at `src/file-1.ts` **first**.',
    'Read src/file-0.2.ts, 60 lines, 1.0 s',
    'Searched needle-0.3, 1 match, 1.0 s',
    'Ran npm test -- 0.4, 1.0 s',
    'Edited src/file-0.6.ts, +2 −1, 1.0 s',
    'prose 0.7: done.',
  ]);
  expect(text).toContain("+const edited = '0.6';");
  expect(text).not.toContain('thought');
});

test('a guess of the height is within a factor of two of what such a block has', () => {
  // 8 parts of this kind are drawn about 440 px high in a panel of 400.
  const height = blockHeight(parts.slice(8, 16), 400);
  expect(height).toBeGreaterThan(220);
  expect(height).toBeLessThan(880);
  expect(blockHeight([{ type: 'step', id: 's' }], 400)).toBe(1);
});

test('short turns stand together; a conversation that grows at its end, or is taken back there, leaves every other stretch as it is', () => {
  const { messages } = longSession(300, 2);
  const before = stretchesOf(messages, []);
  expect(before.flat()).toEqual(messages);
  expect(before.length).toBeLessThan(messages.length / 40);
  const last = messages.at(-1)!;
  const grown = stretchesOf([...messages.slice(0, -1), { ...last, parts: [...last.parts, ...parts] }], before);
  // The answer has not moved to another stretch: what is open in it stays open.
  expect(grown.map((stretch) => stretch[0]!.id)).toEqual(before.map((stretch) => stretch[0]!.id));
  expect(grown.flatMap((stretch, at) => (stretch === before[at] ? [] : [at]))).toEqual([before.length - 1]);
  const more = stretchesOf([...messages, ...longSession(2, 1).messages], grown);
  expect(more.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  const undone = stretchesOf(messages.slice(0, -2), before);
  expect(undone.slice(0, -1).every((stretch, at) => stretch === before[at])).toBe(true);
  expect(stretchesOf([], [])).toEqual([]);
});
