// Somebody else's page, on another site, boots our engine by the published WebContainer client, through the product's own server (README: "For other pages").
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { EMBEDDER, originOf, SANDBOX } from './hosts';

const page = (host: string, script: string): string => `<!doctype html><title>embedder</title><body>
<script>globalThis.WEBCONTAINER_API_IFRAME_URL = ${JSON.stringify(host)};</script>
<script>${script}</script>`;

/** Serves a page with the client at `origin`; nothing listens there. */
async function open(browserPage: Page, origin: string, host: string): Promise<void> {
  const bundled = await build({
    stdin: {
      contents: "export * from '@webcontainer/api'",
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'api',
    target: 'es2023',
  });
  await browserPage.route(`${origin}/`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
      body: page(host, bundled.outputFiles[0].text),
    }),
  );
  await browserPage.goto(`${origin}/`);
}

test('a named embedder boots, runs a server and shows it', async ({ page, baseURL }) => {
  await open(page, EMBEDDER, originOf(baseURL!, SANDBOX));
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

test('a page that is not named is refused', async ({ page, baseURL }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await open(page, 'http://stranger.localhost:4321', originOf(baseURL!, SANDBOX));
  void page.evaluate('void api.WebContainer.boot({ coep: "require-corp" })');
  await expect.poll(() => said.join('\n'), { timeout: 30_000 }).toMatch(/frame-ancestors/);
});
