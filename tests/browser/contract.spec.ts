// The sandbox contract on the embedded backend in real Chromium: file cases on the kernel alone, process cases on the built engine.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { contractCases } from '../../lib/sandbox/contract';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';
import { buildTinyEngine } from './tiny-engine';

const isBuilt = existsSync(fileURLToPath(new URL('../../public/engine/manifest.json', import.meta.url)));
const assets = { files: undefined as string | undefined, shell: undefined as string | undefined };

for (const part of ['files', 'shell'] as const) {
  test.describe(part, () => {
    let sandbox: SandboxBrowser;
    test.skip(part === 'shell' && !isBuilt, 'needs the built engine: node engine/build/build.ts');

    test.beforeAll(async () => {
      if (part === 'files') assets.files ??= await buildTinyEngine();
      sandbox = await startSandboxBrowser({ assets: assets[part], boot: false });
      const entry = fileURLToPath(new URL('./contract-page.ts', import.meta.url));
      const bundled = await build({
        entryPoints: [entry],
        bundle: true,
        write: false,
        format: 'iife',
        // Its sandboxes keep nothing: the worker that owns a project's file is never started.
        logOverride: { 'empty-import-meta': 'silent' },
        target: 'es2023',
      });
      await sandbox.page.addScriptTag({ content: bundled.outputFiles[0].text });
    });

    test.afterAll(() => sandbox?.close());

    for (const { name } of contractCases.filter(({ needs }) => (needs === 'shell') === (part === 'shell'))) {
      test(name, async () => {
        const failure = await sandbox.page.evaluate(
          ([what, url]) =>
            window.contract.run(what, url).then(
              () => undefined,
              (error: Error) => `${error.name}: ${error.message}`,
            ),
          [name, `${sandbox.server.sandboxOrigin}/engine/host.html`] as const,
        );
        expect(failure).toBeUndefined();
      });
    }
  });
}
