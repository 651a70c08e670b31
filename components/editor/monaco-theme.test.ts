// No colour of Monaco's own themes shines through ours.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { scopesByToken } from './monaco-theme';

test('every scope that Monaco’s own themes colour has one of our colours', async () => {
  const file = new URL('../../node_modules/monaco-editor/esm/vs/editor/standalone/common/themes.js', import.meta.url);
  const theirs = [...(await readFile(file, 'utf8')).matchAll(/token: '([^']*)'/g)].map(([, scope]) => scope!);
  expect(theirs.length).toBeGreaterThan(50);
  const ours = new Set(Object.values(scopesByToken).flat());
  expect(theirs.filter((scope) => !ours.has(scope))).toEqual([]);
});
