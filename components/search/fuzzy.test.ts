import { expect, test } from 'vitest';
import { fuzzyMatch, rankFuzzy } from './fuzzy';

const files = [
  'src/index.ts',
  'src/inner/other.ts',
  'README.md',
  'src/user-list.tsx',
  'test/unlisted.ts',
  'package.json',
];
const best = (query: string) => rankFuzzy(query, files, (file) => file, 10).map((found) => found.item);

test('the name counts more than the folder', () => {
  expect(best('in')[0]).toBe('src/index.ts');
  expect(best('readme')).toEqual(['README.md']);
});

test('word starts beat letters inside', () => {
  expect(best('ul')[0]).toBe('src/user-list.tsx');
});

test('letters must come in order; nothing typed keeps the order', () => {
  expect(fuzzyMatch('zx', 'src/index.ts')).toBeUndefined();
  expect(best('')).toEqual(files);
});

test('positions point at the typed letters', () => {
  const { positions } = fuzzyMatch('srcidx', 'src/index.ts')!;
  expect(positions.map((at) => 'src/index.ts'[at]).join('')).toBe('srcidx');
});

test('a title that is typed in full is found, whatever its words begin with', () => {
  const title = 'Agent: what this project brings';
  expect(fuzzyMatch('what this project brings', title)).toBeDefined();
  expect(fuzzyMatch(title, title)).toBeDefined();
});
