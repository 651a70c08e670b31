// The block_list binding: net.SocketAddress and net.BlockList. IPv4 and its IPv6-mapped form are the same address to every rule.
import type { Binding } from '../process/environment';
import { compareBytes } from './buffer';
import { formatIp, mappedIpv4, parseIpv4, parseIpv6 } from './ip-address';
import { nodeError } from './node-error';

interface Rule {
  text: string;
  matches(address: Uint8Array): boolean;
}

/** Bytes as rules compare them: mapped IPv4 as IPv4. */
const plain = (bytes: Uint8Array): Uint8Array => mappedIpv4(bytes) ?? bytes;
const label = (bytes: Uint8Array): string => `${bytes.length === 4 ? 'IPv4' : 'IPv6'} ${formatIp(bytes)}`;

function mapped(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 16) return bytes;
  const out = new Uint8Array(16);
  out.set([255, 255], 10);
  out.set(bytes, 12);
  return out;
}

function inSubnet(address: Uint8Array, network: Uint8Array, prefix: number): boolean {
  const [left, right] = network.length === 4 ? [plain(address), network] : [mapped(address), network];
  if (left.length !== right.length) return false;
  const whole = prefix >> 3;
  if (compareBytes(left.subarray(0, whole), right.subarray(0, whole)) !== 0) return false;
  const shift = 8 - (prefix & 7);
  return shift === 8 || left[whole] >> shift === right[whole] >> shift;
}

/** Order of two addresses; NaN between IPv4 and an IPv6 address that maps none. */
function order(left: Uint8Array, right: Uint8Array): number {
  if (left.length === right.length) return compareBytes(left, right);
  const [first, second] = [plain(left), plain(right)];
  return first.length === second.length ? compareBytes(first, second) : Number.NaN;
}

export const blockList: Binding = ({ dumped }) => {
  const binding = dumped('block_list');
  const { AF_INET, AF_INET6 } = binding;
  const parse = (text: string, family: number) => (family === AF_INET6 ? parseIpv6(text) : parseIpv4(text));

  class SocketAddress {
    readonly bytes: Uint8Array;
    readonly #port: number;
    readonly #flowLabel: number;

    constructor(address: string, port: number, family: number, flowLabel: number) {
      const bytes = parse(address, family);
      if (!bytes) throw nodeError(Error, 'ERR_INVALID_ADDRESS', 'Invalid socket address');
      this.bytes = bytes;
      this.#port = port;
      this.#flowLabel = family === AF_INET6 ? flowLabel : 0;
    }

    detail(out: Record<string, unknown>): Record<string, unknown> {
      const family = this.bytes.length === 4 ? AF_INET : AF_INET6;
      return Object.assign(out, {
        address: formatIp(this.bytes),
        port: this.#port,
        family,
        flowlabel: this.#flowLabel,
      });
    }

    legacyDetail(): Record<string, unknown> {
      return { address: formatIp(this.bytes), family: this.bytes.length === 4 ? 'IPv4' : 'IPv6', port: this.#port };
    }

    flowlabel(): number {
      return this.#flowLabel;
    }
  }

  class BlockList {
    // Newest first, as node lists and checks them.
    #addresses = new Map<string, Uint8Array>();
    #subnets: Rule[] = [];
    #ranges: Rule[] = [];

    addAddress(address: SocketAddress): true {
      const key = plain(address.bytes).join('.');
      if (this.#addresses.has(key)) this.#addresses.set(key, address.bytes);
      else this.#addresses = new Map([[key, address.bytes], ...this.#addresses]);
      return true;
    }
    addAddresses(addresses: SocketAddress[]): true {
      for (const address of addresses) this.addAddress(address);
      return true;
    }
    removeAddress(address: SocketAddress): void {
      this.#addresses.delete(plain(address.bytes).join('.'));
    }

    /** False when the range is empty. */
    addRange(start: SocketAddress, end: SocketAddress): boolean {
      const [from, to] = [start.bytes, end.bytes];
      if (order(from, to) > 0) return false;
      this.#ranges.unshift({
        text: rangeText(from, to),
        matches: (address) => order(address, from) >= 0 && order(address, to) <= 0,
      });
      return true;
    }
    removeRange(start: SocketAddress, end: SocketAddress): void {
      removeRule(this.#ranges, rangeText(start.bytes, end.bytes));
    }

    addSubnet(network: SocketAddress, prefix: number): true {
      this.#subnets.unshift({
        text: subnetText(network.bytes, prefix),
        matches: (address) => inSubnet(address, network.bytes, prefix),
      });
      return true;
    }
    removeSubnet(network: SocketAddress, prefix: number): void {
      removeRule(this.#subnets, subnetText(network.bytes, prefix));
    }

    #matches(bytes: Uint8Array): boolean {
      return (
        this.#addresses.has(plain(bytes).join('.')) ||
        [...this.#subnets, ...this.#ranges].some((rule) => rule.matches(bytes))
      );
    }
    check(address: SocketAddress): boolean {
      return this.#matches(address.bytes);
    }
    /** The same of text; false for what is no address of that family. */
    checkString(text: string, family: number): boolean {
      const bytes = parse(text, family);
      return bytes !== undefined && this.#matches(bytes);
    }

    getRules(): string[] {
      return [
        ...Array.from(this.#addresses.values(), (bytes) => `Address: ${label(bytes)}`),
        ...[...this.#subnets, ...this.#ranges].map((rule) => rule.text),
      ];
    }
    getSize(): number {
      return this.#addresses.size + this.#subnets.length + this.#ranges.length;
    }
    clear(): void {
      this.#addresses.clear();
      this.#subnets = [];
      this.#ranges = [];
    }
  }

  return Object.assign(binding, { BlockList, SocketAddress });
};

function rangeText(start: Uint8Array, end: Uint8Array): string {
  return `Range: ${label(start)}-${formatIp(end)}`;
}

function subnetText(network: Uint8Array, prefix: number): string {
  return `Subnet: ${label(network)}/${prefix}`;
}

function removeRule(rules: Rule[], text: string): void {
  const index = rules.findIndex((rule) => rule.text === text);
  if (index >= 0) rules.splice(index, 1);
}
