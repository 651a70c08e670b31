// The synchronous side of a port between two threads: a ring of serialised messages in shared memory, so that receiveMessageOnPort can read
// while its worker blocks. Messages are numbered: those that a ring cannot carry go through the browser and keep their place.

/** What a direction holds; longer messages go through the browser. */
export const RING_BYTES = 4 << 20;
const HEADER_WORDS = 4;
/** Words of the header: bytes ever written, bytes ever read (both modulo 2^32), messages ever sent by either way. */
const WORD = { written: 0, read: 1, sent: 2 } as const;
const RECORD_HEADER = 12;

export interface Mail {
  sequence: number;
  /** The bytes are a whole message (packed-message.ts), not just its value. */
  isPacked: boolean;
  bytes: Uint8Array<ArrayBuffer>;
}

/** One direction of a link: a writer in one thread, a reader in the other. */
export class PortMailbox {
  readonly memory: SharedArrayBuffer;
  private readonly header: Int32Array;
  private readonly ring: Uint8Array;

  constructor(memory = new SharedArrayBuffer(HEADER_WORDS * 4 + RING_BYTES)) {
    this.memory = memory;
    this.header = new Int32Array(memory, 0, HEADER_WORDS);
    this.ring = new Uint8Array(memory, HEADER_WORDS * 4);
  }

  /** The number of the next message; every message takes one, whichever way it goes. */
  nextSequence(): number {
    return Atomics.add(this.header, WORD.sent, 1);
  }

  /** Messages sent so far. */
  sentCount(): number {
    return Atomics.load(this.header, WORD.sent);
  }

  /** False when the ring has no room. */
  put({ sequence, isPacked, bytes }: Mail): boolean {
    const written = Atomics.load(this.header, WORD.written);
    const used = (written - Atomics.load(this.header, WORD.read)) >>> 0;
    if (used + RECORD_HEADER + bytes.length > this.ring.length) return false;
    const head = new Uint8Array(RECORD_HEADER);
    new DataView(head.buffer).setUint32(0, bytes.length);
    new DataView(head.buffer).setUint32(4, sequence);
    new DataView(head.buffer).setUint32(8, isPacked ? 1 : 0);
    this.copyIn(written, head);
    this.copyIn(written + RECORD_HEADER, bytes);
    Atomics.store(this.header, WORD.written, (written + RECORD_HEADER + bytes.length) | 0);
    return true;
  }

  take(): Mail | undefined {
    const read = Atomics.load(this.header, WORD.read);
    if (read === Atomics.load(this.header, WORD.written)) return undefined;
    const head = new DataView(this.copyOut(read, RECORD_HEADER).buffer);
    const length = head.getUint32(0);
    const bytes = this.copyOut(read + RECORD_HEADER, length);
    Atomics.store(this.header, WORD.read, (read + RECORD_HEADER + length) | 0);
    return { sequence: head.getUint32(4), isPacked: head.getUint32(8) === 1, bytes };
  }

  private copyIn(position: number, bytes: Uint8Array): void {
    const start = (position >>> 0) % this.ring.length;
    const first = Math.min(bytes.length, this.ring.length - start);
    this.ring.set(bytes.subarray(0, first), start);
    this.ring.set(bytes.subarray(first), 0);
  }

  private copyOut(position: number, length: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(length);
    const start = (position >>> 0) % this.ring.length;
    const first = Math.min(length, this.ring.length - start);
    out.set(this.ring.subarray(start, start + first));
    out.set(this.ring.subarray(0, length - first), first);
    return out;
  }
}
