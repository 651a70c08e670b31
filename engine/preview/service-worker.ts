// Answers every request of a preview's origin with what the guest's server says. It finds the bridge anew for each request and keeps nothing:
// our own files for when the server is gone are part of this script.
import { createServerWait } from '../offline/within';
import { failurePage } from './failure-page';
import { forwardCall } from './find-bridge';
import { answerFromGuest } from './guest-fetch';
import { type CallMessage, CONFIG_PATH, type PreviewConfig, type Unconnected } from './protocol';

/** By path; written by engine/build. */
declare const OWN_FILES: Readonly<Record<string, { type: string; body: string }>>;

const scope = globalThis as unknown as ServiceWorkerGlobalScope & { clochePreview: PreviewConfig };
scope.importScripts(CONFIG_PATH);
const config = scope.clochePreview;
const answerInTime = createServerWait();

scope.addEventListener('install', () => void scope.skipWaiting());
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

/** The local port that a page means by `http://localhost:<port>/`, 0 for this preview's own origin, undefined for the rest of the web. */
function guestPort(url: URL): number | undefined {
  if (url.origin === scope.location.origin) return 0;
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return url.protocol === 'http:' && isLocal ? Number(url.port || 80) : undefined;
}

scope.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  const port = guestPort(url);
  if (port === undefined) return;
  if (port === 0 && url.pathname.startsWith('/__cloche/')) {
    const own = ownFile(url.pathname);
    if (own) event.respondWith(answerInTime(fetch(event.request)).then((fromServer) => fromServer ?? own));
    return;
  }
  event.respondWith(
    answerFromGuest(event.request, port, scope, (done) => event.waitUntil(done)).catch((error: Error) =>
      failurePage(502, 'The preview failed', error.message),
    ),
  );
});

/** One of our files as this script knows it. */
function ownFile(path: string): Response | undefined {
  const file =
    path === CONFIG_PATH
      ? { type: 'text/javascript; charset=utf-8', body: `self.clochePreview=${JSON.stringify(config)}` }
      : Object.hasOwn(OWN_FILES, path) && OWN_FILES[path];
  return file ? new Response(file.body, { headers: { ...config.headers, 'content-type': file.type } }) : undefined;
}

// WebSockets of pages do not pass a service worker; the script in web-socket.ts sends them here.
scope.addEventListener('message', (event) => {
  const { cloche, call } = (event.data ?? {}) as Partial<CallMessage>;
  const [port] = event.ports;
  if (cloche !== 'call' || !call || !port) return;
  event.waitUntil(
    forwardCall(scope, call, port).then((found) => {
      if (!found) port.postMessage({ type: 'unconnected' } satisfies Unconnected);
    }),
  );
});
