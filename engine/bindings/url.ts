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

/** Writes ada's url_aggregator offsets of `url` and returns its href. */
function writeComponents(url: URL, out: Uint32Array): string {
  const href = url.href;
  const protocolEnd = url.protocol.length;
  let userEnd = protocolEnd;
  let hostStart = protocolEnd;
  let hostEnd = protocolEnd;
  let pathStart = protocolEnd;
  // Only an authority can follow as `//`: a path that begins so is serialised after `/.`.
  if (href.startsWith('//', protocolEnd)) {
    userEnd = protocolEnd + 2 + url.username.length;
    hostStart = userEnd + (url.password === '' ? 0 : 1 + url.password.length);
    const at = url.username !== '' || url.password !== '' ? 1 : 0;
    hostEnd = hostStart + at + url.hostname.length;
    pathStart = hostEnd + (url.port === '' ? 0 : 1 + url.port.length);
  } else if (url.pathname.startsWith('//') && href.startsWith('/.', protocolEnd)) {
    pathStart = protocolEnd + 2;
  }
  const afterPath = pathStart + url.pathname.length;
  const hash = href.indexOf('#', afterPath);
  const search = href.indexOf('?', afterPath);
  out[0] = protocolEnd;
  out[1] = userEnd;
  out[2] = hostStart;
  out[3] = hostEnd;
  out[4] = url.port === '' ? OMITTED : Number(url.port);
  out[5] = pathStart;
  out[6] = search >= 0 && (hash < 0 || search < hash) ? search : OMITTED;
  out[7] = hash >= 0 ? hash : OMITTED;
  out[8] = SCHEME_TYPES[url.protocol] ?? NOT_SPECIAL;
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

  const parsed = (input: string, base?: string): URL | undefined => {
    try {
      return base === undefined ? new BrowserURL(input) : new BrowserURL(input, base);
    } catch {
      return undefined;
    }
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
      if (result) return writeComponents(result, components);
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
        return replaced ? writeComponents(replaced, components) : false;
      }
      target[property] = value;
      return writeComponents(target, components);
    },
    pathToFileURL(path: string, windows: boolean, host?: string) {
      const target = new BrowserURL('file://');
      const escaped = windows
        ? path.replace(/[%\n\r\t?#[\]|~]/g, escapeOf)
        : path.replace(/[%\\\n\r\t?#[\]|~]/g, escapeOf);
      target.pathname = escaped;
      if (windows && host !== undefined) target.hostname = host;
      return writeComponents(target, components);
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
      writeComponents(target, components);
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
