// For tests: the page's `fetch` leads to our own route for MCP servers, as the browser would send it.
import { vi } from 'vitest';
import { readMcpEnvironment } from '@/lib/server/mcp-environment';
import { createMcpRoute } from '@/lib/server/mcp-proxy';

/** Until `vi.unstubAllGlobals()`. `trusted`: origins of the operator's own servers, asked for at each request. */
export function stubMcpRoute(trusted: () => readonly string[]): void {
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const route = createMcpRoute(readMcpEnvironment({ CLOCHE_MCP_TRUSTED_ORIGINS: trusted().join(',') }));
    const headers = { ...(init.headers as Record<string, string>), origin: 'http://cloche.test', host: 'cloche.test' };
    return route(new Request(`http://cloche.test${path}`, { ...init, headers }));
  });
}
