// Writes one log: records are gathered in a buffer and sent in pieces, and nothing counts before the commit that follows it is flushed.
// Record: payload length, type, checksum over both and the payload, payload. Each checksum is seeded with the one before it (the first with the number
// of its log), so that nothing that an earlier attempt or log left behind can count again.
import { xxHash32 } from '../../tree/checksum';
import { encodeRecord, type PackRecord } from './records';
import type { PackStorage } from './storage';

export const RECORD_HEADER_BYTES = 12;
const BUFFER_BYTES = 1 << 20;

/** Writes one log. Nothing counts before `commit`. */
export interface LogWriter {
  /** Takes a record (a chunk with its bytes); returns where the payload, or the chunk's bytes, will lie. Whoever appends much drains now and then. */
  append(record: PackRecord, bytes?: Uint8Array): number;
  /** Sends what is buffered, without a commit; resolves when it and all before it is written. */
  drain(): Promise<void>;
  /** Commits: when it resolves, everything appended survives a crash. */
  commit(): Promise<void>;
  /** End of what has been appended. */
  end(): number;
}

export interface SeededWriter extends LogWriter {
  /** End of what has been sent: what lies before can be read. */
  sent(): number;
  /** The checksum that seeds the next one. */
  chain(): number;
}

/** A writer from `start`; it throws rather than to go beyond `limit`. */
export function createWriter(storage: PackStorage, seed: number, start: number, limit: number): SeededWriter {
  const buffer = new Uint8Array(BUFFER_BYTES);
  const view = new DataView(buffer.buffer);
  let chain = seed;
  /** Where the buffer will be written, and how much it holds. */
  let at = start;
  let filled = 0;
  let writing: Promise<void>[] = [];

  const send = (): void => {
    if (filled === 0) return;
    const write = storage.write(at, buffer.slice(0, filled));
    // Heard by whoever drains or commits.
    write.catch(() => {});
    writing.push(write);
    at += filled;
    filled = 0;
  };
  const drain = async (): Promise<void> => {
    send();
    const all = writing;
    writing = [];
    await Promise.all(all);
  };
  const append = (record: PackRecord, bytes?: Uint8Array): number => {
    const { type, payload } = encodeRecord(record);
    const length = payload.length + (bytes?.length ?? 0);
    const total = RECORD_HEADER_BYTES + length;
    if (at + filled + total > limit) throw new Error('the new log would run into the old one');
    if (filled + total > buffer.length) send();
    const header = filled;
    const body = header + RECORD_HEADER_BYTES;
    buffer.set(payload, body);
    if (bytes) buffer.set(bytes, body + payload.length);
    view.setUint32(header, length, true);
    view.setUint32(header + 4, type, true);
    chain = recordChecksum(buffer, header, length, chain);
    view.setUint32(header + 8, chain, true);
    filled += total;
    return at + body + (bytes ? payload.length : 0);
  };
  return {
    append,
    drain,
    async commit() {
      append({ kind: 'commit' });
      send();
      await Promise.all([drain(), storage.flush()]);
    },
    end: () => at + filled,
    sent: () => at,
    chain: () => chain,
  };
}

/** Over length and type, then over the payload of the record that begins at `header`. */
export function recordChecksum(bytes: Uint8Array, header: number, length: number, seed: number): number {
  const body = header + RECORD_HEADER_BYTES;
  return xxHash32(bytes.subarray(body, body + length), xxHash32(bytes.subarray(header, header + 8), seed));
}
