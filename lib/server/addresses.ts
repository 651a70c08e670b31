// Which addresses a server may be sent to by somebody else's words: only those of the public internet. For IPv6 the list is of what is
// allowed, so mapped, translated and unknown forms are refused without being named.
// Source: the IANA special-purpose address registries (RFC 6890 and later entries).
import { BlockList, isIP } from 'node:net';

const special4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special4.addSubnet(network, prefix, 'ipv4');

const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Inside 2000::/3, but tunnels (which carry an IPv4 address), documentation or protocol use. */
const special6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special6.addSubnet(network, prefix, 'ipv6');

/** Whether `address` (an IPv4 or IPv6 literal without brackets) is on the public internet; false for anything else. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, 'ipv4');
    case 6:
      return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
    default:
      return false;
  }
}
