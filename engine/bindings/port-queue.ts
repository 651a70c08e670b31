// What a message port is apart from its JavaScript object: a queue and the other end. The other end is in this process (local) or behind a
// browser port in another thread (remote); sending a local port to another thread makes its partner remote.
import { unsupported } from '../process/dump';
import type { HostPart, Message } from './message-clone';
import { packed, unpacked } from './packed-message';
import { PortMailbox, RING_BYTES } from './port-mailbox';
import { openLinks } from './thread-links';

/** The part of a browser's MessagePort that is used. */
export interface BrowserPort {
  postMessage(message: unknown, transfer?: any[]): void;
  onmessage: ((event: any) => void) | null;
  onclose?: (() => void) | null;
  close(): void;
}

/** A port in a message to another thread. */
export interface RemoteEnd {
  port: BrowserPort;
  incoming: SharedArrayBuffer;
  outgoing: SharedArrayBuffer;
  received: number;
  /** What had arrived but was not read yet. */
  waiting: RemoteMessage[];
}

/** A Message whose ports are RemoteEnds. */
export type RemoteMessage = Message;

interface Link {
  port: BrowserPort;
  incoming: PortMailbox;
  outgoing: PortMailbox;
  /** Number of the next message to deliver, and those that came before their turn. */
  received: number;
  early: Map<number, Message>;
}

type Envelope = { type: 'message'; sequence: number; message: RemoteMessage } | { type: 'mail' } | { type: 'close' };

/** A broadcast channel as its members see it. */
export interface PortGroup {
  send(from: PortQueue, message: Message, copyFor: () => Message): void;
  leave(member: PortQueue): void;
}

export class PortQueue {
  readonly queue: Message[] = [];
  /** Called when something has arrived or the other end has closed. */
  onArrival: (() => void) | undefined;
  onPartnerClose: (() => void) | undefined;
  partner: PortQueue | undefined;
  closed = false;
  /** The broadcast channel that this end belongs to. */
  group: PortGroup | undefined;
  private link: Link | undefined;

  static pair(): [PortQueue, PortQueue] {
    const [left, right] = [new PortQueue(), new PortQueue()];
    left.partner = right;
    right.partner = left;
    return [left, right];
  }

  /** False when nobody can receive it any more. */
  send(message: Message, copyFor: () => Message): boolean {
    if (this.group) {
      this.group.send(this, message, copyFor);
      return true;
    }
    if (this.link) {
      this.sendRemote(this.link, message);
      return true;
    }
    if (!this.partner || this.partner.closed) return false;
    this.partner.deliver(message);
    return true;
  }

  deliver(message: Message): void {
    this.queue.push(message);
    this.onArrival?.();
  }

  /** The next message, also one that has only reached the shared mailbox. Throws when one is under way that cannot be read synchronously. */
  takeNow(): Message | undefined {
    if (this.link) this.collect(this.link);
    const message = this.queue.shift();
    if (!message && this.link && this.link.incoming.sentCount() !== this.link.received) {
      throw unsupported(
        'receiveMessageOnPort of a message with a port, shared memory or a WebAssembly module, or of more than 4 MB, from another thread',
      );
    }
    return message;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.group?.leave(this);
    if (this.link) {
      openLinks.delete(this);
      this.link.port.postMessage({ type: 'close' } satisfies Envelope);
      this.link.port.close();
    } else this.partner?.onPartnerClose?.();
  }

  // ---- threads

  private sendRemote(link: Link, message: Message): void {
    const sequence = link.outgoing.nextSequence();
    const plain = message.buffers.length === 0 && message.shared.length === 0 && message.hosts.length === 0;
    const bytes = plain ? message.bytes : packed(message, RING_BYTES);
    if (bytes && link.outgoing.put({ sequence, isPacked: !plain, bytes })) {
      link.port.postMessage({ type: 'mail' } satisfies Envelope);
      return;
    }
    const transfer: unknown[] = [];
    const remote = toRemote(message, transfer);
    link.port.postMessage({ type: 'message', sequence, message: remote } satisfies Envelope, transfer);
  }

