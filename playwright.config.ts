// Real-browser tests: `browser` drives the engine alone, `e2e` the whole product through its own server.
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, CHROMIUM_PATH } from './tests/sandbox/browser';

export default defineConfig({
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  use: { launchOptions: { executablePath: CHROMIUM_PATH, args: CHROMIUM_ARGS } },
  projects: [
    { name: 'browser', testDir: 'tests/browser' },
    { name: 'e2e', testDir: 'tests/e2e', use: { baseURL: 'http://cloche.localhost:3000' } },
  ],
});
