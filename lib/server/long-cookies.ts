// A page of a preview can set cookies for the name that all our origins are below, as many and as long as it likes, and the browser then sends them to
// every one of them: servers and proxies refuse such requests, and the IDE would be out of reach for good. Ours are a few bytes, so whatever is
// longer is somebody else's, and the browser is told to forget them all.

/** Far above what our own cookies have, below what any proxy refuses. */
const MAX_CHARS = 2048;

/** Response headers that make a browser forget all cookies of the site. */
export const FORGET_COOKIES = { 'clear-site-data': '"cookies"' };

/** Did the request come with more cookies than we ever set? */
export function hasLongCookies(headers: { get(name: string): string | null }): boolean {
  return (headers.get('cookie')?.length ?? 0) > MAX_CHARS;
}
