// Against a site on loopback that behaves well and badly; only it is trusted. Every other address has to be refused by the real checks.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFetchEnvironment } from './fetch-environment';
import { createFetchRoute } from './fetch-page';

let server: Server;
let site: string;
let asked: IncomingMessage[] = [];
let robots: string | number = 404;
const moved = (location: string) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(302, { location }).end();
const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/robots.txt': (_request, response) =>
    void (typeof robots === 'number' ? response.writeHead(robots).end('x') : response.end(robots)),
  '/page': (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'a=b', 'content-encoding': 'gzip' })
      .end(gzipSync('<script>alert(1)</script>')),
  '/brotli': (_request, response) =>
    void response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('brotli')),
  '/zstd': (_request, response) => void response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
  '/gone': (_request, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('gone'),
  '/moved': moved('/page'),
  '/moved-to-secret': moved('/secret'),
  '/secret': (_request, response) => void response.end('secret'),
  '/loop': moved('/loop'),
  '/away': moved('https://example.org/other'),
  '/metadata': moved('http://169.254.169.254/latest/meta-data'),
  '/other-port': moved('http://127.0.0.1:1/x'),
  '/file': moved('file:///etc/passwd'),
  '/nowhere': moved('http://'),
  '/silent': () => {},
  '/stalls': (_request, response) => void response.writeHead(200).write('begin'),
  '/breaks': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.destroy(), 50);
  },
  '/drips': (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(timer));
  },
  '/bomb': (_request, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3_000_000, ' '))),
  '/declared': (_request, response) => {
    response.writeHead(200, { 'content-length': '99000000' });
    response.write('x');
  },
  '/endless': (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(Buffer.alloc(200_000)), 1);
    response.on('close', () => clearInterval(timer));
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    const route = routes[(request.url ?? '').split('?')[0]];
    if (route) route(request, response);
    else response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  robots = 404;
});

const routeWith = (env: Record<string, string> = {}) =>
  createFetchRoute(
    readFetchEnvironment({ CLOCHE_FETCH_MAX_BYTES: '1000000', CLOCHE_FETCH_IDLE_TIMEOUT_MS: '400', ...env }),
    (url) => url.origin === site,
  );
const post = (body: unknown, headers: Record<string, string> = {}) =>
  new Request('http://cloche.localhost:3000/api/fetch', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      host: 'cloche.localhost:3000',
      ...headers,
    },
    body: JSON.stringify(body),
  });
const get = (path: string, env: Record<string, string> = {}, more: object = {}) =>
  routeWith(env)(post({ url: path.startsWith('/') ? site + path : path, ...more }));
const refusalOf = async (answer: Response) =>
  `${answer.status} ${((await answer.json()) as { message: string }).message}`;

test('a page comes as octets that no browser shows, without the cookies of the site', async () => {
  const answer = await get('/page#part');
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toEqual({
    'cache-control': 'no-store',
    'content-disposition': 'attachment',
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'x-fetched-status': '200',
    'x-fetched-type': 'text/html; charset=utf-8',
    'x-fetched-url': `${site}/page`,
  });
  expect(await answer.text()).toBe('<script>alert(1)</script>');
});

test('nothing of the visitor goes on', async () => {
  const secrets = { cookie: 'a=b', authorization: 'Bearer x', referer: 'http://cloche.localhost:3000/p/1' };
  await routeWith()(post({ url: `${site}/page`, accept: 'text/markdown' }, secrets));
  const { headers } = asked.find((one) => one.url === '/page')!;
  expect(Object.keys(headers).sort()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'user-agent',
  ]);
  expect(headers).toMatchObject({ accept: 'text/markdown', 'user-agent': expect.stringMatching(/^Cloche-User\//) });
});

test('brotli is undone; what was not asked for is refused; a 404 is told', async () => {
  expect(await (await get('/brotli')).text()).toBe('brotli');
  expect(await refusalOf(await get('/zstd'))).toMatch(/^502 .*came as "zstd"/);
  expect((await get('/gone')).headers.get('x-fetched-status')).toBe('404');
});

test('redirects: on the same host followed, elsewhere handed back', async () => {
  expect((await get('/moved')).headers.get('x-fetched-url')).toBe(`${site}/page`);
  for (const [path, redirect] of [
    ['/away', 'https://example.org/other'],
    ['/metadata', 'http://169.254.169.254/latest/meta-data'],
    ['/other-port', 'http://127.0.0.1:1/x'],
    ['/file', 'file:///etc/passwd'],
  ])
    expect(await (await get(path)).json()).toEqual({ redirect });
  expect(await refusalOf(await get('/loop'))).toMatch(/^403 .*redirects too often/);
  expect(await refusalOf(await get('/nowhere'))).toMatch(/^403 .*redirects to no URL/);
});

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fd00:ec2::254]/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST:8443/',
  'http://localhost:3000/api/models',
  'http://169.254.169.254/latest/meta-data',
])('%s is inside and is refused', async (url) => {
  const message = await refusalOf(await get(url, { CLOCHE_FETCH_ROBOTS: 'ignore' }));
  expect(message).toMatch(/^(?:403 .*(?:address|not public)|502 .*could not be reached: ENOTFOUND)/);
  expect(await refusalOf(await get(url))).toMatch(/^(?:403|502) /);
  expect(asked).toEqual([]);
});

