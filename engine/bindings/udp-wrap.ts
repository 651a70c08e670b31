// udp_wrap: datagrams between the programs of this sandbox. A browser sends none to a network: such addresses are unreachable, and groups can't be joined.
// The sender finds the receiver in the table of ports and counts its bytes there; what finds nobody or no room is lost, as UDP has it.
import { PORT_HOST } from '../ipc/ports';
import {
  EADDRNOTAVAIL,
  EBADF,
  ECONNREFUSED,
  EINVAL,
  EISCONN,
  EMSGSIZE,
  ENETUNREACH,
  ENOTCONN,
  ENOTSUP,
} from '../memory/errno';
import type { Binding } from '../process/environment';
import { joinBytes } from '../tree/snapshot-entries';
import { asNodeBuffer } from './buffer';
import { HandleWrap } from './handle-wrap';
import { isLocalAddress } from './outside-hosts';
import { viewBytes } from './strings';

type Family = 'IPv4' | 'IPv6';

interface Endpoint {
  address: string;
  family: Family;
  port: number;
}

/** What the kernel hands over: where it comes from, and its bytes. */
interface Datagram {
  bytes: Uint8Array<ArrayBuffer>;
  address: string;
  port: number;
}

/** The most that one datagram may hold, by its family. */
const LARGEST = { IPv4: 65507, IPv6: 65527 } as const;
/** Linux's net.core.rmem_max; the kernel doubles what is asked for. */
const BUFFER_BYTES = 212_992;

const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::';
const isIpv6 = (address: string): boolean => address === '::' || address === '::1';
const plain = (address: string): string => address.replace(/^::ffff:/, '');

