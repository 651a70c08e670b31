// What each origin serves, as a pure function from the request to a plan that proxy.ts carries out. Guests' origins have short lists;
// whatever is not on the list of a request's host does not exist there.
import type { HostKind } from './hosts';

/** What proxy.ts does with a request. */
export type Plan =
  | { do: 'page' }
  | { do: 'asset' }
  | { do: 'api' }
  | { do: 'hostConfig' }
  | { do: 'hostPage' }
  /** The page in which a model's programs run. */
  | { do: 'programPage' }
  /** What the published WebContainer client frames; `path` is its file in `public/`. */
  | { do: 'webContainerHost'; path: string }
  /** The IDE's service worker. */
  | { do: 'ideWorker' }
  /** What the engine's service worker must know. */
  | { do: 'offlineConfig' }
  /** The file of `public/` at `path`. */
  | { do: 'engineFile'; path: string }
  | { do: 'previewFile'; path: string }
  /** What the bridge of a preview must know: which origin may connect it. */
  | { do: 'previewConfig' }
  | { do: 'redirect'; to: string }
  | { do: 'refuse'; status: 404 | 421; why: string }
  /** `allow`: what the method could have been. */
  | { do: 'refuse'; status: 405; why: string; allow: string };

export interface RoutedRequest {
  method: string;
  /** Percent-encoded, without query. */
  path: string;
  /** Sec-Fetch-Mode, null where the browser sends none. */
  mode: string | null;
  accept: string | null;
  /** A browser asks for it as a service worker (`Service-Worker: script`, which no page can send by itself). */
  asWorker?: boolean;
}

/** Where the engine's kernel finds the registry, on its own origin. */
export const NPM_PATH = '/api/npm/';

/** Where the IDE finds the program that it starts in a WebContainer. */
export const AGENT_PATH = '/engine/agent.js';

/** The only script of each origin that may be a service worker: whatever else a guest gets served there is none. */
const WORKERS: Partial<Record<HostKind['kind'], string>> = {
  ide: '/sw.js',
  sandbox: '/engine/sw.js',
  preview: '/__cloche/sw.js',
};

/** Where the IDE finds the program that holds a project's tools and plugins in the sandbox. */
export const EXTENSION_HOST_PATH = '/engine/extension-host.js';

const PREVIEW_FILES = ['sw.js', 'bridge.html', 'bridge.js', 'boot.html', 'boot.js', 'ws.js'];

/** The only methods of any route; what Next can't carry comes under a name that is none of them (first-look.ts). */
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

const notHere: Plan = { do: 'refuse', status: 404, why: 'There is nothing at this address.' };

/** The plan for a request to `host`. */
export function routeHost(host: HostKind, request: RoutedRequest): Plan {
  if (!METHODS.includes(request.method)) return notSo(METHODS);
  if (request.asWorker && request.path !== WORKERS[host.kind]) return notHere;
  switch (host.kind) {
    case 'ide':
      return routeIde(request);
    case 'sandbox':
      return routeSandbox(request);
    case 'preview':
      return routePreview(request);
    case 'redirect':
      if (!isRead(request.method))
        return { do: 'refuse', status: 421, why: `Send this to ${host.host}: other names only lead there.` };
      return { do: 'redirect', to: `//${host.host}${request.path}` };
    case 'unknown':
      return {
        do: 'refuse',
        status: 421,
        why: 'This server does not answer to that name. Open the address of its IDE, or set CLOCHE_HOST to this host name.',
      };
  }
}

function routeIde({ method, path: asked }: RoutedRequest): Plan {
  // Next finds files by the decoded path, so `/%65ngine/` and `/engine%2f` are the engine too.
  const path = decodedPath(asked);
  if (path === undefined) return notHere;
  if (path === WORKERS.ide && isRead(method)) return { do: 'ideWorker' };
  if (path.startsWith('/api/')) return { do: 'api' };
  // Texts for other computers; the policy of `engineFile` makes it inert here.
  if (path === AGENT_PATH || path === EXTENSION_HOST_PATH) return { do: 'engineFile', path };
  // The engine runs guests' code: on this origin it would run as us.
  if (path === '/engine' || path.startsWith('/engine/')) return notHere;
  if (!isRead(method)) return notSo(['GET', 'HEAD']);
  // Whatever is not Next's own is a page: a project may be called `next.js`, and a policy on an icon does no harm.
  return path.startsWith('/_next/') ? { do: 'asset' } : { do: 'page' };
}

function routeSandbox({ method, path }: RoutedRequest): Plan {
  if (decodedPath(path) === undefined) return notHere;
  if (path.startsWith(NPM_PATH)) return { do: 'api' };
  if (!isRead(method)) return notHere;
  if (path === '/') return { do: 'redirect', to: '/engine/host.html' };
  if (path === '/engine/host-config.json') return { do: 'hostConfig' };
  if (path === '/engine/offline.js') return { do: 'offlineConfig' };
  if (path === '/engine/host.html' || path === '/engine/keep.html') return { do: 'hostPage' };
  if (path === '/engine/program.html') return { do: 'programPage' };
  if (path === '/headless') return { do: 'webContainerHost', path: '/engine/webcontainer-host.html' };
  return /^\/engine\/[\w.-]+$/.test(path) ? { do: 'engineFile', path } : notHere;
}

function routePreview({ method, path, mode, accept }: RoutedRequest): Plan {
  if (!isRead(method)) return notHere;
  if (path.startsWith('/__cloche/')) {
    const name = path.slice('/__cloche/'.length);
    if (name === 'config.js') return { do: 'previewConfig' };
    return PREVIEW_FILES.includes(name) ? { do: 'previewFile', path: `/engine/preview/${name}` } : notHere;
  }
  // A page that is opened before the service worker has taken over gets the boot page; a script or a fetch must not get HTML.
  const isNavigation = mode === null ? (accept ?? '').includes('text/html') : mode === 'navigate';
  return isNavigation ? { do: 'previewFile', path: '/engine/preview/boot.html' } : notHere;
}

/** Undefined for what can't be decoded, and for what would be another address once more decoded or resolved. */
function decodedPath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return /[\\\0]|\/\/|\/\.\.?(?:\/|$)/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

function notSo(allowed: readonly string[]): Plan {
  const allow = allowed.join(', ');
  return { do: 'refuse', status: 405, why: `This address takes ${allow}.`, allow };
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
