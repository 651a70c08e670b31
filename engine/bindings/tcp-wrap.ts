// tcp_wrap: TCP within the sandbox. Addresses are this machine's loopback; everything else goes to the kernel's gateway, which speaks HTTP.
import { PORT_HOST } from '../ipc/ports';
import { EADDRINUSE, EADDRNOTAVAIL, EBADF, ECANCELED, EINVAL, ENOTCONN, ENOTSUP } from '../memory/errno';
import type { Binding } from '../process/environment';
import { AsyncScopes } from './async-scopes';
import { type Accepted, LocalSockets } from './local-sockets';
import { isLocalAddress, outsideHost } from './outside-hosts';
import type { SentHandle } from './sent-handles';
import { StreamWrap } from './stream-base';

interface Endpoint {
  address: string;
  port: number;
  family: 'IPv4' | 'IPv6';
}

const UV_TCP_IPV6ONLY = 1;
const UV_TCP_REUSEPORT = 2;

/** The addresses of this machine that `address` names, as a set of PORT_HOST; 0 when it is none of ours. */
function hostsToBind(address: string, ipv6Only: boolean): number {
  if (address === '0.0.0.0') return PORT_HOST.v4 | PORT_HOST.otherV4;
  if (address === '::') return ipv6Only ? PORT_HOST.v6 : PORT_HOST.v4 | PORT_HOST.otherV4 | PORT_HOST.v6;
  if (address === '::1') return PORT_HOST.v6;
  if (address === '127.0.0.1' || address === '::ffff:127.0.0.1') return PORT_HOST.v4;
  return address.startsWith('127.') ? PORT_HOST.otherV4 : 0;
}

/** In the order in which Node shows it. */
function tell({ address, family, port }: Endpoint, out: Record<string, unknown>): void {
  out.address = address;
  out.family = family;
  out.port = port;
}

