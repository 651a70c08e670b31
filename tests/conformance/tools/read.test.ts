// Group 4: what read does with contents, names, encodings and directories.
import { expect, test } from 'vitest';
import { SandboxError } from '@/lib/sandbox/sandbox';
import { editTool } from '@/lib/tools/edit';
import { readTool } from '@/lib/tools/read';
import { contextFor, outcome, toolContext } from '@/lib/tools/testing';

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const ascii = (text: string) => [...text].map((char) => char.charCodeAt(0));

test.each([
  ['a PNG by any name', 'a.txt', png, 'image/png'],
  ['a JPEG', 'b', [0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
  ['a GIF', 'c.png', ascii('GIF89a'), 'image/gif'],
  ['a WebP', 'd', ascii('RIFF....WEBP'), 'image/webp'],
  ['a PDF', 'e', ascii('%PDF-1.7'), 'application/pdf'],
])('%s is shown', async (_name, path, bytes, mediaType) => {
  const context = await toolContext({ files: { [path]: Uint8Array.from(bytes) } });
  const result = await readTool.execute({ path }, context);
  expect(result.media).toEqual([{ bytes: Uint8Array.from(bytes), mediaType, name: path }]);
});

test.each([
  ['a ZIP archive', ascii('PK\x03\x04'), 'it is a ZIP archive'],
  ['a program', [0x7f, ...ascii('ELF')], 'it is an ELF program'],
  ['NUL bytes', [1, 0, 2], 'it contains NUL bytes'],
  ['an image of more than 20 MiB', [...png, ...new Array(21 * 2 ** 20).fill(1)], 'at most 20971520 can be shown'],
])('%s is refused by name', async (_name, bytes, words) => {
  const context = await toolContext({ files: { 'x.bin': Uint8Array.from(bytes) } });
  expect(await outcome(readTool, { path: 'x.bin' }, context)).toContain(words);
});

test.each([
  ['text that is called an image', ascii('<html>'), undefined, '1: <html>'],
  ['UTF-16 with its mark', [0xff, 0xfe, 0x61, 0, 0xe9, 0], undefined, '1: aé'],
  ['GBK when it is named', [0xd6, 0xd0, 0xce, 0xc4], 'gbk', '1: 中文'],
  ['Windows-1252 when it is named', ascii('caf\xe9'), 'windows-1252', '1: café'],
  ['Shift JIS when it is named', [0x93, 0xfa, 0x96, 0x7b], 'shift_jis', '1: 日本'],
  ['GBK when it is not named', [0xd6, 0xd0, 0xce, 0xc4], undefined, 'name it: encoding "gbk"'],
  ['an encoding that there is not', [0xd6, 0xd0], 'klingon', 'There is no encoding "klingon"'],
  ['another encoding than it is', [0xff, 0xff], 'shift_jis', 'is not valid shift_jis'],
])('%s', async (_name, bytes, encoding, words) => {
  const context = await toolContext({ files: { 'a.png': Uint8Array.from(bytes) } });
  const input = { path: 'a.png', ...(encoding === undefined ? {} : { encoding }) };
  expect(await outcome(readTool, input, context)).toContain(words);
});

test('what was read in an old encoding can not be edited, and keeps its bytes', async () => {
  const bytes = Uint8Array.from([0xd6, 0xd0]);
  const context = await toolContext({ files: { 'a.txt': bytes } });
  await readTool.execute({ path: 'a.txt', encoding: 'gbk' }, context);
  expect(await outcome(editTool, { path: 'a.txt', oldString: '中', newString: 'x' }, context)).toMatch(
    /^!a\.txt is not text that can be changed safely/,
  );
  expect([...(await context.sandbox.fs.read('/home/project/a.txt'))]).toEqual([...bytes]);
});

test('a name that only looks the same (NFC and NFD, curly quotes) is found, and asked for under its own name', async () => {
  const name = 'cafe\u0301 \u2019x.txt';
  const context = await toolContext({ files: { [name]: 'one' } });
  expect(await outcome(readTool, { path: "caf\u00e9 'x.txt" }, context)).toContain('1: one');
  expect(context.asked.at(-1)!.patterns).toEqual([name]);
});

test('a link that leads to itself, and what is no file, are said to be so', async () => {
  const { sandbox } = await toolContext({ files: { 'a.txt': 'x' } });
  const loop = { ...sandbox.fs, realpath: () => Promise.reject(new SandboxError('ELOOP', 'ELOOP: too many links')) };
  expect(await outcome(readTool, { path: 'loop' }, contextFor({ ...sandbox, fs: loop }))).toMatch(/^!.*leads back to/);
  const stat = async () => ({ kind: 'other' as const, size: 0, mtimeMs: 0, mode: 0 });
  const device = contextFor({ ...sandbox, fs: { ...sandbox.fs, stat } });
  expect(await outcome(readTool, { path: 'a.txt' }, device)).toBe(
    '!a.txt is neither a file nor a directory (a device, a pipe or a socket).',
  );
});

test('a directory as a tree: levels, counts, and what is ignored left out and counted', async () => {
  const files = {
    '.gitignore': 'dist/\n*.log\n',
    'src/a/deep.ts': '',
    'src/b.ts': '',
    'dist/o.js': '',
    'x.log': '',
  };
  const context = await toolContext({ files });
  expect(await outcome(readTool, { path: '.', depth: 2 }, context)).toBe(
    'src/\n  a/ (1 entry)\n  b.ts\n.gitignore\n(2 files, 2 directories, 2 ignored left out)',
  );
  expect(await outcome(readTool, { path: '.', depth: 3 }, context)).toContain('    deep.ts');
  expect(await outcome(readTool, { path: '.', limit: 2 }, context)).toBe(
    'dist/\nsrc/\n(lines 1-2 of 4; go on with offset 3)',
  );
});

test('a line of any length can be read to its end', async () => {
  const line = Array.from({ length: 9000 }, (_, at) => `${at},`).join('');
  const context = await toolContext({ files: { 'a.json': line } });
  expect(await outcome(readTool, { path: 'a.json' }, context)).toContain('more characters)');
  let read = '';
  while (read.length < line.length) {
    const page = await outcome(readTool, { path: 'a.json', column: read.length + 1 }, context);
    const [, text] = /^1: ([\d,]*)/.exec(page)!;
    expect(text).not.toBe('');
    read += text;
  }
  expect(read).toBe(line);
});
