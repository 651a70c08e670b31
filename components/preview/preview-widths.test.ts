import { expect, test } from 'vitest';
import { fitPage, nextWidth, previewWidths } from './preview-widths';

test('a page that is wider than the panel is shown smaller and fills it, a narrower one keeps its size', () => {
  expect(fitPage(390, { width: 500, height: 300 })).toEqual({ width: 390, height: 300, scale: 1 });
  const { width, height, scale } = fitPage(1280, { width: 320, height: 300 });
  expect([width, height, scale]).toEqual([1280, 1200, 0.25]);
  // A panel that is not laid out yet.
  expect(fitPage(390, { width: 0, height: 0 }).height).toBe(0);
});

test('going on from width to width leads round to the panel’s own, from any that is not in the list too', () => {
  const walked = previewWidths.map((_, at) =>
    previewWidths.slice(0, at).reduce((px) => nextWidth(px).px, undefined as number | undefined),
  );
  expect(walked).toEqual(previewWidths.map(({ px }) => px));
  expect(nextWidth(previewWidths.at(-1)!.px).px).toBeUndefined();
  expect(nextWidth(777).px).toBeUndefined();
});
