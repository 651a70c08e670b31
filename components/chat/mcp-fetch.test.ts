// MCP servers of the web, all the way: client, envelope, our server's route, and the published server on loopback.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { builtInAgents } from '../../lib/registry/agents';
import { defaultTimeouts, type RemoteServer } from '../../lib/registry/mcp/server-config';
import { createMcpServers, type McpServers } from '../../lib/registry/mcp/servers';
import { storedSignIns } from '../../lib/registry/mcp/sign-in-store';
import { closeAll, memoryStorage, nobody } from '../../lib/registry/mcp/testing';
import { offerFor } from '../../lib/registry/registry';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { readMcpEnvironment } from '../../lib/server/mcp-environment';
import { createMcpRoute } from '../../lib/server/mcp-proxy';
import { contextFor, outcome } from '../../lib/tools/testing';
import { stubMcpRoute } from '../../tests/providers/mcp-route';
import { mcpFetch } from './mcp-fetch';

const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
let trusted: string[] = [];
const children: ChildProcess[] = [];
const sites: Server[] = [];
const all: McpServers[] = [];

beforeEach(() => stubMcpRoute(() => trusted));
afterEach(async () => {
  vi.unstubAllGlobals();
  await closeAll();
  await Promise.all(all.splice(0).map((servers) => servers.close()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const site of sites.splice(0)) {
    site.closeAllConnections();
    site.close();
  }
  trusted = [];
});

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startEverything(port: number, transport: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitUntil(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      }),
    { timeout: 20_000, interval: 100 },
  );
  trusted = [...trusted, origin];
  return child;
}

async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  sites.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connected(url: string, more: Partial<RemoteServer> = {}): Promise<McpServers> {
  const sandbox = await createMemorySandbox();
  const servers = createMcpServers({
    sandbox,
    fetch: mcpFetch,
    signIns: storedSignIns(memoryStorage()),
    allowed: memoryStorage(),
    retryDelayMs: 50,
  });
  all.push(servers);
  const config: RemoteServer = {
    kind: 'remote',
    name: 'web',
    url,
    headers: {},
    oauth: {},
    enabled: true,
    timeouts: defaultTimeouts,
    ...more,
  };
  servers.want([{ config, trusted: true }]);
  await vi.waitUntil(() => servers.states()[0]!.status.kind !== 'connecting', { timeout: 20_000 });
  return servers;
}

async function call(servers: McpServers, name: string, input: Record<string, unknown>): Promise<string> {
  const { tools } = offerFor({
    model: 'practice',
    agent: builtInAgents[0]!,
    mode: 'ask',
    sources: servers.sources({ askQuestions: nobody }),
  });
  const { tool } = tools.find((one) => one.tool.name === name)!;
  return outcome(tool, input, contextFor(await createMemorySandbox()));
}

test('streamable HTTP through /api/mcp; a server that starts anew gets the call on a new session', async () => {
  const port = await freePort();
  const first = await startEverything(port, 'streamableHttp');
  const servers = await connected(`http://127.0.0.1:${port}/mcp`);
  expect(servers.states()[0]!.status).toEqual({ kind: 'connected' });
  expect(await call(servers, 'web_echo', { message: 'over the web' })).toContain('over the web');
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(await call(servers, 'web_echo', { message: 'nobody there' })).toMatch(
    /^!The MCP server web: .*could not be reached/,
  );
  await startEverything(port, 'streamableHttp');
  expect(await call(servers, 'web_echo', { message: 'again' })).toContain('again');
}, 60_000);

test('a server of the older transport is reached by server-sent events', async () => {
  const port = await freePort();
  await startEverything(port, 'sse');
  const servers = await connected(`http://127.0.0.1:${port}/sse`);
  expect(servers.states()[0]!.status).toEqual({ kind: 'connected' });
  expect(await call(servers, 'web_echo', { message: 'old ways' })).toContain('old ways');
}, 60_000);

