import { describe, expect, test, vi } from 'vitest';
import { toJSONSchema } from 'zod';
import { bashTool } from './bash';
import { boundResult } from './bound-result';
import { builtInTools } from './built-in';
import { globTool } from './glob';
import { grepTool } from './grep';
import { readTool } from './read';
import { outcome, realBash, toolContext } from './testing';
import { parseInTests } from './testing-html';
import { webfetchTool } from './webfetch';
import { codesearchTool, websearchTool } from './websearch';

describe('prompts and schemas agree', () => {
  const unused = () => Promise.reject(new Error('not in this test'));
  for (const tool of [
    ...builtInTools,
    webfetchTool({ fetchPage: unused, parseHtml: parseInTests }),
    websearchTool(unused),
    codesearchTool(unused),
  ]) {
    test(tool.name, () => {
      const schema = toJSONSchema(tool.input, { io: 'input' }) as { properties: Record<string, unknown> };
      for (const parameter of Object.keys(schema.properties)) expect(tool.description).toContain(`- ${parameter}: `);
      const named = [...tool.description.matchAll(/^- (\w+): /gm)].map((match) => match[1]);
      expect(named.sort()).toEqual(Object.keys(schema.properties).sort());
      expect(tool.input.safeParse(tool.example).success).toBe(true);
      expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
    });
  }
});

describe('read', () => {
  test('numbers, pages and the end', async () => {
    const context = await toolContext({ files: { 'a.txt': 'one\r\ntwo\nthree' } });
    expect(await outcome(readTool, { path: 'a.txt' }, context)).toBe(
      '1: one\n2: two\n3: three\n(end of file, 3 lines)',
    );
    expect(await outcome(readTool, { path: '/home/project/a.txt', offset: 2, limit: 1 }, context)).toBe(
      '2: two\n(lines 2-2 of 3; go on with offset 3)',
    );
    expect(await outcome(readTool, { path: 'a.txt', offset: 9 }, context)).toBe(
      '!offset 9 is beyond the end: a.txt has 3 lines.',
    );
  });
  test('long files stop at the budget and say where to go on; long lines are cut', async () => {
    const context = await toolContext({
      files: { 'a.txt': `${'x'.repeat(99)}\n`.repeat(3000), 'long.txt': 'y'.repeat(5000) },
    });
    const output = await outcome(readTool, { path: 'a.txt' }, context);
    expect(output.length).toBeLessThan(52_000);
    expect(output).toMatch(/\(lines 1-48\d of 3000; go on with offset 4\d\d\)$/);
    expect(await outcome(readTool, { path: 'long.txt' }, context)).toContain('… (3000 more characters)');
  });
  test('empty, binary, image by magic, directory, missing', async () => {
    const context = await toolContext({
      files: {
        empty: '',
        'x.bin': Uint8Array.from([1, 0, 2]),
        'x.txt': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        'page.png': '<html>',
        'src/a.ts': '',
        '.hidden': '',
      },
    });
    expect(await outcome(readTool, { path: 'empty' }, context)).toBe('(the file is empty)');
    expect(await outcome(readTool, { path: 'x.bin' }, context)).toMatch(
      /^!x.bin can't be shown as text: it contains NUL/,
    );
    expect(await outcome(readTool, { path: 'x.txt' }, context)).toMatch(/a PNG image, 8 bytes/);
    expect(await outcome(readTool, { path: 'page.png' }, context)).toMatch(/^1: <html>/);
    expect(await outcome(readTool, { path: '.' }, context)).toBe(
      'src/\n.hidden\nempty\npage.png\nx.bin\nx.txt\n(6 entries)',
    );
    expect(await outcome(readTool, { path: 'src/b.ts' }, context)).toMatch(
      /^!src\/b.ts does not exist. Did you mean src\/a.ts/,
    );
  });
  test('outside of the project needs its own permission', async () => {
    const context = await toolContext({ files: { '/etc/hosts': 'x' } });
    await outcome(readTool, { path: '../../etc/hosts' }, context);
    expect(context.asked[0]).toMatchObject({
      permission: 'read',
      patterns: ['/etc/hosts'],
      also: [{ permission: 'outside', patterns: ['/etc/hosts'] }],
    });
  });
});

