// The service worker of the IDE's origin: its pages and their files without the server. Everything is fetched at install, all or nothing, into
// a cache of that build, which stays as long as a tab may need it. With a server, pages are the server's.
import type { IdeOfflineConfig, TakeOverOffer } from './offline-words';
import { type FetchPlan, isOfBuild, linkedPages, PAGES, planFetch, SHELL_ID, strangeFiles } from './page-plan';
import { createServerWait, preloadedOr } from './within';

const scope = globalThis as unknown as ServiceWorkerGlobalScope & { clocheIde: IdeOfflineConfig };
scope.importScripts('/api/offline');
const config = scope.clocheIde;

const answerInTime = createServerWait();
const PREFIX = 'cloche-ide-';
const openCache = (): Promise<Cache> => scope.caches.open(PREFIX + config.build);
const PARALLEL = 6;

scope.addEventListener('install', (event) => event.waitUntil(keepAll()));

scope.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await scope.caches.keys())
        if (name.startsWith(PREFIX) && name !== PREFIX + config.build) await scope.caches.delete(name);
      await scope.registration.navigationPreload?.enable();
      await scope.clients.claim();
    })(),
  ),
);

// A new build's worker waits for the old build's tabs to close. A single tab that is only ever reloaded would make it wait for ever.
scope.addEventListener('message', (event) => {
  const { cloche, scripts } = (event.data ?? {}) as Partial<TakeOverOffer>;
  if (cloche !== 'take-over' || !scripts) return;
  event.waitUntil(
    (async () => {
      const tabs = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
      if (tabs.length === 1 && isOfBuild(scripts, config.files)) await scope.skipWaiting();
    })(),
  );
});

async function keepAll(): Promise<void> {
  const cache = await openCache();
  const keepPage = async (path: string): Promise<string> => {
    const response = await fetched(path);
    const html = await response.clone().text();
    const [strange] = strangeFiles(html, config.files);
    if (strange !== undefined) throw new Error(`${path} is a page of another build: it loads ${strange}`);
    await cache.put(path, response);
    return html;
  };
  const waiting: string[] = [...config.files];
  const work = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await cache.put(path, await fetched(path));
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  for (const path of [...PAGES, ...linkedPages(await keepPage('/'))]) await keepPage(path);
}

async function fetched(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok || response.redirected) throw new Error(`${path} answered ${response.status}`);
  return response;
}

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const { method, mode } = request;
  const plan = planFetch({ method, mode, path: url.pathname, sameOrigin: url.origin === scope.location.origin });
  if (plan.do === 'file') event.respondWith(answerFile(request, url.pathname));
  else if (plan.do === 'page') event.respondWith(answerPage(event, plan));
});

async function answerFile(request: Request, path: string): Promise<Response> {
  const kept = await (await openCache()).match(path, { ignoreVary: true });
  if (!kept) return fetch(request);
  // A worker takes its address from the answer's, and loses the fragment in which Next puts its parameters; an answer made here has no address.
  return request.destination === 'worker' ? remade(kept, kept.body) : kept;
}

/** An answer made here, of one that is kept; kept bodies are decoded already. */
function remade(kept: Response, body: BodyInit | null): Response {
  const headers = new Headers(kept.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response(body, { headers });
}

async function answerPage(event: FetchEvent, plan: Extract<FetchPlan, { do: 'page' }>): Promise<Response> {
  const fromServer = await answerInTime(preloadedOr(event, () => fetch(event.request)));
  if (fromServer) return fromServer;
  const kept = await (await openCache()).match(plan.shell, { ignoreVary: true });
  if (!kept) return notKept();
  if (plan.id === undefined) return kept;
  // The nonce is in the headers and in the text, and both are kept.
  return remade(kept, (await kept.text()).replaceAll(SHELL_ID, plan.id));
}

function notKept(): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Offline – Cloche</title>
<h1>This page needs the network</h1><p>Cloche’s server does not answer, and this address is not kept in this browser.
<p><a href="/">Your projects</a> go on working.</html>`;
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    },
  });
}
