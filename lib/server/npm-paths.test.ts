import { expect, test } from 'vitest';
import { parseRegistryPath, tarballPath } from './npm-paths';

const get = (path: string) => parseRegistryPath('GET', path);

test.each([
  ['react', 'document', 'react'],
  ['@types%2fnode', 'document', '@types%2fnode'],
  ['@types%2Fnode', 'document', '@types%2fnode'],
  ['@types/node', 'document', '@types%2fnode'],
  ['react/19.0.0', 'document', 'react/19.0.0'],
  ['react/latest', 'document', 'react/latest'],
  ['@types%2fnode/latest', 'document', '@types%2fnode/latest'],
  ['react/-/react-19.0.0.tgz', 'tarball', 'react/-/react-19.0.0.tgz'],
  ['@types/node/-/node-1.0.0-beta+1.tgz', 'tarball', '@types/node/-/node-1.0.0-beta+1.tgz'],
  ['-/ping', 'json', '-/ping'],
  ['-/v1/search', 'json', '-/v1/search'],
  ['-/package/@types%2fnode/dist-tags', 'json', '-/package/@types%2fnode/dist-tags'],
  ['-/npm/v1/attestations/sigstore@1.0.0', 'json', '-/npm/v1/attestations/sigstore@1.0.0'],
])('%s may be read', (path, kind, upstream) => expect(get(path)).toEqual({ kind, path: upstream }));

test.each([
  '',
  '-',
  '..',
  '.',
  '../etc/passwd',
  '%2e%2e/x',
  'react/..',
  'react/%2e%2e%2fx',
  'react/-/..%2f..%2fx.tgz',
  'react/-/a/b/c.tgz',
  'react/-/react.exe',
  'react/a/b',
  '-/user/org.couchdb.user:me',
  '-/whoami',
  '-/npm/v1/tokens',
  '-/v1/login',
  '-/org/x/team',
  '-/package/react/access',
  '-/npm/v1/security/advisories/bulk',
  'http://evil.org/x',
  '//evil.org',
  '@a',
  'a%00b',
  '%zz',
  'a\\b',
  'x'.repeat(501),
])('%s may not', (path) => expect(get(path)).toBeUndefined());

test('only audit questions may be posted, and nothing else written', () => {
  expect(parseRegistryPath('POST', '-/npm/v1/security/advisories/bulk')).toBeDefined();
  expect(parseRegistryPath('POST', 'react')).toBeUndefined();
  for (const method of ['PUT', 'DELETE', 'PATCH']) expect(parseRegistryPath(method, 'react')).toBeUndefined();
});

test('the path of a tarball, wherever the registry keeps it', () => {
  expect(tarballPath('https://registry.npmjs.org/react/-/react-1.0.0.tgz')).toBe('react/-/react-1.0.0.tgz');
  expect(tarballPath('http://mirror.local/npm/all/@a/b/-/b-1.0.0.tgz')).toBe('@a/b/-/b-1.0.0.tgz');
  expect(tarballPath('http://mirror.local/@a%2fb/-/b-1.0.0.tgz')).toBe('@a/b/-/b-1.0.0.tgz');
  expect(tarballPath('https://gitlab.local/api/@a/b/-/@a/b-1.0.0.tgz')).toBe('@a/b/-/@a/b-1.0.0.tgz');
  expect(tarballPath('https://x.org/download/@a/b/1.0.0/hash')).toBeUndefined();
  expect(tarballPath('not a url')).toBeUndefined();
});
