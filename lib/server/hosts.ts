// Which of the three origins a request is for, by its Host header alone, and the origins' names. Everything that is not known is refused.
// The port is never configured: it is the one that the request came to.
import { isPreviewId, type SiteOrigins } from '../std/site-origins';
import type { Environment } from './environment';

/** Host names without ports, lower case. */
export interface HostConfig {
  ide: string;
  sandbox: string;
  /** Preview hosts are `${prefix}${id}${suffix}`. */
  preview: { prefix: string; suffix: string };
  /** Names from which people are sent to the IDE's. */
  redirects: readonly string[];
}

export type HostKind =
  | { kind: 'ide' }
  | { kind: 'sandbox' }
  | { kind: 'preview'; id: string }
  /** A name that stands for the IDE; `host` is the IDE's with the request's port. */
  | { kind: 'redirect'; host: string }
  | { kind: 'unknown' };

/**
 * From CLOCHE_HOST (default `cloche.localhost`), CLOCHE_SANDBOX_HOST (default `sandbox.<host>`), CLOCHE_PREVIEW_PATTERN (default
 * `p-*.<host>`) and CLOCHE_REDIRECT_HOSTS (comma-separated; default `localhost,127.0.0.1,[::1]` while the host is below `localhost`).
 * Throws an Error that names the variable when the names would mix trust levels.
 */
export function readHostConfig(env: Environment): HostConfig {
  const ide = hostName('CLOCHE_HOST', env.CLOCHE_HOST || 'cloche.localhost');
  const sandbox = hostName('CLOCHE_SANDBOX_HOST', env.CLOCHE_SANDBOX_HOST || `sandbox.${ide}`);
  const pattern = (env.CLOCHE_PREVIEW_PATTERN || `p-*.${ide}`).toLowerCase();
  const [prefix, suffix, ...more] = pattern.split('*');
  if (suffix === undefined || more.length > 0 || !suffix.startsWith('.') || prefix.includes('.'))
    throw new Error(`CLOCHE_PREVIEW_PATTERN must have one "*", in its first label, like "p-*.example.org": ${pattern}`);
  hostName('CLOCHE_PREVIEW_PATTERN', pattern.replace('*', 'x'));
  const config: HostConfig = {
    ide,
    sandbox,
    preview: { prefix, suffix },
    redirects: (env.CLOCHE_REDIRECT_HOSTS ?? (isLocal(ide) ? 'localhost,127.0.0.1,[::1]' : ''))
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '' && name !== ide),
  };
  const names = [ide, sandbox, ...config.redirects];
  if (new Set(names).size < names.length)
    throw new Error(`CLOCHE_HOST, CLOCHE_SANDBOX_HOST and CLOCHE_REDIRECT_HOSTS must differ: ${names.join(', ')}`);
  for (const name of names)
    if (previewId(name, config) !== undefined)
      throw new Error(`CLOCHE_PREVIEW_PATTERN ${pattern} also matches ${name}, which would give guests that origin.`);
  return config;
}

/** What the Host header `host` (name and optional port) stands for. */
export function classifyHost(host: string | null | undefined, config: HostConfig): HostKind {
  const { name, port } = splitHost(host ?? '');
  if (name === config.ide) return { kind: 'ide' };
  if (name === config.sandbox) return { kind: 'sandbox' };
  const id = previewId(name, config);
  if (id !== undefined) return { kind: 'preview', id };
  if (config.redirects.includes(name)) return { kind: 'redirect', host: config.ide + port };
  return { kind: 'unknown' };
}

/** All origins as the client of this request sees them. `protocol` is `http` or `https`. */
export function originsOf(
  host: string,
  protocol: 'http' | 'https',
  config: HostConfig,
): SiteOrigins & { ide: string; previewSource: string } {
  const { port } = splitHost(host);
  const { prefix, suffix } = config.preview;
  return {
    ide: `${protocol}://${config.ide}${port}`,
    sandbox: `${protocol}://${config.sandbox}${port}`,
    preview: `${protocol}://${prefix}*${suffix}${port}`,
    // A CSP source can only have a whole label as its wildcard.
    previewSource: `${protocol}://*${suffix}${port}`,
  };
}

/** The scheme that the visitor used: what the outermost proxy wrote into `x-forwarded-proto`, else that of our own socket. */
export function protocolOf(forwarded: string | null, own: string): 'http' | 'https' {
  const scheme = forwarded?.split(',')[0].trim() || own.replace(/:$/, '');
  return scheme === 'https' ? 'https' : 'http';
}

function previewId(name: string, { preview: { prefix, suffix } }: HostConfig): string | undefined {
  if (!name.startsWith(prefix) || !name.endsWith(suffix) || name.length <= prefix.length + suffix.length) return;
  const id = name.slice(prefix.length, name.length - suffix.length);
  return isPreviewId(id) ? id : undefined;
}

/** `name` is '' for anything that is no host name; `port` has its colon or is ''. */
function splitHost(host: string): { name: string; port: string } {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+?)\.?(:\d{1,5})?$/i.exec(host);
  return match ? { name: match[1].toLowerCase(), port: match[2] ?? '' } : { name: '', port: '' };
}

function hostName(variable: string, value: string): string {
  const name = value.trim().toLowerCase();
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(name))
    throw new Error(`${variable} must be a host name without scheme and port: ${value}`);
  return name;
}

function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}
