// The url binding on the browser's URL: what lib wants from ada besides the href are the offsets of its parts.
import type { Binding } from '../process/environment';
import { domainLabelsToUnicode } from './idna';
import { nodeError } from './node-error';

/** ada::url_components::omitted. */
const OMITTED = 0xffffffff;
const SCHEME_TYPES: Record<string, number> = { 'http:': 0, 'https:': 2, 'ws:': 3, 'ftp:': 4, 'wss:': 5, 'file:': 6 };
const NOT_SPECIAL = 1;

/** Setters in the order of lib's `updateActions`. */
const ACTIONS = [
  'protocol',
  'host',
  'hostname',
  'port',
  'username',
  'password',
  'pathname',
  'search',
  'hash',
  'href',
] as const;

/** Writes ada's url_aggregator offsets of a serialised URL, and returns it. Reading the string is faster than asking the URL's getters. */
function writeComponents(href: string, out: Uint32Array): string {
  const protocolEnd = href.indexOf(':') + 1;
  const hash = href.indexOf('#', protocolEnd);
  const beforeHash = hash < 0 ? href.length : hash;
  const question = href.indexOf('?', protocolEnd);
  const search = question >= 0 && question < beforeHash ? question : -1;
  const pathEnd = search >= 0 ? search : beforeHash;
  let userEnd = protocolEnd;
  let hostStart = protocolEnd;
  let hostEnd = protocolEnd;
  let pathStart = protocolEnd;
  let port = OMITTED;
  // Only an authority can follow as `//`: a path that begins so is serialised after `/.`.
  if (href.startsWith('//', protocolEnd)) {
    const start = protocolEnd + 2;
    const slash = href.indexOf('/', start);
    pathStart = slash >= 0 && slash < pathEnd ? slash : pathEnd;
    const at = href.lastIndexOf('@', pathStart - 1);
    userEnd = start;
    hostStart = start;
    if (at >= start) {
      const colon = href.indexOf(':', start);
      userEnd = colon >= 0 && colon < at ? colon : at;
      hostStart = at;
    }
    hostEnd = pathStart;
    const colon = href.lastIndexOf(':', pathStart - 1);
    // A colon inside of brackets belongs to an IPv6 address.
    const bracket = href.indexOf(']', colon);
    if (colon > hostStart && (bracket < 0 || bracket >= pathStart)) hostEnd = colon;
    if (hostEnd < pathStart) port = Number(href.slice(hostEnd + 1, pathStart));
  } else if (href.startsWith('/.//', protocolEnd)) {
    pathStart = protocolEnd + 2;
  }
  out[0] = protocolEnd;
  out[1] = userEnd;
  out[2] = hostStart;
  out[3] = hostEnd;
  out[4] = port;
  out[5] = pathStart;
  out[6] = search >= 0 ? search : OMITTED;
  out[7] = hash >= 0 ? hash : OMITTED;
  out[8] = SCHEME_TYPES[href.slice(0, protocolEnd)] ?? NOT_SPECIAL;
  return href;
}

const PATH_ESCAPES: Record<string, string> = {
  '%': '%25',
  '\\': '%5C',
  '\n': '%0A',
  '\r': '%0D',
  '\t': '%09',
  '?': '%3F',
  '#': '%23',
  '[': '%5B',
  ']': '%5D',
  '|': '%7C',
  '~': '%7E',
};

export const url: Binding = ({ dumped, browser }) => {
  const BrowserURL = browser.URL;
  const components = new Uint32Array(9);

  const { parse } = BrowserURL as { parse?(input: string, base?: string): URL | null };
  const accepted = (input: string, base?: string): URL | undefined => {
    // Where it exists, nothing has to be thrown for a string that is no URL.
    if (parse) return (base === undefined ? parse(input) : parse(input, base)) ?? undefined;
    try {
      return base === undefined ? new BrowserURL(input) : new BrowserURL(input, base);
    } catch {
      return undefined;
    }
  };
  /** Chromium escapes some characters of a domain that the standard forbids there: `http://a b`. */
  const hasForbiddenHost = ({ protocol, hostname }: URL): boolean => hostname.includes('%') && protocol in SCHEME_TYPES;
  const parsed = (input: string, base?: string): URL | undefined => {
    const result = accepted(input, base);
    return result && hasForbiddenHost(result) ? undefined : result;
  };
  const invalid = (input: string, base?: string): Error =>
    nodeError(TypeError, 'ERR_INVALID_URL', 'Invalid URL', base === undefined ? { input } : { input, base });

  /** The host that `domain` becomes in a special URL; '' when the setter refuses it. */
  const specialHost = (domain: string): string => {
    const [first, second] = ['ws://x', 'ws://y'].map((start) => {
      const target = new BrowserURL(start);
      target.hostname = domain;
      return target.hostname;
    });
    return first === second ? first : '';
  };

  return Object.assign(dumped('url'), {
    urlComponents: components,
    parse(input: string, base: string | undefined, raise: boolean) {
      const result = parsed(input, base);
      if (result) return writeComponents(result.href, components);
      if (raise) throw invalid(input, base);
      return undefined;
    },
    canParse: (input: string, base?: string) => parsed(input, base) !== undefined,
    /** The new href, or false when `href` cannot become that (only the href setter can fail). */
    update(href: string, action: number, value: string) {
      const target = parsed(href);
      if (!target) return false;
      const property = ACTIONS[action];
      if (property === 'href') {
        const replaced = parsed(value);
        return replaced ? writeComponents(replaced.href, components) : false;
      }
      // Chromium cuts the host of a file URL at a colon; the standard refuses it.
      if (target.protocol === 'file:' && property.startsWith('host') && /^[^[/?#\\]*:/.test(value)) return false;
      target[property] = value;
      return writeComponents(hasForbiddenHost(target) ? href : target.href, components);
    },
    pathToFileURL(path: string, windows: boolean, host?: string) {
      const target = new BrowserURL('file://');
      const escaped = windows
        ? path.replace(/[%\n\r\t?#[\]|~]/g, escapeOf)
        : path.replace(/[%\\\n\r\t?#[\]|~]/g, escapeOf);
      target.pathname = escaped;
      if (windows && host !== undefined) target.hostname = host;
      return writeComponents(target.href, components);
    },
    domainToASCII: specialHost,
    domainToUnicode: (domain: string) => domainLabelsToUnicode(specialHost(domain)),
    format(href: string, hash: boolean, unicode: boolean, search: boolean, auth: boolean) {
      const target = new BrowserURL(href);
      if (!hash) target.hash = '';
      if (!search) target.search = '';
      if (!auth) {
        target.username = '';
        target.password = '';
      }
      if (!unicode || target.hostname === '') return target.href;
      writeComponents(target.href, components);
      const hostStart = components[3] - target.hostname.length;
      return (
        target.href.slice(0, hostStart) + domainLabelsToUnicode(target.hostname) + target.href.slice(components[3])
      );
    },
    getOrigin(input: string) {
      const result = parsed(input);
      if (!result) throw invalid(input);
      return result.origin;
    },
  });
};

function escapeOf(character: string): string {
  return PATH_ESCAPES[character];
}