describe('grep', () => {
  const files = {
    'src/a.ts': 'const x = 1;\nconst needle = 2;\nexport {};\n',
    'src/b.ts': `"mcp" + "${'x'.repeat(70_000)}needle"\n`,
    'bad.txt': Uint8Array.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0xff]),
    '.env': 'KEY=needle\n',
    '.gitignore': 'dist/\n',
    'dist/o.js': 'needle\n',
  };
  test('content, long lines, .env left out, bad files harmless', async () => {
    const output = await outcome(grepTool, { pattern: 'needle' }, await toolContext({ files }));
    expect(output).toContain('src/a.ts:\n  2: const needle = 2;');
    expect(output).toMatch(/src\/b\.ts:\n {2}1: …x+needle"/);
    expect(output).toContain('(1 match in a file that is guarded, as .env is, left out');
    expect(output).not.toContain('KEY=');
    expect(output.length).toBeLessThan(1500);
  });
  test('a single file path searches only it, ignored or not', async () => {
    const context = await toolContext({ files });
    expect(await outcome(grepTool, { pattern: 'needle', path: 'src/a.ts' }, context)).toBe(
      'src/a.ts:\n  2: const needle = 2;',
    );
    expect(await outcome(grepTool, { pattern: 'needle', path: 'dist/o.js' }, context)).toBe('dist/o.js:\n  1: needle');
    expect(await outcome(grepTool, { pattern: 'needle', path: '.env' }, context)).toContain('KEY=needle');
    expect(context.asked.at(-1)).toMatchObject({ permission: 'read', patterns: ['.env'] });
  });
  test('modes, context, include, literal, errors, limits', async () => {
    const context = await toolContext({ files });
    expect(await outcome(grepTool, { pattern: 'needle', mode: 'files', include: 'src/*' }, context)).toMatch(
      /^src\/[ab].ts\nsrc\/[ab].ts$/,
    );
    expect(await outcome(grepTool, { pattern: 'const', mode: 'count', include: '*.ts' }, context)).toBe('src/a.ts: 2');
    expect(await outcome(grepTool, { pattern: 'needle', path: 'src/a.ts', context: 1 }, context)).toBe(
      'src/a.ts:\n  1- const x = 1;\n  2: const needle = 2;\n  3- export {};',
    );
    expect(await outcome(grepTool, { pattern: 'x = 1;', literal: true }, context)).toContain('1: const x = 1;');
    expect(await outcome(grepTool, { pattern: '(', path: 'src/a.ts' }, context)).toMatch(
      /^!\( is not a valid regular expression/,
    );
    expect(await outcome(grepTool, { pattern: 'nowhere' }, context)).toMatch(
      /^No matches for nowhere \(\d+ files searched\)/,
    );
    expect(await outcome(grepTool, { pattern: 'const', limit: 1 }, context)).toContain('only the first 1 matches');
    expect(await outcome(grepTool, { pattern: '1;\\nconst', multiline: true }, context)).toContain('  1: const x = 1;');
  });
});

test('glob: dotfiles, ignored paths counted, ignored on demand', async () => {
  const context = await toolContext({
    files: {
      '.gitignore': 'dist/\n*.log',
      'src/a.ts': '',
      'src/x/b.ts': '',
      'dist/o.ts': '',
      '.github/workflows/ci.yml': '',
      'y.log': '',
    },
  });
  // The newest stands first, and the files may be of two milliseconds.
  expect((await outcome(globTool, { pattern: '**/*.ts' }, context)).split('\n').toSorted()).toEqual([
    '(1 ignored path also matches; set ignored to see it)',
    'src/a.ts',
    'src/x/b.ts',
  ]);
  expect(await outcome(globTool, { pattern: 'dist/**', ignored: true }, context)).toBe('dist/o.ts');
  expect(await outcome(globTool, { pattern: '.github/**' }, context)).toBe('.github/workflows/ci.yml');
  expect(await outcome(globTool, { pattern: '*.ts', path: 'src/x' }, context)).toBe('src/x/b.ts');
  expect(await outcome(globTool, { pattern: '*', limit: 2 }, context)).toContain('only the 2 changed last');
  expect(await outcome(globTool, { pattern: '*', path: 'src/a.ts' }, context)).toMatch(/^!src\/a.ts is a file/);
});

