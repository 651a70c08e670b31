import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { brotliFiles, giveBrotli, typeInBrotli } from './brotli-files';
import { writeBrotli } from './write-brotli';

const root = mkdtempSync(path.join(tmpdir(), 'cloche-brotli-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('what a build has gets a smaller form with the same bytes, and who takes it gets it', async () => {
  const text = 'export const answer = 42;\n'.repeat(500);
  const write = (name: string, contents: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), contents);
  };
  write('public/engine/kernel.0123456789ab.js', text);
  write('public/engine/host.html', text);
  write('.next/static/chunks/a b.js', text);
  write('.next/static/media/random.ttf', crypto.getRandomValues(new Uint8Array(5000)));
  expect(await writeBrotli(root)).toMatchObject({ files: 2, before: 2 * text.length });
  const sibling = readFileSync(path.join(root, 'public/engine/kernel.0123456789ab.js.br'));
  expect(brotliDecompressSync(sibling).toString()).toBe(text);

  const files = brotliFiles(root);
  const kernel = '/engine/kernel.0123456789ab.js';
  expect([...files].sort()).toEqual(['/_next/static/chunks/a%20b.js', kernel]);
  expect(typeInBrotli(`${kernel}.br`)).toBe('text/javascript; charset=utf-8');
  expect(typeInBrotli(kernel)).toBeUndefined();

  giveBrotli(files);
  // As Next: by the address, with a refusal for some.
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    if (request.headers['x-refuse'] !== undefined) response.writeHead(404).end('nothing here');
    else response.end(pathname.endsWith('.br') ? sibling : text);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const ask = async (address: string, headers: Record<string, string>) => {
      const response = await fetch(`http://127.0.0.1:${port}${address}`, { headers });
      return { encoding: response.headers.get('content-encoding'), body: await response.text() };
    };
    for (const encoding of ['gzip, deflate, br, zstd', 'br;q=0.5, gzip'])
      expect(await ask(`${kernel}?x=1`, { 'accept-encoding': encoding })).toEqual({ encoding: 'br', body: text });
    for (const encoding of ['identity', 'gzip', 'gzip, br;q=0', 'br;q=0.000', 'brx'])
      expect(await ask(kernel, { 'accept-encoding': encoding }), encoding).toEqual({ encoding: null, body: text });
    const plain = { encoding: null, body: text };
    expect(await ask(kernel, { 'accept-encoding': 'br', range: 'bytes=0-9' })).toEqual(plain);
    expect(await ask('/engine/host.html', { 'accept-encoding': 'br' })).toEqual(plain);
    expect(await ask(kernel, { 'accept-encoding': 'br', 'x-refuse': '1' })).toEqual({
      encoding: null,
      body: 'nothing here',
    });
  } finally {
    server.close();
  }
});

test('a build without smaller forms is served as it is', () => {
  expect(brotliFiles(path.join(root, 'nowhere')).size).toBe(0);
});
