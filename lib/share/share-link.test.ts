// A link brings the same bytes to somebody else, and a hostile link brings nothing.
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fromBase64Url, toBase64Url } from './base64url';
import { pack, type SharedFile, unpack } from './pack';
import { shareLimits } from './share-limits';
import { readFragment, shareAddress, writeFragment } from './share-link';

const text = (value: string) => new TextEncoder().encode(value);
const file = (path: string, contents: string | Uint8Array = ''): SharedFile => ({
  path,
  contents: typeof contents === 'string' ? text(contents) : contents,
});
const fragmentOf = (bytes: Uint8Array) => `v1.${Buffer.from(deflateSync(bytes)).toString('base64url')}`;

/** A pack that checks nothing, to write what nobody honest would. */
function forge(files: [path: string | Uint8Array, contents: string][], count = files.length): Uint8Array {
  const length = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...length(Math.floor(value / 128))];
  const bytes = [...text('CLO1'), 1, 0x70, ...length(count)];
  for (const [path, contents] of files)
    for (const part of [typeof path === 'string' ? text(path) : path, text(contents)])
      bytes.push(...length(part.length), ...part);
  return Uint8Array.from(bytes);
}

test('base64url is that of Node', () => {
  for (let length = 0; length < 70_000; length = length * 3 + 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.min(length, 65_536)));
    expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
    expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
  }
  for (const wrong of ['a', 'ab=', 'a+b/', 'ab c', 'äöü1']) expect(fromBase64Url(wrong)).toBeUndefined();
});

describe('a round trip', () => {
  test('keeps names and bytes exactly', async () => {
    const all = Uint8Array.from({ length: 256 }, (_, at) => at);
    const project = {
      name: 'Ünïcode project 🐚',
      files: [
        file('a/b/c.bin', all),
        file('empty'),
        file('src/index.ts', 'console.log("\r\n")\n'),
        file('with space/ß.txt', '\ufeffBOM'),
      ],
    };
    const opened = await readFragment(await writeFragment(project));
    expect(opened.name).toBe(project.name);
    expect(opened.files.map(({ path, contents }) => [path, [...contents]])).toEqual(
      project.files.map(({ path, contents }) => [path, [...contents]]),
    );
  });

  test('works through an address', async () => {
    const fragment = await writeFragment({ name: 'p', files: [file('x', 'y')] });
    const { hash } = new URL(shareAddress('https://example.org', fragment));
    expect((await readFragment(hash)).files[0]!.path).toBe('x');
  });

  test('packs text to well below its size', async () => {
    const source = Array.from({ length: 400 }, (_, at) => `export const value${at} = ${at};\n`).join('');
    expect((await writeFragment({ name: 'p', files: [file('a.js', source)] })).length).toBeLessThan(source.length / 2);
  });
});

describe('a hostile or damaged link is refused, and says why', () => {
  const opened = (bytes: Uint8Array) => readFragment(fragmentOf(bytes));

  test.each<[string, string | Uint8Array, RegExp]>([
    ['parent', '../evil', /“\.\.\/evil” does not name a place inside/],
    ['parent in the middle', 'a/../../evil', /does not name a place inside/],
    ['dot', './a', /does not name a place inside/],
    ['doubled slash', 'a//b', /does not name a place inside/],
    ['trailing slash', 'a/', /does not name a place inside/],
    ['absolute', '/etc/passwd', /absolute path/],
    ['empty', '', /empty name/],
    ['NUL', 'a\0b', /control characters/],
    ['newline', 'a\nb', /control characters/],
    ['deep', `${'d/'.repeat(40)}f`, /deeper than 32/],
    ['long name', 'n'.repeat(300), /longer than 255/],
    ['long path', 'n/'.repeat(900), /longer than 1024/],
    ['not UTF-8', Uint8Array.of(0xff, 0xfe), /not valid text/],
  ])('%s', async (_name, path, message) => {
    await expect(opened(forge([[path, 'x']]))).rejects.toThrow(message);
  });

  test('the same file twice', () =>
    expect(
      opened(
        forge([
          ['a', '1'],
          ['a', '2'],
        ]),
      ),
    ).rejects.toThrow(/twice/));
  test('a file that is a folder', () =>
    expect(
      opened(
        forge([
          ['a', '1'],
          ['a/b', '2'],
        ]),
      ),
    ).rejects.toThrow(/file and a folder/));
  test('a count that lies', () => expect(opened(forge([['a', '1']], 9))).rejects.toThrow(/middle of a file/));
  test('a count without end', () => expect(opened(forge([], 1_000_000))).rejects.toThrow(/1000000 files/));
  test('bytes behind the end', () =>
    expect(opened(Uint8Array.of(...forge([['a', '1']]), 0))).rejects.toThrow(/follows its last file/));
  test('an impossible length', () =>
    expect(opened(Uint8Array.of(...text('CLO1'), 255, 255, 255, 255, 255, 255))).rejects.toThrow(/impossible/));
  test('not a project', () => expect(opened(text('PK\u0003\u0004'))).rejects.toThrow(/no Cloche project/));
  test('nothing', () => expect(opened(new Uint8Array(0))).rejects.toThrow(/no Cloche project/));

  test('a bomb stops at the limit', async () => {
    const bomb = new Uint8Array(300 * 2 ** 20);
    const fragment = fragmentOf(bomb);
    expect(fragment.length).toBeLessThan(shareLimits.maxLinkChars);
    await expect(readFragment(fragment)).rejects.toThrow(/larger than 16 MB/);
  });

  test('a link that was cut anywhere', async () => {
    const fragment = await writeFragment({ name: 'p', files: [file('a.txt', 'some text '.repeat(50))] });
    for (let length = 0; length < fragment.length; length += 3)
      await expect(readFragment(fragment.slice(0, length))).rejects.toThrow(/link/);
  });

  test('a link in which a character was changed never opens as something else', async () => {
    const project = { name: 'p', files: [file('a.txt', 'some text that is long enough to be deflated')] };
    const fragment = await writeFragment(project);
    for (let at = 3; at < fragment.length - 2; at++) {
      const changed = `${fragment.slice(0, at)}${fragment[at] === 'A' ? 'B' : 'A'}${fragment.slice(at + 1)}`;
      await expect(readFragment(changed)).rejects.toThrow();
    }
  });

  test('other versions, other alphabets, too long', async () => {
    await expect(readFragment('v2.abc')).rejects.toThrow(/another version/);
    await expect(readFragment('hello')).rejects.toThrow(/no Cloche project/);
    await expect(readFragment('#')).rejects.toThrow(/missing/);
    await expect(readFragment('v1.a+b=')).rejects.toThrow(/characters/);
    await expect(readFragment(`v1.${'A'.repeat(500_001)}`)).rejects.toThrow(/longer than 500,000/);
  });
});

test('what can’t be opened can’t be packed', () => {
  for (const path of ['../a', '/a', 'a//b', 'a\n']) expect(() => pack({ name: 'p', files: [file(path)] })).toThrow(/“/);
  const big = { name: 'p', files: [file('big', new Uint8Array(2000))] };
  expect(() => pack(big, { ...shareLimits, maxBytes: 1000 })).toThrow(/larger/);
  expect(unpack(pack(big)).files[0]!.contents.length).toBe(2000);
});

test('names in errors can’t turn the text around', async () => {
  await expect(readFragment(fragmentOf(forge([['../\u202etxt.exe', '']])))).rejects.toThrow('“../?txt.exe”');
});
