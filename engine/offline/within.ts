// How long a service worker waits for a server that may be gone, and when an answer means "gone".

/** A network that is there but dead must not keep a person waiting for what lies beside it … */
const PATIENCE_MS = 4000;
/** … and a page asks for a dozen things one after the other: after one that came too late the next wait only this long, for a while. */
const SHORT_MS = 300;
const FORGET_MS = 30_000;

/** What the browser asked the server for while it woke the service worker up, else what `fetch` gets. Only pages are asked for so early. */
export async function preloadedOr(event: FetchEvent, get: () => Promise<Response>): Promise<Response> {
  const early = (await event.preloadResponse) as Response | undefined;
  return early ?? get();
}

/** Waits for the server on behalf of one service worker. */
export type ServerWait = (response: Promise<Response>) => Promise<Response | undefined>;

/**
 * Makes a wait that resolves with the response, or with undefined when it fails, comes too late, or says that there is no server behind the
 * proxy (502, 503, 504).
 */
export function createServerWait(patienceMs = PATIENCE_MS, shortMs = SHORT_MS): ServerWait {
  let lateAt = Number.NEGATIVE_INFINITY;
  return async (response) => {
    const isRecent = performance.now() - lateAt < FORGET_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, isRecent ? shortMs : patienceMs, 'late');
    });
    const got = await Promise.race([response.catch(() => undefined), late]);
    clearTimeout(timer);
    if (got === 'late') {
      lateAt = performance.now();
      return undefined;
    }
    if (got) lateAt = Number.NEGATIVE_INFINITY;
    return got && ![502, 503, 504].includes(got.status) ? got : undefined;
  };
}
