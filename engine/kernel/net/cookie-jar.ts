// The cookies of one guest server. A service worker's answers cannot set cookies, so the kernel keeps them, as a browser would (RFC 6265).
// Pages do not see them in document.cookie, and what a page sets there stays in the page.
import type { HeaderPairs } from './preview-protocol';

interface Cookie {
  value: string;
  path: string;
  /** Milliseconds since the epoch; Infinity for a session's. */
  expiresMs: number;
}

/** Keeps cookies until they expire. */
export class CookieJar {
  private readonly cookies = new Map<string, Cookie>();

  /** Takes the Set-Cookie headers of an answer to `requestPath`. */
  take(headers: HeaderPairs, requestPath: string, nowMs = Date.now()): void {
    for (const [name, value] of headers)
      if (name.toLowerCase() === 'set-cookie') this.takeOne(value, requestPath, nowMs);
  }

  private takeOne(text: string, requestPath: string, nowMs: number): void {
    const [pair, ...attributes] = text.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name === '') return;
    const cookie: Cookie = {
      value: pair.slice(equals + 1).trim(),
      path: defaultPath(requestPath),
      expiresMs: Infinity,
    };
    let maxAge: number | undefined;
    for (const attribute of attributes) {
      const [key, ...rest] = attribute.split('=');
      const value = rest.join('=').trim();
      switch (key.trim().toLowerCase()) {
        case 'path':
          if (value.startsWith('/')) cookie.path = value;
          break;
        case 'expires':
          if (!Number.isNaN(Date.parse(value))) cookie.expiresMs = Date.parse(value);
          break;
        case 'max-age':
          if (/^-?\d+$/.test(value)) maxAge = Number(value);
          break;
      }
    }
    if (maxAge !== undefined) cookie.expiresMs = nowMs + maxAge * 1000;
    const key = `${cookie.path};${name}`;
    this.cookies.delete(key);
    if (cookie.expiresMs > nowMs) this.cookies.set(key, cookie);
  }

  /** The Cookie header for a path (query allowed), or undefined. Longer paths first, then older cookies. */
  header(path: string, nowMs = Date.now()): string | undefined {
    const pathname = path.replace(/[?#].*/, '');
    const fitting = [...this.cookies]
      .filter(([, cookie]) => cookie.expiresMs > nowMs && matches(pathname, cookie.path))
      .sort(([, a], [, b]) => b.path.length - a.path.length)
      .map(([key, { value }]) => `${key.slice(key.indexOf(';') + 1)}=${value}`);
    return fitting.length > 0 ? fitting.join('; ') : undefined;
  }
}

function defaultPath(requestPath: string): string {
  const path = requestPath.replace(/[?#].*/, '');
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function matches(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}
