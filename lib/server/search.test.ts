// Against a provider on loopback that speaks Exa's wire format: one JSON-RPC reply, plain or as an event.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSearchRoute, offeredSearch, readSearchEnvironment } from './search';

let server: Server;
let url: string;
let asked: { request: IncomingMessage; body: unknown }[] = [];
let mode = 'json';
const result = (text: string, more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }], ...more } });
const progress = 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n';

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ request, body: JSON.parse(body) });
    const json = { 'content-type': 'application/json' };
    const events = { 'content-type': 'text/event-stream; charset=utf-8' };
    if (/^\d+$/.test(mode)) response.writeHead(Number(mode), { location: '/x' }).end('secret-key in a page');
    else if (mode === 'json') response.writeHead(200, json).end(result('found'));
    else if (mode === 'events') {
      response.writeHead(200, events).write(`: hello\n\n${progress}event: message\ndata: ${result('fo')}`.slice(0, -9));
      // The rest of the event comes later, with the other line ending, and the stream stays open.
      response.write(`${result('fo').slice(-9)}\r\n\r\n`);
    } else if (mode === 'last event') response.writeHead(200, events).end(`${progress}data: ${result('at the end')}`);
    else if (mode === 'empty') response.writeHead(200, json).end('{"id":1,"result":{"content":[]}}');
    else if (mode === 'error') response.writeHead(200, json).end('{"id":1,"error":{"code":-1,"message":"bad tool"}}');
    else if (mode === 'isError') response.writeHead(200, json).end(result('no credits', { isError: true }));
    else if (mode === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else if (mode === 'long') response.writeHead(200, json).end('x'.repeat(3_000_000));
    else if (mode === 'silent events') response.writeHead(200, events).write(progress);
    else response.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  mode = 'json';
});

const routeWith = (env: Record<string, string> = {}) =>
  createSearchRoute(
    readSearchEnvironment({ EXA_URL: url, EXA_API_KEY: 'host-key', CLOCHE_SEARCH_TIMEOUT_MS: '600', ...env }),
  );
const post = (body: unknown = { kind: 'web', query: 'cats' }, headers: Record<string, string> = {}) =>
  new Request('http://ide/api/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify(body),
  });
const told = async (next: string, env = {}) => {
  mode = next;
  const answer = await routeWith(env)(post());
  return `${answer.status} ${JSON.stringify(await answer.json())}`;
};

test('the call on the wire: web with its defaults, code with its own, the key in a header only', async () => {
  const route = routeWith();
  expect(await (await route(post())).json()).toEqual({ text: 'found' });
  await route(post({ kind: 'code', query: 'zod', tokensNum: 2000 }));
  expect(asked.map(({ body }) => body)).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'web_search_exa',
        arguments: { query: 'cats', numResults: 8, type: 'auto', livecrawl: 'fallback', contextMaxCharacters: 10_000 },
      },
    },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_code_context_exa', arguments: { query: 'zod', tokensNum: 2000 } },
    },
  ]);
  expect(asked[0]!.request.headers).toMatchObject({
    'x-api-key': 'host-key',
    accept: 'application/json, text/event-stream',
  });
  expect(asked[0]!.request.url).toBe('/mcp');
  expect(asked[0]!.request.headers.cookie).toBeUndefined();
});

test('events: in pieces, after others, without a last blank line, and the stream may stay open', async () => {
  expect(await told('events')).toBe('200 {"text":"fo"}');
  expect(await told('last event')).toBe('200 {"text":"at the end"}');
  expect(await told('empty')).toBe('200 {"text":""}');
});

test('each failure has its own words, and none holds a key', async () => {
  const answers = {
    '401': /^401 .*does not accept the key.*"kind":"key"/,
    '403': /^401 .*does not accept the key/,
    '402': /^402 .*no credit/,
    '429': /^429 .*too many searches.*"kind":"limit"/,
    '500': /^502 .*answered with status 500/,
    '302': /^502 .*redirect/,
    error: /^502 .*Exa: bad tool/,
    isError: /^502 .*Exa: no credits/,
    html: /^502 .*could not be understood/,
    long: /^502 .*longer than 2097152 bytes/,
    'silent events': /^504 .*(?:too long|silent)/,
    gone: /^502 .*could not be reached/,
  };
  for (const [next, expected] of Object.entries(answers)) {
    const answer = await told(next);
    expect(answer, next).toMatch(expected);
    expect(answer).not.toContain('-key');
  }
});

test('an own key goes before the host’s, where own keys are taken; without any key nothing is sent', async () => {
  await routeWith()(post(undefined, { 'x-search-key': 'own' }));
  await routeWith({ CLOCHE_OWN_KEYS: 'off' })(post(undefined, { 'x-search-key': 'own' }));
  expect(asked.map(({ request }) => request.headers['x-api-key'])).toEqual(['own', 'host-key']);
  expect((await routeWith({ EXA_API_KEY: '' })(post())).status).toBe(401);
  expect((await routeWith({ EXA_API_KEY: '' })(post(undefined, { 'x-search-key': 'a b' }))).status).toBe(400);
  expect(asked.length).toBe(2);
  expect(offeredSearch(readSearchEnvironment({ EXA_API_KEY: 'host-key' }))).toEqual({
    provider: { id: 'exa', name: 'Exa', acceptsOwnKey: true, hasServerKey: true },
  });
});

test('only our own page, only what the tools can ask, and not without end', async () => {
  const route = routeWith({ CLOCHE_SEARCHES_PER_MINUTE: '2', CLOCHE_HOST_KEY_SEARCHES_PER_DAY: '1' });
  expect((await route(post(undefined, { 'sec-fetch-site': 'cross-site' }))).status).toBe(403);
  for (const body of [
    { kind: 'mail', query: 'x' },
    { kind: 'web', query: '' },
    { kind: 'web', query: 'x', numResults: 500 },
    { kind: 'code', query: 'x', name: 'other_tool' },
  ])
    expect((await route(post(body))).status).toBe(400);
  expect((await route(post())).status).toBe(200);
  expect(await (await route(post())).json()).toMatchObject({ message: expect.stringContaining('used up') });
  expect(await (await route(post())).json()).toMatchObject({ message: 'You searched too often.' });
  expect(() => readSearchEnvironment({ EXA_URL: 'file:///x' })).toThrow('EXA_URL');
});
