// What a search says about files that it could not look into.
import { expect, test } from 'vitest';
import { EIO, ENOENT } from '../memory/errno';
import { FILE_TYPE } from '../tree/types';
import { type SearchedTree, searchText } from './search';

test('files too large for a string and files that fail are counted, and the rest is searched', () => {
  const names = ['huge.txt', 'failing.txt', 'good.txt'];
  const good = new TextEncoder().encode('a needle\n');
  const tree: SearchedTree = {
    lookup: (path) => (path === '/' ? 100 : ENOENT),
    list: () => names.map((name, ino) => ({ name, ino, type: FILE_TYPE.file })),
    sizeOf: (ino) => [300 * 2 ** 20, 5, good.length][ino]!,
    read: (ino, target) => {
      if (names[ino] !== 'good.txt') return EIO;
      target.set(good);
      return good.length;
    },
    readText: () => '',
    stat: () => 0,
  };
  const pattern = { source: 'needle', flags: 'g' };
  const found = searchText(tree, { path: '/', pattern, multiline: false, respectIgnore: true, maxResults: 9 } as never);
  expect(found.matches.map((match) => match.path)).toEqual(['/good.txt']);
  expect(found).toMatchObject({ filesSearched: 1, skipped: { binary: 0, tooLarge: 1, unreadable: 1 } });
});
