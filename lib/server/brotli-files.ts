// Which files of the build have a smaller form beside them: `X.br`, written once by `npm run build` (write-brotli.ts), because Next only compresses on the
// fly and by gzip, which is a sixth more to wait for on a first visit. The choice is made where Node itself first sees a request: Next's gate may change
// its address, but drops the header that says how a body is encoded.
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';

/** Folders (from the repository's root) and the addresses at which they are served. */
export const BROTLI_FOLDERS = { 'public/engine': '/engine', '.next/static': '/_next/static' };

/** Only what carries its content's hash in its name, as all of Next's does: the form of an older file can't be taken for that of a newer one. */
export function mayHaveBrotli(folder: keyof typeof BROTLI_FOLDERS, name: string): boolean {
  return folder === 'public/engine'
    ? /\.[0-9a-f]{12}\.(?:js|json|txt|bin)$/.test(name)
    : /\.(?:js|css|json|svg|ttf)$/.test(name);
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.bin': 'application/octet-stream',
};

/** The content type of what is in a smaller form; undefined for other addresses. */
export function typeInBrotli(address: string): string | undefined {
  return address.endsWith('.br') ? TYPES[path.extname(address.slice(0, -'.br'.length))] : undefined;
}

/** The addresses below `root`, the folder in which the server runs, that have one. */
export function brotliFiles(root: string = process.cwd()): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [folder, address] of Object.entries(BROTLI_FOLDERS))
    for (const name of namesIn(path.join(root, folder)))
      if (typeInBrotli(name) !== undefined)
        found.add(`${address}/${name.slice(0, -'.br'.length).split(path.sep).map(encodeURIComponent).join('/')}`);
  return found;
}

function namesIn(folder: string): string[] {
  // A folder that was not built has none.
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

/** From now on every server of this process gives these files in their smaller form to who takes it. Called once, before it listens. */
export function giveBrotli(files: ReadonlySet<string>): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const [, address = '', query = ''] = /^([^?]*)(.*)$/.exec(request.url ?? '') ?? [];
    const { range, 'accept-encoding': accepted } = request.headers;
    // Ranges are of the plain form.
    if (!files.has(address) || range !== undefined || !takesBrotli(String(accepted ?? ''))) return;
    request.url = `${address}.br${query}`;
    response.setHeader('content-encoding', 'br');
    response.setHeader('vary', 'accept-encoding');
    const writeHead = response.writeHead as (status: number, ...more: unknown[]) => ServerResponse;
    response.writeHead = (status: number, ...more: unknown[]) => {
      // What the gate refuses is plain text.
      if (status !== 200 && status !== 304) response.removeHeader('content-encoding');
      return writeHead.call(response, status, ...more);
    };
  });
}

function takesBrotli(accepted: string): boolean {
  return accepted.split(',').some((word) => /^\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(word));
}
