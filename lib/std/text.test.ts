import { describe, expect, test } from 'vitest';
import { closest, editDistance } from './closest';
import { foldUnicode } from './fold-unicode';
import { escapeGlob, globMatcher } from './glob';
import { newId } from './ids';
import { stableJson } from './json';
import { lfView, mainLineEnding, splitLines, withLineEnding } from './line-endings';
import { displayPath, isInside, joinPath, normalizePath, parentPath, resolvePath } from './paths';
import { isAbortError, raceSignal, sleep } from './signals';
import { decodeText, encodeText } from './text-file';

describe('text files', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  test.each([
    ['plain', bytes(0x61, 0xc5, 0xbe), { text: 'až', encoding: 'utf-8', bom: false }],
    ['UTF-8 BOM', bytes(0xef, 0xbb, 0xbf, 0x61), { text: 'a', encoding: 'utf-8', bom: true }],
    ['UTF-16 LE', bytes(0xff, 0xfe, 0x61, 0, 0x7e, 1), { text: 'až', encoding: 'utf-16le', bom: true }],
    ['UTF-16 BE', bytes(0xfe, 0xff, 0, 0x61, 1, 0x7e), { text: 'až', encoding: 'utf-16be', bom: true }],
    ['empty', bytes(), { text: '', encoding: 'utf-8', bom: false }],
  ])('%s round-trips', (_name, input, expected) => {
    const decoded = decodeText(input);
    expect(decoded).toEqual({ kind: 'text', ...expected });
    if (decoded.kind === 'text') expect([...encodeText(decoded.text, decoded)]).toEqual([...input]);
  });
  test.each([
    ['latin-1', bytes(0x63, 0x61, 0x66, 0xe9)],
    ['GBK', bytes(0xd6, 0xd0, 0xce, 0xc4)],
    ['NUL', bytes(0x61, 0, 0x62)],
    ['odd UTF-16', bytes(0xff, 0xfe, 0x61)],
  ])('%s is refused, not approximated', (_name, input) => {
    expect(decodeText(input).kind).toBe('binary');
  });
  test('half a surrogate pair is not written', () => {
    expect(() => encodeText('\ud800', { encoding: 'utf-8', bom: false })).toThrow(RangeError);
  });
  test('shared memory is decoded', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(2));
    shared.set([0x68, 0x69]);
    expect(decodeText(shared)).toMatchObject({ text: 'hi' });
  });
});

describe('line endings', () => {
  test('the LF view maps back to the original', () => {
    const original = 'a\r\nb\nc\r\n\r\nd';
    const view = lfView(original);
    expect(view.text).toBe('a\nb\nc\n\nd');
    for (let from = 0; from <= view.text.length; from++)
      for (let to = from; to <= view.text.length; to++)
        expect(original.slice(view.map(from), view.map(to)).replaceAll('\r\n', '\n')).toBe(view.text.slice(from, to));
  });
  test('main ending, conversion, lines', () => {
    expect(mainLineEnding('a\r\nb\r\nc\n')).toBe('\r\n');
    expect(mainLineEnding('a\nb\r\n\n')).toBe('\n');
    expect(withLineEnding('a\nb\r\n', '\r\n')).toBe('a\r\nb\r\n');
    expect(splitLines('a\r\nb\n\n')).toEqual(['a', 'b', '']);
    expect(splitLines('')).toEqual([]);
  });
});

test('paths', () => {
  expect(normalizePath('/a/./b//../c/')).toBe('/a/c');
  expect(normalizePath('/../..')).toBe('/');
  expect(normalizePath('a/../..')).toBe('..');
  expect(joinPath('/a', '../b')).toBe('/b');
  expect(resolvePath('/home/project', 'src/../x')).toBe('/home/project/x');
  expect([parentPath('/a'), parentPath('/a/b'), parentPath('a')]).toEqual(['/', '/a', '.']);
  expect(isInside('/home/project2', '/home/project')).toBe(false);
  expect([displayPath('/home/p/a', '/home/p'), displayPath('/etc/x', '/home/p')]).toEqual(['a', '/etc/x']);
});

test.each([
  ['src/**/*.ts', 'src/x.ts', true],
  ['src/**/*.ts', 'src/a/b/x.ts', true],
  ['src/*.ts', 'src/a/x.ts', false],
  ['./src/*.ts', 'src/x.ts', true],
  ['/x.ts', 'a/x.ts', false],
  ['*.{ts,tsx}', 'a/b.tsx', true],
  ['[a-c].txt', 'b.txt', true],
  ['[!a-c].txt', 'b.txt', false],
  ['a+(b).txt', 'a+(b).txt', true],
  ['{a', '{a', true],
  ['**', 'a/b', true],
  [escapeGlob('we[i]rd*{1,2}.ts'), 'we[i]rd*{1,2}.ts', true],
  [escapeGlob('a*.ts'), 'ab.ts', false],
])('glob %s on %s is %s', (pattern, path, expected) => {
  expect(globMatcher(pattern)(path)).toBe(expected);
});

test('near names', () => {
  expect(editDistance('kitten', 'sitting', 5)).toBe(3);
  expect(editDistance('aaaa', 'zzzzzzzz', 2)).toBe(3);
  expect(closest('src/indx.ts', ['src/index.ts', 'README.md', 'src/index.tsx'], 3)).toEqual([
    'src/index.ts',
    'src/index.tsx',
  ]);
  expect(closest('it’s.txt', ["it's.txt"], 1)).toEqual(["it's.txt"]);
  expect(foldUnicode('“a” – b\u00a0c')).toBe('"a" - b c');
});

test('ids ascend and json is stable', () => {
  const ids = Array.from({ length: 100 }, () => newId('m'));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(100);
  expect(stableJson({ b: 1, a: [{ d: 1, c: undefined }] })).toBe('{"a":[{"d":1}],"b":1}');
});

test('waits end with the signal', async () => {
  const stop = new AbortController();
  const never = raceSignal(new Promise<void>(() => {}), stop.signal).catch(isAbortError);
  const slept = sleep(60_000, stop.signal).catch(isAbortError);
  stop.abort();
  expect(await Promise.all([never, slept])).toEqual([true, true]);
  expect(await raceSignal(Promise.resolve(1), stop.signal).catch(isAbortError)).toBe(true);
});
