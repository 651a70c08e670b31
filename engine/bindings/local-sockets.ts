// Listening and connecting, which need the kernel: it keeps the table of listeners and makes the pair of rings for a connection.
import type { NetMessage } from '../kernel/protocol';
import type { ProcessEnvironment } from '../process/environment';

export interface Address {
  port?: number;
  host?: string;
  path?: string;
}

export interface Connection {
  fd: number;
  localPort?: number;
  remotePort?: number;
}

const instances = new WeakMap<ProcessEnvironment, LocalSockets>();

export class LocalSockets {
  private readonly environment: ProcessEnvironment;
  private nextId = 1;
  private readonly listeners = new Map<
    number,
    { connected(fd: number, connection: Connection): void; answered(errno: number, port?: number): void }
  >();
  private readonly connecting = new Map<number, (errno: number, fd: number, localPort?: number) => void>();

  /** One per process: pipes and TCP share the kernel's messages. */
  static of(environment: ProcessEnvironment): LocalSockets {
    let found = instances.get(environment);
    if (!found) instances.set(environment, (found = new LocalSockets(environment)));
    return found;
  }

  private constructor(environment: ProcessEnvironment) {
    this.environment = environment;
    const { loop } = environment;
    environment.onKernel('listening', ({ id, errno, port }: { id: number; errno: number; port?: number }) => {
      loop.enqueue(() => this.listeners.get(id)?.answered(errno, port));
    });
    environment.onKernel('connection', (message: Connection & { id: number }) => {
      const listener = this.listeners.get(message.id);
      if (listener) loop.enqueue(() => listener.connected(message.fd, message));
      else environment.descriptors.close(message.fd);
    });
    environment.onKernel(
      'connected',
      ({ id, errno, fd, localPort }: { id: number; errno: number; fd: number; localPort?: number }) => {
        const settle = this.connecting.get(id);
        this.connecting.delete(id);
        loop.enqueue(() => {
          loop.endRequest();
          settle?.(errno, fd, localPort);
        });
      },
    );
  }

  /** Asks the kernel to listen; `failed` hears why it could not. Returns the listener's id. */
  listen(
    address: Address & { backlog: number },
    connected: (fd: number, connection: Connection) => void,
    failed: (errno: number) => void,
    bound?: (port: number) => void,
  ): number {
    const id = this.nextId++;
    this.listeners.set(id, {
      connected,
      answered: (errno, port) => {
        if (errno !== 0) failed(errno);
        else if (port !== undefined) bound?.(port);
      },
    });
    this.environment.post({ type: 'listen', id, ...address });
    return id;
  }

  unlisten(id: number): void {
    this.listeners.delete(id);
    this.environment.post({ type: 'unlisten', id });
  }

  /** Calls back with errno 0 and a descriptor, or with why not. */
  connect(address: Address, settle: (errno: number, fd: number, localPort?: number) => void): void {
    this.request({ type: 'connect', id: this.nextId++, ...address }, settle);
  }

  /** A stream to the outside world, where the kernel's gateway speaks HTTP. */
  connectGateway(
    target: { host: string; port: number; secure: boolean },
    settle: (errno: number, fd: number) => void,
  ): void {
    this.request({ type: 'gateway', id: this.nextId++, ...target }, settle);
  }

  private request(
    message: Extract<NetMessage, { type: 'connect' | 'gateway' }>,
    settle: (errno: number, fd: number, localPort?: number) => void,
  ): void {
    this.connecting.set(message.id, settle);
    this.environment.loop.startRequest();
    this.environment.post(message);
  }
}
