// Real-browser tests: `browser` drives the engine alone, `e2e` the whole product through its own server (the built one: `npm run build` first).
import { defineConfig } from '@playwright/test';
import { EMBEDDER, SIGN_IN_SERVER_PORT, WEB_SERVER_PORT } from './tests/e2e/hosts';
import { CHROMIUM_ARGS, CHROMIUM_PATH } from './tests/sandbox/browser';

/** Not 3000: a development server may be running. */
const PORT = Number(process.env.CLOCHE_TEST_PORT || 3199);
// The engine's own tests bring their own server; they must not need a build of the whole product.
const isEngineOnly =
  process.argv.includes('--project=browser') || process.argv.some((word) => word.startsWith('tests/browser'));

export default defineConfig({
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  // A test that passes only the second time is named at the end of CI (tests/sum-results.mjs): it is a fault to be found, of the test or of the product.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  use: { launchOptions: { executablePath: CHROMIUM_PATH, args: CHROMIUM_ARGS } },
  webServer: isEngineOnly
    ? undefined
    : {
        command: `node_modules/.bin/next start -p ${PORT}`,
        port: PORT,
        env: {
          CLOCHE_EMBEDDERS: EMBEDDER,
          CLOCHE_MCP_TRUSTED_ORIGINS: [WEB_SERVER_PORT, SIGN_IN_SERVER_PORT]
            .map((port) => `http://127.0.0.1:${port}`)
            .join(','),
        },
        reuseExistingServer: !process.env.CI,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
      },
  projects: [
    // Races and orders are looked at there, on a machine that does nothing else.
    { name: 'browser', testDir: 'tests/browser', workers: 1 },
    {
      name: 'e2e',
      testDir: 'tests/e2e',
      timeout: 150_000,
      use: {
        baseURL: `http://cloche.localhost:${PORT}`,
        viewport: { width: 1440, height: 900 },
        actionTimeout: 45_000,
      },
    },
  ],
});
