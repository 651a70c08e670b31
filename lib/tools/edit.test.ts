import { describe, expect, test } from 'vitest';
import { editTool } from './edit';
import { applyEdit } from './edit-apply';
import { readTool } from './read';
import { outcome, toolContext } from './testing';
import { ToolError } from './tool';
import { writeTool } from './write';

const path = 'src/a.ts';
async function edited(
  contents: string | Uint8Array,
  edit: { oldString: string; newString: string; replaceAll?: boolean; nearLine?: number },
) {
  const context = await toolContext({ files: { [path]: contents } });
  await outcome(readTool, { path }, context);
  const output = await outcome(editTool, { path, ...edit }, context);
  return {
    output,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await context.sandbox.fs.read(`/home/project/${path}`)),
    context,
  };
}

describe('what is replaced', () => {
  test.each<
    [string, string, { oldString: string; newString: string; replaceAll?: boolean; nearLine?: number }, string]
  >([
    ['exact', 'a b c', { oldString: 'b', newString: 'x' }, 'a x c'],
    [
      'E2: re-indented',
      'def f():\n    if a:\n        b()\n',
      { oldString: 'if a:\n    b()', newString: 'if c:\n    d()' },
      'def f():\n    if c:\n        d()\n',
    ],
    [
      'E3: no extra blank line',
      '\tfoo\n\tbar\nrest\n',
      { oldString: 'foo\nbar\n', newString: 'foo\nbaz\n' },
      '\tfoo\n\tbaz\nrest\n',
    ],
    ['E4: $ is literal', 'x x', { oldString: 'x', newString: '$&|$$|$`', replaceAll: true }, '$&|$$|$` $&|$$|$`'],
    ['E7: curly quotes', 'say “hi” – ok', { oldString: 'say "hi" -', newString: 'say "yo"' }, 'say "yo" ok'],
    ['E10: one CRLF among LFs', 'a\nb\r\nc\nd\n', { oldString: 'b\nc', newString: 'b\nx' }, 'a\nb\r\nx\nd\n'],
    [
      'CRLF file, LF edit',
      'a\r\nb\r\nc\r\n',
      { oldString: 'a\nb', newString: 'a\nb1\nb2' },
      'a\r\nb1\r\nb2\r\nc\r\n'.replace('b1', 'b\u0000').replace('b\u0000\r\nb2', 'b1\r\nb2'),
    ],
    ['CRLF file, one line', 'a\r\nb\r\n', { oldString: 'b', newString: 'b\nc' }, 'a\r\nb\r\nc\r\n'],
    ['LF file, CRLF edit', 'a\nb\n', { oldString: 'a\r\nb', newString: 'a\r\nc' }, 'a\nc\n'],
    ['trailing blanks', 'if (x) {  \n  y\t\n}\n', { oldString: 'if (x) {\n  y\n}', newString: 'z' }, 'z\n'],
    ['less indentation', 'a\nb\n', { oldString: '  a\n  b', newString: '  a\n  c' }, 'a\nc\n'],
    ['no final newline stays', 'a\nb', { oldString: 'b', newString: 'c' }, 'a\nc'],
    ['nearLine', 'x\ny\nx\ny\nx\n', { oldString: 'x', newString: 'Z', nearLine: 3 }, 'x\ny\nZ\ny\nx\n'],
    ['BOM stays', '\ufeffa\n', { oldString: 'a', newString: 'b' }, '\ufeffb\n'],
    ['removal', 'a\nb\nc\n', { oldString: 'b\n', newString: '' }, 'a\nc\n'],
  ])('%s', async (_name, contents, edit, expected) => {
    const result = await edited(contents, edit);
    expect(result.output).toMatch(/^Edited src\/a\.ts/);
    expect(result.text).toBe(expected);
  });

  test('UTF-16 files stay UTF-16', async () => {
    const bytes = Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x62, 0]);
    const { context } = await edited(bytes, { oldString: 'b', newString: 'ž' });
    expect([...(await context.sandbox.fs.read('/home/project/src/a.ts'))]).toEqual([0xff, 0xfe, 0x61, 0, 0x7e, 1]);
  });

  test('the result names strategy, lines and a diff', async () => {
    const { output } = await edited('one\n  two\n  three\n', { oldString: 'two\nthree', newString: 'two\n3' });
    expect(output).toContain('(lines 2-3; match: indentation)');
    expect(output).toContain('-  three\n+  3');
    expect((await edited('const total = subtotal;', { oldString: 'total = sub', newString: 'X' })).output).toContain(
      'middle of a word',
    );
  });
});

