// tcp_wrap: TCP within the sandbox. Binding is local, listening and connecting ask the kernel; outside addresses go to its gateway.
import { EADDRINUSE, EINVAL, ENOTCONN } from '../memory/errno';
import type { Binding } from '../process/environment';
import { type Connection, LocalSockets } from './local-sockets';
import { outsideHost } from './outside-hosts';
import { StreamWrap } from './stream-base';

interface Endpoint {
  address: string;
  port: number;
  family: 'IPv4' | 'IPv6';
}

export const tcpWrap: Binding = (environment) => {
  const binding = environment.dumped('tcp_wrap');
  const { constants } = binding;
  const sockets = LocalSockets.of(environment);
  /** Ports that this process listens on: a second listen fails at once, as bind does. */
  const ownPorts = new Set<number>();

  class TCP extends StreamWrap {
    onconnection: ((status: number, client?: TCP) => void) | undefined;
    private readonly kind: number;
    private bound: Endpoint | undefined;
    private peer: Endpoint | undefined;
    private listener = 0;

    constructor(kind: number) {
      super(environment);
      this.kind = kind;
    }

    open(fd: number): number {
      this.fd = fd;
      return 0;
    }

    bind(address: string, port: number): number {
      return this.bindTo({ address, port: port || 0, family: 'IPv4' });
    }

    bind6(address: string, port: number): number {
      return this.bindTo({ address, port: port || 0, family: 'IPv6' });
    }

    private bindTo(endpoint: Endpoint): number {
      if (ownPorts.has(endpoint.port)) return EADDRINUSE;
      this.bound = endpoint;
      return 0;
    }

    listen(backlog: number): number {
      this.bound ??= { address: '0.0.0.0', port: 0, family: 'IPv4' };
      const { bound } = this;
      if (bound.port === 0) bound.port = environment.reservePort();
      if (ownPorts.has(bound.port)) return EADDRINUSE;
      ownPorts.add(bound.port);
      this.setActive(true);
      this.listener = sockets.listen(
        { port: bound.port, host: bound.address, backlog },
        (fd, connection) => this.onconnection?.(0, this.accepted(fd, connection)),
        (errno) => {
          ownPorts.delete(bound.port);
          this.listener = 0;
          this.setActive(false);
          this.listenFailed(errno);
        },
      );
      return 0;
    }

    /** The kernel's answer comes after lib has scheduled `listening`; what the program hears is the error, as with a failing bind. */
    private listenFailed(errno: number): void {
      const server = (this as any)[environment.symbols.owner_symbol];
      const { UVExceptionWithHostPort } = environment.requireBuiltin('internal/errors');
      const error = new UVExceptionWithHostPort(errno, 'listen', this.bound?.address, this.bound?.port);
      this.close();
      if (server) {
        server._handle = null;
        server.emit('error', error);
      }
    }

    private accepted(fd: number, { localPort, remotePort }: Connection): TCP {
      const client = new TCP(constants.SOCKET);
      client.fd = fd;
      const isAny = this.bound?.address === '::' || this.bound?.address === '0.0.0.0';
      const address = isAny
        ? this.bound?.family === 'IPv6'
          ? '::1'
          : '127.0.0.1'
        : (this.bound?.address ?? '127.0.0.1');
      const family = this.bound?.family ?? 'IPv4';
      client.bound = { address, port: localPort ?? 0, family };
      client.peer = { address, port: remotePort ?? 0, family };
      return client;
    }

    connect(request: any, address: string, port: number): number {
      return this.connectTo(request, { address, port, family: 'IPv4' });
    }

    connect6(request: any, address: string, port: number): number {
      return this.connectTo(request, { address, port, family: 'IPv6' });
    }

    private connectTo(request: any, peer: Endpoint): number {
      const settle = (errno: number, fd: number, localPort?: number): void => {
        if (errno === 0) {
          this.fd = fd;
          this.peer = peer;
          this.bound = { address: peer.address, port: localPort ?? 0, family: peer.family };
        }
        request.oncomplete(errno, this, request, true, true);
      };
      const host = outsideHost(environment, peer.address);
      if (host !== undefined) sockets.connectGateway({ host, port: peer.port, secure: peer.port === 443 }, settle);
      else sockets.connect({ port: peer.port, host: peer.address }, settle);
      return 0;
    }

    getsockname(out: Record<string, unknown>): number {
      if (!this.bound) return EINVAL;
      Object.assign(out, this.bound);
      return 0;
    }

    getpeername(out: Record<string, unknown>): number {
      if (!this.peer) return ENOTCONN;
      Object.assign(out, this.peer);
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
      this.close(callback);
      return 0;
    }

    protected override keepsAlive(): boolean {
      return this.listener !== 0;
    }

    get isServer(): boolean {
      return this.kind === constants.SERVER;
    }

    protected override dispose(): void {
      if (this.listener !== 0) {
        sockets.unlisten(this.listener);
        ownPorts.delete(this.bound?.port ?? 0);
      }
      super.dispose();
    }
  }
  return { ...binding, TCP, TCPConnectWrap: class TCPConnectWrap {} };
};
