// Archives go to another implementation (fflate) and come from it; hostile ones write nothing outside.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Tool } from './tool';
import { unzip } from './unzip';
import { zip } from './zip';
import { readZip, writeZip, zipEntry } from './zip-format';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'cloche-zip-'));
let cwd = '';
let made = 0;

beforeEach(() => {
  cwd = path.join(root, String(made++));
  fs.mkdirSync(cwd);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

async function run(line: string, input: string[] = []) {
  const [name, ...args] = line.split(' ');
  const [out, err]: string[][] = [[], []];
  const to = (lines: string[]) => ({
    async write(text: string | Uint8Array) {
      lines.push(typeof text === 'string' ? text : strFromU8(text));
    },
    async flush() {},
  });
  async function* batches() {
    if (input.length > 0) yield { lines: input, ended: true };
  }
  const tool = { name, args, cwd, stdin: { batches }, stdout: to(out), stderr: to(err) } as unknown as Tool;
  const status = await (name === 'zip' ? zip : unzip)(tool);
  return { status, out: out.join(''), err: err.join('') };
}

const put = (name: string, contents: string | Uint8Array, mode = 0o644) => {
  fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
  fs.writeFileSync(path.join(cwd, name), contents, { mode });
};
const get = (name: string) => fs.readFileSync(path.join(cwd, name), 'utf8');
const archive = () => fs.readFileSync(path.join(cwd, 'a.zip'));

test('what zip writes another program reads: names, contents, replaced members', async () => {
  put('d/a.txt', 'hello '.repeat(20));
  put('d/ü.sh', 'x', 0o755);
  const { status, out } = await run('zip -r a d');
  expect(status).toBe(0);
  expect(out.split('\n').toSorted()).toEqual([
    '',
    '  adding: d/ (stored 0%)',
    '  adding: d/a.txt (deflated 91%)',
    '  adding: d/ü.sh (stored 0%)',
  ]);
  put('d/a.txt', 'new');
  expect((await run('zip a.zip d/a.txt')).out).toBe('updating: d/a.txt (stored 0%)\n');
  const read = unzipSync(archive());
  expect(Object.fromEntries(Object.entries(read).map(([name, bytes]) => [name, strFromU8(bytes)]))).toEqual({
    'd/': '',
    'd/a.txt': 'new',
    'd/ü.sh': 'x',
  });
  expect(await run('unzip -q a -d out')).toEqual({ status: 0, out: '', err: '' });
  expect(get('out/d/a.txt')).toBe('new');
  expect(fs.statSync(path.join(cwd, 'out/d/ü.sh')).mode & 0o777).toBe(0o755);
});

test('what another program wrote is listed and unpacked; what is there is asked about', async () => {
  put('a.zip', zipSync({ 'b/c.txt': strToU8('text '.repeat(30)), 'one.txt': strToU8('1') }));
  expect((await run('unzip -l a')).out).toMatch(
    / {6}150 {2}\d{4}-\d\d-\d\d \d\d:\d\d {3}b\/c\.txt\n.*\n.*\n {6}151 {21}2 files\n$/,
  );
  expect((await run('unzip a b/*')).out).toBe('Archive:  a.zip\n  inflating: b/c.txt                 \n');
  put('b/c.txt', 'mine');
  put('one.txt', 'mine');
  const { err } = await run('unzip a', ['n', 'y']);
  expect(err).toContain('replace b/c.txt?');
  expect([get('b/c.txt'), get('one.txt')]).toEqual(['mine', '1']);
  put('one.txt', 'mine');
  expect((await run('unzip a')).err).toContain('treating as "[N]one"');
  expect(get('one.txt')).toBe('mine');
  expect(await run('unzip a nothing')).toMatchObject({ status: 11, err: 'caution: filename not matched:  nothing\n' });
});

test('nothing is written outside: dots, roots, and links that an archive brings or finds', async () => {
  const member = (name: string, text: string, mode = 0o100644) =>
    zipEntry(name, Buffer.from(text), mode, new Date(), 6);
  put(
    'a.zip',
    writeZip([member('../../up', 'u'), member('/root', 'r'), member('l', '..', 0o120777), member('l/in', 'i')]),
  );
  const { err, status } = await run('unzip -o a.zip -d out');
  expect(err).toContain('skipped "../" path component(s) in ../../up');
  expect([get('out/up'), get('out/root'), get('out/l/in')]).toEqual(['u', 'r', 'i']);
  expect(status).not.toBe(0);
  expect(fs.existsSync(path.join(cwd, 'in'))).toBe(false);
  fs.rmSync(path.join(cwd, 'out/l'), { recursive: true });
  fs.symlinkSync('..', path.join(cwd, 'out/l'));
  expect((await run('unzip -o a.zip l/in -d out')).err).toContain('a link leads out of the folder');
  expect(fs.existsSync(path.join(cwd, 'in'))).toBe(false);
});

test('a damaged archive is named, and a member that lies about its size is not inflated for ever', async () => {
  const whole = writeZip([zipEntry('a', Buffer.from('hello '.repeat(50)), 0o100644, new Date(), 9)]);
  put('a.zip', whole.subarray(0, 60));
  expect(await run('unzip a.zip')).toMatchObject({ status: 9, err: expect.stringContaining('is cut off') });
  const lying = Buffer.from(whole);
  lying.writeUInt32LE(3, lying.lastIndexOf(Buffer.from('PK\x01\x02')) + 24);
  put('a.zip', lying);
  expect(await run('unzip a.zip')).toMatchObject({ status: 3 });
  const wrong = Buffer.from(whole);
  wrong.writeUInt32LE(7, wrong.lastIndexOf(Buffer.from('PK\x01\x02')) + 16);
  put('a.zip', wrong);
  expect(await run('unzip -t a.zip')).toMatchObject({ status: 3, err: 'a: bad CRC or length\n' });
  for (let at = 0; at < whole.length; at++) {
    const flipped = Buffer.from(whole);
    flipped[at] ^= 0xff;
    put('a.zip', flipped);
    const { status, out } = await run('unzip -p a.zip');
    if (status === 0 && out !== '') expect(out).toBe('hello '.repeat(50));
  }
  expect(readZip(whole)).toHaveLength(1);
});
