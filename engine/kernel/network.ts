// The kernel's hook for local sockets, the gateway and previews: what net.ts is given and what it must answer.
import type { Ipc } from '../ipc/types';
import type { KernelMessage, NetMessage } from './protocol';

/** What the kernel lends to the network. */
export interface NetworkHost {
  readonly ipc: Ipc;
  /** To the process, if it still lives. */
  post(pid: number, message: KernelMessage): void;
  /** Tells the page which TCP ports are listened on. */
  portsChanged(ports: number[]): void;
  /** Inode of a path, or a negative errno. */
  inodeOf(path: string): number;
  fault(message: string): void;
}

export interface Network {
  message(pid: number, message: NetMessage): void;
  /** The process is gone: stop its listeners. Its descriptors are closed already. */
  processEnded(pid: number, slot: number): void;
  /** The page opens a channel to whoever listens on `port`. */
  preview(port: number, channel: MessagePort): void;
}

export type CreateNetwork = (host: NetworkHost) => Network;
