// Who is bound to which TCP or UDP port or Unix socket: a table in shared memory, so that bind() and listen() answer at once, as in a real kernel.
// A claim is written first and compared after, without a lock: of two claims at the same instant both may fail, never both succeed.
import { EADDRINUSE, EMFILE } from '../memory/errno';
import { HEADER_BYTES } from '../memory/layout';
import { type Party, passFence } from './party';

/** Which addresses of this machine a port is bound on, and by which protocol. */
export const PORT_HOST = { v4: 1, v6: 2, otherV4: 4, unix: 8, udp4: 16, udp6: 32 } as const;
const TCP = PORT_HOST.v4 | PORT_HOST.v6 | PORT_HOST.otherV4;

export const PORT_STATE = { free: 0, claimed: 1, bound: 2, listening: 3 } as const;

/** What is bound, found by its index in the table. */
export interface BoundPort {
  index: number;
  /** Port, or the inode of a Unix socket's file. */
  port: number;
  hosts: number;
  /** The process and its number for the listener. */
  slot: number;
  listener: number;
}

export interface Ports {
  /** Takes `port` on `hosts` (a set of PORT_HOST) for `slot`; port 0 takes a free one. The entry's index, or EADDRINUSE, EMFILE. */
  bind(slot: number, port: number, hosts: number): number;
  portAt(index: number): number;
  /** From now on connections are for the slot's `listener`. */
  listen(index: number, listener: number): void;
  release(index: number): void;
  /** A UDP socket's: what the entry's index says now. */
  at(index: number): BoundPort;
  /** Counts a datagram that is on its way to a UDP socket; false when no more may wait there. */
  charge(index: number, bytes: number): boolean;
  discharge(index: number, bytes: number): void;
  /** Frees everything that belongs to a slot; true when something was listening. */
  releaseAll(slot: number): boolean;
  /** Who listens on `port` for one of `hosts`. */
  find(port: number, hosts: number): BoundPort | undefined;
  /** Listening TCP ports, ascending, each once. */
  listening(): number[];
}

const ENTRIES = 256;
const WORDS = 8;
const WORD = { state: 0, port: 1, hosts: 2, slot: 3, listener: 4, waiting: 5 } as const;
/** What may wait for a UDP socket (net.core.rmem_default), and what a datagram costs beside its bytes. */
const WAITING_BYTES = 212_992;
const DATAGRAM_BYTES = 768;
/** The last quarter of the header: 2,048 words. */
const BASE = (HEADER_BYTES >> 2) - ENTRIES * WORDS;
/** Linux's ip_local_port_range. */
const EPHEMERAL = { first: 32768, count: 28232 } as const;

/** The table as one party sees it. */
export function openPorts(party: Party): Ports {
  const { words } = party;
  const load = (index: number, field: number): number => Atomics.load(words, BASE + index * WORDS + field);
  const store = (index: number, field: number, value: number): void => {
    Atomics.store(words, BASE + index * WORDS + field, value);
  };

  const conflicts = (own: number, port: number, hosts: number): boolean => {
    for (let index = 0; index < ENTRIES; index++) {
      if (index === own || load(index, WORD.state) === PORT_STATE.free) continue;
      if (load(index, WORD.port) === port && (load(index, WORD.hosts) & hosts) !== 0) return true;
    }
    return false;
  };

  const take = (slot: number, port: number, hosts: number): number => {
    for (let index = 0; index < ENTRIES; index++) {
      const state = BASE + index * WORDS + WORD.state;
      if (Atomics.compareExchange(words, state, PORT_STATE.free, PORT_STATE.claimed) !== PORT_STATE.free) continue;
      store(index, WORD.slot, slot);
      store(index, WORD.listener, 0);
      store(index, WORD.waiting, 0);
      store(index, WORD.hosts, hosts);
      store(index, WORD.port, port);
      if (!conflicts(index, port, hosts)) {
        store(index, WORD.state, PORT_STATE.bound);
        return index;
      }
      release(index);
      return EADDRINUSE;
    }
    return EMFILE;
  };

  const release = (index: number): void => {
    store(index, WORD.port, -1);
    store(index, WORD.hosts, 0);
    store(index, WORD.state, PORT_STATE.free);
  };

  const boundAt = (index: number): BoundPort => ({
    index,
    port: load(index, WORD.port),
    hosts: load(index, WORD.hosts),
    slot: load(index, WORD.slot),
    listener: load(index, WORD.listener),
  });

  const all = (): BoundPort[] => {
    const found: BoundPort[] = [];
    for (let index = 0; index < ENTRIES; index++)
      if (load(index, WORD.state) === PORT_STATE.listening) found.push(boundAt(index));
    return found;
  };

  return {
    bind(slot, port, hosts) {
      passFence(party);
      if (port !== 0) return take(slot, port, hosts);
      const start = Math.floor(Math.random() * EPHEMERAL.count);
      for (let i = 0; i < EPHEMERAL.count; i++) {
        const index = take(slot, EPHEMERAL.first + ((start + i) % EPHEMERAL.count), hosts);
        if (index !== EADDRINUSE) return index;
      }
      return EADDRINUSE;
    },
    portAt: (index) => load(index, WORD.port),
    listen(index, listener) {
      passFence(party);
      store(index, WORD.listener, listener);
      store(index, WORD.state, PORT_STATE.listening);
    },
    release(index) {
      passFence(party);
      release(index);
    },
    releaseAll(slot) {
      let listened = false;
      for (let index = 0; index < ENTRIES; index++) {
        const state = load(index, WORD.state);
        if (state === PORT_STATE.free || load(index, WORD.slot) !== slot) continue;
        listened ||= state === PORT_STATE.listening && (load(index, WORD.hosts) & (TCP | PORT_HOST.unix)) !== 0;
        release(index);
      }
      return listened;
    },
    at: boundAt,
    charge(index, bytes) {
      const word = BASE + index * WORDS + WORD.waiting;
      const cost = bytes + DATAGRAM_BYTES;
      if (Atomics.add(words, word, cost) + cost <= WAITING_BYTES) return true;
      Atomics.sub(words, word, cost);
      return false;
    },
    discharge: (index, bytes) => void Atomics.sub(words, BASE + index * WORDS + WORD.waiting, bytes + DATAGRAM_BYTES),
    find: (port, hosts) => all().find((entry) => entry.port === port && (entry.hosts & hosts) !== 0),
    listening: () => {
      const tcp = all().filter(({ hosts }) => (hosts & TCP) !== 0);
      return [...new Set(tcp.map(({ port }) => port))].sort((a, b) => a - b);
    },
  };
}
