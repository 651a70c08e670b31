// The pictures of the README: `npm run pictures` makes them anew from the built product (`npm run build` first). Not a test, and no part of CI.
import { defineConfig } from '@playwright/test';
import base from '../../playwright.config';

export default defineConfig({
  ...base,
  testDir: '.',
  workers: 1,
  retries: 0,
  reporter: 'list',
  timeout: 180_000,
  use: { ...base.use, ...base.projects?.find(({ name }) => name === 'e2e')?.use },
  projects: [
    { name: 'light', use: { colorScheme: 'light' } },
    { name: 'dark', use: { colorScheme: 'dark' } },
  ],
});
