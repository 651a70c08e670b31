// Unit tests run in plain Node beside the code they test; browsers are Playwright's business.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    include: ['{app,components,engine,lib,tests}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'tests/fixtures/**', 'tests/e2e/**', 'tests/browser/**'],
    testTimeout: 20_000,
  },
});
