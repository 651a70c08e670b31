// Somebody else's page, on another site, boots our engine by the published WebContainer client, through the product's own server (README: "For other pages").
import { createServer, type Server } from 'node:http';
import { expect, test } from '@playwright/test';
import { bundlePublishedClient } from '../sandbox/published-client';
import { EMBEDDER, originOf, SANDBOX } from './hosts';

const page = (host: string, script: string): string => `<!doctype html><title>embedder</title><body>
<script>globalThis.WEBCONTAINER_API_IFRAME_URL = ${JSON.stringify(host)};</script>
<script>${script}</script>`;

let server: Server;

test.beforeAll(async ({ baseURL }) => {
  const client = await bundlePublishedClient();
  const body = page(originOf(baseURL!, SANDBOX), client);
  // A real server: what a test driver answers by itself is, to the browser, no page of this machine.
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(Number(new URL(EMBEDDER).port), '127.0.0.1', resolve));
});

test.afterAll(() => void server?.close());

test('a named embedder boots, runs a server and shows it', async ({ page }) => {
  await page.goto(EMBEDDER);
  const url = await page.evaluate(`(async () => {
    const container = await api.WebContainer.boot({ coep: 'require-corp' });
    await container.mount({ 'index.js': { file: { contents:
      'require("http").createServer((q, s) => s.setHeader("content-type", "text/html").end("<h1>served to " + q.url + "</h1>")).listen(3000)' } } });
    const ready = new Promise((resolve) => container.on('server-ready', (_port, url) => resolve(url)));
    const server = await container.spawn('node', ['index.js']);
    server.output.pipeTo(new WritableStream({ write: (text) => console.log(text) }));
    const url = await ready;
    const frame = document.createElement('iframe');
    frame.allow = 'cross-origin-isolated';
    frame.src = url + 'here';
    document.body.append(frame);
    return url;
  })()`);
  expect(url).toMatch(/^http:\/\/p-[0-9a-f]{32}-3000\.cloche\.localhost:/);
  await expect(page.frameLocator('iframe[src]:visible').locator('h1')).toHaveText('served to /here', {
    timeout: 30_000,
  });
});

test('a page that is not named is refused by the browser and gets no container', async ({ page }) => {
  await page.goto(EMBEDDER.replace('embedder', 'stranger'));
  void page.evaluate('void api.WebContainer.boot({ coep: "require-corp" })');
  // The frame shows the browser's own error page.
  await expect.poll(() => page.frames().map((frame) => frame.url())).toContain('chrome-error://chromewebdata/');
});
