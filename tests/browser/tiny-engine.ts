// Builds an engine whose process worker is tiny-process.worker.ts into a temporary folder, for tests of the kernel alone.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LIB_TEXTS } from '../../engine/kernel/protocol';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function bundle(entry: string, define?: Record<string, string>): Promise<string> {
  const result = await build({
    entryPoints: [path.join(root, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    logLevel: 'warning',
    define,
    // As the real build does: undici's copy of llhttp wants Buffer only to decode itself.
    alias: { 'node:buffer': path.join(root, 'engine/bindings/http/base64-buffer.ts') },
  });
  return result.outputFiles[0].text;
}

/** Path of a folder that the test server can serve as /engine/. `processSource` replaces the process worker. */
export async function buildTinyEngine(processSource?: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cloche-tiny-'));
  const write = (name: string, content: string): void => writeFileSync(path.join(folder, name), content);
  const names = {
    kernel: 'kernel.js',
    process: 'process.js',
    dump: 'dump.json',
    shell: 'shell.js',
  };
  const noText = { file: 'empty.txt', bytes: 0, index: {} };
  const lib = Object.fromEntries(LIB_TEXTS.map((name) => [name, noText]));
  const manifest = JSON.stringify({ version: 'tiny', nodeVersion: 'none', lib, ...names });
  const [host, kernel, process] = await Promise.all([
    bundle('engine/host/host.ts', { ENGINE_MANIFEST: manifest }),
    bundle('engine/kernel/kernel.worker.ts'),
    processSource ?? bundle('tests/browser/tiny-process.worker.ts'),
  ]);
  write('host.html', readFileSync(path.join(root, 'engine/host/host.html'), 'utf8'));
  write('host.js', host);
  write('kernel.js', kernel);
  write('process.js', process);
  for (const name of ['empty.txt', 'shell.js']) write(name, '');
  write('dump.json', '{}');
  return folder;
}
