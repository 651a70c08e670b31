// Where the gateway goes and where it never goes. A page in a browser reaches the person's own machine and network; a guest must not.

/** What the gateway may not reach, and how it reaches the npm registry. */
export interface GatewayConfig {
  /** URL below which our server answers for the npm registry; ends with a slash. */
  npmProxy: string;
  /** Hosts of the registry, served through `npmProxy`. */
  registryHosts: readonly string[];
  /** Host names of this site; they and all names below them are refused. */
  ownHosts: readonly string[];
}

export type Destination = { kind: 'registry' } | { kind: 'direct' } | { kind: 'refused'; why: string };

/** The npm registry's names. */
export const REGISTRY_HOSTS: readonly string[] = ['registry.npmjs.org', 'registry.yarnpkg.com'];

const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'test',
  'invalid',
  'onion',
];

/** The rule for `host` (a name, an IPv4 or an IPv6 literal without brackets). */
export function destinationOf(host: string, config: GatewayConfig): Destination {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (config.registryHosts.includes(name)) return { kind: 'registry' };
  const isBelow = (suffix: string): boolean => name === suffix || name.endsWith(`.${suffix}`);
  if (config.ownHosts.some(isBelow)) return { kind: 'refused', why: 'it is part of this IDE' };
  // The browser reads numbers in any notation; only what its own parser leaves a name is a name.
  const canonical = canonicalHost(name);
  if (canonical === undefined) return { kind: 'refused', why: 'it is not a host name' };
  if (canonical.includes(':'))
    return isPublicIpv6(canonical) ? { kind: 'direct' } : { kind: 'refused', why: 'it is a private address' };
  if (/^\d+(\.\d+){3}$/.test(canonical))
    return isPublicIpv4(canonical) ? { kind: 'direct' } : { kind: 'refused', why: 'it is a private address' };
  if (!canonical.includes('.') || PRIVATE_SUFFIXES.some(isBelow))
    return { kind: 'refused', why: 'names without a public domain lead into private networks' };
  return { kind: 'direct' };
}

function canonicalHost(name: string): string | undefined {
  try {
    return new URL(`http://${name.includes(':') ? `[${name}]` : name}/`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return undefined;
  }
}

/** Special-purpose ranges: iana.org/assignments/iana-ipv4-special-registry. */
function isPublicIpv4(address: string): boolean {
  const [a, b, c] = address.split('.').map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100 && b >= 64 && b < 128) return false;
  if (a === 169 && b === 254) return false;
  if (a === 172 && b >= 16 && b < 32) return false;
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) return false;
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false;
  return !(a === 203 && b === 0 && c === 113);
}

/** Only global unicast 2000::/3, without documentation, tunnels (6to4, Teredo) and mapped addresses, which hide an IPv4 address. */
function isPublicIpv6(address: string): boolean {
  const first = Number.parseInt(address.split(':')[0] || '0', 16);
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  return !/^2001:(?:0?db8|0)?:/.test(address);
}