export const udpWrap: Binding = (environment) => {
  const binding = environment.dumped('udp_wrap');
  const { constants } = binding;
  const { ports } = environment;
  const sockets = new Map<number, UDP>();
  let nextId = 1;
  environment.onKernel('datagram', ({ id, ...datagram }: Datagram & { id: number }) => {
    sockets.get(id)?.arrive(datagram);
  });

  class UDP extends HandleWrap {
    declare onmessage: ((count: number, handle: UDP, bytes?: Uint8Array, from?: Endpoint) => void) | undefined;
    #local: Endpoint | undefined;
    #peer: Endpoint | undefined;
    #index = -1;
    readonly #id = nextId++;
    #receiving = false;
    readonly #waiting: Datagram[] = [];
    readonly #buffers = { receive: BUFFER_BYTES, send: BUFFER_BYTES };

    constructor() {
      super(environment, 'UDPWRAP');
    }

    /** It has no number among the descriptors. */
    get fd(): number {
      return EBADF;
    }

    open(): number {
      return ENOTSUP;
    }

    bind(address: string, port: number, flags = 0): number {
      return this.#bindTo({ address, family: 'IPv4', port }, flags);
    }

    bind6(address: string, port: number, flags = 0): number {
      return this.#bindTo({ address, family: 'IPv6', port }, flags);
    }

    #bindTo({ address, family, port }: Endpoint, flags: number): number {
      if (this.closed) return EBADF;
      if (this.#index >= 0) return EINVAL;
      if ((flags & constants.UV_UDP_REUSEPORT) !== 0) return ENOTSUP;
      if (!isLocalAddress(address) && !isWildcard(address)) return EADDRNOTAVAIL;
      const takesBoth = address === '::' && (flags & constants.UV_UDP_IPV6ONLY) === 0;
      const hosts = takesBoth ? PORT_HOST.udp4 | PORT_HOST.udp6 : isIpv6(address) ? PORT_HOST.udp6 : PORT_HOST.udp4;
      // lib hands on whatever the program gave: the callback of bind(callback), too.
      const index = ports.bind(environment.state.slot, port >>> 0, hosts);
      if (index < 0) return index;
      this.#index = index;
      this.#local = { address, family, port: ports.portAt(index) };
      sockets.set(this.#id, this);
      ports.listen(index, this.#id);
      return 0;
    }

    #bindAnywhere(family: Family): number {
      if (this.closed) return EBADF;
      return this.#index >= 0 ? 0 : this.#bindTo({ address: family === 'IPv4' ? '0.0.0.0' : '::', family, port: 0 }, 0);
    }

    connect(address: string, port: number): number {
      return this.#connectTo({ address, family: 'IPv4', port });
    }

    connect6(address: string, port: number): number {
      return this.#connectTo({ address, family: 'IPv6', port });
    }

    #connectTo(peer: Endpoint): number {
      if (this.#peer) return EISCONN;
      if (!isLocalAddress(peer.address) && !isWildcard(peer.address)) return ENETUNREACH;
      const error = this.#bindAnywhere(peer.family);
      if (error) return error;
      this.#peer = { ...peer, address: this.#reachable(peer.address) };
      const local = this.#local;
      if (local && isWildcard(local.address))
        this.#local = { ...local, address: this.#shown(this.#sourceFor(peer.address)) };
      return 0;
    }

    disconnect(): number {
      if (!this.#peer) return ENOTCONN;
      this.#peer = undefined;
      return 0;
    }

    /** Bytes sent and one, which tells lib that all is done; or a negative errno. `port` and `address` are not given when it is connected. */
    send(_request: unknown, list: ArrayBufferView[], count: number, ...to: unknown[]): number {
      return this.#sendTo('IPv4', list, count, to);
    }

    send6(_request: unknown, list: ArrayBufferView[], count: number, ...to: unknown[]): number {
      return this.#sendTo('IPv6', list, count, to);
    }

    #sendTo(family: Family, list: ArrayBufferView[], count: number, to: unknown[]): number {
      const error = this.#bindAnywhere(family);
      if (error) return error;
      const [port, address] = to.length > 1 ? (to as [number, string]) : [this.#peer?.port, this.#peer?.address];
      if (port === undefined || address === undefined) return ENOTCONN;
      if (!isLocalAddress(address) && !isWildcard(address)) return ENETUNREACH;
      const bytes = joinBytes(list.slice(0, count).map((part) => viewBytes(part)));
      if (bytes.length > LARGEST[family]) return EMSGSIZE;
      const receiver = ports.find(port, isIpv6(address) ? PORT_HOST.udp6 : PORT_HOST.udp4);
      if (receiver && ports.charge(receiver.index, bytes.length)) {
        const from = { address: this.#sourceFor(address), port: this.#local?.port ?? 0 };
        environment.post({ type: 'datagram', index: receiver.index, id: receiver.listener, bytes, ...from });
      } else if (!receiver && this.#peer && this.#receiving) {
        this.later(() => this.#receiving && this.onmessage?.(ECONNREFUSED, this));
      }
      return bytes.length + 1;
    }

    /** Where a datagram to `address` comes from. */
    #sourceFor(address: string): string {
      const bound = this.#local?.address ?? '';
      return bound !== '' && !isWildcard(bound) ? plain(bound) : isIpv6(address) ? '::1' : '127.0.0.1';
    }

    /** The address that is meant by one that means any. */
    #reachable(address: string): string {
      return address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
    }

    #shown(address: string): string {
      return this.#local?.family === 'IPv6' && !address.includes(':') ? `::ffff:${address}` : address;
    }

    /** A datagram for this socket. */
    arrive(datagram: Datagram): void {
      this.#waiting.push(datagram);
      if (this.#receiving) this.later(() => this.#deliver());
    }

    #deliver(): void {
      if (!this.#receiving) return;
      const datagram = this.#waiting.shift();
      if (!datagram) return;
      const { bytes, port } = datagram;
      ports.discharge(this.#index, bytes.length);
      const address = this.#shown(datagram.address);
      if (this.#peer && (this.#peer.port !== port || plain(this.#peer.address) !== plain(address))) return;
      this.onmessage?.(bytes.length, this, asNodeBuffer(bytes), {
        address,
        family: this.#local?.family ?? 'IPv4',
        port,
      });
    }

    recvStart(): number {
      const error = this.#bindAnywhere('IPv4');
      if (error) return error;
      this.#receiving = true;
      this.setActive(true);
      for (let count = this.#waiting.length; count > 0; count--) this.later(() => this.#deliver());
      return 0;
    }

    recvStop(): number {
      this.#receiving = false;
      this.setActive(false);
      return 0;
    }

    getsockname(out: Record<string, unknown>): number {
      return this.#local && !this.closed ? Object.assign(out, this.#local) && 0 : EBADF;
    }

    getpeername(out: Record<string, unknown>): number {
      if (!this.#local || this.closed) return EBADF;
      return this.#peer ? Object.assign(out, this.#peer) && 0 : ENOTCONN;
    }

    // What only a network would show is checked and taken.
    setBroadcast(): number {
      return this.#index < 0 ? EBADF : 0;
    }

    setTTL(hops: number): number {
      return this.#index < 0 ? EBADF : hops < 1 || hops > 255 ? EINVAL : 0;
    }

    setMulticastTTL(hops: number): number {
      return this.#index < 0 ? EBADF : hops < 0 || hops > 255 ? EINVAL : 0;
    }

    setMulticastLoopback(): number {
      return this.#index < 0 ? EBADF : 0;
    }

    /** The size of a buffer; `size` 0 only asks. */
    bufferSize(size: number, isReceive: boolean, context: Record<string, unknown>): number | undefined {
      const which = isReceive ? 'receive' : 'send';
      if (this.#index < 0) {
        const [code, message] = environment.errorName(EBADF);
        const syscall = isReceive ? 'uv_recv_buffer_size' : 'uv_send_buffer_size';
        Object.assign(context, { errno: EBADF, code, message, syscall });
        return undefined;
      }
      if (size === 0) return this.#buffers[which];
      this.#buffers[which] = Math.min(size, BUFFER_BYTES) * 2;
      return size;
    }

    getSendQueueSize(): number {
      return 0;
    }

    getSendQueueCount(): number {
      return 0;
    }

    protected override dispose(): void {
      this.#receiving = false;
      this.#waiting.length = 0;
      sockets.delete(this.#id);
      if (this.#index >= 0) ports.release(this.#index);
      this.#index = -1;
    }
  }
  // Groups: the rest of the names.
  for (const name of Object.getOwnPropertyNames(binding.UDP.prototype)) {
    if (name in UDP.prototype) continue;
    Object.defineProperty(UDP.prototype, name, { configurable: true, writable: true, value: () => ENOTSUP });
  }
  return { ...binding, UDP, SendWrap: class SendWrap {} };
};
