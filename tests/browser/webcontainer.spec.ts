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