describe('bash, with the real one', () => {
  const shell = () => toolContext({ commands: { bash: realBash } });
  test('output, errors, exit code, time and place', async () => {
    const context = await shell();
    const result = await bashTool.execute({ command: 'echo out; sleep 0.1; echo err >&2; exit 3' }, context);
    expect(result.output).toMatch(/^out\nerr\n\[exit code 3; 0\.\d s; in \/home\/project\]$/);
    expect(result.meta).toMatchObject({ exit: 3, end: 'exited' });
    expect(await outcome(bashTool, { command: 'true' }, context)).toMatch(/^\(no output\)\n\[exit code 0/);
  });
  test('it returns when the shell exits, though a child keeps the pipes open', async () => {
    const startedAtMs = Date.now();
    expect(await outcome(bashTool, { command: 'sleep 3 & echo done' }, await shell())).toMatch(/^done\n\[exit code 0/);
    expect(Date.now() - startedAtMs).toBeLessThan(1500);
  });
  test('the deadline ends it, with what it had printed', async () => {
    expect(await outcome(bashTool, { command: 'echo begin; sleep 20', timeoutMs: 200 }, await shell())).toMatch(
      /^begin\n\[stopped after 200 ms; if it needs longer/,
    );
  });
  test('a clock that is set back while it runs moves no deadline', async () => {
    const now = Date.now();
    const run = outcome(bashTool, { command: 'sleep 20', timeoutMs: 600 }, await shell());
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now - 86_400_000);
    expect(await run.finally(() => clock.mockRestore())).toMatch(/^\(no output\)\n\[stopped after 600 ms; .* 0\.\d s/);
  });
  test('stop ends it', async () => {
    const context = await shell();
    const run = bashTool.execute({ command: 'echo begin; sleep 20' }, context).catch((error: Error) => error.name);
    while (!context.updates.some((update) => update.output?.includes('begin')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    context.stop.abort();
    expect(await run).toBe('AbortError');
  });
  test('long output keeps both ends, more of the last one', async () => {
    const result = await boundResult(await bashTool.execute({ command: 'seq 1 30000' }, await shell()));
    expect(result.output).toMatch(
      /^1\n2\n[\s\S]*\n600\n\[… \d+ lines, \d+ bytes left out here\. …\]\n\d+\n[\s\S]*\n30000\n\[exit code 0/,
    );
    expect(result.output.length).toBeLessThan(55_000);
    expect(result.meta).toMatchObject({ truncated: true });
  });
  test('what is asked are facts', async () => {
    const context = await shell();
    await outcome(bashTool, { command: "sh -c 'cat a' > /etc/x" }, context);
    expect(context.asked[0]).toMatchObject({
      permission: 'bash',
      patterns: ['cat a'],
      always: ['cat *'],
      also: [
        { permission: 'edit', patterns: ['/etc/x'] },
        { permission: 'read', patterns: ['a'] },
        { permission: 'outside', patterns: ['/etc/x'] },
      ],
    });
    await outcome(bashTool, { command: 'eval $X' }, context);
    expect(context.asked[1]).toMatchObject({ opaque: true, always: [], patterns: ['eval $X'] });
  });
  test('a glob or a recursive search that may show keys asks for them by name', async () => {
    const context = await toolContext({ files: { '.env': 'KEY=1', 'a.txt': '' }, commands: { bash: () => 0 } });
    for (const command of ['cat .e*', 'grep -r KEY .']) await outcome(bashTool, { command }, context);
    for (const request of context.asked)
      expect(request.also).toContainEqual(
        expect.objectContaining({ permission: 'read', patterns: expect.arrayContaining(['.env']) }),
      );
  });
  test('a missing directory, and a sandbox without bash', async () => {
    expect(await outcome(bashTool, { command: 'ls', workdir: 'nope' }, await shell())).toBe(
      '!The directory nope does not exist.',
    );
    expect(await outcome(bashTool, { command: 'ls' }, await toolContext())).toBe('!This sandbox has no bash.');
  });
});
