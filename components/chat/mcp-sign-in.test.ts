// Signing in to a server of the web, all the way through our own server's route, with a person who follows links.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GET as clientDocumentRoute } from '../../app/api/mcp/client/route';
import { builtInAgents } from '../../lib/registry/agents';
import { hearingRights } from '../../lib/registry/mcp/kept-sign-in';
import { defaultTimeouts, type RemoteServer, readServers } from '../../lib/registry/mcp/server-config';
import { createMcpServers, type McpServers } from '../../lib/registry/mcp/servers';
import type { SignInWay } from '../../lib/registry/mcp/sign-in';
import { storedSignIns } from '../../lib/registry/mcp/sign-in-store';
import { memoryStorage, nobody } from '../../lib/registry/mcp/testing';
import { type SignInSite, type SignInSiteOptions, signInSite } from '../../lib/registry/mcp/testing-sign-in';
import { offerFor } from '../../lib/registry/registry';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { clientDocument, clientDocumentUrl } from '../../lib/std/mcp-client';
import { contextFor, outcome } from '../../lib/tools/testing';
import { stubMcpRoute } from '../../tests/providers/mcp-route';
import { mcpFetch } from './mcp-fetch';

const redirectUri = 'http://cloche.test/mcp/signed-in';
const realFetch = fetch;
const sites: SignInSite[] = [];
const all: McpServers[] = [];
let trusted: string[] = [];

beforeEach(() => stubMcpRoute(() => trusted));
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(all.splice(0).map((servers) => servers.close()));
  for (const site of sites.splice(0)) site.close();
  trusted = [];
});

async function opened(options: SignInSiteOptions = {}, oauth: RemoteServer['oauth'] = {}, storage = memoryStorage()) {
  const site = await signInSite(options);
  sites.push(site);
  trusted.push(site.origin);
  const open = async () => {
    const servers = createMcpServers({
      sandbox: await createMemorySandbox(),
      fetch: mcpFetch,
      allowed: memoryStorage(),
      retryDelayMs: 50,
      signIns: storedSignIns(storage),
    });
    all.push(servers);
    const config: RemoteServer = {
      kind: 'remote',
      name: 'web',
      url: `${site.origin}/mcp`,
      headers: {},
      enabled: true,
      timeouts: defaultTimeouts,
      oauth,
    };
    servers.want([{ config, trusted: true }]);
    await vi.waitUntil(() => servers.states()[0]!.status.kind !== 'connecting', { timeout: 20_000 });
    return servers;
  };
  return { site, servers: await open(), again: open };
}

/** Presses a link of the page that is shown, and comes back with what the browser came back with. */
function person(decision: 'allow' | 'deny', change: (back: URLSearchParams) => void = () => {}): SignInWay {
  return {
    redirectUri,
    finishing() {},
    async ask(page) {
      expect(page.searchParams.get('redirect_uri')).toBe(redirectUri);
      const shown = await realFetch(page);
      expect(shown.status).toBe(200);
      const pressed = await realFetch(`${page.href}&decision=${decision}`, { redirect: 'manual' });
      const back = new URL(pressed.headers.get('location')!).searchParams;
      change(back);
      return back;
    },
  };
}

const signIn = (servers: McpServers, way: SignInWay, signal = new AbortController().signal) =>
  servers.signIn('web', way, signal);
const statusOf = (servers: McpServers) => servers.states()[0]!.status.kind;

async function whoami(servers: McpServers): Promise<string> {
  const { tools } = offerFor({
    model: 'practice',
    agent: builtInAgents[0]!,
    mode: 'ask' as const,
    sources: servers.sources({ askQuestions: nobody }),
  });
  const { tool } = tools.find((one) => one.tool.name === 'web_whoami')!;
  return outcome(tool, {}, contextFor(await createMemorySandbox()));
}

