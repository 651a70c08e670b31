// Which links of a text that a model or a program wrote may be followed, where they lead, and what a person must see before.

const allowed = new Set(['http:', 'https:', 'mailto:']);

/** The address when it is absolute and harmless to follow in a new tab; undefined for `javascript:`, `data:`, relative ones and the like. */
export function safeLink(href: string | undefined): string | undefined {
  if (href === undefined) return undefined;
  try {
    const url = new URL(href);
    // `https://bank.example@evil.example` reads as the bank's.
    if (!allowed.has(url.protocol) || url.username !== '' || url.password !== '') return undefined;
    return url.href;
  } catch {
    return undefined;
  }
}

/** The host to show beside a link whose text does not tell it; undefined when the text is the address itself. */
export function shownTarget(href: string, text: string): string | undefined {
  const url = new URL(href);
  const plain = text.trim().replace(/\/$/, '');
  if (plain === href || plain === href.replace(/\/$/, '')) return undefined;
  if (url.protocol === 'mailto:') return plain === url.pathname ? undefined : url.pathname;
  return url.host;
}

const localHosts = ['localhost', '127.0.0.1', '0.0.0.0', '[::1]'];

/** Where an address leads that a program printed: a server of the sandbox, which only the preview reaches, or the web. Undefined as for `safeLink`. */
export function printedLink(
  address: string,
): { kind: 'web'; href: string } | { kind: 'port'; port: number; path: string } | undefined {
  const href = safeLink(address);
  if (href === undefined) return undefined;
  const { hostname, port, protocol, pathname, search, hash } = new URL(href);
  if (!localHosts.includes(hostname)) return { kind: 'web', href };
  return { kind: 'port', port: Number(port || (protocol === 'https:' ? 443 : 80)), path: pathname + search + hash };
}

/** The path in a relative link, without query and fragment; undefined when it has a scheme or a host, or is only a fragment. */
export function projectLink(href: string | undefined): string | undefined {
  if (href === undefined || /^([a-z][a-z0-9+.-]*:|\/\/|[?#])/i.test(href) || href.includes('\\')) return undefined;
  const path = href.replace(/[?#].*$/s, '');
  if (path === '') return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
