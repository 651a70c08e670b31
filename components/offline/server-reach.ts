// Whether our server answers. The browser's own `onLine` knows cables, not servers, so we ask: at the start, when the browser says that something
// changed, when the person comes back, and now and then.
import { createStore } from '../ui/store';

/** Undefined before the first answer. */
export const serverReached = createStore<boolean | undefined>(undefined);

const EVERY_MS = 20_000;
const ANSWER_MS = 8000;
/** Small, on every deployment, and never answered by the service worker. */
const QUESTION = '/sw.js';

/** Asks now. Never rejects. */
async function askServer(): Promise<void> {
  const reached = await fetch(QUESTION, {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(
    ({ status }) => ![502, 503, 504].includes(status),
    () => false,
  );
  serverReached.set(reached);
}

/** Calls the listener whenever the server is there again after it was gone, until the returned function is called. */
export function onServerBack(listener: () => void): () => void {
  let before = serverReached.get();
  return serverReached.subscribe(() => {
    const now = serverReached.get();
    if (before === false && now === true) listener();
    before = now;
  });
}

/** Watches until the returned function is called. */
export function watchServer(): () => void {
  const ask = (): void => {
    if (document.visibilityState === 'visible') void askServer();
  };
  const timer = setInterval(ask, EVERY_MS);
  for (const name of ['online', 'offline', 'focus']) window.addEventListener(name, ask);
  ask();
  return () => {
    clearInterval(timer);
    for (const name of ['online', 'offline', 'focus']) window.removeEventListener(name, ask);
  };
}