test('connecting never signs in; after the person’s yes it is connected, stays so, and the key is renewed', async () => {
  const { site, servers, again } = await opened();
  expect(statusOf(servers)).toBe('needs-auth');
  expect(site.seen).toEqual([]);
  await signIn(servers, person('allow'));
  expect(statusOf(servers)).toBe('connected');
  expect(site.seen).toEqual([
    'POST /register',
    'GET /authorize tools offline_access',
    'POST /token authorization_code',
  ]);
  expect(servers.signedInAt('web')).toBe(new URL(site.origin).host);
  expect(await whoami(servers)).toBe('You are Ada.');

  const later = await again();
  expect(statusOf(later)).toBe('connected');
  site.expire();
  expect(await whoami(later)).toBe('You are Ada.');
  expect(site.seen.at(-1)).toBe('POST /token refresh_token');
  // The first page still has the old key in hand and finds the renewed one.
  expect(await whoami(servers)).toBe('You are Ada.');
}, 30_000);

test('who speaks first thing waits for a server that connects, and not for ever for one that does not answer', async () => {
  const { servers } = await opened();
  await signIn(servers, person('allow'));
  const before = servers.states()[0]!.config as RemoteServer;
  servers.want([]);
  servers.want([{ config: before, trusted: true }]);
  expect(statusOf(servers)).toBe('connecting');
  await servers.settled(20_000);
  expect(statusOf(servers)).toBe('connected');
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  trusted.push(origin);
  servers.want([{ config: { ...before, url: `${origin}/mcp` }, trusted: true }]);
  await servers.settled(50);
  expect(statusOf(servers)).toBe('connecting');
  silent.closeAllConnections();
  silent.close();
}, 30_000);

test('keys that are not good any more are said to be so, by the call and by the server’s state', async () => {
  const { site, servers } = await opened();
  await signIn(servers, person('allow'));
  site.revokeAll();
  expect(await whoami(servers)).toMatch(/^!The MCP server web: You were signed out there/);
  expect(statusOf(servers)).toBe('needs-auth');
  expect(servers.signedInAt('web')).toBeUndefined();
  await signIn(servers, person('allow'));
  expect(await whoami(servers)).toBe('You are Ada.');
}, 30_000);

test('a right that a call wants and that was not given is asked for at the next sign-in', async () => {
  const { site, servers } = await opened({ callScope: 'admin' });
  await signIn(servers, person('allow'));
  expect(await whoami(servers)).toMatch(/^!The MCP server web: It wants more rights than it was given\./);
  expect(statusOf(servers)).toBe('needs-auth');
  await signIn(servers, person('allow'));
  expect(site.seen.filter((one) => one.startsWith('GET /authorize'))).toEqual([
    'GET /authorize tools offline_access',
    'GET /authorize tools admin offline_access',
  ]);
  expect(await whoami(servers)).toBe('You are Ada.');
  await signIn(servers, person('allow'));
  expect(site.seen.filter((one) => one.startsWith('GET /authorize')).at(-1)).toBe(
    'GET /authorize tools admin offline_access',
  );
}, 30_000);

test('two calls that want different rights: both are asked for at the next sign-in', async () => {
  const store = storedSignIns(memoryStorage());
  const url = 'https://mcp.example.org/';
  store.save(url, {
    tokens: { access_token: 'a' },
    client: { client_id: 'c' },
    discovery: { authorizationServerUrl: url },
  } as never);
  const wanted = ['files:read', 'mail:send files:read'];
  const config: RemoteServer = {
    kind: 'remote',
    name: 'web',
    url,
    headers: {},
    enabled: true,
    timeouts: defaultTimeouts,
    oauth: {},
  };
  const hearing = hearingRights(config, store, async () => {
    const header = `Bearer error="insufficient_scope", scope="${wanted.shift()}"`;
    return new Response(null, { status: 403, headers: { 'www-authenticate': header } });
  });
  await expect(hearing(url)).rejects.toThrow('more rights');
  await expect(hearing(url)).rejects.toThrow('more rights');
  expect(store.wantedScope(url)).toBe('files:read mail:send');
  store.forget(url);
  expect(store.wantedScope(url)).toBe('files:read mail:send');
});

