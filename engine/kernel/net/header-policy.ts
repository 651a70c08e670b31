// Which headers pass between a guest's socket and fetch. The browser sets some itself, and a few describe a connection that ends here.
import type { HeaderList } from './message-reader';

/** RFC 9110 7.6.1: they belong to one connection. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** The Fetch standard's forbidden request headers, and the ones whose value the browser decides. */
const FORBIDDEN = [
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'access-control-request-private-network',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'origin',
  'referer',
  'set-cookie',
  'via',
  // Allowed by the standard, but it would turn a simple request into one that servers must agree to first.
  'user-agent',
];

/** Names that the `Connection` header makes hop-by-hop too. */
function namedByConnection(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()));
}

/** What of a guest's request goes into a fetch. */
export function fetchHeaders(headers: HeaderList): HeaderList {
  const dropped = new Set([...HOP_BY_HOP, ...FORBIDDEN, ...namedByConnection(headers)]);
  return headers.filter(([name]) => {
    const key = name.toLowerCase();
    return !dropped.has(key) && !key.startsWith('sec-') && !key.startsWith('proxy-');
  });
}

/** What of a fetched response goes to the guest: its body has been decoded, so its coding and length are gone. */
export function responseHeaders(headers: Iterable<[string, string]>): HeaderList {
  const list = [...headers];
  const isDecoded = list.some(([name]) => name === 'content-encoding');
  const dropped = new Set([...HOP_BY_HOP, 'content-encoding', ...(isDecoded ? ['content-length'] : [])]);
  return list.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** What of a guest server's answer reaches a preview: no connection headers, and no cookies, which a service worker cannot set. */
export function previewHeaders(headers: HeaderList): HeaderList {
  const dropped = new Set([...HOP_BY_HOP, 'set-cookie', ...namedByConnection(headers)]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}
