// Makes the IDE work without its server: installs this origin's service worker and has the sandbox's origins do their part. It begins when the
// page has nothing better to do; what is on screen never waits for it.
import { keepSandbox } from '../../lib/sandbox/keep-sandbox';
import { parseSiteOrigins, SITE_ORIGINS_NAME } from '../../lib/std/site-origins';
import { createStore } from '../ui/store';

/** `off`: not begun, or the server (in development) or the browser has no service workers. */
export type Keeping = { kind: 'off' } | { kind: 'keeping' } | { kind: 'kept' } | { kind: 'failed'; why: string };

/** How far it is, for the status bar. */
export const keeping = createStore<Keeping>({ kind: 'off' });

/** The page's own parts come first. */
const IDLE_MS = 5000;

/** Does what is still to be done; needs the server. Never rejects: `keeping` tells. */
export async function keepOffline(): Promise<void> {
  if (keeping.get().kind === 'keeping' || keeping.get().kind === 'kept') return;
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${SITE_ORIGINS_NAME}"]`);
  const origins = parseSiteOrigins(meta?.content);
  if (!origins.offline || !('serviceWorker' in navigator)) return;
  keeping.set({ kind: 'keeping' });
  try {
    await idle();
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    // Active means complete: it keeps all or nothing.
    const registration = await navigator.serviceWorker.ready;
    void offerTakeOver(registration);
    await keepSandbox(origins);
    keeping.set({ kind: 'kept' });
  } catch (error) {
    keeping.set({ kind: 'failed', why: (error as Error).message });
  }
}

/** Tells the service worker of a new build which build this page is; it may then stop waiting. */
async function offerTakeOver(registration: ServiceWorkerRegistration): Promise<void> {
  await registration.update().catch(() => undefined);
  const next = registration.installing ?? registration.waiting;
  if (!next) return;
  const offer = { cloche: 'take-over', scripts: [...document.scripts].map(({ src }) => src && new URL(src).pathname) };
  const send = (): void => {
    if (next.state === 'installed') next.postMessage(offer);
  };
  next.addEventListener('statechange', send);
  send();
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_MS });
    else setTimeout(resolve, IDLE_MS);
  });
}
