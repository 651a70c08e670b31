import { expect, test } from 'vitest';
import { readEmbedders } from './embedders';
import { idePolicy, previewHeaders, webContainerHostHeaders } from './page-headers';

const origins = {
  ide: 'https://c.test',
  sandbox: 'https://sandbox.c.test',
  preview: 'https://p-*.c.test',
  previewSource: 'https://*.c.test',
};

test('embedders are exact origins, and nobody by default', () => {
  expect(readEmbedders({})).toEqual([]);
  expect(readEmbedders({ CLOCHE_EMBEDDERS: 'https://a.test, http://localhost:5173' })).toEqual([
    'https://a.test',
    'http://localhost:5173',
  ]);
  for (const wrong of [
    '*',
    'https://*.a.test',
    'a.test',
    'https://a.test/',
    'https://a.test/x',
    'data:text/html,x',
    "'self'",
  ])
    expect(() => readEmbedders({ CLOCHE_EMBEDDERS: wrong }), wrong).toThrow('CLOCHE_EMBEDDERS');
});

test('only named embedders may frame the WebContainer host and its previews', () => {
  const of = (headers: Record<string, string>) => headers['content-security-policy'];
  expect(of(webContainerHostHeaders(origins, '', []))).toContain('frame-ancestors https://c.test;');
  expect(of(webContainerHostHeaders(origins, '', ['https://a.test']))).toContain(
    'frame-ancestors https://c.test https://a.test;',
  );
  expect(of(previewHeaders(origins, ['https://a.test']))).toMatch(/frame-ancestors .*https:\/\/a\.test$/);
  expect(of(previewHeaders(origins, []))).not.toContain('a.test');
});

test("StackBlitz's hosts may be framed only by pages of somebody who has chosen them", () => {
  expect(idePolicy('n', origins, { isDev: false, usesContainers: false })).not.toContain('stackblitz');
  expect(idePolicy('n', origins, { isDev: false, usesContainers: true })).toMatch(
    /frame-src [^;]*https:\/\/stackblitz\.com /,
  );
});