describe('what is refused, leaving the file alone', () => {
  const unchanged = async (
    contents: string | Uint8Array,
    edit: { oldString: string; newString: string; nearLine?: number },
    message: RegExp,
  ) => {
    const result = await edited(contents, edit);
    expect(result.output).toMatch(message);
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    expect([...(await result.context.sandbox.fs.read('/home/project/src/a.ts'))]).toEqual([...bytes]);
  };
  test('E1: ambiguity is final and lists the lines', () =>
    unchanged(
      'foo()\nbar\n  foo()\n',
      { oldString: 'foo()', newString: 'baz()' },
      /^!oldString occurs 2 times in src\/a\.ts:\n {2}line 1: foo\(\)\n {2}line 3: foo\(\)/,
    ));
  test('nearLine in the middle of two is still ambiguous', () =>
    unchanged('x\ny\nx\n', { oldString: 'x', newString: 'z', nearLine: 2 }, /occurs 2 times/));
  test('E5: a changed middle is not matched', () =>
    unchanged(
      'f() {\n  a();\n  keepMe();\n  b();\n}\n',
      { oldString: 'f() {\n  a();\n  other();\n  b();\n}', newString: '' },
      /^!oldString was not found[\s\S]*most similar place is:\n1: f\(\) \{/,
    ));
  test('different relative indentation', () =>
    unchanged('  a\n      b\n', { oldString: 'a\nb', newString: 'c' }, /not found/));
  test('E8: not UTF-8', () =>
    unchanged(
      Uint8Array.from([0x78, 0xe9, 0x0a]),
      { oldString: 'x', newString: 'y' },
      /not text that can be changed safely: it is not valid UTF-8/,
    ));
  test('nothing to do', () => unchanged('a', { oldString: 'a', newString: 'a' }, /are the same/));
  test('empty oldString', () => unchanged('a', { oldString: '', newString: 'a' }, /use write/));
});

describe('versions', () => {
  test('a file changed elsewhere is merged; where the text is gone it is refused with what is there now', async () => {
    const context = await toolContext({ files: { [path]: 'one\ntwo\nthree\n' } });
    await outcome(readTool, { path }, context);
    await context.sandbox.fs.write('/home/project/src/a.ts', 'ONE\ntwo\nthree\n');
    expect(await outcome(editTool, { path, oldString: 'three', newString: '3' }, context)).toContain(
      'had been changed since you read it',
    );
    expect(await context.sandbox.fs.readText('/home/project/src/a.ts')).toBe('ONE\ntwo\n3\n');
    await context.sandbox.fs.write('/home/project/src/a.ts', 'ONE\nmy two words\n3\n');
    expect(await outcome(editTool, { path, oldString: 'ONE\ntwo\n', newString: '' }, context)).toMatch(
      /changed since you last read it[\s\S]*1: ONE\n2: my two words/,
    );
  });

  test('the base is checked again after the question', async () => {
    const context = await toolContext({ files: { [path]: 'one\ntwo\n' } });
    await outcome(readTool, { path }, context);
    context.onAsk = async (request) => {
      if (request.permission === 'edit') await context.sandbox.fs.write('/home/project/src/a.ts', 'ONE\ntwo\n');
    };
    expect(await outcome(editTool, { path, oldString: 'two', newString: '2' }, context)).toContain('had been changed');
    expect(await context.sandbox.fs.readText('/home/project/src/a.ts')).toBe('ONE\n2\n');
  });

  test('an unread file is edited only where the text fits exactly', async () => {
    const context = await toolContext({ files: { [path]: '  a\n  b\n' } });
    expect(await outcome(editTool, { path, oldString: 'a\nb', newString: 'c' }, context)).toMatch(
      /^!You have not read/,
    );
    expect(await outcome(editTool, { path, oldString: '  b', newString: '  c' }, context)).toMatch(/^Edited/);
  });

  test('parallel edits of one file all arrive', async () => {
    const context = await toolContext({
      files: { [path]: Array.from({ length: 20 }, (_, at) => `line${at};`).join('\n') },
    });
    await outcome(readTool, { path }, context);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        outcome(editTool, { path, oldString: `line${at};`, newString: `LINE${at};` }, context),
      ),
    );
    expect(await context.sandbox.fs.readText('/home/project/src/a.ts')).toBe(
      Array.from({ length: 20 }, (_, at) => `LINE${at};`).join('\n'),
    );
  });

  test('a refusal changes nothing', async () => {
    const context = await toolContext({ files: { [path]: 'a' } });
    context.onAsk = (request) => {
      if (request.permission === 'edit') throw new ToolError('no');
    };
    expect(await outcome(editTool, { path, oldString: 'a', newString: 'b' }, context)).toBe('!no');
    expect(await context.sandbox.fs.readText('/home/project/src/a.ts')).toBe('a');
    expect(context.asked.at(-1)).toMatchObject({
      permission: 'edit',
      patterns: [path],
      meta: { additions: 1, deletions: 1 },
    });
  });
});