test('a right that is wanted without a name: the way out is said, and other calls go on', async () => {
  const storage = memoryStorage();
  const { site, servers } = await opened({ callScope: 'admin', isTacit: true }, {}, storage);
  await signIn(servers, person('allow'));
  for (let again = 0; again < 2; again++) {
    expect(await whoami(servers)).toMatch(/does not say which\..*`oauth\.scope` of its entry in the configuration/);
    expect(statusOf(servers)).toBe('connected');
  }
  expect(site.seen).not.toContain('POST /token refresh_token');
  // The person does what was said.
  const config = servers.states()[0]!.config as RemoteServer;
  servers.want([{ config: { ...config, oauth: { scope: 'tools admin' } }, trusted: true }]);
  await vi.waitUntil(() => statusOf(servers) === 'connected', { timeout: 20_000 });
  expect(await whoami(servers)).toMatch(/The person has to sign in again/);
  await signIn(servers, person('allow'));
  expect(await whoami(servers)).toBe('You are Ada.');
}, 30_000);

test('rights that calls wanted outlive keys that went bad, and go with a sign-out', async () => {
  const { site, servers } = await opened({ callScope: 'admin' });
  const asked = () => site.seen.filter((one) => one.startsWith('GET /authorize')).at(-1);
  await signIn(servers, person('allow'));
  await whoami(servers);
  await signIn(servers, person('allow'));
  site.revokeAll();
  expect(await whoami(servers)).toMatch(/You were signed out there/);
  await signIn(servers, person('allow'));
  expect(asked()).toBe('GET /authorize tools admin offline_access');
  await servers.signOut('web');
  await signIn(servers, person('allow'));
  expect(asked()).toBe('GET /authorize tools offline_access');
}, 30_000);

test('a server that does not describe itself: keys are asked for it alone, renewed ones too', async () => {
  // The site refuses a key that is not asked for its own address.
  const { site, servers } = await opened({ describes: false });
  await signIn(servers, person('allow'));
  expect(await whoami(servers)).toBe('You are Ada.');
  site.expire();
  expect(await whoami(servers)).toBe('You are Ada.');
  expect(site.seen.at(-1)).toBe('POST /token refresh_token');
}, 30_000);

test('where programs don’t register, a public installation is known by the document at its URL', async () => {
  const document = clientDocument('https://cloche.example.org');
  const clientUrl = clientDocumentUrl('https://cloche.example.org')!;
  const documents = { [clientUrl]: { ...document, redirect_uris: [redirectUri] } };
  const { site, servers } = await opened({ registers: false, documents });
  await expect(signIn(servers, person('allow'))).rejects.toThrow('does not let programs register');
  await signIn(servers, { ...person('allow'), clientUrl });
  expect(site.seen).toEqual(['GET /authorize tools offline_access', 'POST /token authorization_code']);
  site.expire();
  expect(await whoami(servers)).toBe('You are Ada.');
}, 30_000);

test.each([
  'http://cloche.example.org',
  'https://localhost:3000',
  'https://cloche.localhost',
  'https://cloche',
  'https://10.0.0.1',
  'https://[::1]:3000',
  'https://ide.corp',
])('%s has no document that others can read', (origin) => expect(clientDocumentUrl(origin)).toBeUndefined());

test('the document is the same whoever asks, and names its own URL', async () => {
  vi.stubEnv('CLOCHE_HOST', 'cloche.example.org');
  const headers = { host: 'cloche.example.org', 'x-forwarded-proto': 'https' };
  const answer = clientDocumentRoute(new Request('http://127.0.0.1:3000/api/mcp/client', { headers }));
  expect(await answer.json()).toMatchObject({
    client_id: clientDocumentUrl('https://cloche.example.org'),
    redirect_uris: ['https://cloche.example.org/mcp/signed-in'],
    token_endpoint_auth_method: 'none',
  });
  vi.unstubAllEnvs();
});

