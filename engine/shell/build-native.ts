// Bundles the shell for a real Node into a folder: for tests and for trying it in a terminal.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Writes the bundle; returns its path. Run it as `node <path> bash -c '…'`. */
export function buildNativeShell(folder: string): string {
  const outfile = path.join(folder, 'shell.cjs');
  const entry = path.join(path.dirname(fileURLToPath(import.meta.url)), 'native-main.ts');
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}
