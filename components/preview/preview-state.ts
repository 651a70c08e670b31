// Which port the preview shows, and where on it. The page itself is on another origin: its address can be set, not read.
import type { OpenPort, Sandbox } from '../../lib/sandbox/sandbox';
import { createStore, type Store } from '../ui/store';

export interface PreviewState {
  ports: readonly OpenPort[];
  /** The chosen port; kept while its server restarts. */
  port?: number;
  /** Path, query and hash; begins with a slash. */
  path: string;
  /** Raised to load the page anew. */
  reloads: number;
}

export interface Preview {
  state: Store<PreviewState>;
  show(port: number, path?: string): void;
  go(path: string): void;
  reload(): void;
  dispose(): void;
}

/** Follows the sandbox's ports; `onOpened` is called with each port that was not there before. */
export function createPreview(sandbox: Sandbox, onOpened: (port: number) => void): Preview {
  const state = createStore<PreviewState>({ ports: [], path: '/', reloads: 0 });
  const stop = sandbox.ports.subscribe((ports) => {
    const before = new Set(state.get().ports.map((port) => port.port));
    state.set((now) => {
      const fresh = ports.find((port) => !before.has(port.port));
      const isOpen = ports.some((port) => port.port === now.port);
      const cameBack = isOpen && now.port !== undefined && !before.has(now.port);
      const port = isOpen ? now.port : (fresh?.port ?? now.port);
      const path = port === now.port ? now.path : '/';
      return { ports, port, path, reloads: now.reloads + (cameBack ? 1 : 0) };
    });
    for (const { port } of ports) if (!before.has(port)) onOpened(port);
  });
  return {
    state,
    show: (port, path = '/') => state.set((now) => ({ ...now, port, path: cleanPath(path), reloads: now.reloads + 1 })),
    go: (path) => state.set((now) => ({ ...now, path: cleanPath(path), reloads: now.reloads + 1 })),
    reload: () => state.set((now) => ({ ...now, reloads: now.reloads + 1 })),
    dispose: stop,
  };
}

/** What was typed in the address bar as a path: `localhost:3000/a` and `a` are both `/a`. */
export function cleanPath(typed: string): string {
  const path = typed.trim().replace(/^(https?:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(:\d+)?(?=\/|$)/i, '');
  return path.startsWith('/') ? path.replace(/^\/+/, '/') : `/${path}`;
}

/** The address of a path on a port's origin. Never leaves that origin. */
export function previewUrl(port: OpenPort, path: string): string {
  const base = new URL(port.url);
  const url = new URL(cleanPath(path), base);
  return url.origin === base.origin ? url.href : base.href;
}
