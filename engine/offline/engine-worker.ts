// The service worker of the sandbox's origin: the engine starts without the server. Guests' code runs on this origin and may write to its
// caches, so files are served from there only with the hash that the build put into this script, and with headers that no cache holds.
import type { EngineOfflineConfig, FillAnswer, FillRequest, KnownFiles } from './offline-words';
import { fillCache, takeVerified } from './verified-files';
import { createServerWait, preloadedOr } from './within';

/** Written by engine/build. */
declare const ENGINE_FILES: KnownFiles;
declare const ENGINE_BUILD: string;

const scope = globalThis as unknown as ServiceWorkerGlobalScope & { clocheEngine: EngineOfflineConfig };
scope.importScripts('/engine/offline.js');
const config = scope.clocheEngine;

const answerInTime = createServerWait();
const PREFIX = 'cloche-engine-';
const HOST_CONFIG_PATH = '/engine/host-config.json';
const PROGRAM_PATH = '/engine/program.html';
const openCache = (): Promise<Cache> => scope.caches.open(PREFIX + ENGINE_BUILD);
const fill = async (): Promise<void> => fillCache(await openCache(), ENGINE_FILES, (path) => fetch(path));

// No skipWaiting: tabs that run an older engine still get its files, from its own service worker.
scope.addEventListener('install', (event) => event.waitUntil(fill()));

scope.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await scope.caches.keys())
        if (name.startsWith(PREFIX) && name !== PREFIX + ENGINE_BUILD) await scope.caches.delete(name);
      await scope.registration.navigationPreload?.enable();
      await scope.clients.claim();
    })(),
  ),
);

// A guest may have emptied the cache.
scope.addEventListener('message', (event) => {
  const [port] = event.ports;
  if ((event.data as Partial<FillRequest> | null)?.cloche !== 'fill' || !port) return;
  const tell = (answer: FillAnswer): void => port.postMessage(answer);
  event.waitUntil(
    fill().then(
      () => tell({ cloche: 'kept' }),
      (error: Error) => tell({ cloche: 'not-kept', why: error.message }),
    ),
  );
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
  const path = url.pathname;
  if (path === HOST_CONFIG_PATH) event.respondWith(answerHostConfig(request));
  else if (Object.hasOwn(ENGINE_FILES, path))
    event.respondWith(/\.[0-9a-f]{12}\.\w+$/.test(path) ? answerHashed(request, path) : answerNamed(event, path));
});

async function answerHostConfig(request: Request): Promise<Response> {
  const fromServer = await answerInTime(fetch(request));
  return fromServer ?? Response.json(config.hostConfig, { headers: config.fileHeaders });
}

/** Its name says its content: the browser's own cache first (only servers write there), the server last. */
async function answerHashed(request: Request, path: string): Promise<Response> {
  const fromBrowser = await fetch(path, { mode: 'same-origin', cache: 'only-if-cached' }).catch(() => undefined);
  if (fromBrowser?.ok) return fromBrowser;
  return (await fromCache(path)) ?? fetch(request);
}

/** The server's, while there is one: another build may have come. */
async function answerNamed(event: FetchEvent, path: string): Promise<Response> {
  return (
    (await answerInTime(preloadedOr(event, () => fetch(event.request)))) ?? (await fromCache(path)) ?? Response.error()
  );
}

async function fromCache(path: string): Promise<Response | undefined> {
  const bytes = await takeVerified(await openCache(), ENGINE_FILES, path);
  if (!bytes) return undefined;
  const headers = headersOf(path);
  return new Response(bytes, { headers: { ...headers, 'content-type': ENGINE_FILES[path].type } });
}

function headersOf(path: string): Record<string, string> {
  if (path === PROGRAM_PATH) return config.programHeaders;
  return path.endsWith('.html') ? config.pageHeaders : config.fileHeaders;
}