test.each(['file:///etc/passwd', 'ftp://example.org/', 'data:text/html,x', 'javascript:alert(1)', 'example.org', ''])(
  '%s is no address of the web',
  async (url) =>
    expect(await refusalOf(await routeWith()(post({ url })))).toBe('400 Only http and https URLs can be fetched.'),
);

test('a URL with a password is refused', async () => {
  expect(await refusalOf(await get('https://me:secret@example.org/'))).toMatch(/^400 The URL has a name or password/);
});

test('too long: declared, streamed and decompressed', async () => {
  for (const path of ['/declared', '/endless', '/bomb'])
    expect(await refusalOf(await get(path))).toMatch(/^413 .* is longer than 1000000 bytes\.$/);
});

test('time: silence, a stall, a body that drips for ever, and one that breaks off', async () => {
  expect(await refusalOf(await get('/silent'))).toMatch(/^504 .*silent/);
  expect(await refusalOf(await get('/stalls'))).toMatch(/^504 .*was silent for 0\.4 s/);
  expect(await refusalOf(await get('/drips', {}, { timeoutMs: 600 }))).toMatch(/^504 .*took too long/);
  expect(await refusalOf(await get('/breaks'))).toMatch(/^502 .*broke off/);
});

test('robots.txt holds for the page and for where it redirects, and can be switched off', async () => {
  robots = 'User-agent: *\nDisallow: /secret\n';
  expect((await get('/page')).status).toBe(200);
  expect(await refusalOf(await get('/secret'))).toMatch(/^403 .*robots\.txt/);
  expect(await refusalOf(await get('/moved-to-secret'))).toMatch(/^403 .*robots\.txt/);
  expect(await (await get('/secret', { CLOCHE_FETCH_ROBOTS: 'ignore' })).text()).toBe('secret');
  robots = 503;
  expect((await get('/page')).status).toBe(403);
  asked = [];
  robots = 404;
  const route = routeWith();
  for (let round = 0; round < 2; round++) expect((await route(post({ url: `${site}/page` }))).status).toBe(200);
  expect(asked.filter((one) => one.url === '/robots.txt')).toHaveLength(1);
});

test('the operator decides: off, a list of hosts, no upgrade', async () => {
  expect(await refusalOf(await get('/page', { CLOCHE_FETCH: 'off' }))).toMatch(/^403 .*CLOCHE_FETCH=off/);
  const listed = { CLOCHE_FETCH_HOSTS: 'example.org, *.docs.example' };
  for (const url of [`${site}/page`, 'https://www.example.org/', 'https://docs.example/', 'https://evildocs.example/'])
    expect(await refusalOf(await get(url, listed))).toMatch(/^403 .*CLOCHE_FETCH_HOSTS/);
  expect(await refusalOf(await get('http://example.org/', { CLOCHE_FETCH_HTTP: 'refuse' }))).toMatch(
    /^403 .*not https/,
  );
  expect(asked).toEqual([]);
  expect(() => readFetchEnvironment({ CLOCHE_FETCH_HOSTS: 'https://x.org' })).toThrow('CLOCHE_FETCH_HOSTS');
  expect(() => readFetchEnvironment({ CLOCHE_FETCH_ROBOTS: 'maybe' })).toThrow('CLOCHE_FETCH_ROBOTS');
});

test('only our own page may ask, in JSON, and not without end', async () => {
  const url = `${site}/page`;
  const route = routeWith({ CLOCHE_FETCH_REQUESTS_PER_MINUTE: '1' });
  expect((await route(post({ url }, { 'sec-fetch-site': 'cross-site' }))).status).toBe(403);
  expect((await route(post({ url }, { 'sec-fetch-site': 'same-site' }))).status).toBe(403);
  expect((await route(post({ url }, { 'content-type': 'text/plain' }))).status).toBe(415);
  expect((await route(post({ url, method: 'POST' }))).status).toBe(400);
  expect(asked).toEqual([]);
  expect((await route(post({ url }))).status).toBe(200);
  const late = await route(post({ url }));
  expect(late.status).toBe(429);
  expect(late.headers.get('retry-after')).not.toBeNull();
});
