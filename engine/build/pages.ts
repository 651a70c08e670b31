// The parts of public/engine/ that belong to pages rather than to the engine: previews, and the service workers. What a service worker serves
// without the server it carries as text or as a hash, so these are built last.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.bin': 'application/octet-stream',
};

/** For other people's pages and computers, and what the IDE's own service worker keeps. */
const NEEDS_NETWORK = ['webcontainer-host.html', 'webcontainer-host.js', 'agent.js', 'extension-host.js'];

type Bundle = (entry: string, options?: BuildOptions) => Promise<string>;

/** Writes `preview/`; its service worker has the other files in it. */
export async function buildPreview(outDir: string, bundle: Bundle): Promise<void> {
  const folder = path.join(outDir, 'preview');
  mkdirSync(folder);
  for (const page of ['bridge.html', 'boot.html'])
    copyFileSync(path.join(root, 'engine/preview', page), path.join(folder, page));
  for (const [entry, name] of [
    ['bridge.ts', 'bridge.js'],
    ['web-socket.ts', 'ws.js'],
    ['boot.ts', 'boot.js'],
  ])
    writeFileSync(path.join(folder, name), await bundle(`engine/preview/${entry}`, { keepNames: false }));
  const own: Record<string, { type: string; body: string }> = {};
  for (const name of ['bridge.html', 'bridge.js', 'ws.js'])
    own[`/__cloche/${name}`] = {
      type: TYPES[path.extname(name)],
      body: readFileSync(path.join(folder, name), 'utf8'),
    };
  const define = { OWN_FILES: JSON.stringify(own) };
  writeFileSync(
    path.join(folder, 'sw.js'),
    await bundle('engine/preview/service-worker.ts', { keepNames: false, define }),
  );
}

/** Writes the page in which programs of a model run; it is one file, because its origin may load nothing. */
export async function buildProgramPage(outDir: string, bundle: Bundle): Promise<void> {
  const guest = await bundle('engine/program/guest.worker.ts', { keepNames: false });
  const define = { GUEST: JSON.stringify(guest) };
  const page = await bundle('engine/program/page.ts', { keepNames: false, define });
  const html = readFileSync(path.join(root, 'engine/program/program.html'), 'utf8');
  const script = page.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  writeFileSync(
    path.join(outDir, 'program.html'),
    html.replace('/* PAGE */', () => script),
  );
}

/** Writes the keep page, the engine's service worker with the hashes of all files of `outDir`, and the IDE's. Everything else must be there. */
export async function buildOffline(outDir: string, bundle: Bundle): Promise<void> {
  const write = async (name: string, entry: string, define?: Record<string, string>): Promise<void> =>
    writeFileSync(path.join(outDir, name), await bundle(`engine/offline/${entry}`, { keepNames: false, define }));
  copyFileSync(path.join(root, 'engine/offline/keep.html'), path.join(outDir, 'keep.html'));
  await write('keep.js', 'keep.ts');
  const files: Record<string, { sha256: string; type: string }> = {};
  for (const entry of readdirSync(outDir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isFile() || NEEDS_NETWORK.includes(entry.name)) continue;
    const type = TYPES[path.extname(entry.name)];
    if (type === undefined) throw new Error(`engine/build/pages.ts knows no content type for ${entry.name}`);
    const bytes = readFileSync(path.join(outDir, entry.name));
    files[`/engine/${entry.name}`] = { sha256: createHash('sha256').update(bytes).digest('base64'), type };
  }
  const list = JSON.stringify(files);
  const build = createHash('sha256').update(list).digest('hex').slice(0, 12);
  await write('sw.js', 'engine-worker.ts', { ENGINE_FILES: list, ENGINE_BUILD: JSON.stringify(build) });
  mkdirSync(path.join(outDir, 'ide'));
  await write('ide/sw.js', 'ide-worker.ts');
  await write('ide/off.js', 'off-worker.ts');
}
