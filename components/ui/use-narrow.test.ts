// One idea of a small window, in the code and in every style sheet.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { narrowQuery } from './use-narrow';

/** Selector and property of every declaration, in the order of the text; those of `@media` blocks are marked. */
function declarations(css: string) {
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => ' '.repeat(comment.length));
  const media = [...plain.matchAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g)];
  return [...plain.matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(({ index, 1: selectors, 2: body }) =>
    selectors!.split(',').flatMap((selector) =>
      [...body!.matchAll(/(?:^|;)\s*([\w-]+)\s*:/g)].map(([, property]) => ({
        what: `${selector.trim()} ${property}`,
        index,
        isConditional: media.some((block) => index > block.index && index < block.index + block[0].length),
      })),
    ),
  );
}

test('what a style sheet says for a small window is not taken back further down', () => {
  expect(declarations('@media (x) { .a { b: 1 } } .a { b: 2; c: 3 }')).toHaveLength(3);
  const sheets = readdirSync('components', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.css'),
  );
  const lost = sheets.flatMap((path) => {
    const all = declarations(readFileSync(join('components', path), 'utf8'));
    return all
      .filter((one) => one.isConditional)
      .filter((one) => all.some((other) => !other.isConditional && other.index > one.index && other.what === one.what))
      .map((one) => `${path}: ${one.what}`);
  });
  expect(lost).toEqual([]);
});

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
