// What a guest tries: one function that runs wherever guests' code runs (a Node process, a raw worker, a page). It tells for each attempt what it
// got, or `refused: …`.

/** Set in the IDE's storage and cookies before the attack; must not occur in any result. */
export const SECRET = 'the-ide-secret-4711';
export const SECRET_DATABASE = 'cloche-secret';

/** Self-contained: it is sent as text. `ide` is the IDE's origin, `sandbox` the sandbox's. */
export async function attack(ide: string, sandbox: string): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  // The real global object, whatever names the surroundings shadow.
  const scope = new Function('return globalThis')() as any;
  const limit = (ms: number) =>
    new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('no answer')), ms));
  const attempt = async (name: string, action: () => unknown): Promise<void> => {
    try {
      results[name] = String(await Promise.race([action(), limit(5000)]));
    } catch (error) {
      results[name] = `refused: ${(error as Error)?.message ?? error}`;
    }
  };
  await attempt('cookie', () => scope.document.cookie);
  await attempt('cookie store', async () => JSON.stringify(await scope.cookieStore.getAll()));
  await attempt('localStorage', () => JSON.stringify(Object.entries(scope.localStorage)));
  await attempt('sessionStorage', () => JSON.stringify(Object.entries(scope.sessionStorage)));
  await attempt('indexedDB', async () => {
    const database: any = await new Promise((resolve, reject) => {
      const opening = scope.indexedDB.open('cloche-secret');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const stores = [...database.objectStoreNames];
    database.close();
    return stores.length === 0 ? 'empty' : `has stores ${stores}`;
  });
  await attempt('cache storage', async () => (await scope.caches.keys()).join());
  await attempt('read the API', () => scope.fetch(`${ide}/api/models`).then((response: Response) => response.text()));
  await attempt('read the API without CORS', () =>
    scope.fetch(`${ide}/api/models`, { mode: 'no-cors' }).then((response: Response) => response.text()),
  );
  await attempt('read a page', () =>
    scope.fetch(`${ide}/`, { credentials: 'include' }).then((response: Response) => response.text()),
  );
  await attempt('post to the API', () =>
    scope
      .fetch(`${ide}/api/chat`, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      .then((response: Response) => response.text()),
  );
  await attempt('post blindly', () =>
    scope
      .fetch(`${ide}/api/chat`, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"messages":[]}' })
      .then((response: Response) => `${response.type} ${response.status}`),
  );
  await attempt('beacon', () => scope.navigator.sendBeacon(`${ide}/api/chat`, '{}'));
  await attempt('the API by this origin', () =>
    scope.fetch('/api/models', { headers: {} }).then((response: Response) => response.status),
  );
  await attempt('scripts of the IDE', () => scope.importScripts(`${ide}/`));
  await attempt('parent document', () => scope.parent.document.title);
  await attempt('top storage', () => JSON.stringify(Object.entries(scope.top.localStorage)));
  await attempt('sibling frames', () => {
    for (let index = 0; index < scope.parent.frames.length; index++) {
      const frame = scope.parent.frames[index];
      if (frame !== scope) return frame.document.title;
    }
    throw new Error('no siblings');
  });
  await attempt('popup', () => {
    const popup = scope.open(`${ide}/`);
    return popup.document.title || popup.location.href;
  });
  await attempt('frame the IDE', async () => {
    const frame = scope.document.createElement('iframe');
    frame.src = `${ide}/`;
    scope.document.body.append(frame);
    await new Promise((resolve) => {
      frame.onload = resolve;
    });
    return frame.contentWindow.document.title;
  });
  await attempt('frame the engine', async () => {
    const frame = scope.document.createElement('iframe');
    frame.src = `${sandbox}/engine/host.html`;
    frame.allow = 'cross-origin-isolated';
    const heard = new Promise((resolve) => scope.addEventListener('message', (event: any) => resolve(event.data)));
    scope.document.body.append(frame);
    return JSON.stringify(await heard);
  });
  await attempt('navigate the top page', () => {
    scope.top.location.href = 'about:blank#taken';
    return 'assigned';
  });
  return results;
}
