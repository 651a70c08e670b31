import { expect, test } from 'vitest';
import { styledOutput } from '../../lib/std/terminal-text';
import { maxLineChars, outputPieces } from './output-pieces';

const linksOf = (line: string) => outputPieces(line, 0, []).flatMap(({ text, link }) => (link ? [[text, link]] : []));

test('files with a line, addresses and servers of the sandbox can be opened', () => {
  expect(linksOf('❯ src/duration.test.ts:12:5')).toEqual([
    ['src/duration.test.ts:12:5', { kind: 'file', path: 'src/duration.test.ts', line: 12, column: 5 }],
  ]);
  expect(linksOf('    at main (file:///home/project/src/a.mjs:3:7)')).toEqual([
    ['file:///home/project/src/a.mjs:3:7', { kind: 'file', path: '/home/project/src/a.mjs', line: 3, column: 7 }],
  ]);
  expect(linksOf('src/a.ts(3,5): error TS2322')).toEqual([
    ['src/a.ts(3,5)', { kind: 'file', path: 'src/a.ts', line: 3, column: 5 }],
  ]);
  expect(linksOf('app/[id]/page.tsx:4')).toEqual([
    ['app/[id]/page.tsx:4', { kind: 'file', path: 'app/[id]/page.tsx', line: 4, column: 1 }],
  ]);
  expect(linksOf('see (https://example.com/a_(b)?c=1). Local: http://localhost:5173/x#y')).toEqual([
    ['https://example.com/a_(b)?c=1', { kind: 'web', href: 'https://example.com/a_(b)?c=1' }],
    ['http://localhost:5173/x#y', { kind: 'port', port: 5173, path: '/x#y' }],
  ]);
});

test('what only looks like one is text', () => {
  for (const line of [
    'at node:internal/modules/cjs/loader:1404:14',
    'example.com:443 10:30:15 a.b:3',
    'https://bank.example@evil.example/',
    'http://',
    'ratio 3:4, v1.2.3',
  ])
    expect(linksOf(line)).toEqual([]);
});

test('looks and links share one line', () => {
  const { text, runs } = styledOutput('plain\n\x1b[31mFAIL\x1b[0m src/\x1b[1ma.ts:3\x1b[0m end');
  const link = { kind: 'file', path: 'src/a.ts', line: 3, column: 1 };
  expect(outputPieces(text.split('\n')[1]!, 6, runs)).toEqual([
    { text: 'FAIL', style: { colour: 1 } },
    { text: ' ' },
    { text: 'src/', link },
    { text: 'a.ts:3', style: { bold: true }, link },
    { text: ' end' },
  ]);
  expect(outputPieces('', 0, [])).toEqual([]);
});

test('nothing of a line is lost, however strange it is', () => {
  for (const unit of ['a/', 'a.', '-', 'http://', ':1(', '](', 'x.ts:1 ']) {
    const line = unit.repeat(1000).slice(0, maxLineChars);
    expect(
      outputPieces(line, 0, [])
        .map((piece) => piece.text)
        .join(''),
    ).toBe(line);
  }
});

test('of a line of a million characters the beginning is shown, at once, with its links', () => {
  for (const hostile of ['a', 'a/', '.a', 'http://!', ')']) {
    const pieces = outputPieces(`src/a.ts:1 http://x${hostile.repeat(500_000)}.ts:1`, 0, []);
    expect(pieces.map(({ text }) => text).join('')).toHaveLength(maxLineChars);
    expect(pieces[0]!.link).toMatchObject({ kind: 'file', path: 'src/a.ts' });
  }
});

test('an address that goes on behind the cut leads nowhere: its beginning is another address', () => {
  const before = `${'x '.repeat(maxLineChars / 2 - 10)}`;
  expect(linksOf(`${before}https://example.com/account/delete`)).toEqual([]);
  expect(linksOf(`${before}src/long/name.ts:1234`)).toEqual([]);
  expect(linksOf(`${before}http://a.b/ and more text after it`)).toHaveLength(1);
});