test('missing files and directories are told apart, with near names', async () => {
  const context = await toolContext({ files: { 'src/index.ts': 'x' } });
  expect(await outcome(editTool, { path: 'src/indx.ts', oldString: 'x', newString: 'y' }, context)).toBe(
    '!src/indx.ts does not exist. Did you mean src/index.ts? To create it use write.',
  );
  expect(await outcome(editTool, { path: 'src', oldString: 'x', newString: 'y' }, context)).toMatch(/is a directory/);
});

describe('write', () => {
  test('creates with directories; an unread file is not replaced, an empty one is', async () => {
    const context = await toolContext({ files: { 'old.txt': 'old\n', 'empty.txt': '' } });
    expect(await outcome(writeTool, { path: 'a/b/c.txt', content: 'x\n' }, context)).toBe(
      'Created a/b/c.txt (1 line, 2 bytes).',
    );
    expect(await outcome(writeTool, { path: 'old.txt', content: 'x' }, context)).toMatch(
      /^!old.txt exists and you have not read it/,
    );
    expect(await outcome(writeTool, { path: 'empty.txt', content: 'x' }, context)).toMatch(/^Replaced/);
    expect(await outcome(writeTool, { path: 'a/b/c.txt', content: 'y\n' }, context)).toMatch(/^Replaced[\s\S]*-x\n\+y/);
    expect(await outcome(writeTool, { path: 'a/b/c.txt', content: 'y\n' }, context)).toMatch(
      /already has exactly this content/,
    );
  });
  test('a version that the model has not seen is not overwritten', async () => {
    const context = await toolContext({ files: { 'a.txt': 'one\n' } });
    await outcome(readTool, { path: 'a.txt' }, context);
    await context.sandbox.fs.write('/home/project/a.txt', 'one\nmine\n');
    expect(await outcome(writeTool, { path: 'a.txt', content: 'two\n' }, context)).toMatch(
      /changed since you last read it[\s\S]*\+mine/,
    );
    expect(await context.sandbox.fs.readText('/home/project/a.txt')).toBe('one\nmine\n');
  });
  test('CRLF and BOM of an existing file stay', async () => {
    const context = await toolContext({ files: { 'a.txt': '\ufeffone\r\ntwo\r\n' } });
    await outcome(readTool, { path: 'a.txt' }, context);
    await outcome(writeTool, { path: 'a.txt', content: 'x\ny\n' }, context);
    expect(await context.sandbox.fs.readText('/home/project/a.txt')).toBe('\ufeffx\r\ny\r\n');
  });
});

test('random edits: what is replaced is only what was named', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 500; round++) {
    const endings = ['\n', '\r\n'];
    const lines = Array.from(
      { length: 1 + random(12) },
      () => `${' '.repeat(random(4))}${'abc'[random(3)]}${random(5)}`,
    );
    const text = lines.map((line) => line + endings[random(2)]).join('');
    const from = random(lines.length);
    const old = lines.slice(from, from + 1 + random(3)).join('\n');
    try {
      const result = applyEdit('f', text, { oldString: old, newString: 'NEW\nTEXT' });
      const at = result.text.search(/ *NEW/);
      expect(text.startsWith(result.text.slice(0, at))).toBe(true);
      expect(text.endsWith(result.text.slice(result.text.indexOf('TEXT') + 4))).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(ToolError);
    }
  }
});
