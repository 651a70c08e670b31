// Against a registry on loopback that behaves well and badly.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readNpmEnvironment } from './npm-environment';
import { createNpmRoute, REGISTRY_NAME_HEADER } from './npm-proxy';

let server: Server;
let origin: string;
let asked: IncomingMessage[] = [];
const tarball = Buffer.alloc(300_000, 'tar');
const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/npm/x': (request, response) => {
    if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304, { etag: '"1"' }).end();
    const body = JSON.stringify({ versions: { '1.0.0': { dist: { tarball: `${origin}/npm/x/-/x-1.0.0.tgz` } } } });
    response.writeHead(200, {
      etag: '"1"',
      'cache-control': 'public, max-age=300',
      'content-type': 'application/vnd.npm.install-v1+json',
      'content-encoding': 'gzip',
      'set-cookie': 'a=b',
    });
    response.end(gzipSync(body));
  },
  '/npm/@a%2fb': (_request, response) => void response.end('{"name":"@a/b"}'),
  '/npm/x/-/x-1.0.0.tgz': (_request, response) =>
    void response.writeHead(200, { 'content-length': tarball.length, 'content-type': 'text/html' }).end(tarball),
  '/npm/html': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
  '/npm/gone': (_request, response) =>
    void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>gone</h1>'),
  '/npm/moved': (_request, response) => void response.writeHead(302, { location: '/npm/@a%2fb' }).end(),
  '/npm/loop': (_request, response) => void response.writeHead(302, { location: '/npm/loop' }).end(),
  '/npm/inside': (_request, response) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/npm/inside-tls': (_request, response) => void response.writeHead(302, { location: 'https://[::1]:1/x' }).end(),
  '/npm/inside-name': (_request, response) => void response.writeHead(302, { location: 'https://localhost:1/x' }).end(),
  '/npm/file': (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/npm/silent': () => {},
  '/npm/stalls': (_request, response) => void response.writeHead(200).write('{"a":'),
  '/npm/bomb': (_request, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3_000_000, ' '))),
  '/npm/big/-/big-1.tgz': (_request, response) => {
    response.writeHead(200);
    response.write(Buffer.alloc(900_000));
    response.end(Buffer.alloc(900_000));
  },
  '/npm/-/npm/v1/security/advisories/bulk': (request, response) => void request.pipe(response),
};
const listener: RequestListener = (request, response) => {
  asked.push(request);
  const route = routes[(request.url ?? '').split('?')[0]];
  if (route) route(request, response);
  else response.writeHead(500).end();
};

beforeAll(async () => {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const routeWith = (env: Record<string, string> = {}) =>
  createNpmRoute(
    readNpmEnvironment({
      CLOCHE_NPM_REGISTRY: `${origin}/npm`,
      CLOCHE_NPM_IDLE_TIMEOUT_MS: '300',
      CLOCHE_NPM_MAX_DOCUMENT_BYTES: '1000000',
      CLOCHE_NPM_MAX_TARBALL_BYTES: '1000000',
      ...env,
    }),
  );
const ask = (path: string, init: RequestInit = {}, env: Record<string, string> = {}) =>
  routeWith(env)(new Request(`http://sandbox.test:1/api/npm/${path}`, init));
const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error;

test('a document comes decompressed, with its caching headers and with tarballs on our origin', async () => {
  const response = await ask('x', {
    headers: { accept: 'application/json', cookie: 'a=b', authorization: 'Bearer t' },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    versions: { '1.0.0': { dist: { tarball: 'http://sandbox.test:1/api/npm/x/-/x-1.0.0.tgz' } } },
  });
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'private, max-age=300',
    'content-type': 'application/vnd.npm.install-v1+json',
    etag: '"1"',
    vary: `accept, ${REGISTRY_NAME_HEADER}`,
  });
  expect(asked[0].headers).not.toHaveProperty('cookie');
  expect(asked[0].headers).not.toHaveProperty('authorization');
  expect(asked[0].headers.accept).toBe('application/json');
});

test('tarballs can be named after the registry that the guest believes in', async () => {
  const response = await ask('x', { headers: { [REGISTRY_NAME_HEADER]: 'https://registry.example/' } });
  expect(await response.text()).toContain('"https://registry.example/x/-/x-1.0.0.tgz"');
});

test('an unchanged document is a 304', async () => {
  const response = await ask('x', { headers: { 'if-none-match': '"1"' } });
  expect([response.status, response.headers.get('etag'), response.body]).toEqual([304, '"1"', null]);
});

test('a scope keeps its encoded slash', async () => {
  expect(await (await ask('@a/b')).json()).toEqual({ name: '@a/b' });
  expect(asked[0].url).toBe('/npm/@a%2fb');
});

