// The part of the npm registry's API that guests may use: reading packages, search, and the audit questions. Everything else does not exist.
// Source of the paths: github.com/npm/registry docs/REGISTRY-API.md and what the npm CLI 11 asks for.

export interface RegistryPath {
  /** `document`: JSON that names tarballs; `tarball`: bytes; `json`: other JSON. */
  kind: 'document' | 'tarball' | 'json';
  /** Below the registry's URL, percent-encoded, without leading slash. */
  path: string;
}

const NAME = /^[A-Za-z0-9_~!'()*-][A-Za-z0-9._~!'()*-]*$/;
const FILE = /^(?:@[A-Za-z0-9._~-]+\/)?[A-Za-z0-9_~!'()*+-][A-Za-z0-9._~!'()*+-]*\.tgz$/;
const FIXED_GET = ['-/ping', '-/v1/search', '-/npm/v1/keys'];
const FIXED_POST = ['-/npm/v1/security/advisories/bulk', '-/npm/v1/security/audits/quick', '-/npm/v1/security/audits'];
const MAX_LENGTH = 500;

/** What `path` (percent-encoded, without leading slash and query) asks of a registry; undefined when it is not on the list. */
export function parseRegistryPath(method: string, path: string): RegistryPath | undefined {
  if (path.length > MAX_LENGTH) return undefined;
  if (method === 'POST') return FIXED_POST.includes(path) ? { kind: 'json', path } : undefined;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (FIXED_GET.includes(path)) return { kind: 'json', path };
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  if (decoded.startsWith('-/')) return parseQuestion(decoded.slice(2));
  const found = takeName(decoded);
  if (!found) return undefined;
  const { name, rest } = found;
  if (rest === undefined) return { kind: 'document', path: encodeName(name) };
  if (rest.startsWith('-/')) {
    const file = rest.slice(2);
    return FILE.test(file) ? { kind: 'tarball', path: `${name}/-/${file}` } : undefined;
  }
  // A version, a tag or a range.
  const isVersion = /^[^/\\\p{Cc}]+$/u.test(rest) && rest !== '.' && rest !== '..';
  return isVersion ? { kind: 'document', path: `${encodeName(name)}/${encodeURIComponent(rest)}` } : undefined;
}

/** The tarball's path on a registry that keeps to npm's layout, from any URL of it; undefined for other layouts. */
export function tarballPath(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  let pathname: string;
  try {
    pathname = decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
  const match = /\/((?:@[^/]+\/)?[^/@]+\/-\/(?:@[^/]+\/)?[^/]+\.tgz)$/.exec(pathname);
  return match ? parseRegistryPath('GET', encodeURI(match[1]))?.path : undefined;
}

function parseQuestion(path: string): RegistryPath | undefined {
  const tags = /^package\/(.+)\/dist-tags$/.exec(path);
  const asked = tags ? takeName(tags[1]) : undefined;
  if (asked)
    return asked.rest === undefined
      ? { kind: 'json', path: `-/package/${encodeName(asked.name)}/dist-tags` }
      : undefined;
  const signed = /^npm\/v1\/attestations\/(.+)@([\w.+-]+)$/.exec(path);
  const subject = signed ? takeName(signed[1]) : undefined;
  if (signed && subject && subject.rest === undefined)
    return { kind: 'json', path: `-/npm/v1/attestations/${encodeName(subject.name)}@${encodeURIComponent(signed[2])}` };
  return undefined;
}

/** Splits `name[/rest]` or `@scope/name[/rest]`. */
function takeName(path: string): { name: string; rest: string | undefined } | undefined {
  const segments = path.split('/');
  const count = path.startsWith('@') ? 2 : 1;
  if (segments.length < count) return undefined;
  const parts = segments.slice(0, count).map((part, index) => (count === 2 && index === 0 ? part.slice(1) : part));
  if (!parts.every((part) => NAME.test(part)) || (count === 1 && parts[0] === '-')) return undefined;
  const rest = segments.slice(count).join('/');
  return { name: segments.slice(0, count).join('/'), rest: segments.length > count ? rest : undefined };
}

/** As npm writes it: the slash of a scope is encoded. */
function encodeName(name: string): string {
  return name.replace('/', '%2f');
}
