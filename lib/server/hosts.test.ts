import { describe, expect, test } from 'vitest';
import { parseSiteOrigins, previewOrigin } from '../std/site-origins';
import { classifyHost, originsOf, protocolOf, readHostConfig } from './hosts';

const local = readHostConfig({});
const kind = (host: string | null, config = local) => classifyHost(host, config);

describe('classifyHost', () => {
  test('the default names, on any port', () => {
    expect(kind('cloche.localhost:3000')).toEqual({ kind: 'ide' });
    expect(kind('Cloche.Localhost')).toEqual({ kind: 'ide' });
    expect(kind('sandbox.cloche.localhost:81')).toEqual({ kind: 'sandbox' });
    expect(kind('p-ab1-3000.cloche.localhost:3000')).toEqual({ kind: 'preview', id: 'ab1-3000' });
  });

  test('localhost leads to the IDE on the same port', () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]'])
      expect(kind(`${name}:4000`)).toEqual({ kind: 'redirect', host: 'cloche.localhost:4000' });
    expect(kind('localhost')).toEqual({ kind: 'redirect', host: 'cloche.localhost' });
  });

  test.each([
    null,
    '',
    'example.org',
    'evilcloche.localhost',
    'cloche.localhost.evil.org',
    'x.cloche.localhost',
    'p-.cloche.localhost',
    'p--a.cloche.localhost',
    'p-a.b.cloche.localhost',
    'p-a.sandbox.cloche.localhost',
    `p-${'a'.repeat(49)}.cloche.localhost`,
    'cloche.localhost:3000:1',
    'cloche.localhost/x',
    'user@cloche.localhost',
    'cloche.localhost:port',
  ])('%s is nobody', (host) => {
    expect(kind(host)).toEqual({ kind: 'unknown' });
  });

  test('a trailing dot is the same name, not another origin that slips through', () => {
    expect(kind('sandbox.cloche.localhost.:3000')).toEqual({ kind: 'sandbox' });
  });

  test('a deployment with names of its own', () => {
    const config = readHostConfig({
      CLOCHE_HOST: 'ide.example.org',
      CLOCHE_SANDBOX_HOST: 'box.example.net',
      CLOCHE_PREVIEW_PATTERN: '*.preview.example.net',
    });
    expect(kind('ide.example.org', config)).toEqual({ kind: 'ide' });
    expect(kind('box.example.net', config)).toEqual({ kind: 'sandbox' });
    expect(kind('a1.preview.example.net', config)).toEqual({ kind: 'preview', id: 'a1' });
    expect(kind('localhost', config)).toEqual({ kind: 'unknown' });
  });
});

describe('readHostConfig refuses', () => {
  test.each([
    [{ CLOCHE_HOST: 'http://x.org' }, /CLOCHE_HOST/],
    [{ CLOCHE_HOST: 'x.org:80' }, /CLOCHE_HOST/],
    [{ CLOCHE_SANDBOX_HOST: 'cloche.localhost' }, /must differ/],
    [{ CLOCHE_PREVIEW_PATTERN: 'previews.org' }, /CLOCHE_PREVIEW_PATTERN/],
    [{ CLOCHE_PREVIEW_PATTERN: 'a.*.org' }, /CLOCHE_PREVIEW_PATTERN/],
    [{ CLOCHE_PREVIEW_PATTERN: '*.cloche.localhost' }, /also matches sandbox\.cloche\.localhost/],
  ])('%j', (env, message) => {
    expect(() => readHostConfig(env)).toThrow(message);
  });
});

test('origins carry the scheme and the port of the request', () => {
  const origins = originsOf('localhost:8080', 'https', local);
  expect(origins).toEqual({
    ide: 'https://cloche.localhost:8080',
    sandbox: 'https://sandbox.cloche.localhost:8080',
    preview: 'https://p-*.cloche.localhost:8080',
    previewSource: 'https://*.cloche.localhost:8080',
  });
  const read = parseSiteOrigins(JSON.stringify(origins));
  expect(previewOrigin(read, 'x1-3000')).toBe('https://p-x1-3000.cloche.localhost:8080');
  expect(() => previewOrigin(read, 'a.b')).toThrow(/cannot be/);
  expect(() => parseSiteOrigins(null)).toThrow(/meta element/);
});

test('the scheme is what the outermost proxy says', () => {
  expect(protocolOf(null, 'http:')).toBe('http');
  expect(protocolOf('https', 'http:')).toBe('https');
  expect(protocolOf('https, http', 'http')).toBe('https');
  expect(protocolOf('gopher', 'http')).toBe('http');
});
