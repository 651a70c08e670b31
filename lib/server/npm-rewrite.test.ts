import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTarballRewriter } from './npm-rewrite';

const rewrite = (bytes: Buffer, size: number): Promise<string> => {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return text(
    Readable.from(chunks).pipe(createTarballRewriter((url) => url.replace('https://a.org/', 'http://b/npm/'))),
  );
};

const document = {
  name: 'ů-𝒙',
  readme: 'it says {"tarball":"https://a.org/in-a-string"} and \\"tarball\\": "https://a.org/x"',
  keywords: ['tarball', 'tar'],
  versions: {
    '1.0.0': { dist: { shasum: '1', tarball: 'https://a.org/x/-/x-1.0.0.tgz' } },
    '2.0.0': { dist: { tarball: 'https://a.org/x/-/x-2.0.0.tgz', size: 1 }, tarball: 7 },
  },
};
const expected = structuredClone(document);
expected.versions['1.0.0'].dist.tarball = 'http://b/npm/x/-/x-1.0.0.tgz';
expected.versions['2.0.0'].dist.tarball = 'http://b/npm/x/-/x-2.0.0.tgz';

test.each([1, 2, 3, 5, 7, 11, 64, 100_000])(
  'URLs in values change, text in strings does not, in chunks of %d',
  async (size) => {
    for (const indent of [0, 2]) {
      const bytes = Buffer.from(JSON.stringify(document, null, indent));
      expect(JSON.parse(await rewrite(bytes, size))).toEqual(expected);
    }
  },
);

test('escaped slashes are understood', async () => {
  const bytes = Buffer.from('{"tarball" : "https:\\/\\/a.org\\/x.tgz"}');
  expect(JSON.parse(await rewrite(bytes, 4))).toEqual({ tarball: 'http://b/npm/x.tgz' });
});

test('a value that never ends passes through instead of being collected', async () => {
  const bytes = Buffer.from(`{"tarball":"${'x'.repeat(100_000)}`);
  expect(await rewrite(bytes, 1000)).toBe(bytes.toString());
});
