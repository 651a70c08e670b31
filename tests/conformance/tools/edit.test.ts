// Group 6: what edit, write and multiedit must hold beyond the tables beside their code (lib/tools/edit.test.ts, multiedit.test.ts).
import { describe, expect, test } from 'vitest';
import { editTool } from '../../../lib/tools/edit';
import { readTool } from '../../../lib/tools/read';
import { outcome, toolContext } from '../../../lib/tools/testing';
import { writeTool } from '../../../lib/tools/write';

const path = 'a.txt';
async function edited(contents: string, edit: { oldString: string; newString: string; replaceAll?: boolean }) {
  const context = await toolContext({ files: { [path]: contents } });
  await outcome(readTool, { path }, context);
  const output = await outcome(editTool, { path, ...edit }, context);
  const bytes = await context.sandbox.fs.read(`/home/project/${path}`);
  return { output, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}

describe('line endings of file, old and new text', () => {
  const lf = 'one\ntwo\nthree\n';
  const crlf = lf.replaceAll('\n', '\r\n');
  const ending = (text: string, crlfWanted: boolean) => (crlfWanted ? text.replaceAll('\n', '\r\n') : text);
  test.each<[string, boolean, boolean, boolean]>([
    ['LF file, LF old, LF new', false, false, false],
    ['LF file, LF old, CRLF new', false, false, true],
    ['LF file, CRLF old, LF new', false, true, false],
    ['LF file, CRLF old, CRLF new', false, true, true],
    ['CRLF file, LF old, LF new', true, false, false],
    ['CRLF file, LF old, CRLF new', true, false, true],
    ['CRLF file, CRLF old, LF new', true, true, false],
    ['CRLF file, CRLF old, CRLF new', true, true, true],
  ])('%s', async (_name, file, old, fresh) => {
    const { text } = await edited(file ? crlf : lf, {
      oldString: ending('one\ntwo\n', old),
      newString: ending('1\n2\n2b\n', fresh),
    });
    expect(text).toBe(ending('1\n2\n2b\nthree\n', file));
  });
  test('BOM and CRLF together', async () =>
    expect((await edited(`\ufeff${crlf}`, { oldString: 'one\ntwo', newString: '1' })).text).toBe(
      '\ufeff1\r\nthree\r\n',
    ));
  test('replaceAll in mixed endings touches no other line', async () =>
    expect((await edited('x\r\ny\nx\ny\r\n', { oldString: 'x', newString: 'z', replaceAll: true })).text).toBe(
      'z\r\ny\nz\ny\r\n',
    ));
});

describe('what the answer tells', () => {
  test('E6: a match in the middle of a word is done, and said', async () => {
    const { output, text } = await edited('const total = subtotal;', { oldString: 'total = sub', newString: 'X' });
    expect(text).toBe('const Xtotal;');
    expect(output).toContain('middle of a word');
  });
  test('E9: which strategy matched, on which lines, as a diff', async () => {
    const exact = await edited('a\nb\n', { oldString: 'b', newString: 'c' });
    expect(exact.output).toMatch(/\(line 2|lines 2/);
    expect(exact.output).toContain('-b\n+c');
    const loose = await edited('\ta\n\tb\n', { oldString: 'a\nb', newString: 'a\nc' });
    expect(loose.output).toContain('match: indentation');
  });
  test('how many were replaced', async () =>
    expect((await edited('x x x', { oldString: 'x', newString: 'y', replaceAll: true })).output).toMatch(/\b3\b/));
});

describe('create, exists, directory', () => {
  test('edit does not create', async () => {
    const context = await toolContext();
    expect(await outcome(editTool, { path, oldString: 'a', newString: 'b' }, context)).toMatch(/does not exist.*write/);
    expect(await context.sandbox.fs.exists('/home/project/a.txt')).toBe(false);
  });
  test('write onto a directory', async () => {
    const context = await toolContext({ files: { 'd/x': '' } });
    expect(await outcome(writeTool, { path: 'd', content: 'x' }, context)).toMatch(/^!d is a directory/);
  });
  test('write below a file', async () => {
    const context = await toolContext({ files: { d: 'x' } });
    // Node's own word for it, which run-tool.ts hands to the model.
    await expect(writeTool.execute({ path: 'd/e.txt', content: 'x' }, context)).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
    expect(await context.sandbox.fs.readText('/home/project/d')).toBe('x');
  });
  test('a file that appears while the question is open is not overwritten', async () => {
    const context = await toolContext();
    context.onAsk = async (ask) => {
      if (ask.permission === 'edit') await context.sandbox.fs.write('/home/project/a.txt', 'mine');
    };
    expect(await outcome(writeTool, { path, content: 'agent' }, context)).toMatch(/^!/);
    expect(await context.sandbox.fs.readText('/home/project/a.txt')).toBe('mine');
  });
  test('a file that goes while the question is open is not made anew by edit', async () => {
    const context = await toolContext({ files: { [path]: 'a' } });
    await outcome(readTool, { path }, context);
    context.onAsk = async (ask) => {
      if (ask.permission === 'edit') await context.sandbox.fs.remove('/home/project/a.txt');
    };
    expect(await outcome(editTool, { path, oldString: 'a', newString: 'b' }, context)).toMatch(/^!/);
    expect(await context.sandbox.fs.exists('/home/project/a.txt')).toBe(false);
  });
});

test('a file without an ending keeps that in every kind of edit', async () => {
  for (const [oldString, newString, expected] of [
    ['b', 'B', 'a\nB'],
    ['a\n', '', 'b'],
    ['b', 'b\nc', 'a\nb\nc'],
  ] as const)
    expect((await edited('a\nb', { oldString, newString })).text).toBe(expected);
});

describe('a file that somebody changed after the model read it', () => {
  const seen = 'one\nfoo()\nthree\n';
  async function afterwards(now: string, edit: { oldString: string; newString: string; replaceAll?: boolean }) {
    const context = await toolContext({ files: { [path]: seen } });
    await outcome(readTool, { path }, context);
    await context.sandbox.fs.write(`/home/project/${path}`, now);
    const output = await outcome(editTool, { path, ...edit }, context);
    return { output, text: await context.sandbox.fs.readText(`/home/project/${path}`) };
  }
  const edit = { oldString: 'foo()', newString: 'baz()' };

  test.each<[string, string, string, typeof edit]>([
    ['lines came before it', 'zero\nhalf\none\nfoo()\nthree\n', 'zero\nhalf\none\nbaz()\nthree\n', edit],
    ['a line came just before and just behind it', 'one\nx\nfoo()\ny\nthree\n', 'one\nx\nbaz()\ny\nthree\n', edit],
    ['the same words came elsewhere', 'foo()\none\nfoo()\nthree\nfoo()\n', 'foo()\none\nbaz()\nthree\nfoo()\n', edit],
    ['the line above it went below', 'foo()\none\nthree\n', 'baz()\none\nthree\n', edit],
    ['all is meant', 'foo()\none\nfoo()\n', 'baz()\none\nbaz()\n', { ...edit, replaceAll: true } as typeof edit],
  ])('%s: the edit is made where it was seen, and that is said', async (_name, now, after, request) => {
    const { output, text } = await afterwards(now, request);
    expect(text).toBe(after);
    expect(output).toContain('had been changed since you read it');
  });

  test.each([
    ['the place was changed, and the words stand elsewhere now', 'one\nbar()\nthree\nfoo()\n'],
    ['its line got a word', 'one\nfoo() // note\nthree\n'],
  ])('%s: nothing is guessed', async (_name, now) => {
    const { output, text } = await afterwards(now, edit);
    expect(output).toMatch(/^!.*was changed since you last read it/);
    expect(text).toBe(now);
  });

  test('what it never saw is found where it is, when that is one place', async () => {
    const { text } = await afterwards('one\nnew()\n', { oldString: 'new()', newString: 'old()' });
    expect(text).toBe('one\nold()\n');
  });
});

test('a file of thousands of lines that becomes another is written, and told with its counts', async () => {
  const text = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');
  const context = await toolContext({ files: { [path]: text('a', 20_000) } });
  await outcome(readTool, { path }, context);
  const { output, meta } = await writeTool.execute({ path, content: text('b', 20_001) }, context);
  expect(output).toContain('@@ -1,20000 +1,20001 @@\n-a 0\n');
  expect(meta).toMatchObject({ additions: 20_001, deletions: 20_000 });
  expect(await context.sandbox.fs.readText(`/home/project/${path}`)).toBe(text('b', 20_001));
});

test('a name that only looks the same is edited too, and no second file appears', async () => {
  const context = await toolContext({ files: { 'cafe\u0301.txt': 'a\n' } });
  expect(await outcome(editTool, { path: 'caf\u00e9.txt', oldString: 'a', newString: 'b' }, context)).toContain(
    'Edited',
  );
  expect(await context.sandbox.fs.readText('/home/project/cafe\u0301.txt')).toBe('b\n');
  expect(await context.sandbox.fs.exists('/home/project/caf\u00e9.txt')).toBe(false);
});

test('createOnly replaces nothing, even what was read', async () => {
  const context = await toolContext({ files: { [path]: 'a' } });
  await outcome(readTool, { path }, context);
  expect(await outcome(writeTool, { path, content: 'b', createOnly: true }, context)).toMatch(
    /^!a\.txt exists already/,
  );
  expect(await outcome(writeTool, { path: 'b.txt', content: 'b', createOnly: true }, context)).toMatch(
    /^Created b\.txt/,
  );
  expect(await context.sandbox.fs.readText('/home/project/a.txt')).toBe('a');
});
