import { describe, expect, test } from 'vitest';
import type { Review } from '../permission/asks';
import { applyPatchTool } from './apply-patch';
import { editTool } from './edit';
import { multieditTool } from './multiedit';
import { readTool } from './read';
import { outcome, toolContext } from './testing';

const lines = (count: number, change: Record<number, string> = {}) =>
  `${Array.from({ length: count }, (_, at) => change[at + 1] ?? `line ${at + 1}`).join('\n')}\n`;

async function reviewing(files: Record<string, string>, review: Review, meanwhile?: () => [string, string]) {
  const context = await toolContext({ files });
  for (const path of Object.keys(files)) await outcome(readTool, { path }, context);
  context.onAsk = async (request) => {
    if (request.permission !== 'edit') return;
    const typed = meanwhile?.();
    if (typed) await context.sandbox.fs.write(`/home/project/${typed[0]}`, typed[1]);
    return review;
  };
  const text = (path: string) => context.sandbox.fs.readText(`/home/project/${path}`);
  return { context, text };
}
const twoEdits = [
  { path: 'a.txt', oldString: 'line 2\n', newString: 'two\n' },
  { path: 'a.txt', oldString: 'line 18\n', newString: 'eighteen\n' },
];

describe('a change that is allowed in part', () => {
  test('writes exactly the other hunks, and the model hears which and why', async () => {
    const { context, text } = await reviewing(
      { 'a.txt': lines(20) },
      { refused: [{ path: 'a.txt', hunks: [0] }], message: 'two is wrong' },
    );
    const output = await outcome(multieditTool, { edits: twoEdits }, context);
    expect(output).toContain('The person left out a part: a.txt (line 1). They say: two is wrong');
    expect(await text('a.txt')).toBe(lines(20, { 18: 'eighteen' }));
    expect(context.seen.get('/home/project/a.txt')).toBe(lines(20, { 18: 'eighteen' }));
  });

  test('keeps the line endings of the file', async () => {
    const crlf = lines(20).replaceAll('\n', '\r\n');
    const { context, text } = await reviewing({ 'a.txt': crlf }, { refused: [{ path: 'a.txt', hunks: [1] }] });
    await outcome(multieditTool, { edits: twoEdits }, context);
    expect(await text('a.txt')).toBe(lines(20, { 2: 'two' }).replaceAll('\n', '\r\n'));
  });

  test('of several files: one stays as it was, a new one does not appear', async () => {
    const { context, text } = await reviewing(
      { 'a.txt': 'a\n', 'b.txt': 'b\n' },
      {
        refused: [
          { path: 'a.txt', hunks: [0] },
          { path: 'new.txt', hunks: [0] },
        ],
      },
    );
    const patch =
      '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+A\n*** Update File: b.txt\n@@\n-b\n+B\n*** Add File: new.txt\n+n\n*** End Patch';
    const output = await outcome(applyPatchTool, { patch }, context);
    expect(output).toContain('The person left out a part: a.txt (line 1); new.txt (write).');
    expect([await text('a.txt'), await text('b.txt')]).toEqual(['a\n', 'B\n']);
    expect(await context.sandbox.fs.exists('/home/project/new.txt')).toBe(false);
  });

  test('nothing left is a refusal', async () => {
    const { context, text } = await reviewing(
      { 'a.txt': 'a\n' },
      { refused: [{ path: 'a.txt', hunks: [0] }], message: 'no' },
    );
    const edit = { path: 'a.txt', oldString: 'a', newString: 'b' };
    expect(await outcome(editTool, edit, context)).toBe(
      '!The person left out all of it, so nothing was written. They say: no',
    );
    expect(await text('a.txt')).toBe('a\n');
  });

  test('a review of a diff that is not the one any more writes nothing', async () => {
    const typed = `${lines(20)}more\n`.replace('line 3', 'typed');
    const { context, text } = await reviewing(
      { 'a.txt': lines(20) },
      { refused: [{ path: 'a.txt', hunks: [0] }] },
      () => ['a.txt', typed],
    );
    expect(await outcome(multieditTool, { edits: twoEdits }, context)).toMatch(
      /^!The files changed while the person looked/,
    );
    expect(await text('a.txt')).toBe(typed);
  });
});
