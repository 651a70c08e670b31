// How end-to-end tests reach the three origins: browsers resolve names below localhost by themselves, Node does not, so it asks loopback with a
// Host header.
import { type IncomingHttpHeaders, request } from 'node:http';

/** A request to `host` (a name without port) at the server of `baseURL`. */
export function ask(
  baseURL: string,
  host: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { port } = new URL(baseURL);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: { host: `${host}:${port}`, ...options.headers },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

export const IDE = 'cloche.localhost';
export const SANDBOX = 'sandbox.cloche.localhost';
export const PREVIEW = 'p-evil.cloche.localhost';

/** The origin of `host` at the server of `baseURL`. */
export function originOf(baseURL: string, host: string): string {
  return `http://${host}:${new URL(baseURL).port}`;
}

/** Another site's origin, which playwright.config.ts names to the server as an embedder. Nothing listens there. */
export const EMBEDDER = 'http://embedder.localhost:4321';

const testPort = Number(process.env.CLOCHE_TEST_PORT || 3199);

/** Where tests start MCP servers of the web on loopback; playwright.config.ts names them to the server as the operator's own. */
export const WEB_SERVER_PORT = testPort + 20_000;
export const SIGN_IN_SERVER_PORT = testPort + 21_000;
