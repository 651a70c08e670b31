// A static server for real-browser runs: the IDE-like page and the sandbox's host page on two same-site loopback names, cross-origin isolated.
// It also carries bytes between Node and the page (mounts, standard streams), because a browser driver's channel is JSON.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { engineCacheControl } from '../../lib/server/page-headers.ts';

/** One run's byte streams. */
export interface Channels {
  /** Contents to serve at `/blob/<id>`. */
  blob?: Uint8Array;
  stdin?: Readable;
  onChunk?(channel: 'output' | 'stderr', bytes: Buffer): void;
}

export interface TestServer {
  /** `http://cloche.localhost:<port>` */
  ideOrigin: string;
  /** `http://sandbox.cloche.localhost:<port>` */
  sandboxOrigin: string;
  /** Registers channels under a fresh id. */
  open(channels: Channels): string;
  close(id: string): void;
  /** Answers a path of the IDE's origin instead of the static files. */
  routes: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  stop(): Promise<void>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
};

/** The registry that this machine's npm uses. */
let registry: string | undefined;

/** A bare registry proxy for tests; the product's own is lib/server/npm-proxy.ts. */
async function proxyRegistry(url: URL, response: ServerResponse, proxy: string): Promise<void> {
  registry ??= execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/$/, '');
  const upstream = await fetch(`${registry}${url.pathname.slice('/api/npm'.length)}${url.search}`);
  const type = upstream.headers.get('content-type') ?? 'application/octet-stream';
  response.writeHead(upstream.status, { 'content-type': type });
  if (/json/.test(type))
    response.end(
      (await upstream.text()).replaceAll(
        /"tarball":\s*"[^"]*?\/([^/"]+|@[^/"]+\/[^/"]+)\/-\/([^"]+)"/g,
        (_, name, file) => `"tarball":"${proxy}/${name}/-/${file}"`,
      ),
    );
  else response.end(Buffer.from(await upstream.arrayBuffer()));
}

const engineFolder = fileURLToPath(new URL('../../public/engine', import.meta.url));

/** Starts the server; `pageScript` is what the IDE-like page runs, `assets` the folder served as /engine/ (default public/engine). */
export async function startServer(pageScript: string, assets = engineFolder): Promise<TestServer> {
  const channels = new Map<string, Channels>();
  const routes: TestServer['routes'] = new Map();
  let nextId = 1;
  let port = 0;
  const originOf = (name: string): string => `http://${name}:${port}`;

  /** A preview's origin, as proxy.ts serves it. */
  const answerPreview = (
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
  ): void | Promise<void> => {
    response.setHeader('cross-origin-embedder-policy', 'credentialless');
    response.setHeader('service-worker-allowed', '/');
    if (pathname === '/__cloche/config.js') {
      const bridgeOrigins = [originOf('cloche.localhost'), originOf('sandbox.cloche.localhost')];
      return send(response, TYPES['.js'], `self.clochePreview=${JSON.stringify({ bridgeOrigins, headers: {} })}`);
    }
    const name = /^\/__cloche\/([\w.]+)$/.exec(pathname)?.[1];
    if (name) return sendFile(response, path.join(assets, 'preview', name));
    if (request.headers['sec-fetch-mode'] === 'navigate')
      return sendFile(response, path.join(assets, 'preview/boot.html'));
    return send(response, 'text/plain', 'not found', 404);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const [, first, second, third] = url.pathname.split('/');
    if (request.headers.host?.startsWith('p-')) return answerPreview(request, response, url.pathname);
    const route = routes.get(url.pathname);
    if (route) return route(request, response);
    if (url.pathname === '/')
      return send(response, 'text/html', '<!doctype html><title>test</title><body><script src="/page.js"></script>');
    if (url.pathname === '/favicon.ico') return send(response, 'image/x-icon', '');
    if (url.pathname === '/page.js') return send(response, TYPES['.js'], pageScript);
    if (url.pathname === '/engine/host-config.json') {
      const origins = [originOf('cloche.localhost')];
      const preview = originOf('p-*.cloche.localhost');
      return send(response, TYPES['.json'], JSON.stringify({ allowedOrigins: origins, embedders: origins, preview }));
    }
    if (url.pathname === '/headless') return sendFile(response, path.join(assets, 'webcontainer-host.html'));
    if (first === 'api' && second === 'npm')
      return proxyRegistry(
        url,
        response,
        String(request.headers['x-registry-name'] ?? `http://${request.headers.host}/api/npm/`).replace(/\/$/, ''),
      );
    if (first === 'engine') {
      // As the product serves them: a boot's second visit is only real with the browser's caches.
      response.setHeader('cache-control', engineCacheControl(url.pathname));
      return sendFile(response, path.join(assets, path.normalize(url.pathname.slice('/engine'.length))));
    }
    const channel = channels.get(second ?? '');
    if (!channel) return send(response, 'text/plain', 'not found', 404);
    if (first === 'blob') return send(response, 'application/octet-stream', channel.blob ?? new Uint8Array());
    if (first === 'stdin') {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.flushHeaders();
      if (channel.stdin) channel.stdin.pipe(response);
      else response.end();
      return;
    }
    if (first === 'chunk' && (third === 'output' || third === 'stderr')) {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      channel.onChunk?.(third, Buffer.concat(pieces));
      return send(response, 'text/plain', '');
    }
    return send(response, 'text/plain', 'not found', 404);
  };

  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;

  return {
    ideOrigin: originOf('cloche.localhost'),
    sandboxOrigin: originOf('sandbox.cloche.localhost'),
    routes,
    open(given) {
      const id = `c${nextId++}`;
      channels.set(id, given);
      return id;
    },
    close: (id) => void channels.delete(id),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function send(response: ServerResponse, type: string, body: string | Uint8Array, status = 200): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

async function sendFile(response: ServerResponse, file: string): Promise<void> {
  try {
    send(response, TYPES[path.extname(file)] ?? 'application/octet-stream', await readFile(file));
  } catch {
    send(response, 'text/plain', `not found: ${path.basename(file)}`, 404);
  }
}
