// What a hostile client, which sends whatever bytes it likes, gets from the real server: other spellings of paths, headers of proxies and of Next that it
// forges, bodies that are dear to read.
import { expect, test } from '@playwright/test';
import { ask, IDE, SANDBOX } from './hosts';
import { type OwnServer, startOwnServer } from './own-server';

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

test('the engine is not on the IDE’s origin, however its address is spelt', async ({ baseURL }) => {
  const manifest = JSON.parse((await ask(baseURL!, SANDBOX, '/engine/manifest.json')).body);
  for (const path of [
    '/%65ngine/host.html',
    `/%65ngine/${manifest.kernel}`,
    '/engine%2fhost.html',
    '/%2565ngine/host.html',
    '/_next/..%2fengine%2fhost.html',
    '/_next/static/..%2f..%2f..%2fengine/host.html',
    '/x/..;/engine/host.html',
  ])
    expect((await ask(baseURL!, IDE, path)).status, path).toBe(404);
});

test('what no address can be is an answer, not an error of the server', async ({ baseURL }) => {
  for (const [host, path] of [
    [IDE, '/p/%E0%A4%A'],
    [IDE, '/p/%00'],
    [IDE, '/api/npm/%E0%A4%A'],
    [SANDBOX, '/api/npm/%E0%A4%A'],
    [SANDBOX, '/api/npm/..%2f..%2fapi%2fmodels'],
    [SANDBOX, '/%61pi/models'],
    [IDE, '/_next/image?url=%2ficon.svg&w=64&q=75'],
    [IDE, '/_next/image?url=http%3a%2f%2f127.0.0.1%2f&w=64&q=75'],
  ])
    expect((await ask(baseURL!, host, path)).status, host + path).toBe(404);
});

test('methods that no route has are refused as such, by name', async ({ baseURL }) => {
  for (const host of [IDE, SANDBOX, 'localhost'])
    for (const path of ['/', '/api/models', '/api/npm/is-number', '/icon.svg', '/_next/static/x.js'])
      for (const method of ['TRACE', 'PROPFIND', 'DELETE', 'PUT'])
        expect((await ask(baseURL!, host, path, { method })).status, `${method} ${host}${path}`).toBe(405);
  const page = await ask(baseURL!, IDE, '/', { method: 'POST', body: '' });
  expect([page.status, page.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('cookies that a preview set for all our names, more than a server reads, are forgotten, and the IDE opens again', async ({
  page,
  context,
  baseURL,
}) => {
  const long = Array.from({ length: 12 }, (_, at) => ({ name: `bomb${at}`, value: 'x'.repeat(3000) }));
  const visitWith = async (count: number): Promise<number | undefined> => {
    await context.addCookies(long.slice(0, count).map((one) => ({ ...one, domain: '.cloche.localhost', path: '/' })));
    return (await page.goto(baseURL!))?.status();
  };
  const isOpen = async (): Promise<void> => {
    await expect(page.locator('a.template').first()).toBeVisible();
    expect(await context.cookies()).toEqual([]);
  };
  expect(await visitWith(1)).toBe(200);
  await isOpen();
  // An answer to the page before, still under way, may have the new cookies forgotten before they are sent.
  await expect.poll(() => visitWith(12)).toBe(431);
  await page.getByRole('link', { name: 'Load it again' }).click();
  await isOpen();
});

test('headers that Next and proxies use among themselves open nothing', async ({ baseURL }) => {
  for (const [name, value] of [
    ['x-middleware-subrequest', 'proxy:proxy:proxy:proxy:proxy'],
    ['x-middleware-rewrite', '/api/models'],
    ['x-middleware-next', '1'],
    ['x-matched-path', '/api/models'],
    ['x-invoke-path', '/api/models'],
    ['x-original-url', '/api/models'],
    ['x-rewrite-url', '/api/models'],
    ['x-forwarded-host', IDE],
    ['x-nextjs-data', '1'],
    ['rsc', '1'],
  ]) {
    expect((await ask(baseURL!, SANDBOX, '/api/models', { headers: { [name]: value } })).status, name).toBe(404);
    const page = await ask(baseURL!, IDE, '/not/a/page', { headers: { [name]: value } });
    expect(page.headers['content-security-policy'], name).toMatch(/script-src 'self' 'nonce-/);
  }
});

test.describe('a server of its own', () => {
  let server: OwnServer;
  test.beforeAll(async () => {
    server = await startOwnServer(0, {
      CLOCHE_CHAT_STEPS_PER_MINUTE: '12',
      OPENAI_COMPATIBLE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_COMPATIBLE_MODELS: 'm',
    });
  });
  test.afterAll(() => server.kill());
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask(server.ide, IDE, '/api/chat', { method: 'POST', headers: { ...json, ...headers }, body });
  const withInput = (input: string) =>
    `{"model":"compatible/m","options":{"prompt":[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"b","input":${input}}]}]}}`;

  test('a body that is dear to read is refused, not read for minutes; then nobody has more requests by naming other addresses', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    // The same shapes, small: they get as far as the provider, which is not there.
    for (const input of [nested(200), `[${'{},'.repeat(1000)}0]`])
      expect((await post(withInput(input))).status).toBe(502);
    for (const input of [nested(3000), nested(100_000), `[${'0,'.repeat(2e6)}0]`, `[${'{},'.repeat(2e6)}0]`])
      expect((await post(withInput(input))).status).toBe(413);
    expect((await post('{"model":"compatible/m"}')).status).toBe(400);

    const statuses: number[] = [];
    for (let at = 0; at < 20; at++)
      statuses.push(
        (
          await post('{}', {
            'x-forwarded-for': `9.9.9.${at}`,
            'x-real-ip': `9.9.9.${at}`,
            'x-cloche-peer': `9.9.9.${at}`,
          })
        ).status,
      );
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 400).length).toBeLessThan(12);
  });
});
