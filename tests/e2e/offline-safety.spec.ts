// What guests do with what is kept, and what deployments do with it.
import { type BrowserContext, type Page, test, type Worker } from '@playwright/test';
import { type Front, startFront } from './front';
import { originOf, SANDBOX } from './hosts';
import { expect, reload, startProject, untilReady } from './ide';
import { startOwnServer } from './own-server';
import { shell } from './terminal';

test.setTimeout(240_000);

let front: Front;
let context: BrowserContext;
let page: Page;
test.beforeEach(async ({ browser, baseURL }) => {
  front = await startFront(baseURL!);
  context = await browser.newContext({ baseURL: front.ide });
  page = await context.newPage();
});
test.afterEach(async () => {
  await context.close();
  await front.kill();
});

const status = (): ReturnType<Page['locator']> => page.locator('.status-bar');
const untilKept = () => expect(status().getByText('works offline')).toBeVisible({ timeout: 120_000 });
const cacheNames = () => page.evaluate(() => caches.keys());

/** A worker of the engine: it has everything that the browser gives to workers of that origin. */
function engineWorker(): Worker {
  const worker = page.workers().find((one) => one.url().startsWith(originOf(front.ide, SANDBOX)));
  if (!worker) throw new Error('no worker of the engine');
  return worker;
}

/** Without the browser's own cache of what servers sent, only what is kept is left. */
async function clearHttpCache(): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

test('what a guest writes over the kept engine never runs, and is put right', async () => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await startProject(page, 'Blank Node');
  await untilKept();
  const poisoned = await engineWorker().evaluate(async () => {
    const text = 'console.log("EVIL RAN");postMessage({cloche:"failed",message:"evil"})';
    let count = 0;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) {
        const isPage = url.endsWith('.html');
        const headers = { 'content-type': isPage ? 'text/html' : 'text/javascript' };
        await cache.put(url, new Response(isPage ? `<script>${text}</script>` : text, { headers }));
        count++;
      }
    }
    console.log('the console is heard');
    return count;
  });
  expect(poisoned).toBeGreaterThan(8);
  await expect.poll(() => said).toContain('the console is heard');

  // With a server nobody notices; the keep page finds the damage and mends it.
  await clearHttpCache();
  await reload(page);
  await untilKept();
  expect(said).not.toContain('EVIL RAN');
  await front.kill();
  await clearHttpCache();
  await reload(page);
  expect(await shell(page, 'node -p 6*7')).toEqual({ output: '42', code: 0 });

  // Without one the engine rather does not start.
  await engineWorker().evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) await cache.put(url, new Response('console.log("EVIL RAN")'));
    }
  });
  await clearHttpCache();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 120_000 });
  expect(said).not.toContain('EVIL RAN');
});

test('a guest has no way to the caches, and nobody makes a service worker of another script', async () => {
  await startProject(page, 'Blank Node');
  const names = ['caches', 'indexedDB', 'navigator.serviceWorker', 'navigator.storage'];
  const { output } = await shell(page, `node -p '[${names.map((name) => `typeof ${name}`)}].join()'`);
  expect(output).toBe(names.map(() => 'undefined').join());
  expect(await engineWorker().evaluate(() => typeof (navigator as Navigator).serviceWorker)).toBe('undefined');
  const host = page.frames().find((frame) => frame.url().startsWith(originOf(front.ide, SANDBOX)))!;
  const scripts = engineWorker().url();
  const hostScript = await host.evaluate(() => new URL(document.querySelector('script')!.src).pathname);
  const refused = await host.evaluate(
    async (urls) =>
      Promise.all(
        urls.map((url) =>
          navigator.serviceWorker.register(url, { scope: '/engine/evil/' }).then(
            () => `${url} registered`,
            (error: Error) => `refused: ${error.message}`,
          ),
        ),
      ),
    [scripts, hostScript, '/engine/offline.js', '/api/npm/is-number', 'data:text/javascript,'],
  );
  for (const answer of refused) expect(answer).toMatch(/^refused: /);
});

test('a new build replaces the kept one as a whole, also for a tab that is only ever reloaded', async () => {
  await startProject(page, 'Blank Node');
  await untilKept();
  const [old] = await cacheNames();
  front.change('/api/offline', (text) => text.replace(/"build":"[^"]*"/, '"build":"the-next-one"'));
  await reload(page);
  await expect.poll(cacheNames, { timeout: 120_000 }).toEqual(['cloche-ide-the-next-one']);
  expect(old).not.toBe('cloche-ide-the-next-one');
  await front.kill();
  await reload(page);
});

test('a build that is not all there replaces nothing', async () => {
  await startProject(page, 'Blank Node');
  await untilKept();
  const before = await cacheNames();
  front.change('/api/offline', (text) =>
    text.replace(/"build":"[^"]*"/, '"build":"half"').replace('"files":[', '"files":["/_next/static/gone.js",'),
  );
  const failed = page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!;
    const found = new Promise<ServiceWorker>((resolve) => {
      registration.addEventListener('updatefound', () => resolve(registration.installing!));
    });
    await registration.update();
    const next = await found;
    await new Promise<void>((resolve) => {
      next.addEventListener('statechange', () => next.state === 'redundant' && resolve());
    });
    return registration.active?.state;
  });
  expect(await failed).toBe('activated');
  await front.kill();
  await reload(page);
  expect((await cacheNames()).filter((name) => before.includes(name))).toEqual(before);
});

test('a network that is there but dead costs seconds, not the work', async () => {
  await startProject(page, 'Blank Node');
  await untilKept();
  front.hang();
  await page.reload();
  await untilReady(page);
  expect(await shell(page, 'node -p 6*7')).toEqual({ output: '42', code: 0 });
});

test('CLOCHE_OFFLINE=off ends it in browsers that have it', async ({ browser }) => {
  const first = await startOwnServer();
  const port = Number(new URL(first.ide).port);
  const other = await (await browser.newContext({ baseURL: first.ide })).newPage();
  try {
    await other.goto('/');
    await expect(other.getByText('works offline')).toBeVisible({ timeout: 120_000 });
    expect(await other.evaluate(() => caches.keys())).toHaveLength(1);
  } finally {
    await first.kill();
  }
  const second = await startOwnServer(port, { CLOCHE_OFFLINE: 'off' });
  try {
    await other.goto('/');
    await expect
      .poll(() =>
        other.evaluate(async () => [
          (await navigator.serviceWorker.getRegistrations()).length,
          (await caches.keys()).length,
        ]),
      )
      .toEqual([0, 0]);
    await other.reload();
    expect(await other.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  } finally {
    await second.kill();
    await other.context().close();
  }
});
