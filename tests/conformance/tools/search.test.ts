// Group 5: glob and grep, where ripgrep's rules about ignored and hidden files surprise.
import { describe, expect, test } from 'vitest';
import { globTool } from '../../../lib/tools/glob';
import { grepTool } from '../../../lib/tools/grep';
import { readTool } from '../../../lib/tools/read';
import { outcome, toolContext } from '../../../lib/tools/testing';

describe('glob, pattern by pattern', () => {
  const files = {
    '.gitignore': 'dist/\n*.log\nlogs/\n',
    'src/a.ts': '',
    'x.log': '',
    'dist/o.ts': '',
    'logs/y.log': '',
    '.github/workflows/ci.yml': '',
    '.eslintrc.json': '',
  };
  test.each<[string, string[], number]>([
    // What is ignored stays hidden, however wide the pattern, and is counted.
    ['*', ['.eslintrc.json', '.github/workflows/ci.yml', '.gitignore', 'src/a.ts'], 3],
    ['**/*', ['.eslintrc.json', '.github/workflows/ci.yml', '.gitignore', 'src/a.ts'], 3],
    ['**/*.log', [], 2],
    // An ignored place that is named is told to be ignored, not to be empty.
    ['dist/**', [], 1],
    ['dist/o.ts', [], 1],
    ['**/dist/**', [], 1],
    ['logs/*.log', [], 1],
    // Dot files are files.
    ['.github/**', ['.github/workflows/ci.yml'], 0],
    ['.github/workflows/*.yml', ['.github/workflows/ci.yml'], 0],
    ['.eslintrc.json', ['.eslintrc.json'], 0],
    ['./src/*.ts', ['src/a.ts'], 0],
    ['src/*.ts', ['src/a.ts'], 0],
    ['/src/*.ts', ['src/a.ts'], 0],
  ])('%s', async (pattern, paths, ignored) => {
    const context = await toolContext({ files });
    const result = await globTool.execute({ pattern }, context);
    const shown = result.output.split('\n').filter((line) => !line.startsWith('(') && !line.startsWith('No '));
    expect(shown.sort()).toEqual(paths.sort());
    expect(result.meta).toMatchObject({ skipped: ignored });
    if (ignored > 0) expect(result.output).toMatch(new RegExp(`\\(${ignored} ignored paths? also`));
    const all = await globTool.execute({ pattern, ignored: true }, context);
    expect(all.meta).toMatchObject({ matches: paths.length + ignored });
  });

  test('100 paths are all of them, 101 are not', async () => {
    const many = (count: number) =>
      toolContext({ files: Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.txt`, ''])) });
    expect(await outcome(globTool, { pattern: '*.txt' }, await many(100))).not.toContain('only the');
    const cut = await outcome(globTool, { pattern: '*.txt' }, await many(101));
    expect(cut).toContain('only the 100 changed last');
    expect(cut.split('\n')).toHaveLength(101);
  });

  test('what was changed last comes first, and stays when not all are shown', async () => {
    const context = await toolContext({ files: { 'a.txt': '', 'b.txt': '', 'c.txt': '' } });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await context.sandbox.fs.write('/home/project/b.txt', 'x');
    expect((await outcome(globTool, { pattern: '*.txt' }, context)).split('\n')[0]).toBe('b.txt');
    expect(await outcome(globTool, { pattern: '*.txt', limit: 1 }, context)).toMatch(
      /^b\.txt\n\(only the 1 changed last/,
    );
  });

  test('of thousands too, the one changed last is the first', async () => {
    const files = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`f${at}.txt`, '']));
    const context = await toolContext({ files });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await context.sandbox.fs.write('/home/project/f999.txt', 'x');
    expect((await outcome(globTool, { pattern: '*.txt' }, context)).split('\n')[0]).toBe('f999.txt');
  });

  test('a slip in the first letters of a name is seen through, across the project', async () => {
    const context = await toolContext({ files: { 'src/lib/index.ts': '', 'README.md': '' } });
    expect(await outcome(readTool, { path: 'src/idnex.ts' }, context)).toContain('Did you mean src/lib/index.ts');
    expect(await outcome(readTool, { path: 'docs/RAEDME.md' }, context)).toContain('README.md');
  });

  test('a place that is not there is told with what is near', async () => {
    const context = await toolContext({ files: { 'source/a.ts': '' } });
    expect(await outcome(globTool, { pattern: '*', path: 'sorce' }, context)).toMatch(
      /^!sorce does not exist\. Did you mean source/,
    );
  });
});

describe('grep', () => {
  test('a file path is searched alone, its siblings are not', async () => {
    const context = await toolContext({ files: { 'd/a.txt': 'hit\n', 'd/b.txt': 'hit\n', 'd/a.txt.bak': 'hit\n' } });
    expect(await outcome(grepTool, { pattern: 'hit', path: 'd/a.txt' }, context)).toBe('d/a.txt:\n  1: hit');
  });

  test('a file whose name is a pattern is that file', async () => {
    const context = await toolContext({ files: { '[id].ts': 'hit\n', 'i.ts': 'hit\n', 'd.ts': 'hit\n' } });
    expect(await outcome(grepTool, { pattern: 'hit', path: '[id].ts' }, context)).toBe('[id].ts:\n  1: hit');
  });

  test('one line of 70 000 characters spoils nothing, and is cut around the match', async () => {
    const context = await toolContext({
      files: { 'a.js': `${'y'.repeat(35_000)}mcp${'x'.repeat(35_000)}\n`, 'b.js': 'mcp\n' },
    });
    const output = await outcome(grepTool, { pattern: 'mcp' }, context);
    expect(output).toMatch(/a\.js:\n {2}1: …y+mcpx+…/);
    expect(output).toContain('b.js:\n  1: mcp');
    expect(output.length).toBeLessThan(1000);
  });

  test('a file that is not UTF-8 spoils nothing', async () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode('needle '), 0xff, 0x0a]);
    const context = await toolContext({ files: { 'bad.txt': bytes, 'good.txt': 'needle\n' } });
    const output = await outcome(grepTool, { pattern: 'needle' }, context);
    expect(output).toContain('good.txt:\n  1: needle');
    expect(output).toContain('bad.txt:\n  1: needle');
    expect(output).toContain('(1 file is neither UTF-8 nor UTF-16: only its plain letters could be matched');
  });

  test('UTF-16 is text as for read, with its context; files that are not looked into are counted', async () => {
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...[...'a\nžhit\nb\n'].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
    ]);
    const context = await toolContext({
      files: { 'wide.txt': utf16, 'a.bin': Uint8Array.of(0, 1), 'b.bin': Uint8Array.of(0, 2), 'c.txt': 'no\n' },
    });
    const output = await outcome(grepTool, { pattern: 'hit', context: 1 }, context);
    expect(output).toBe('wide.txt:\n  1- a\n  2: žhit\n  3- b\n(not searched: 2 binary files)');
    expect(await outcome(grepTool, { pattern: 'hit', path: 'a.bin' }, context)).toContain(
      'not searched: 1 binary file)',
    );
    expect(await outcome(readTool, { path: 'wide.txt' }, context)).toContain('2: žhit');
  });

  test('include: * does not bring ignored files back', async () => {
    const context = await toolContext({ files: { '.gitignore': 'dist/\n', 'dist/o.js': 'hit\n', 'a.js': 'hit\n' } });
    expect(await outcome(grepTool, { pattern: 'hit', include: '*' }, context)).toBe('a.js:\n  1: hit');
    expect(await outcome(grepTool, { pattern: 'hit', ignored: true }, context)).toContain('dist/o.js');
  });

  test('100 matches are all of them, 101 are not', async () => {
    const many = (count: number) => toolContext({ files: { 'a.txt': 'hit\n'.repeat(count) } });
    expect(await outcome(grepTool, { pattern: 'hit' }, await many(100))).not.toContain('only the');
    expect(await outcome(grepTool, { pattern: 'hit' }, await many(101))).toContain('only the first 100 matches');
  });

  test('matched lines bring no blank lines, CRLF neither', async () => {
    const context = await toolContext({ files: { 'a.txt': 'hit\r\nhit\r\n' } });
    expect(await outcome(grepTool, { pattern: 'hit' }, context)).toBe('a.txt:\n  1: hit\n  2: hit');
  });

  test('a cut does not split a character', async () => {
    const context = await toolContext({ files: { 'a.txt': `${'🐎'.repeat(500)}hit${'🐎'.repeat(500)}\n` } });
    expect((await outcome(grepTool, { pattern: 'hit' }, context)).isWellFormed()).toBe(true);
  });

  test.each(['(', '[a', '*x'])('%s is no expression, and that is said', async (pattern) => {
    const context = await toolContext({ files: { 'a.txt': pattern } });
    expect(await outcome(grepTool, { pattern }, context)).toMatch(/^!.* is not a valid regular expression/);
    expect(await outcome(grepTool, { pattern, literal: true }, context)).toContain('  1: ');
  });

  test('ignoreCase, and the newest file first', async () => {
    const context = await toolContext({ files: { 'a.txt': 'Hit\n' } });
    await context.sandbox.fs.write('/home/project/b.txt', 'hIT\n');
    expect(await outcome(grepTool, { pattern: 'hit' }, context)).toMatch(/^No matches/);
    expect(
      (await outcome(grepTool, { pattern: 'hit', ignoreCase: true, mode: 'files' }, context)).split('\n'),
    ).toHaveLength(2);
  });
});

describe('a limit is one of what is shown', () => {
  const files = { 'a.txt': 'hit hit\n'.repeat(500), 'b.txt': 'hit\n', 'c.txt': 'hit\n' };
  test('files: one with many matches does not hide the others', async () => {
    const context = await toolContext({ files });
    const all = await outcome(grepTool, { pattern: 'hit', mode: 'files' }, context);
    expect(all.split('\n').toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(await outcome(grepTool, { pattern: 'hit', mode: 'files', limit: 2 }, context)).toContain(
      'only the first 2 files are shown',
    );
  });
  test('count: all are counted', async () => {
    const context = await toolContext({ files });
    expect(await outcome(grepTool, { pattern: 'hit', mode: 'count' }, context)).toBe('a.txt: 1000\nb.txt: 1\nc.txt: 1');
  });
});

test('a path with a line break stays on one line', async () => {
  const context = await toolContext({ files: { 'a\nb.txt': 'hit\n' } });
  expect(await outcome(globTool, { pattern: '*.txt' }, context)).toBe('"a\\nb.txt"');
  expect(await outcome(grepTool, { pattern: 'hit' }, context)).toBe('"a\\nb.txt":\n  1: hit');
});
