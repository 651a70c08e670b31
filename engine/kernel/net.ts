// Local sockets: who listens where, and connections as pairs of rings with one end in each process's descriptor table.

import type { Pipe } from '../ipc/types';
import { EACCES, EADDRINUSE, ECONNREFUSED, EMFILE, ENOENT } from '../memory/errno';
import { type GatewayOptions, serveGateway } from './gateway';
import type { CreateNetwork } from './network';
import type { NetMessage } from './protocol';

interface Listener {
  pid: number;
  id: number;
  port?: number;
  path?: string;
}

const EPHEMERAL_FIRST = 32768;
const EPHEMERAL_LAST = 60999;

/** The network of one kernel. Every address of the machine is the same: a listener on a port hears all of them. */
export const networkWith =
  (gateway: GatewayOptions): CreateNetwork =>
  (host) => {
    const { ipc } = host;
    const byPort = new Map<number, Listener>();
    const byPath = new Map<string, Listener>();
    let nextEphemeral = EPHEMERAL_FIRST;

    const reportPorts = (): void => host.portsChanged([...byPort.keys()].sort((a, b) => a - b));

    const ephemeralPort = (): number => {
      for (let tries = 0; tries <= EPHEMERAL_LAST - EPHEMERAL_FIRST; tries++) {
        const port = nextEphemeral;
        nextEphemeral = nextEphemeral === EPHEMERAL_LAST ? EPHEMERAL_FIRST : nextEphemeral + 1;
        if (!byPort.has(port)) return port;
      }
      return 0;
    };

    const listen = (pid: number, message: Extract<NetMessage, { type: 'listen' }>): void => {
      const { id, path } = message;
      const answer = (errno: number, port?: number): void => host.post(pid, { type: 'listening', id, errno, port });
      if (path !== undefined) {
        if (byPath.has(path)) return answer(EADDRINUSE);
        byPath.set(path, { pid, id, path });
        return answer(0);
      }
      const port = message.port || ephemeralPort();
      if (port < 1 || port > 65535) return answer(EACCES);
      if (byPort.has(port)) return answer(EADDRINUSE);
      byPort.set(port, { pid, id, port });
      answer(0, port);
      reportPorts();
    };

    const remove = (matches: (listener: Listener) => boolean): void => {
      const before = byPort.size;
      for (const [port, listener] of byPort) if (matches(listener)) byPort.delete(port);
      for (const [path, listener] of byPath) if (matches(listener)) byPath.delete(path);
      if (byPort.size !== before) reportPorts();
    };

    /** Gives one end of a new pair to the listener's process; returns the kernel's own end, or a negative errno. */
    const openTo = (listener: Listener, localPort: number | undefined): number => {
      const server = ipc.processes.find(listener.pid);
      if (server < 0) return ECONNREFUSED;
      const kernel = ipc.tableOf(0);
      const pair = kernel.openPair();
      if (typeof pair === 'number') return pair;
      const [ours, theirs] = pair;
      const fd = kernel.giveLowest(server, theirs);
      kernel.close(theirs);
      if (fd < 0) {
        kernel.close(ours);
        return fd;
      }
      host.post(listener.pid, {
        type: 'connection',
        id: listener.id,
        fd,
        remotePort: localPort,
        localPort: listener.port,
      });
      return ours;
    };

    const connect = (pid: number, message: Extract<NetMessage, { type: 'connect' }>): void => {
      const { id, path, port } = message;
      const fail = (errno: number): void => host.post(pid, { type: 'connected', id, errno, fd: -1 });
      const listener = path === undefined ? byPort.get(port ?? 0) : byPath.get(path);
      if (!listener) return fail(path === undefined ? ECONNREFUSED : ENOENT);
      const localPort = path === undefined ? ephemeralPort() : undefined;
      const ours = openTo(listener, localPort);
      if (ours < 0) return fail(ours);
      const client = ipc.processes.find(pid);
      const fd = client < 0 ? EMFILE : ipc.tableOf(0).giveLowest(client, ours);
      ipc.tableOf(0).close(ours);
      if (fd < 0) return fail(fd);
      host.post(pid, { type: 'connected', id, errno: 0, fd, localPort });
    };

    const openGateway = (pid: number, message: Extract<NetMessage, { type: 'gateway' }>): void => {
      const fail = (errno: number): void => host.post(pid, { type: 'connected', id: message.id, errno, fd: -1 });
      const client = ipc.processes.find(pid);
      const kernel = ipc.tableOf(0);
      const pair = client < 0 ? EMFILE : kernel.openPair();
      if (typeof pair === 'number') return fail(pair);
      const [ours, theirs] = pair;
      const fd = kernel.giveLowest(client, theirs);
      kernel.close(theirs);
      if (fd < 0) {
        kernel.close(ours);
        return fail(fd);
      }
      const description = kernel.get(ours);
      const incoming = ipc.descriptions.incoming(description) as Pipe;
      const outgoing = ipc.descriptions.outgoing(description) as Pipe;
      host.post(pid, { type: 'connected', id: message.id, errno: 0, fd });
      serveGateway(incoming, outgoing, message, gateway)
        .catch((error: unknown) => host.fault(`The gateway to ${message.host} failed: ${String(error)}`))
        .finally(() => kernel.close(ours));
    };

    return {
      message(pid, message) {
        switch (message.type) {
          case 'listen':
            listen(pid, message);
            break;
          case 'unlisten':
            remove((listener) => listener.pid === pid && listener.id === message.id);
            break;
          case 'connect':
            connect(pid, message);
            break;
          case 'gateway':
            openGateway(pid, message);
            break;
        }
      },
      processEnded: (pid) => remove((listener) => listener.pid === pid),
      preview(port, channel) {
        channel.postMessage({
          type: 'failed',
          status: 502,
          message: `The preview of port ${port} is not available in this build.`,
        });
        channel.close();
      },
    };
  };
