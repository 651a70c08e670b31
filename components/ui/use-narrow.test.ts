// One idea of a small window, in the code and in every style sheet.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { narrowQuery } from './use-narrow';

test('style sheets that ask for the size of the window ask what the code asks', () => {
  const sheets = readdirSync('components', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.css'),
  );
  const asked = sheets.flatMap((path) =>
    [...readFileSync(join('components', path), 'utf8').matchAll(/@media ([^{]*(?:width|height)[^{]*?) *\{/g)].map(
      ([, query]) => `${path}: ${query}`,
    ),
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((line) => !line.endsWith(`: ${narrowQuery}`))).toEqual([]);
});
