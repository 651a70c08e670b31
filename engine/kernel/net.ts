// Connections: pairs of rings with one end in each process's descriptor table. Who listens is in shared memory (engine/ipc/ports.ts), so that a
// process hears of a taken port at once; the kernel only brings the two sides together, and speaks for the outside and for previews.
import { PORT_HOST } from '../ipc/ports';
import { ECONNREFUSED, EMFILE, ENETUNREACH, ENOENT } from '../memory/errno';
import { serveGateway } from './gateway';
import { destinationOf, type GatewayConfig } from './net/destinations';
import { type KernelStream, openKernelStream } from './net/kernel-stream';
import { servePreview } from './net/preview';
import type { CreateNetwork } from './network';
import type { NetMessage } from './protocol';

const EPHEMERAL = { first: 32768, count: 28232 } as const;

/** Which listeners hear a connection to `host`; 0 when the address is not this machine. */
export function hostsOf(host: string): number {
  if (host === '::1' || host === '::') return PORT_HOST.v6;
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === 'localhost' || /^::ffff:(127\.0\.0\.1|7f00:1)$/.test(host))
    return PORT_HOST.v4;
  return host.startsWith('127.') ? PORT_HOST.otherV4 : 0;
}

/** The network of one kernel. */
export function createNetwork(gateway: GatewayConfig): CreateNetwork {
  return (host) => {
    const { ipc } = host;
    const table = ipc.tableOf(0);
    let nextEphemeral = 0;
    let known = '';

    const reportPorts = (): void => {
      const ports = ipc.ports.listening();
      if (String(ports) === known) return;
      known = String(ports);
      host.portsChanged(ports);
    };

    /** A connection to a listener: the kernel's own end, or a negative errno. */
    const open = (
      port: number,
      hosts: number,
      address?: string,
      from?: { host: string; port: number },
    ): { fd: number; remotePort: number } | number => {
      const listener = ipc.ports.find(port, hosts);
      if (!listener) return ECONNREFUSED;
      const pair = table.openPair();
      if (typeof pair === 'number') return pair;
      const [ours, theirs] = pair;
      const fd = table.giveLowest(listener.slot, theirs);
      table.close(theirs);
      if (fd < 0) {
        table.close(ours);
        return fd;
      }
      const remotePort = from?.port ?? EPHEMERAL.first + (nextEphemeral++ % EPHEMERAL.count);
      const remoteHost = from && from.host !== '0.0.0.0' && from.host !== '::' ? from.host : undefined;
      const pid = ipc.processes.pidOf(listener.slot);
      host.post(pid, { type: 'connection', id: listener.listener, fd, host: address, remoteHost, remotePort });
      return { fd: ours, remotePort };
    };

    /** Hands the kernel's end to a process. */
    const give = (pid: number, ours: number): number => {
      const slot = ipc.processes.find(pid);
      const fd = slot < 0 ? EMFILE : table.giveLowest(slot, ours);
      table.close(ours);
      return fd;
    };

    const connect = (pid: number, message: Extract<NetMessage, { type: 'connect' }>): void => {
      const { id } = message;
      const opened =
        'path' in message
          ? openPath(message.path)
          : open(message.port, hostsOf(message.host), message.host, message.from);
      const fd = typeof opened === 'number' ? opened : give(pid, opened.fd);
      const localPort = typeof opened === 'number' ? undefined : opened.remotePort;
      host.post(pid, { type: 'connected', id, errno: Math.min(fd, 0), fd: Math.max(fd, -1), localPort });
    };

    const openPath = (path: string): ReturnType<typeof open> => {
      const ino = host.inodeOf(path);
      return ino < 0 ? ENOENT : open(ino, PORT_HOST.unix);
    };

    const openGateway = (pid: number, { id, host: name, port }: Extract<NetMessage, { type: 'gateway' }>): void => {
      const answer = (errno: number, fd: number): void => host.post(pid, { type: 'connected', id, errno, fd });
      if (destinationOf(name, gateway).kind === 'refused') return answer(ENETUNREACH, -1);
      const pair = table.openPair();
      if (typeof pair === 'number') return answer(pair, -1);
      const fd = give(pid, pair[1]);
      if (fd < 0) {
        table.close(pair[0]);
        return answer(fd, -1);
      }
      answer(0, fd);
      void serveGateway(openKernelStream(ipc, pair[0]), { host: name, port }, gateway);
    };

    /** A connection of the kernel's own to a guest's server, on whatever address it listens. */
    const openServer = (port: number): KernelStream | undefined => {
      const opened = open(port, PORT_HOST.v4 | PORT_HOST.v6, '127.0.0.1');
      return typeof opened === 'number' ? undefined : openKernelStream(ipc, opened.fd);
    };

    return {
      message(pid, message) {
        switch (message.type) {
          case 'listen':
          case 'unlisten':
            reportPorts();
            return;
          case 'connect':
            connect(pid, message);
            return;
          case 'gateway':
            openGateway(pid, message);
            return;
          case 'datagram': {
            const { index, ...datagram } = message;
            const { slot, listener } = ipc.ports.at(index);
            if (listener === datagram.id) host.post(ipc.processes.pidOf(slot), datagram);
            return;
          }
        }
      },
      processEnded(_pid, slot) {
        if (ipc.ports.releaseAll(slot)) reportPorts();
      },
      preview: (port, channel) => servePreview(port, channel, openServer),
    };
  };
}
