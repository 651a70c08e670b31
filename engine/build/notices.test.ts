// That the notices name what ships, found here in another way than notices.ts does: from the imports that the bundler really took.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { noticesText, shippedPackages } from './notices';

const root = fileURLToPath(new URL('../..', import.meta.url));
let text: string;
let names: Set<string>;
beforeAll(() => {
  text = noticesText(root);
  names = new Set(shippedPackages(root).map(({ name }) => name));
});

test('the same twice', () => {
  expect(noticesText(root) === text).toBe(true);
});

test('the product’s dependencies and theirs, with the versions in use', () => {
  for (const name of [
    'next',
    'react',
    'monaco-editor',
    '@xterm/xterm',
    'ai',
    'zod',
    'scheduler',
    '@fontsource/jetbrains-mono',
  ])
    expect(text).toMatch(new RegExp(`^${name}@\\d`, 'm'));
  expect(names).not.toContain('vitest');
  expect(names).not.toContain('typescript');
});

test('Node with what it contains, and npm with what it brings along', () => {
  expect(text).toContain('Node.js is licensed for use as follows');
  expect(text).toMatch(/V8/);
  expect(text).toMatch(/^npm@\d/m);
  expect(names).toContain('pacote');
  expect(names).toContain('@npmcli/arborist');
});

test('what packages keep copies of: the editor’s language service, and what Next has compiled in', () => {
  expect(text).toMatch(/^%% typescript version/m);
  expect(text).toMatch(/^next, in dist\/compiled\/react-dom$/m);
  expect(text).toMatch(/^next, in dist\/compiled\/path-to-regexp$/m);
});

test('every package that the bundler puts into the engine', async () => {
  const bundled = new Set<string>();
  for (const entry of ['process/process.worker.ts', 'kernel/kernel.worker.ts', 'shell/shell.ts']) {
    const result = await build({
      entryPoints: [path.join(root, 'engine', entry)],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      outdir: 'out',
      logLevel: 'silent',
      // Only the names of packages are wanted, so Node's builtins may stay where they are.
      platform: 'node',
      conditions: ['browser'],
      loader: { '.wasm': 'binary' },
    });
    for (const input of Object.keys(result.metafile.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
      if (name) bundled.add(name);
    }
  }
  expect(bundled.size).toBeGreaterThan(0);
  expect([...bundled].filter((name) => !names.has(name))).toEqual([]);
});