test('signing out gives the keys back and forgets them', async () => {
  const { site, servers } = await opened();
  await signIn(servers, person('allow'));
  await servers.signOut('web');
  expect(site.seen.slice(-2)).toEqual(['POST /revoke refresh_token', 'POST /revoke access_token']);
  expect(servers.signedInAt('web')).toBeUndefined();
  expect(statusOf(servers)).toBe('needs-auth');
}, 30_000);

test('a client that is known there is used as it is, with its secret', async () => {
  const client = { id: 'me', secret: 'hush' };
  const { site, servers } = await opened(
    { registers: false, client },
    { clientId: 'me', clientSecret: 'hush', scope: 'read write' },
  );
  await signIn(servers, person('allow'));
  expect(site.seen).toEqual(['GET /authorize read write offline_access', 'POST /token authorization_code']);
  expect(await whoami(servers)).toBe('You are Ada.');
}, 30_000);

test.each<[string, SignInSiteOptions, SignInWay, RegExp]>([
  ['a no', {}, person('deny'), /You did not allow it there/],
  ['another state', {}, person('allow', (back) => back.set('state', 'x')), /belongs to another sign-in/],
  ['no state', {}, person('allow', (back) => back.delete('state')), /belongs to another sign-in/],
  ['another issuer’s answer', { iss: 'https://evil.example' }, person('allow'), /comes from https:\/\/evil\.example/],
  ['an answer without an issuer', {}, person('allow', (back) => back.delete('iss')), /nobody that says its name/],
  ['a made-up code', {}, person('allow', (back) => back.set('code', 'x')), /invalid|grant/i],
  [
    'a description of somebody else',
    { issuer: 'https://evil.example' },
    person('allow'),
    /says that it is https:\/\/evil/,
  ],
  [
    'a description of somebody else, where the server names nobody',
    { issuer: 'https://evil.example', iss: 'https://evil.example', describes: false },
    person('allow'),
    /says that it is https:\/\/evil/,
  ],
  [
    'no registration',
    { registers: false },
    person('allow'),
    /Register Cloche there with the redirect address http:\/\/cloche\.test/,
  ],
  ['a page that is none', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, person('allow'), /./],
  [
    'a private place for keys',
    { metadata: { token_endpoint: 'http://169.254.169.254/token' } },
    person('allow'),
    /public internet/,
  ],
  ['no PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, person('allow'), /S256/],
])(
  '%s keeps nothing and says why',
  async (_name, options, way, why) => {
    const { servers } = await opened(options);
    await expect(signIn(servers, way)).rejects.toThrow(why);
    expect(servers.signedInAt('web')).toBeUndefined();
    expect(statusOf(servers)).toBe('needs-auth');
  },
  30_000,
);

test('the person may stop it', async () => {
  const { servers } = await opened();
  const stop = new AbortController();
  const way: SignInWay = {
    ...person('allow'),
    ask: (_page, _state, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        stop.abort(new Error('You stopped it.'));
      }),
  };
  await expect(signIn(servers, way, stop.signal)).rejects.toThrow('You stopped it.');
  expect(servers.signedInAt('web')).toBeUndefined();
}, 30_000);

test('`oauth: false` never signs in; names with underscores are understood; what means nothing here is said', () => {
  const { servers, problems } = readServers(
    {
      mcp: {
        a: { type: 'remote', url: 'https://a.org', oauth: false },
        b: { type: 'remote', url: 'https://b.org', oauth: { client_id: 'x', client_secret: 'y', scope: 'z' } },
        c: {
          type: 'remote',
          url: 'https://c.org',
          oauth: { clientId: 'x', redirectUri: 'http://127.0.0.1:1/', callbackPort: 1 },
        },
      },
    },
    'opencode.json',
  );
  expect(servers.map((one) => one.kind === 'remote' && one.oauth)).toEqual([
    false,
    { clientId: 'x', clientSecret: 'y', scope: 'z' },
    { clientId: 'x' },
  ]);
  expect(problems).toEqual([expect.stringMatching(/mcp\.c: oauth\.redirectUri, oauth\.callbackPort is not used/)]);
});