  /** Moves what is next in turn from the mailbox and the early arrivals into the queue. */
  private collect(link: Link): void {
    for (let mail = link.incoming.take(); mail; mail = link.incoming.take()) {
      const { sequence, isPacked, bytes } = mail;
      link.early.set(sequence, isPacked ? unpacked(bytes) : { bytes, buffers: [], shared: [], hosts: [] });
    }
    for (let message = link.early.get(link.received); message; message = link.early.get(link.received)) {
      link.early.delete(link.received);
      link.received = (link.received + 1) | 0;
      this.queue.push(message);
    }
  }

  /** Takes in what has reached the mailbox, although no event has told of it yet. */
  collectNow(): void {
    if (this.link) this.collect(this.link);
  }

  /** How many messages the other end has sent so far, and how many of them have arrived here. */
  counts(): { sent: number; arrived: number } {
    const { link } = this;
    if (!link) return { sent: 0, arrived: 0 };
    this.collect(link);
    return { sent: link.incoming.sentCount(), arrived: link.received };
  }

  private receive(envelope: Envelope): void {
    const { link } = this;
    if (!link || this.closed) return;
    if (envelope.type === 'close') {
      this.collect(link);
      this.onPartnerClose?.();
      return;
    }
    if (envelope.type === 'message') link.early.set(envelope.sequence, fromRemote(envelope.message));
    this.collect(link);
    if (this.queue.length > 0) this.onArrival?.();
  }

  /** This core on a browser port that another thread's core is at the other end of. */
  static fromRemoteEnd(end: RemoteEnd): PortQueue {
    const core = new PortQueue();
    core.connect(end.port, new PortMailbox(end.incoming), new PortMailbox(end.outgoing), end.received);
    core.queue.push(...end.waiting.map(fromRemote));
    return core;
  }

  private connect(port: BrowserPort, incoming: PortMailbox, outgoing: PortMailbox, received: number): void {
    this.partner = undefined;
    this.link = { port, incoming, outgoing, received, early: new Map() };
    openLinks.add(this);
    port.onmessage = (event) => this.receive(event.data);
    // Browsers that know this event send it when the other side's thread is gone.
    port.onclose = () => this.receive({ type: 'close' });
  }

  /** Makes this core ready to travel to another thread; it must not be used here afterwards. */
  toRemoteEnd(transfer: unknown[]): RemoteEnd {
    const waiting = (): RemoteMessage[] => this.queue.splice(0).map((message) => toRemote(message, transfer));
    if (this.link) {
      const { port, incoming, outgoing } = this.link;
      this.collect(this.link);
      port.onmessage = null;
      port.onclose = null;
      openLinks.delete(this);
      transfer.push(port);
      return {
        port,
        incoming: incoming.memory,
        outgoing: outgoing.memory,
        received: this.link.received,
        waiting: waiting(),
      };
    }
    const channel = new channelClass();
    const [forth, back] = [new PortMailbox(), new PortMailbox()];
    if (this.partner) this.partner.connect(channel.port1, back, forth, 0);
    transfer.push(channel.port2);
    return { port: channel.port2, incoming: forth.memory, outgoing: back.memory, received: 0, waiting: waiting() };
  }
}

let channelClass: new () => { port1: BrowserPort; port2: BrowserPort };

/** Tells which MessageChannel carries ports between threads. Call it once, with the browser's. */
export function useChannelClass(type: new () => { port1: BrowserPort; port2: BrowserPort }): void {
  channelClass = type;
}

/** A message in the form that the browser's postMessage takes; `transfer` gets what must be listed. */
export function toRemote(message: Message, transfer: unknown[]): RemoteMessage {
  transfer.push(...message.buffers);
  return {
    ...message,
    hosts: message.hosts.map((part) =>
      convertHost(
        part,
        (port) => (port as PortQueue).toRemoteEnd(transfer),
        (data) => toRemote(data, transfer),
      ),
    ),
  };
}

/** The opposite of `toRemote`, in the receiving thread. */
export function fromRemote(message: RemoteMessage): Message {
  return {
    ...message,
    hosts: message.hosts.map((part) =>
      convertHost(part, (port) => PortQueue.fromRemoteEnd(port as RemoteEnd), fromRemote),
    ),
  };
}

function convertHost(part: HostPart, port: (port: unknown) => unknown, data: (message: Message) => Message): HostPart {
  if (part.kind === 'port') return { kind: 'port', port: port(part.port) };
  return part.kind === 'script' ? { ...part, data: data(part.data) } : part;
}
