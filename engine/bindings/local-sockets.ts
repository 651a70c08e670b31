// Listening and connecting. Addresses are taken in shared memory at once (engine/ipc/ports.ts); the kernel makes the pair of rings for a connection.
import { currentFrame } from '../modules/context-frame';
import type { ProcessEnvironment } from '../process/environment';

/** What the kernel tells of an accepted connection. */
export interface Accepted {
  fd: number;
  /** The address that the client asked for. */
  host?: string;
  /** Where it comes from, when the client has bound an address. */
  remoteHost?: string;
  remotePort?: number;
}

/** Errno 0 and a descriptor, or why not. */
export type Settle = (errno: number, fd: number, localPort?: number) => void;

type ConnectMessage =
  | { type: 'connect'; port: number; host: string; from?: { host: string; port: number } }
  | { type: 'connect'; path: string }
  | { type: 'gateway'; host: string; port: number };

const instances = new WeakMap<ProcessEnvironment, LocalSockets>();

export class LocalSockets {
  private readonly environment: ProcessEnvironment;
  private nextId = 1;
  private readonly listeners = new Map<number, { index: number; connected(accepted: Accepted): void }>();
  private readonly connecting = new Map<number, { settle: Settle; frame: unknown }>();

  /** One per process: pipes and TCP share the kernel's messages. */
  static of(environment: ProcessEnvironment): LocalSockets {
    let found = instances.get(environment);
    if (!found) instances.set(environment, (found = new LocalSockets(environment)));
    return found;
  }

  private constructor(environment: ProcessEnvironment) {
    this.environment = environment;
    const { loop } = environment;
    environment.onKernel('connection', (message: Accepted & { id: number }) => {
      // The listener may be closed before the loop comes to it.
      loop.enqueueIn(undefined, () => {
        const listener = this.listeners.get(message.id);
        if (listener) listener.connected(message);
        else environment.descriptors.close(message.fd);
      });
    });
    environment.onKernel(
      'connected',
      ({ id, errno, fd, localPort }: { id: number; errno: number; fd: number; localPort?: number }) => {
        const waiting = this.connecting.get(id);
        this.connecting.delete(id);
        loop.enqueueIn(waiting?.frame, () => {
          loop.endRequest();
          waiting?.settle(errno, fd, localPort);
        });
      },
    );
  }

  /** Takes an address for this process: its index in the table of ports, or EADDRINUSE, EMFILE. */
  bind(port: number, hosts: number): number {
    return this.environment.ports.bind(this.environment.state.slot, port, hosts);
  }

  /** Connections to a bound address go to `connected` from now on. Returns the listener's id. */
  listen(index: number, connected: (accepted: Accepted) => void): number {
    const id = this.nextId++;
    this.listeners.set(id, { index, connected });
    this.environment.ports.listen(index, id);
    this.environment.post({ type: 'listen', id });
    return id;
  }

  /** Gives up an address; `id` is 0 when it was not listened on. */
  release(index: number, id: number): void {
    this.environment.ports.release(index);
    if (this.listeners.delete(id)) this.environment.post({ type: 'unlisten', id });
  }

  connect(message: ConnectMessage, settle: Settle): void {
    const id = this.nextId++;
    this.connecting.set(id, { settle, frame: currentFrame() });
    this.environment.loop.startRequest();
    this.environment.post({ ...message, id });
  }
}
