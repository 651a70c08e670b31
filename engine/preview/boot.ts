// The first page on a preview's origin: installs the service worker and loads the same address again, which the worker then answers.
import { WORKER_PATH } from './protocol';

/** A worker that never takes over must not make the page load for ever. */
const MAX_RELOADS = 4;
const WINDOW_MS = 15_000;
const HISTORY_KEY = 'cloche-boot';

function show(text: string): void {
  const state = document.getElementById('state');
  if (state) state.textContent = text;
}

function mayReload(): boolean {
  const recent = (JSON.parse(sessionStorage.getItem(HISTORY_KEY) ?? '[]') as number[]).filter(
    (time) => Date.now() - time < WINDOW_MS,
  );
  sessionStorage.setItem(HISTORY_KEY, JSON.stringify([...recent, Date.now()]));
  return recent.length < MAX_RELOADS;
}

async function boot(): Promise<void> {
  if (!('serviceWorker' in navigator)) {
    show(
      'This browser allows no service worker here, so the preview cannot be shown. Private windows often forbid them.',
    );
    return;
  }
  await navigator.serviceWorker.register(WORKER_PATH, { scope: '/' });
  await navigator.serviceWorker.ready;
  if (mayReload()) location.reload();
  else show('The preview did not start: its service worker does not take over. Reload to try again.');
}

boot().catch((error: Error) => show(`The preview did not start: ${error.message}`));
