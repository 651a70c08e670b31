import { expect, test } from 'vitest';
import { tabLabels } from './tab-labels';

test('only equal names get a folder, as short as it can be', () => {
  const labels = tabLabels(['/p/a/index.ts', '/p/b/index.ts', '/p/b/c/index.ts', '/p/main.ts', '/p/x/b/index.ts']);
  expect(Object.fromEntries(labels)).toEqual({
    '/p/a/index.ts': 'a',
    '/p/b/index.ts': 'p/b',
    '/p/b/c/index.ts': 'c',
    '/p/x/b/index.ts': 'x/b',
  });
});
