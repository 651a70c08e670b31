// What passes the gateway and the previews, and what never does.
import { describe, expect, it } from 'vitest';
import { CookieJar } from './cookie-jar';
import { destinationOf, REGISTRY_HOSTS } from './destinations';
import { fetchHeaders, previewHeaders, responseHeaders } from './header-policy';
import { requestHead } from './preview';

const config = {
  npmProxy: 'http://s/api/npm/',
  registryHosts: REGISTRY_HOSTS,
  ownHosts: ['sandbox.cloche.example.org', 'cloche.example.org'],
};
const kind = (host: string) => destinationOf(host, config).kind;

describe('destinationOf', () => {
  it.each(['example.com', 'EXAMPLE.com.', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '100.63.0.1', 'example.org'])(
    'lets %s pass',
    (host) => {
      expect(kind(host)).toBe('direct');
    },
  );

  it.each([
    'localhost',
    'a.localhost',
    'printer',
    'nas.local',
    'db.internal',
    'x.home.arpa',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::',
    'cloche.example.org',
    'sandbox.cloche.example.org',
    'p-x.cloche.example.org',
    'CLOCHE.example.org.',
    'bad host',
    '',
  ])('refuses %j', (host) => {
    expect(kind(host)).toBe('refused');
  });

  it('knows the registry', () => {
    expect(kind('registry.npmjs.org')).toBe('registry');
    expect(kind('registry.npmjs.org.evil.example')).toBe('direct');
  });
});

describe('headers', () => {
  it('keeps from a request what fetch may send', () => {
    const kept = fetchHeaders([
      ['Host', 'x'],
      ['Connection', 'keep-alive, X-Private'],
      ['X-Private', '1'],
      ['Accept', '*/*'],
      ['Cookie', 'a=b'],
      ['User-Agent', 'npm'],
      ['Sec-Fetch-Mode', 'cors'],
      ['Proxy-Authorization', 'x'],
      ['Authorization', 'Bearer t'],
      ['Content-Length', '3'],
      ['Content-Type', 'text/plain'],
    ]);
    expect(kept.map(([name]) => name)).toEqual(['Accept', 'Authorization', 'Content-Type']);
  });

  it('drops the length of a response that the browser has decoded, and keeps it otherwise', () => {
    expect(
      responseHeaders([
        ['content-encoding', 'gzip'],
        ['content-length', '9'],
        ['etag', 'x'],
      ]),
    ).toEqual([['etag', 'x']]);
    expect(
      responseHeaders([
        ['content-length', '9'],
        ['transfer-encoding', 'chunked'],
      ]),
    ).toEqual([['content-length', '9']]);
  });

  it('keeps cookies and connection headers from a preview', () => {
    expect(
      previewHeaders([
        ['Set-Cookie', 'a'],
        ['Connection', 'X'],
        ['x', '1'],
        ['Content-Type', 'text/html'],
      ]),
    ).toEqual([['Content-Type', 'text/html']]);
  });

  it('shows the guest server its own address', () => {
    const head = requestHead(
      {
        type: 'request',
        port: 0,
        method: 'POST',
        path: '/a?b',
        hasBody: true,
        headers: [
          ['origin', 'http://p-x.cloche.localhost:1'],
          ['referer', 'http://p-x.cloche.localhost:1/from?q'],
          ['accept', '*/*'],
          ['accept-encoding', 'br'],
        ],
      },
      5173,
      'a=b',
    );
    expect(Buffer.from(head).toString()).toBe(
      'POST /a?b HTTP/1.1\r\nHost: localhost:5173\r\nOrigin: http://localhost:5173\r\nReferer: http://localhost:5173/from?q\r\naccept: */*\r\n' +
        'Cookie: a=b\r\nAccept-Encoding: identity\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
  });
});

describe('CookieJar', () => {
  const NOW = Date.UTC(2030, 0, 1);
  const set = (jar: CookieJar, path: string, ...values: string[]) =>
    jar.take(
      values.map((value) => ['Set-Cookie', value]),
      path,
      NOW,
    );

  it('sends by path, longest first', () => {
    const jar = new CookieJar();
    set(jar, '/app/page', 'a=1', 'b=2; Path=/', 'c=3; Path=/other', 'd=4; path=/app/page');
    expect(jar.header('/app/page?x', NOW)).toBe('d=4; a=1; b=2');
    expect(jar.header('/apple', NOW)).toBe('b=2');
    expect(jar.header('/other/x', NOW)).toBe('c=3; b=2');
  });

  it('replaces, expires and deletes', () => {
    const jar = new CookieJar();
    set(
      jar,
      '/',
      'a=1; Max-Age=10',
      'b=x=y; Expires=Tue, 01 Jan 2030 00:00:20 GMT',
      'c=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      '=no',
      'junk',
    );
    set(jar, '/', 'a=2; Max-Age=30');
    expect(jar.header('/', NOW)).toBe('b=x=y; c=1; a=2');
    expect(jar.header('/', NOW + 25_000)).toBe('c=1; a=2');
    set(jar, '/', 'a=; Max-Age=0');
    expect(jar.header('/', NOW + 25_000)).toBe('c=1');
    expect(jar.header('/', NOW + 61_000)).toBeUndefined();
  });
});
