// The sandbox contract on the WebContainer backend in real Chromium: lib/sandbox/webcontainer.ts → the published client → our engine as its host.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { contractCases } from '../../lib/sandbox/contract';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';

const isBuilt = existsSync(fileURLToPath(new URL('../../public/engine/manifest.json', import.meta.url)));
test.skip(!isBuilt, 'needs the built engine: node engine/build/build.ts');

let script: string;
let sandbox: SandboxBrowser;
const printed: string[] = [];

/** A fresh page whose client asks `host`. */
async function load(page: Page, host: string): Promise<void> {
  await page.goto(sandbox.server.ideOrigin);
  await page.evaluate((url) => Object.assign(globalThis, { WEBCONTAINER_API_IFRAME_URL: url }), host);
  await page.addScriptTag({ content: script });
}

test.beforeAll(async () => {
  const entry = fileURLToPath(new URL('./webcontainer-page.ts', import.meta.url));
  const bundled = await build({ entryPoints: [entry], bundle: true, write: false, format: 'iife', target: 'es2023' });
  script = bundled.outputFiles[0].text;
  sandbox = await startSandboxBrowser({ boot: false, onConsole: (text) => printed.push(text) });
  await load(sandbox.page, sandbox.server.sandboxOrigin);
});

test.afterAll(() => sandbox?.close());

test.afterEach(() => {
  const { status, expectedStatus } = test.info();
  if (status !== expectedStatus) console.log(printed.join('\n'));
  printed.length = 0;
});

test.describe('contract', () => {
  for (const { name } of contractCases) {
    test(name, async () => {
      const failure = await sandbox.page.evaluate(
        (what) =>
          window.containers.run(what).then(
            () => undefined,
            (error: Error) => `${error.name}: ${error.message}`,
          ),
        name,
      );
      expect(failure).toBeUndefined();
    });
  }
});

test.describe('a host that is out of reach', () => {
  let page: Page;
  test.beforeEach(async () => {
    page = await sandbox.page.context().browser()!.newPage();
    page.on('console', (message) => printed.push(message.text()));
  });
  test.afterEach(() => page?.close());

  const boot = (timeoutMs: number) => page.evaluate((limit) => window.containers.boot(limit), timeoutMs);

  test('nothing listens: a named error in time, and again at once until the page is loaded anew', async () => {
    const { port } = new URL(sandbox.server.ideOrigin);
    const nowhere = `http://cloche.localhost:${port === '1' ? 2 : 1}`;
    await load(page, nowhere);
    expect(await boot(400)).toMatch(
      /^ETIMEDOUT: http:\/\/cloche\.localhost:\d did not answer within 0\.4 s.*loaded anew/,
    );
    // Far longer than the test may take: the second answer does not wait.
    expect(await boot(10_000_000)).toMatch(/^ETIMEDOUT/);
    await load(page, sandbox.server.sandboxOrigin);
    expect(await boot(60_000)).toBe('booted');
  });

  test('a frame that stays silent is no different', async () => {
    sandbox.server.routes.set('/headless', (_request, response) => response.end('<!doctype html>maintenance'));
    try {
      await load(page, sandbox.server.ideOrigin);
      expect(await boot(400)).toMatch(/^ETIMEDOUT/);
    } finally {
      sandbox.server.routes.delete('/headless');
    }
  });

  test('a page whose policy forbids the frame hears that at once', async () => {
    await load(page, 'https://host.invalid');
    await page.evaluate(() => {
      const meta = document.createElement('meta');
      meta.httpEquiv = 'content-security-policy';
      meta.content = "frame-src 'self'";
      document.head.append(meta);
    });
    expect(await boot(10_000_000)).toMatch(/^EACCES: .*does not allow a frame of https:\/\/host\.invalid/);
  });

  test('our host serves nobody but the origins that the server names', async () => {
    const { port } = new URL(sandbox.server.ideOrigin);
    await page.goto(`http://other.localhost:${port}`);
    await page.evaluate(
      (url) => Object.assign(globalThis, { WEBCONTAINER_API_IFRAME_URL: url }),
      sandbox.server.sandboxOrigin,
    );
    await page.addScriptTag({ content: script });
    const answer = boot(10_000_000);
    await expect
      .poll(() => printed.join('\n'))
      .toContain(`The page at http://other.localhost:${port} may not use this engine.`);
    expect(await Promise.race([answer, Promise.resolve('waiting')])).toBe('waiting');
    answer.catch(() => {});
  });

  test('giving up ends the wait, and the next boot waits for nobody', async () => {
    await load(page, sandbox.server.sandboxOrigin);
    const outcome = await page.evaluate(async () => {
      const stop = new AbortController();
      const first = window.containers.create(stop.signal).catch((error: Error) => error.message);
      stop.abort(new Error('not wanted'));
      return [await first, await window.containers.boot(60_000), await window.containers.boot(60_000)];
    });
    expect(outcome).toEqual(['not wanted', 'booted', 'booted']);
  });
});
