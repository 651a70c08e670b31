// The block_list binding: net.SocketAddress and net.BlockList. IPv4 and its IPv6-mapped form are the same address to every rule.
import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';
import { compareBytes } from './buffer';
import { formatIp, mappedIpv4, parseIpv4, parseIpv6 } from './ip-address';
import { REVIVES, TRAVELS, type Travelling } from './native-objects';
import { nodeError } from './node-error';

interface Rule {
  text: string;
  /** The two addresses of a range, or the address and prefix of a subnet. */
  made: [Uint8Array, Uint8Array | number];
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

    [TRAVELS](): Travelling {
      return { binding: 'block_list', data: this.detail({}) };
    }
  }

  class BlockList {
    // What was sent is a copy here, in Node the same list: a change that only one of them would have is refused.
    #isSent = false;
    // Newest first, as node lists and checks them.
    #addresses = new Map<string, Uint8Array>();
    #subnets: Rule[] = [];
    #ranges: Rule[] = [];

    [TRAVELS](): Travelling {
      this.#isSent = true;
      const copied = ({ text, made }: Rule) => ({ text, made });
      const data = {
        addresses: this.#addresses,
        subnets: this.#subnets.map(copied),
        ranges: this.#ranges.map(copied),
      };
      return { binding: 'block_list', data };
    }
    static fromMessage(sent: { addresses: Map<string, Uint8Array>; subnets: Rule[]; ranges: Rule[] }): BlockList {
      const list = new BlockList();
      list.#addresses = sent.addresses;
      list.#subnets = sent.subnets.map(({ made: [network, prefix] }) =>
        subnetRule(network as Uint8Array, prefix as number),
      );
      list.#ranges = sent.ranges.map(({ made: [from, to] }) => rangeRule(from as Uint8Array, to as Uint8Array));
      list.#isSent = true;
      return list;
    }
    #change(): void {
      if (this.#isSent) throw unsupported('net.BlockList: the change of a list that was cloned or sent to a thread');
    }

    addAddress(address: SocketAddress): true {
      this.#change();
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
      this.#change();
      this.#addresses.delete(plain(address.bytes).join('.'));
    }

    /** False when the range is empty. */
    addRange(start: SocketAddress, end: SocketAddress): boolean {
      this.#change();
      if (order(start.bytes, end.bytes) > 0) return false;
      this.#ranges.unshift(rangeRule(start.bytes, end.bytes));
      return true;
    }
    removeRange(start: SocketAddress, end: SocketAddress): void {
      this.#change();
      removeRule(this.#ranges, rangeText(start.bytes, end.bytes));
    }

    addSubnet(network: SocketAddress, prefix: number): true {
      this.#change();
      this.#subnets.unshift(subnetRule(network.bytes, prefix));
      return true;
    }
    removeSubnet(network: SocketAddress, prefix: number): void {
      this.#change();
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
      this.#change();
      this.#addresses.clear();
      this.#subnets = [];
      this.#ranges = [];
    }
  }

  return Object.assign(binding, {
    BlockList,
    SocketAddress,
    [REVIVES]: (sent: any) =>
      'address' in sent
        ? new SocketAddress(sent.address, sent.port, sent.family, sent.flowlabel)
        : BlockList.fromMessage(sent),
  });
};

function rangeRule(from: Uint8Array, to: Uint8Array): Rule {
  return {
    text: rangeText(from, to),
    made: [from, to],
    matches: (address) => order(address, from) >= 0 && order(address, to) <= 0,
  };
}

function subnetRule(network: Uint8Array, prefix: number): Rule {
  return {
    text: subnetText(network, prefix),
    made: [network, prefix],
    matches: (address) => inSubnet(address, network, prefix),
  };
}

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
