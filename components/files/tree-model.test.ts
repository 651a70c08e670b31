import { expect, test } from 'vitest';
import type { DirEntry } from '../../lib/sandbox/sandbox';
import {
  directoriesToRead,
  freeName,
  moveByKey,
  nameProblem,
  sortEntries,
  type TreeState,
  visibleRows,
} from './tree-model';

const file = (name: string): DirEntry => ({ name, kind: 'file' });
const folder = (name: string): DirEntry => ({ name, kind: 'directory' });
const state: TreeState = {
  children: new Map([
    ['/p', [folder('lib'), folder('src'), file('README.md')]],
    ['/p/src', [folder('deep'), file('a.ts')]],
    ['/p/lib', [file('x.ts')]],
  ]),
  expanded: new Set(['/p/src', '/p/src/deep']),
};
const rows = visibleRows(state, '/p');

test('folders come first and numbers are numbers', () => {
  const names = sortEntries([file('a10'), file('a2'), folder('z'), file('B'), file('.env')]).map((entry) => entry.name);
  expect(names).toEqual(['z', '.env', 'a2', 'a10', 'B']);
});

test('rows follow what is open', () => {
  expect(rows.map((row) => `${'  '.repeat(row.depth)}${row.name}`)).toEqual([
    'lib',
    'src',
    '  deep',
    '  a.ts',
    'README.md',
  ]);
  expect(rows[3]).toMatchObject({ position: 2, siblings: 2 });
});

test('keys walk the tree', () => {
  expect(moveByKey(rows, '/p/src', 'ArrowDown')).toEqual({ kind: 'focus', path: '/p/src/deep' });
  expect(moveByKey(rows, '/p/src', 'ArrowRight')).toEqual({ kind: 'focus', path: '/p/src/deep' });
  expect(moveByKey(rows, '/p/src', 'ArrowLeft')).toEqual({ kind: 'collapse', path: '/p/src' });
  expect(moveByKey(rows, '/p/src/a.ts', 'ArrowLeft')).toEqual({ kind: 'focus', path: '/p/src' });
  expect(moveByKey(rows, '/p/lib', 'ArrowRight')).toEqual({ kind: 'expand', path: '/p/lib' });
  expect(moveByKey(rows, '/p/src/deep', 'ArrowRight')).toBeUndefined();
  expect(moveByKey(rows, '/p/README.md', 'l')).toEqual({ kind: 'focus', path: '/p/lib' });
  expect(moveByKey(rows, undefined, 'ArrowDown')).toEqual({ kind: 'focus', path: '/p/lib' });
  expect(moveByKey(rows, '/p/lib', 'Enter')).toBeUndefined();
  expect(moveByKey([], undefined, 'End')).toBeUndefined();
});

test('only directories that were read are read again', () => {
  expect(
    directoriesToRead(state, [
      { path: '/p/src/new.ts', kind: 'created' },
      { path: '/p/src/a.ts', kind: 'changed' },
      { path: '/p/unread/b.ts', kind: 'deleted' },
      { path: '/p/lib', kind: 'deleted' },
    ]),
  ).toEqual(['/p/src', '/p', '/p/lib']);
});

test('names are judged before anything is written', () => {
  expect(nameProblem('new.ts', ['a.ts'])).toBeUndefined();
  expect(nameProblem('a/b/c.ts', [])).toBeUndefined();
  expect(nameProblem('a.ts', ['a.ts'])).toContain('there already');
  expect(nameProblem('a.ts', ['a.ts'], 'a.ts')).toBeUndefined();
  for (const bad of ['', ' ', '../x', '/x', 'a//b', 'ž'.repeat(128)]) expect(nameProblem(bad, [])).toBeDefined();
  expect(freeName('photo.png', new Set(['photo.png', 'photo 2.png']))).toBe('photo 3.png');
  expect(freeName('.env', new Set(['.env']))).toBe('.env 2');
});
