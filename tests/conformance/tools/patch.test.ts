// Group 7: patches, beyond the tables beside the tool (lib/tools/apply-patch.test.ts).
import { describe, expect, test } from 'vitest';
import { setup, tools } from '../../../lib/session/testing';
import { applyPatchTool } from '../../../lib/tools/apply-patch';
import { readTool } from '../../../lib/tools/read';
import { outcome, toolContext } from '../../../lib/tools/testing';

const patchOf = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
async function patched(files: Record<string, string>, patch: string) {
  const context = await toolContext({ files });
  for (const path of Object.keys(files)) await outcome(readTool, { path }, context);
  const output = await outcome(applyPatchTool, { patch }, context);
  const left: Record<string, string> = {};
  const { paths } = await context.sandbox.search.files({ path: '/home/project', pattern: '**/*' });
  for (const path of paths) left[path.slice('/home/project/'.length)] = await context.sandbox.fs.readText(path);
  return { output, left };
}

describe('defects of others, each with the right outcome', () => {
  test('P1: chunks after End of File are chunks', async () => {
    const patch = patchOf(
      '*** Update File: a',
      '@@',
      '-one',
      '+ONE',
      '@@',
      '-three',
      '+THREE',
      '*** End of File',
      '*** Update File: b',
      '@@',
      '-x',
      '+y',
    );
    expect((await patched({ a: 'one\ntwo\nthree\n', b: 'x\n' }, patch)).left).toEqual({
      a: 'ONE\ntwo\nTHREE\n',
      b: 'y\n',
    });
  });
  test('P2: a section without @@ is applied, never skipped as a success', async () =>
    expect((await patched({ a: 'a\nb\n' }, patchOf('*** Update File: a', '-b', '+c'))).left).toEqual({ a: 'a\nc\n' }));
  test('P3: several empty lines in a chunk', async () =>
    expect(
      (await patched({ a: 'a\n\n\nb\n' }, patchOf('*** Update File: a', '@@', ' a', '', '', '-b', '+c'))).left,
    ).toEqual({
      a: 'a\n\n\nc\n',
    }));
  test('P4: context without its indentation leaves the file’s', async () =>
    expect(
      (await patched({ a: '\tkeep\n\tb\n' }, patchOf('*** Update File: a', '@@', ' keep', '-b', '+c'))).left,
    ).toEqual({
      a: '\tkeep\n\tc\n',
    }));
  test('P5: two insertions, each after its own anchor', async () => {
    const patch = patchOf('*** Update File: a', '@@ one', '+1', '@@ two', '+2');
    expect((await patched({ a: 'one\ntwo\nthree\n' }, patch)).left).toEqual({ a: 'one\n1\ntwo\n2\nthree\n' });
  });
  test('P6: a CRLF file has no LF line afterwards', async () => {
    const patch = patchOf('*** Update File: a', '@@', ' a', '+x', ' b', '@@ c', '+y');
    expect((await patched({ a: 'a\r\nb\r\nc\r\n' }, patch)).left).toEqual({ a: 'a\r\nx\r\nb\r\nc\r\ny\r\n' });
  });
  test('P7: a second section sees what the first one made, and what it took away', async () => {
    const first = ['*** Update File: a', '@@', '-a', '+A'];
    expect((await patched({ a: 'a\nb\n' }, patchOf(...first, '*** Update File: a', '@@', '-a', '+x'))).output).toMatch(
      /^!/,
    );
    expect((await patched({ a: 'a\nb\n' }, patchOf(...first, '*** Update File: a', '@@', '-A', '+x'))).left).toEqual({
      a: 'x\nb\n',
    });
  });
  test('P8: two places are told with their lines; more context decides', async () => {
    const files = { a: 'x\n1\nx\n2\n' };
    expect((await patched(files, patchOf('*** Update File: a', '@@', '-x', '+y'))).output).toMatch(
      /line 1[\s\S]*line 3/,
    );
    expect((await patched(files, patchOf('*** Update File: a', '@@', '-x', '+y', ' 2'))).left).toEqual({
      a: 'x\n1\ny\n2\n',
    });
  });
  test('P9: neither add nor move overwrites, and nothing else of the patch happens', async () => {
    const files = { a: 'a\n', b: 'b\n' };
    for (const bad of [
      ['*** Add File: b', '+x'],
      ['*** Update File: a', '*** Move to: b', '@@', '-a', '+x'],
    ]) {
      const { output, left } = await patched(files, patchOf('*** Add File: c', '+c', ...bad));
      expect(output).toMatch(/^!.*exists already/s);
      expect(left).toEqual(files);
    }
  });
  test('P10: a file without a final newline gets none, in every kind of chunk', async () => {
    const patch = patchOf('*** Update File: a', '@@', ' a', '-b', '+B', ' c');
    expect((await patched({ a: 'a\nb\nc' }, patch)).left).toEqual({ a: 'a\nB\nc' });
  });
});