test('a tarball comes byte for byte, and never as a page', async () => {
  const response = await ask('x/-/x-1.0.0.tgz');
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-length')).toBe(String(tarball.length));
  expect(Buffer.from(await response.arrayBuffer()).equals(tarball)).toBe(true);
  expect((await ask('html')).headers.get('content-type')).toBe('application/json');
});

test('HEAD has headers and no body', async () => {
  const response = await ask('x/-/x-1.0.0.tgz', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('an error of the registry keeps its status and becomes JSON', async () => {
  const response = await ask('gone');
  expect(response.status).toBe(404);
  expect(await errorOf(response)).toContain('answered 404 to gone');
});

test('a redirect within the registry is followed, one to a private address or another scheme is not', async () => {
  expect(await (await ask('moved')).json()).toEqual({ name: '@a/b' });
  for (const [path, why] of [
    ['inside', 'not https'],
    ['inside-tls', 'not public'],
    ['inside-name', 'not public'],
    ['file', 'not https'],
    ['loop', 'too often'],
  ]) {
    const response = await ask(path);
    expect([path, response.status]).toEqual([path, 502]);
    expect(await errorOf(response)).toContain(why);
  }
});

test('silence is a timeout, before and during the answer', async () => {
  const response = await ask('silent');
  expect([response.status, await errorOf(response)]).toEqual([504, expect.stringContaining('silent for 0.3 s')]);
  await expect((await ask('stalls')).text()).rejects.toThrow();
});

test('what is too long is cut off with an error, compressed or not', async () => {
  await expect((await ask('bomb')).text()).rejects.toThrow();
  await expect((await ask('big/-/big-1.tgz')).arrayBuffer()).rejects.toThrow();
  const declared = await ask('x/-/x-1.0.0.tgz', {}, { CLOCHE_NPM_MAX_TARBALL_BYTES: '1000' });
  expect([declared.status, await errorOf(declared)]).toEqual([413, expect.stringContaining('300000 bytes')]);
});

test('paths off the list and other sites never reach the registry', async () => {
  expect((await ask('-/whoami')).status).toBe(404);
  expect((await ask('x', { method: 'PUT', body: '{}' })).status).toBe(404);
  expect((await ask('x', { headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403);
  const bulk = '-/npm/v1/security/advisories/bulk';
  expect((await ask(bulk, { method: 'POST', body: '{}' })).status).toBe(415);
  expect(asked).toEqual([]);
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  expect(await (await ask(bulk, { method: 'POST', body: '{"a":["1"]}', headers })).json()).toEqual({ a: ['1'] });
});

test('a visitor that asks too often waits, and others do not', async () => {
  const route = routeWith({ CLOCHE_NPM_REQUESTS_PER_MINUTE: '2' });
  const from = (address: string) => route(new Request('http://s/api/npm/x', { headers: { 'x-cloche-peer': address } }));
  const statuses = [];
  for (const address of ['1.1.1.1', '1.1.1.1', '1.1.1.1', '2.2.2.2']) statuses.push((await from(address)).status);
  expect(statuses).toEqual([200, 200, 429, 200]);
});

test('downloads that were dropped or finished make room for others', async () => {
  const route = routeWith({ CLOCHE_NPM_MAX_CONCURRENT: '1' });
  const tgz = () => route(new Request('http://s/api/npm/x/-/x-1.0.0.tgz'));
  const first = await tgz();
  expect((await tgz()).status).toBe(429);
  await first.body?.cancel();
  await expect
    .poll(async () => {
      const again = await tgz();
      await again.arrayBuffer();
      return again.status;
    })
    .toBe(200);
});

test('a registry that is not there is named, with the setting to change', async () => {
  const response = await ask('x', {}, { CLOCHE_NPM_REGISTRY: 'http://127.0.0.1:9/' });
  expect(response.status).toBe(502);
  expect(await errorOf(response)).toMatch(/127\.0\.0\.1:9 could not be reached: ECONNREFUSED\..*CLOCHE_NPM_REGISTRY/);
});

test('where the registry is comes from the environment, npm’s own included', () => {
  expect(readNpmEnvironment({}).registry.host).toBe('registry.npmjs.org');
  expect(readNpmEnvironment({ npm_config_registry: 'http://a.test/x' }).registry.href).toBe('http://a.test/x/');
  expect(() => readNpmEnvironment({ CLOCHE_NPM_REGISTRY: 'ftp://a' })).toThrow(/CLOCHE_NPM_REGISTRY/);
  expect(() => readNpmEnvironment({ CLOCHE_NPM_REGISTRY: 'https://u:p@a/' })).toThrow(/credentials/);
});
