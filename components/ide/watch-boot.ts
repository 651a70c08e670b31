// What is seen of a start before the page's own code runs: how much of that code has come, and how far the engine in its frame is.

/** The part of a start that is the loading of the page's code; the rest is the computer's. */
export const PAGE_SHARE = 0.4;

/** Until the page's code shows the start itself: stops the watch and tells how far (0–1) it was. */
export interface BootWatch {
  stop(): number;
}

declare global {
  interface Window {
    clocheBootWatch?: BootWatch;
  }
}

/**
 * Shows in the cover how far the page is. *Contract:* it stands as text in the HTML (boot-cover.tsx), so it uses nothing from outside itself and only
 * what its argument gives; the cover's elements are in the page already.
 */
export function watchBoot({ pageShare, frameId }: { pageShare: number; frameId: string }): void {
  const cover = document.getElementById('boot-cover');
  const bar = cover?.querySelector<HTMLElement>('.progress-bar');
  const words = cover?.querySelector('[data-boot-step]')?.firstChild;
  if (!cover || !bar || !words) return;
  let engine = 0;
  let shown = 0;
  const come = new Set<string>();
  const partOf = (urls: string[]) => (urls.length === 0 ? 0 : urls.filter((url) => come.has(url)).length / urls.length);
  // What the HTML names comes first, then what that asks for.
  const isCode = (url: string) => /\/_next\/static\/.*\.(?:js|css)$/.test(url);
  const named = (): string[] =>
    [...document.querySelectorAll('script[src], link[rel="stylesheet"]')]
      .map((one) => (one instanceof HTMLScriptElement ? one.src : (one as HTMLLinkElement).href))
      .filter(isCode);
  let first: string[] | undefined;
  const show = (): void => {
    const now = [...new Set(named())];
    if (document.readyState !== 'loading') first ??= now;
    const inHtml = first ?? now;
    const later = now.filter((url) => !inHtml.includes(url));
    const page = 0.35 * partOf(inHtml) + 0.65 * partOf(later);
    shown = Math.max(shown, pageShare * page + (1 - pageShare) * engine);
    const percent = Math.round(shown * 100);
    bar.style.width = `${percent}%`;
    words.nodeValue = `Loading ${percent} %`;
  };
  const observer = new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) come.add(name);
    show();
  });
  observer.observe({ type: 'resource', buffered: true });
  const onMessage = ({ data, source }: MessageEvent): void => {
    const frame = document.getElementById(frameId) as HTMLIFrameElement | null;
    if (source === null || source !== frame?.contentWindow) return;
    if (data?.cloche !== 'progress' || data.what !== 'assets' || !(data.fraction >= 0 && data.fraction <= 1)) return;
    // The last tenths are what the page and the engine do together.
    engine = data.fraction * 0.8;
    show();
  };
  const onError = ({ target }: Event): void => {
    const isOurs = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
    if (isOurs && isCode(target instanceof HTMLScriptElement ? target.src : target.href)) cover.dataset.broken = 'true';
  };
  const onReload = (): void => location.reload();
  addEventListener('message', onMessage);
  addEventListener('error', onError, true);
  cover.querySelector('[data-boot-reload]')?.addEventListener('click', onReload);
  window.clocheBootWatch = {
    stop() {
      observer.disconnect();
      removeEventListener('message', onMessage);
      removeEventListener('error', onError, true);
      return shown;
    },
  };
  show();
}
