// Answers every request of a preview's origin with what the guest's server says. It finds the bridge anew for each request and keeps nothing.
import { failurePage } from './failure-page';
import { forwardCall } from './find-bridge';
import { answerFromGuest } from './guest-fetch';
import type { CallMessage, Unconnected } from './protocol';

const scope = globalThis as unknown as ServiceWorkerGlobalScope;

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
  if (port === undefined || (port === 0 && url.pathname.startsWith('/__cloche/'))) return;
  event.respondWith(
    answerFromGuest(event.request, port, scope, (done) => event.waitUntil(done)).catch((error: Error) =>
      failurePage(502, 'The preview failed', error.message),
    ),
  );
});

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