export const tcpWrap: Binding = (environment) => {
  const binding = environment.dumped('tcp_wrap');
  const { constants } = binding;
  const sockets = LocalSockets.of(environment);
  const scopes = AsyncScopes.of(environment);

  class TCP extends StreamWrap {
    onconnection: ((status: number, client?: TCP) => void) | null = null;
    /** The name behind a connection that ends in the gateway. */
    #outsideName: string | undefined;
    #local: Endpoint | undefined;
    #peer: Endpoint | undefined;
    #index = -1;
    #listener = 0;
    /** libuv tells of a taken address only when the socket is used. */
    #delayedError = 0;

    constructor(kind?: number) {
      super(environment, kind === constants.SERVER ? 'TCPSERVERWRAP' : 'TCPWRAP');
    }

    protected override get isSocket(): boolean {
      return true;
    }

    get outsideName(): string | undefined {
      return this.#outsideName;
    }

    /** Whether it is a server that listens: node has another name for such a handle. */
    get isListening(): boolean {
      return this.#listener !== 0;
    }

    open(fd: number): number {
      const description = environment.descriptors.get(fd);
      if (description < 0) return EBADF;
      if (!environment.descriptions.incoming(description)) return EINVAL;
      this.fd = fd;
      return 0;
    }

    bind(address: string, port: number, flags = 0): number {
      return this.#bindTo({ address, port: port || 0, family: 'IPv4' }, flags);
    }

    bind6(address: string, port: number, flags = 0): number {
      return this.#bindTo({ address, port: port || 0, family: 'IPv6' }, flags);
    }

    #bindTo(endpoint: Endpoint, flags: number): number {
      if (this.#local) return EINVAL;
      if ((flags & UV_TCP_REUSEPORT) !== 0) return ENOTSUP;
      const hosts = hostsToBind(endpoint.address, (flags & UV_TCP_IPV6ONLY) !== 0);
      if (hosts === 0) return EADDRNOTAVAIL;
      const index = sockets.bind(endpoint.port, hosts);
      if (index === EADDRINUSE) this.#delayedError = index;
      else if (index < 0) return index;
      else this.#index = index;
      this.#local = index < 0 ? endpoint : { ...endpoint, port: environment.ports.portAt(index) };
      return 0;
    }

    listen(_backlog: number): number {
      if (this.#delayedError) return this.#delayedError;
      if (!this.#local) {
        const error = this.bind('0.0.0.0', 0) || this.#delayedError;
        if (error) return error;
      }
      if (this.#listener !== 0) return 0;
      this.#listener = sockets.listen(this.#index, (accepted) => {
        const client = this.causing(() => this.#accept(accepted));
        this.callBack(() => this.onconnection?.(0, client));
      });
      this.setActive(true);
      return 0;
    }

    /** What another process must know to go on with this connection; undefined when it is none. */
    sent(): Pick<SentHandle, 'kind' | 'ends'> | undefined {
      if (this.fd < 0) return undefined;
      return { kind: 'tcp', ends: { local: this.#local, peer: this.#peer, outsideName: this.#outsideName } };
    }

    /** A connection that another process has given to this one. */
    static received({ fd, ends }: SentHandle): TCP {
      const socket = new TCP(constants.SOCKET);
      socket.fd = fd;
      const { local, peer, outsideName } = ends as { local?: Endpoint; peer?: Endpoint; outsideName?: string };
      socket.#local = local;
      socket.#peer = peer;
      socket.#outsideName = outsideName;
      return socket;
    }

    #accept({ fd, host, remoteHost, remotePort }: Accepted): TCP {
      const client = new TCP(constants.SOCKET);
      client.fd = fd;
      const isIpv6 = this.#local?.family === 'IPv6';
      const shown = (given = '127.0.0.1'): string => {
        const address = given === 'localhost' || given === '0.0.0.0' ? '127.0.0.1' : given === '::' ? '::1' : given;
        return isIpv6 && !address.includes(':') ? `::ffff:${address}` : address;
      };
      const family = isIpv6 ? 'IPv6' : 'IPv4';
      client.#local = { address: shown(host), port: this.#local?.port ?? 0, family };
      client.#peer = { address: shown(remoteHost ?? host), port: remotePort ?? 0, family };
      return client;
    }

    connect(request: any, address: string, port: number): number {
      return this.#connectTo(request, { address, port, family: 'IPv4' });
    }

    connect6(request: any, address: string, port: number): number {
      return this.#connectTo(request, { address, port, family: 'IPv6' });
    }

    #connectTo(request: any, peer: Endpoint): number {
      if (this.#delayedError) return this.#delayedError;
      const ids = this.causing(() => scopes.begin(request, 'TCPCONNECTWRAP'));
      const settle = (errno: number, fd: number, localPort?: number): void => {
        if (this.closed) {
          if (fd >= 0) environment.descriptors.close(fd);
          // Undefined when lib has given this attempt up for the host's next address: a real handle then calls nobody.
          scopes.finish(ids, () => request.oncomplete?.(ECANCELED, this, request, true, true));
          return;
        }
        if (errno === 0) {
          this.fd = fd;
          this.#peer = peer;
          const isBound = this.#local && this.#local.address !== '0.0.0.0' && this.#local.address !== '::';
          if (!isBound) this.#local = { address: peer.address, port: localPort ?? 0, family: peer.family };
        }
        scopes.finish(ids, () => request.oncomplete(errno, this, request, true, true));
      };
      if (isLocalAddress(peer.address)) {
        const from = this.#local && { host: this.#local.address, port: this.#local.port };
        sockets.connect({ type: 'connect', port: peer.port, host: peer.address, from }, settle);
        return 0;
      }
      const host = outsideHost(environment, peer.address) ?? peer.address;
      this.#outsideName = host;
      sockets.connect({ type: 'gateway', host, port: peer.port }, settle);
      return 0;
    }

    getsockname(out: Record<string, unknown>): number {
      // libuv answers with the error of the bind that failed late, whatever is asked first.
      if (this.#delayedError) return this.#delayedError;
      if (!this.#local) return EINVAL;
      tell(this.#local, out);
      return 0;
    }

    getpeername(out: Record<string, unknown>): number {
      if (!this.#peer) return ENOTCONN;
      tell(this.#peer, out);
      return 0;
    }

    // Options of a real network; there is none between two rings.
    setNoDelay(): number {
      return 0;
    }

    setKeepAlive(): number {
      return 0;
    }

    setTypeOfService(): number {
      return 0;
    }

    getTypeOfService(): number {
      return 0;
    }

    reset(callback?: () => void): number {
      this.#breakConnection();
      this.close(callback);
      return 0;
    }

    /** The other end's next read or write fails with ECONNRESET. */
    #breakConnection(): void {
      // Its reading is told first, as by libuv.
      this.outgoing()?.reset();
      this.incoming()?.reset();
    }

    protected override keepsAlive(): boolean {
      return this.#listener !== 0;
    }

    protected override dispose(): void {
      if (this.#index >= 0) sockets.release(this.#index, this.#listener);
      this.#index = -1;
      this.#listener = 0;
      // As TCP has it: who closes without having read everything breaks the connection.
      const description = this.fd < 0 ? EBADF : environment.descriptors.get(this.fd);
      if (description >= 0 && environment.descriptions.isLast(description) && (this.incoming()?.available() ?? 0) > 0)
        this.#breakConnection();
      super.dispose();
    }
  }
  return { ...binding, TCP, TCPConnectWrap: class TCPConnectWrap {} };
};