test('401 is a wish to sign in, and the person’s header is what the server gets', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const origin = await site((request, response) => {
    seen.push(request.headers);
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('no');
  });
  trusted = [origin];
  const servers = await connected(`${origin}/mcp`, { headers: { Authorization: 'Bearer abc', Cookie: 'x=y' } });
  expect(servers.states()[0]!.status.kind).toBe('needs-auth');
  expect(seen[0]).toMatchObject({ authorization: 'Bearer abc', 'user-agent': 'cloche-mcp' });
  expect(seen[0]!.cookie).toBeUndefined();
  expect(seen[0]!.origin).toBeUndefined();
});

test.each([
  'http://127.0.0.1:9/mcp',
  'https://127.0.0.1/mcp',
  'https://[::1]/mcp',
  'https://[::ffff:10.0.0.1]/mcp',
  'https://2130706433/mcp',
  'https://0x7f.1/mcp',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/mcp',
  'http://example.org/mcp',
])('%s is refused', async (url) => {
  await expect(mcpFetch(url, { method: 'POST', body: '{}' })).rejects.toThrow(
    'Only https servers of the public internet',
  );
});

test('a redirect leads nowhere else, an answer is cut at its limit, and no page of ours comes of it', async () => {
  const origin = await site((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    else if (request.url === '/page')
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<script>');
    else response.writeHead(200).end(Buffer.alloc(5000));
  });
  const route = createMcpRoute(
    readMcpEnvironment({ CLOCHE_MCP_TRUSTED_ORIGINS: origin, CLOCHE_MCP_MAX_ANSWER_BYTES: '1000' }),
  );
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    route(
      new Request('http://cloche.test/api/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://cloche.test', host: 'cloche.test', ...headers },
        body: JSON.stringify({ url: origin + path, method, headers: {} }),
      }),
    );
  expect((await ask('/away')).status).toBe(502);
  expect((await ask('/away', {}, 'DELETE')).status).toBe(502);
  const page = await ask('/page');
  expect(page.headers.get('content-type')).toBe('application/octet-stream');
  expect(page.headers.get('set-cookie')).toBeNull();
  await expect((await ask('/long')).arrayBuffer()).rejects.toThrow();
  expect((await ask('/page', { origin: 'http://evil.test' })).status).toBe(403);
  expect((await ask('/page', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await ask('/page', { 'content-type': 'text/plain' })).status).toBe(415);
  const off = createMcpRoute(readMcpEnvironment({ CLOCHE_MCP: 'off' }));
  const headers = { 'content-type': 'application/json', origin: 'http://cloche.test', host: 'cloche.test' };
  expect((await off(new Request('http://cloche.test/api/mcp', { method: 'POST', headers, body: '{}' }))).status).toBe(
    403,
  );
});

test('keys of the operator go to their own origin, and the person’s win', async () => {
  const seen: (string | undefined)[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(200).end();
  };
  const [own, other] = [await site(listener), await site(listener)];
  const route = createMcpRoute(
    readMcpEnvironment({
      CLOCHE_MCP_TRUSTED_ORIGINS: `${own},${other}`,
      CLOCHE_MCP_KEYS: JSON.stringify({ [own]: { Authorization: 'Bearer of the house' } }),
    }),
  );
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await route(
      new Request('http://cloche.test/api/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://cloche.test', host: 'cloche.test' },
        body: JSON.stringify({ url, method: 'GET', headers }),
      }),
    );
    expect(answer.status).toBe(200);
    expect(JSON.stringify([...answer.headers])).not.toContain('of%20the%20house');
  };
  await ask(`${own}/mcp`);
  await ask(`${own}/mcp`, { authorization: 'Bearer mine' });
  await ask(`${other}/mcp`);
  expect(seen).toEqual(['Bearer of the house', 'Bearer mine', undefined]);
  expect(() => readMcpEnvironment({ CLOCHE_MCP_KEYS: '{"https://a.org/path": {}}' })).toThrow('CLOCHE_MCP_KEYS');
  expect(() => readMcpEnvironment({ CLOCHE_MCP_KEYS: 'x' })).toThrow('CLOCHE_MCP_KEYS');
});
