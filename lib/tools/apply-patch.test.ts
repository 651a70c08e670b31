import { describe, expect, test } from 'vitest';
import { applyPatchTool } from './apply-patch';
import { readTool } from './read';
import { outcome, type TestContext, toolContext } from './testing';

const patchOf = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const updateOf = (...lines: string[]) => patchOf('*** Update File: a.txt', ...lines);

async function textIn(context: TestContext, path: string): Promise<string | undefined> {
  const bytes = await context.sandbox.fs.read(`/home/project/${path}`).catch(() => undefined);
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

async function patched(contents: string | Uint8Array, patch: string, { read = true } = {}) {
  const context = await toolContext({ files: { 'a.txt': contents } });
  if (read) await outcome(readTool, { path: 'a.txt' }, context);
  const output = await outcome(applyPatchTool, { patch }, context);
  return { output, text: await textIn(context, 'a.txt'), context };
}

describe('what a chunk does', () => {
  test.each<[string, string, string[], string]>([
    ['one line', 'a\nb\nc\n', ['@@', ' a', '-b', '+x', ' c'], 'a\nx\nc\n'],
    ['several chunks', 'a\nb\nc\nd\ne\n', ['@@', '-a', '+A', '@@', ' d', '-e', '+E'], 'A\nb\nc\nd\nE\n'],
    [
      'P1: End of File anchors, and what follows it in the next section is kept',
      'x\ny\nx\n',
      ['@@', '-x', '+z', '*** End of File'],
      'x\ny\nz\n',
    ],
    ['P2: a chunk without @@', 'a\nb\n', [' a', '-b', '+c'], 'a\nc\n'],
    ['P3: an empty line stands for an empty line of context', 'a\n\nb\n', ['@@', ' a', '', '-b', '+c'], 'a\n\nc\n'],
    ['P4: the file keeps its indentation', '    keep\n    b\n', ['@@', ' keep', '-b', '+c'], '    keep\n    c\n'],
    ['P5: an insertion goes after its anchor', 'one\ntwo\nthree\n', ['@@ two', '+NEW'], 'one\ntwo\nNEW\nthree\n'],
    ['P6: CRLF stays', 'a\r\nb\r\nc\r\n', ['@@', ' a', '-b', '+x', '+y'], 'a\r\nx\r\ny\r\nc\r\n'],
    ['P6: mixed endings stay line by line', 'a\nb\r\nc\n', ['@@', ' a', '-b', '+x', ' c'], 'a\nx\r\nc\n'],
    ['P10: no final newline stays', 'a\nb', ['@@', ' a', '-b', '+c'], 'a\nc'],
    ['P10: nor when a line is added at the end', 'a\nb', ['@@', ' b', '+c'], 'a\nb\nc'],
    ['the final newline stays when the last line goes', 'a\nb\n', ['@@', ' a', '-b'], 'a\n'],
    ['an insertion without a place goes to the end', 'a\n', ['@@', '+b'], 'a\nb\n'],
    ['into an empty file', '', ['@@', '+a', '+b'], 'a\nb\n'],
    ['everything goes', 'a\nb\n', ['@@', '-a', '-b'], ''],
    [
      'an anchor decides between twins',
      'f() {\n  x\n}\ng() {\n  x\n}\n',
      ['@@ g() {', '-  x', '+  y'],
      'f() {\n  x\n}\ng() {\n  y\n}\n',
    ],
    [
      'anchors lead inwards',
      'class A\n  f\n    x\nclass B\n  f\n    x\n',
      ['@@ class B', '@@   f', '-    x', '+    y'],
      'class A\n  f\n    x\nclass B\n  f\n    y\n',
    ],
    ['a unified header gives the line', 'x\na\nx\na\nx\n', ['@@ -3,1 +3,1 @@', '-x', '+y'], 'x\na\ny\na\nx\n'],
    ['curly quotes', 'say “hi”\nb\n', ['@@', ' say "hi"', '-b', '+c'], 'say “hi”\nc\n'],
    ['trailing blanks stay in context', 'a  \nb\n', ['@@', ' a', '-b', '+c'], 'a  \nc\n'],
    [
      'added lines take the indentation of the place',
      '\tif a:\n\t\tb\n',
      ['@@', ' if a:', '-\tb', '+\tc', '+\td'],
      '\tif a:\n\t\tc\n\t\td\n',
    ],
    ['blank lines after the chunk are no context', 'a\nb\nc\n', ['@@', '-b', '+x', '', ''], 'a\nx\nc\n'],
    ['BOM stays', '\ufeffa\nb\n', ['@@', '-a', '+x'], '\ufeffx\nb\n'],
  ])('%s', async (_name, contents, lines, expected) => {
    const { output, text } = await patched(contents, updateOf(...lines));
    expect(output).toMatch(/^Patched a\.txt\./);
    expect(text).toBe(expected);
  });
});

describe('what is refused, with nothing written', () => {
  test.each<[string, string, string, RegExp]>([
    ['no envelope', 'a\n', '@@\n-a\n+b', /Begin Patch/],
    ['a cut patch', 'a\n', '*** Begin Patch\n*** Update File: a.txt\n@@\n-a', /may have been cut/],
    ['no section', 'a\n', patchOf(), /no section/],
    ['a bad header', 'a\n', patchOf('*** Rename File: a.txt'), /^!Line 2 of the patch/],
    ['a line of no kind', 'a\n', updateOf('@@', '-a', 'b'), /^!Line 5 of the patch \(`b`\)/],
    ['a chunk that changes nothing', 'a\n', updateOf('@@', ' a'), /^!Line 3: this chunk/],
    ['an empty section', 'a\n', updateOf(), /changes nothing/],
    [
      'P8: two places',
      'x\ny\nx\n',
      updateOf('@@', '-x', '+z'),
      /fits 2 places in a\.txt:\n {2}line 1: x\n {2}line 3: x/,
    ],
    ['an anchor of two places', 'f\nx\nf\nx\n', updateOf('@@ f', '-x', '+y'), /fits 2 places/],
    ['an anchor that is not there', 'a\n', updateOf('@@ nope', '-a', '+b'), /no line `nope`/],
    [
      'context that is not there',
      'const a = 1;\n',
      updateOf('@@', '-const a = 2;', '+b'),
      /most similar place is:\n1: const a/,
    ],
    ['chunks out of order', 'a\nb\n', updateOf('@@', '-b', '+x', '@@', '-a', '+y'), /after line 2/],
    ['End of File elsewhere', 'x\ny\n', updateOf('@@', '-x', '+z', '*** End of File'), /as its last lines/],
    ['line numbers of read', 'a\nb\n', updateOf('@@', '-1: a', '+x'), /begin with line numbers/],
    ['a missing file', 'a\n', patchOf('*** Update File: b.txt', '@@', '-a', '+b'), /b\.txt, which does not exist/],
    ['deleting what is not there', 'a\n', patchOf('*** Delete File: b.txt'), /does not exist/],
    ['P9: adding over a file', 'a\n', patchOf('*** Add File: a.txt', '+b'), /exists already/],
    ['adding with lines of no kind', 'a\n', patchOf('*** Add File: b.txt', 'b'), /does not begin with \+/],
    ['deleting a directory', 'a\n', patchOf('*** Delete File: /home/project'), /is a directory/],
    [
      'a good section and a bad one',
      'a\n',
      patchOf('*** Add File: b.txt', '+b', '*** Update File: a.txt', '@@', '-nope', '+x'),
      /old lines/,
    ],
  ])('%s', async (_name, contents, patch, message) => {
    const { output, text, context } = await patched(contents, patch);
    expect(output).toMatch(message);
    expect(text).toBe(contents);
    expect(await textIn(context, 'b.txt')).toBeUndefined();
    expect(context.asked.filter((ask) => ask.permission === 'edit')).toEqual([]);
  });

  test('P9: a move onto a file', async () => {
    const context = await toolContext({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const patch = patchOf('*** Update File: a.txt', '*** Move to: b.txt');
    expect(await outcome(applyPatchTool, { patch }, context)).toMatch(/b\.txt, which exists already/);
    expect(await textIn(context, 'b.txt')).toBe('b\n');
  });

  test('bytes that are no text', async () => {
    const { output } = await patched(Uint8Array.of(0x61, 0xff, 0x0a), updateOf('@@', '-a', '+b'));
    expect(output).toMatch(/not text that can be changed safely/);
  });
});

describe('several files', () => {
  test('add, update, move and delete are one question and one change', async () => {
    const context = await toolContext({
      files: { 'a.txt': 'a\n', 'old.txt': 'one\ntwo\n', 'gone.bin': Uint8Array.of(0, 1) },
    });
    for (const path of ['a.txt', 'old.txt']) await outcome(readTool, { path }, context);
    const patch = patchOf(
      ...['*** Add File: new/b.txt', '+b', '+', '+c'],
      ...['*** Update File: a.txt', '@@', '-a', '+A'],
      ...['*** Update File: old.txt', '*** Move to: moved.txt', '@@', '-two', '+zwei'],
      '*** Delete File: gone.bin',
    );
    context.asked.length = 0;
    const output = await outcome(applyPatchTool, { patch }, context);
    expect(output).toMatch(/^Patched 4 files\./);
    for (const line of ['A new/b.txt', 'M a.txt', 'R old.txt -> moved.txt', 'D gone.bin'])
      expect(output).toContain(line);
    expect(await textIn(context, 'new/b.txt')).toBe('b\n\nc\n');
    expect(await textIn(context, 'a.txt')).toBe('A\n');
    expect(await textIn(context, 'moved.txt')).toBe('one\nzwei\n');
    expect(await textIn(context, 'old.txt')).toBeUndefined();
    expect(await textIn(context, 'gone.bin')).toBeUndefined();
    const edits = context.asked.filter((ask) => ask.permission === 'edit');
    expect(edits).toHaveLength(1);
    // P9: the destination of a move is asked for as its source is.
    expect(edits[0]!.patterns.toSorted()).toEqual(['a.txt', 'gone.bin', 'moved.txt', 'new/b.txt', 'old.txt']);
  });

  test('P7: two sections of one file build on each other', async () => {
    const { text } = await patched(
      'a\nb\n',
      patchOf('*** Update File: a.txt', '@@', '-a', '+A', '*** Update File: a.txt', '@@', ' A', '-b', '+B'),
    );
    expect(text).toBe('A\nB\n');
  });

  test('P1: what follows End of File is not lost', async () => {
    const { text, context } = await patched(
      'a\nb\n',
      patchOf('*** Update File: a.txt', '@@', '-b', '+B', '*** End of File', '*** Add File: c.txt', '+c'),
    );
    expect([text, await textIn(context, 'c.txt')]).toEqual(['a\nB\n', 'c\n']);
  });

  test('a file that is deleted and added again is replaced', async () => {
    const { text } = await patched('a\n', patchOf('*** Delete File: a.txt', '*** Add File: a.txt', '+b'));
    expect(text).toBe('b\n');
  });

  test('a heredoc around the patch is not part of it', async () => {
    const { text } = await patched('a\n', `cat <<'EOF' | apply_patch\n${updateOf('@@', '-a', '+b')}\nEOF\n`);
    expect(text).toBe('b\n');
  });

  test('when a write fails in the middle, the files before it are put back', async () => {
    const context = await toolContext({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    for (const path of ['a.txt', 'b.txt']) await outcome(readTool, { path }, context);
    const { fs } = context.sandbox;
    const write = fs.write;
    fs.write = (path, contents) =>
      path.endsWith('b.txt')
        ? Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
        : write(path, contents);
    const patch = patchOf('*** Update File: a.txt', '@@', '-a', '+A', '*** Update File: b.txt', '@@', '-b', '+B');
    const output = await outcome(applyPatchTool, { patch }, context);
    expect(output).toMatch(/ENOSPC.*Nothing was changed/s);
    expect(await textIn(context, 'a.txt')).toBe('a\n');
    expect(await textIn(context, 'b.txt')).toBe('b\n');
  });

  test('a file that the person changed while the question was open is patched as it is then, or not at all', async () => {
    const context = await toolContext({ files: { 'a.txt': 'a\nb\nc\n' } });
    await outcome(readTool, { path: 'a.txt' }, context);
    let typed = 'new first line\na\nb\nc\n';
    context.onAsk = async (ask) => {
      if (ask.permission === 'edit') await context.sandbox.fs.write('/home/project/a.txt', typed);
    };
    expect(await outcome(applyPatchTool, { patch: updateOf('@@', '-b', '+B') }, context)).toMatch(/^Patched/);
    expect(await textIn(context, 'a.txt')).toBe('new first line\na\nB\nc\n');
    typed = 'nothing of it\n';
    expect(await outcome(applyPatchTool, { patch: updateOf('@@', '-c', '+C') }, context)).toMatch(
      /^!.*not as you saw it/s,
    );
    expect(await textIn(context, 'a.txt')).toBe(typed);
  });

  const twins = 'f() {\n  return 1;\n}\ng() {\n  return 2;\n}\n';
  const ofSecond = updateOf('@@ g() {', '-  return 2;', '+  return 3;');
  test.each<[string, string, string, string | undefined]>([
    ['moved down', ofSecond, `new\n${twins}`, `new\n${twins.replace('2', '3')}`],
    [
      'now a twin stands above it',
      ofSecond,
      `g() {\n  return 2;\n}\n${twins}`,
      `g() {\n  return 2;\n}\n${twins.replace('2', '3')}`,
    ],
    [
      'changed, and its twin has what it had',
      ofSecond,
      'g() {\n  return 2;\n}\nf() {\n  return 1;\n}\nh() {\n  return 9;\n}\n',
      undefined,
    ],
    [
      'without an anchor, changed there and new elsewhere',
      updateOf('@@', '-  return 2;', '+  return 3;'),
      twins.replace('1', '2').replace(/2;\n\}\n$/, '7;\n}\n'),
      undefined,
    ],
    [
      'an insertion behind a line that moved',
      updateOf('@@ g() {', '+  log();'),
      `g() {\n}\n${twins}`,
      `g() {\n}\n${twins.replace('g() {\n', 'g() {\n  log();\n')}`,
    ],
    [
      'an insertion behind a line that is gone',
      updateOf('@@ g() {', '+  log();'),
      twins.replace('g() {', 'h() {'),
      undefined,
    ],
    ['an addition at the end', updateOf('@@', '+end'), `${twins}more\n`, `${twins}more\nend\n`],
    [
      'two chunks',
      updateOf('@@', '-  return 1;', '+  return 5;', '@@', '-  return 2;', '+  return 6;'),
      `a\n${twins.replace('g() {', 'h() {')}`,
      'a\nf() {\n  return 5;\n}\nh() {\n  return 6;\n}\n',
    ],
  ])('a file that moved on, %s', async (_name, patch, now, expected) => {
    const context = await toolContext({ files: { 'a.txt': twins } });
    await outcome(readTool, { path: 'a.txt' }, context);
    await context.sandbox.fs.write('/home/project/a.txt', now);
    const output = await outcome(applyPatchTool, { patch }, context);
    expect(await textIn(context, 'a.txt')).toBe(expected ?? now);
    expect(output).toMatch(
      expected === undefined ? /^!a\.txt was changed since you last read it/ : /had been changed since/,
    );
  });

  test('two sections of a file that moved on', async () => {
    const context = await toolContext({ files: { 'a.txt': twins } });
    await outcome(readTool, { path: 'a.txt' }, context);
    await context.sandbox.fs.write('/home/project/a.txt', `x\n${twins}`);
    const patch = patchOf(
      '*** Update File: a.txt',
      '-  return 1;',
      '+  return 10;',
      '*** Update File: a.txt',
      '*** Move to: b.txt',
      ' f() {',
      '-  return 10;',
      '+  return 100;',
    );
    await outcome(applyPatchTool, { patch }, context);
    expect(await textIn(context, 'b.txt')).toBe(`x\n${twins.replace('1', '100')}`);
  });

  test('an unread file is only patched where its lines match exactly', async () => {
    expect((await patched('  a\n', updateOf('@@', '-a', '+b'), { read: false })).text).toBe('  a\n');
    expect((await patched('  a\n', updateOf('@@', '-  a', '+  b'), { read: false })).text).toBe('  b\n');
  });
});
