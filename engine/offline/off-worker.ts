// The end of offline work: served in place of the service workers when the host turned it off, and in development. A browser that has one of
// them finds this at its next look, and is as if it had never had any.
const scope = globalThis as unknown as ServiceWorkerGlobalScope;

scope.addEventListener('install', () => void scope.skipWaiting());
scope.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await scope.caches.keys()) if (name.startsWith('cloche-')) await scope.caches.delete(name);
      await scope.registration.unregister();
    })(),
  ),
);