test('a hunk whose every context line begins with a line number is told so', async () => {
  const { output, left } = await patched(
    { a: 'foo\nbar\n' },
    patchOf('*** Update File: a', '@@', ' 1: foo', '-2: bar', '+2: baz'),
  );
  expect(output).toMatch(/begin with line numbers/);
  expect(left).toEqual({ a: 'foo\nbar\n' });
});

test('a file that really begins its lines with numbers is patched', async () => {
  const { left } = await patched(
    { a: '1: foo\n2: bar\n' },
    patchOf('*** Update File: a', '@@', ' 1: foo', '-2: bar', '+2: baz'),
  );
  expect(left).toEqual({ a: '1: foo\n2: baz\n' });
});

test('text around the envelope is not part of it', async () => {
  const patch = `Here is the patch:\n${patchOf('*** Update File: a', '@@', '-a', '+b')}\nThat is all.`;
  expect((await patched({ a: 'a\n' }, patch)).left).toEqual({ a: 'b\n' });
});

test('a move without a change, and one into a new directory', async () => {
  const { left } = await patched({ a: 'a\n' }, patchOf('*** Update File: a', '*** Move to: d/e/a'));
  expect(left).toEqual({ 'd/e/a': 'a\n' });
});

test('a tab that dies in the middle of a commit: undo knows what was written', async () => {
  const patch = patchOf('*** Add File: a.txt', '+a', '*** Add File: b.txt', '+b');
  const { session, sandbox } = await setup([[{ tool: 'apply_patch', input: { patch } }], ['done']], {
    settings: () => ({ editing: 'patch' }),
  });
  session.setMode('auto');
  const { write } = sandbox.fs;
  sandbox.fs.write = (path, contents) => (path.endsWith('b.txt') ? new Promise(() => {}) : write(path, contents));
  const over = session.send('go');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await session.stop();
  await over;
  expect(tools(session)[0]!.state).toBe('interrupted');
  sandbox.fs.write = write;
  await session.undo();
  expect(await sandbox.fs.exists('/home/project/a.txt')).toBe(false);
  expect(await sandbox.fs.exists('/home/project/b.txt')).toBe(false);
});

describe('the end of a patch', () => {
  test('its words on a line of context are context', async () => {
    const files = { 'a.md': 'a\n*** End Patch\nb\n' };
    const patch = patchOf('*** Update File: a.md', '@@', ' a', ' *** End Patch', '-b', '+c');
    expect((await patched(files, patch)).left).toEqual({ 'a.md': 'a\n*** End Patch\nc\n' });
  });
  test('a second patch behind it is not dropped in silence', async () => {
    const files = { a: 'a\n', b: 'b\n' };
    const both = `${patchOf('*** Update File: a', '-a', '+A')}\n${patchOf('*** Update File: b', '-b', '+B')}`;
    const { output, left } = await patched(files, both);
    expect(output).toMatch(/^!Line 6 of the patch .*put all sections into one patch/);
    expect(left).toEqual(files);
  });
  test('indented as in a heredoc it is the end', async () => {
    const patch = patchOf('*** Update File: a', '-a', '+A').replace('*** End Patch', '  *** End Patch');
    expect((await patched({ a: 'a\n' }, patch)).left).toEqual({ a: 'A\n' });
  });
});
