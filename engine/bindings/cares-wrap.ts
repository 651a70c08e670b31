// cares_wrap: name look-up. localhost and /etc/hosts are answered here; outside names get a stand-in address; DNS records cannot be asked for in
// a browser, and say so at once.
import type { Binding } from '../process/environment';
import { AsyncScopes } from './async-scopes';
import { asNodeBuffer } from './buffer';
import { parseIpv6 } from './ip-address';
import { outsideAddress } from './outside-hosts';

const EAI_NONAME = -3008;

/** IPv4 or IPv6 in its shortest form, or undefined. */
function canonicalAddress(URLType: typeof URL, text: string): string | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text))
    return text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part) ? text : undefined;
  if (!text.includes(':')) return undefined;
  try {
    return new URLType(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

export const caresWrap: Binding = (environment) => {
  const { browser, loop, tree } = environment;
  const binding = environment.dumped('cares_wrap');

  const fromHostsFile = (name: string, wantIpv6: boolean): string[] => {
    const ino = tree.lookup('/etc/hosts');
    if (ino < 0) return [];
    return tree
      .readText(ino)
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
      .filter(([address, ...names]) => address?.includes(':') === wantIpv6 && names.includes(name))
      .map(([address]) => address);
  };
  const resolve = (name: string, family: number): string[] => {
    const literal = canonicalAddress(browser.URL, name);
    if (literal) return [literal];
    const plain = name.toLowerCase().replace(/\.$/, '');
    const isLoopback = plain === 'localhost' || plain.endsWith('.localhost');
    const lookUp = (wantIpv6: boolean): string[] => {
      const listed = fromHostsFile(plain, wantIpv6);
      return listed.length > 0 ? listed : isLoopback ? [wantIpv6 ? '::1' : '127.0.0.1'] : [];
    };
    const local = [...(family === 4 ? [] : lookUp(true)), ...(family === 6 ? [] : lookUp(false))];
    if (local.length > 0) return local;
    return family === 6 || !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(plain) ? [] : [outsideAddress(environment, plain)];
  };
  const scopes = AsyncScopes.of(environment);
  const later = (request: object, type: string, deliver: () => void): number => {
    const ids = scopes.begin(request, type);
    loop.startRequest();
    loop.enqueue(() => {
      loop.endRequest();
      scopes.finish(ids, deliver);
    });
    return 0;
  };

  class ChannelWrap extends binding.ChannelWrap {
    #servers: [address: string, port: number][] = [['127.0.0.1', 53]];

    getServers(): [string, number][] {
      return this.#servers.map(([address, port]) => [address, port]);
    }

    /** Nobody is asked: no packet leaves the sandbox. */
    setServers(servers: [family: number, address: string, port: number][]): number {
      this.#servers = servers.map(([, address, port]) => [address, port]);
      return 0;
    }

    setLocalAddress(): void {}

    cancel(): void {}
  }
  // ECONNREFUSED at once is what a resolver without a name server answers; waiting for a time-out would help nobody.
  for (const key of Object.getOwnPropertyNames(binding.ChannelWrap.prototype)) {
    if (!/^(?:query|getHostByAddr)/.test(key)) continue;
    Object.defineProperty(ChannelWrap.prototype, key, {
      configurable: true,
      writable: true,
      value: (request: any) => later(request, 'QUERYWRAP', () => request.oncomplete('ECONNREFUSED')),
    });
  }

  return Object.assign(binding, {
    getaddrinfo(request: any, name: string, family: number, _hints: number, order: number) {
      const addresses = resolve(name, family);
      const ipv4First = order === binding.DNS_ORDER_IPV4_FIRST;
      const sorted = ipv4First
        ? [...addresses].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
        : addresses;
      return later(request, 'GETADDRINFOREQWRAP', () =>
        sorted.length > 0 ? request.oncomplete(null, sorted) : request.oncomplete(EAI_NONAME, null),
      );
    },
    getnameinfo(request: any, address: string, port: number) {
      return later(request, 'GETNAMEINFOREQWRAP', () =>
        request.oncomplete(null, /^(?:127\.|::1$)/.test(address) ? 'localhost' : address, String(port)),
      );
    },
    canonicalizeIP: (text: string) => canonicalAddress(browser.URL, text),
    convertIpv6StringToBuffer(text: string) {
      const bytes = parseIpv6(text);
      return bytes && asNodeBuffer(bytes);
    },
    strerror: (code: number | string) => (typeof code === 'number' ? environment.errorName(code)[1] : code),
    GetAddrInfoReqWrap: class GetAddrInfoReqWrap {},
    GetNameInfoReqWrap: class GetNameInfoReqWrap {},
    QueryReqWrap: class QueryReqWrap {},
    ChannelWrap,
  });
};
