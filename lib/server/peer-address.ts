// Which address a request really came from. Next fills `x-forwarded-for` only where a visitor sent none, and a route sees no socket: so Node itself is
// asked, at the first moment of every request, and the answer travels in a header that nobody else can fill.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Request header: the address at the other end of the connection. What a visitor sends under this name is thrown away. */
export const PEER_HEADER = 'x-cloche-peer';

/** From now on every request to a server of this process carries its peer's address. Called once, before the server listens (instrumentation.ts). */
export function tellPeers(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    delete request.headers[PEER_HEADER];
    const { remoteAddress } = request.socket;
    if (remoteAddress !== undefined) request.headers[PEER_HEADER] = remoteAddress;
  });
}

/**
 * Who asks, for counting. Without `trustedProxies` the connection's other end; with some, the entry that the outermost of them appended to
 * `x-forwarded-for`. An IPv6 visitor is a network of 64 bits, because that is what everybody is given. `unknown`: nobody says.
 */
export function visitorAddress(request: Request, trustedProxies: number): string {
  if (trustedProxies === 0) return counted(request.headers.get(PEER_HEADER) ?? '');
  const hops = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  return counted(hops.at(-trustedProxies)?.trim() ?? '');
}

function counted(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1];
  if (isIP(address) !== 6) return address || 'unknown';
  const [head, tail = ''] = address.replace(/%.*/, '').toLowerCase().split('::');
  const before = head.split(':').filter(Boolean);
  const after = address.includes('::') ? tail.split(':').filter(Boolean) : [];
  const groups = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
