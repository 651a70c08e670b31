// An append-only log in one file. Two header slots at the front say where the log begins; a switch of the log (compaction) writes the other slot.
// A record counts when its checksum is right and a commit follows; each checksum is seeded with the one before it (the first with the number of its
// log), so that nothing that an earlier attempt or log left behind can count again.
// Layout: slot A at 0, slot B at 512, records from 1024. Slot: "CLPK", version, log number (f64), start of the log (f64), checksum.
// Record: payload length, type, checksum over both and the payload, payload.
import { xxHash32 } from '../../tree/checksum';
import { decodeRecord, encodeRecord, MAX_PAYLOAD_BYTES, type PackRecord } from './records';
import type { PackStorage } from './storage';

const MAGIC = 0x4b504c43; // "CLPK"
const VERSION = 1;
const SLOT_BYTES = 28;
const SLOT_STEP = 512;
export const LOG_FIRST = 2 * SLOT_STEP;
export const RECORD_HEADER_BYTES = 12;
const WRITE_BUFFER_BYTES = 1 << 20;
const READ_WINDOW_BYTES = 4 << 20;

/** Where a log is in the storage. */
interface LogPlace {
  /** Numbers grow by one with every switch; the slot is the number's parity, and it seeds the checksums. */
  number: number;
  start: number;
}

/** Writes one log. Nothing counts before `commit`. */
export interface LogWriter {
  /** Buffers a record (a chunk with its bytes); returns where the payload, or the chunk's bytes, will lie. */
  append(record: PackRecord, bytes?: Uint8Array): number;
  /** Writes everything buffered, without a commit. */
  drain(): void;
  /** Commits: when it returns, everything appended survives a crash. */
  commit(): void;
  /** End of what has been appended. */
  end(): number;
  /** End of what has been written to the storage. */
  drained(): number;
}

export interface Pack extends LogWriter {
  /** Where the log begins. */
  start(): number;
  /** Bytes of the storage, through a window: valid until the next call. Reads what has been drained. */
  read(at: number, length: number): Uint8Array;
  /** Calls `apply` with every record of every committed batch, in order; returns the bytes behind the last commit that were dropped. */
  replay(apply: (record: PackRecord) => void): number;
  /** Whether a log of that many bytes fits before the present one. */
  fitsBefore(bytes: number): boolean;
  /** A writer for the log that is to replace this one, before it (when it fits) or behind it. Nothing else may be appended meanwhile. */
  replacement(bytes: number): LogWriter & { adopt(): void };
}

/** Opens a pack, making a new one in an empty storage. Throws when the storage holds something else. */
export function openPack(storage: PackStorage): Pack {
  let log = readSlots(storage);
  if (!log) {
    if (storage.size() >= LOG_FIRST) throw new Error('the project file is damaged: neither of its headers can be read');
    storage.truncate(0);
    log = { number: 1, start: LOG_FIRST };
    writeSlot(storage, log);
    storage.flush();
  }
  let place = log;
  let writer = createWriter(storage, place.number, place.start, Number.POSITIVE_INFINITY);
  const window = createWindow(storage);

  return {
    append: (record, bytes) => writer.append(record, bytes),
    drain: () => writer.drain(),
    commit: () => writer.commit(),
    end: () => writer.end(),
    drained: () => writer.drained(),
    start: () => place.start,
    read(at, length) {
      if (at + length > writer.drained()) writer.drain();
      return window.read(at, length);
    },
    replay(apply) {
      window.forget();
      const { end, chain } = replayLog(window, place, apply);
      writer = createWriter(storage, chain, end, Number.POSITIVE_INFINITY);
      return Math.max(0, storage.size() - end);
    },
    fitsBefore: (bytes) => LOG_FIRST + bytes <= place.start,
    replacement(bytes) {
      const isBefore = LOG_FIRST + bytes <= place.start;
      const next: LogPlace = { number: place.number + 1, start: isBefore ? LOG_FIRST : writer.end() };
      const limit = isBefore ? place.start : Number.POSITIVE_INFINITY;
      const successor = createWriter(storage, next.number, next.start, limit);
      return {
        ...successor,
        adopt() {
          successor.commit();
          writeSlot(storage, next);
          storage.flush();
          place = next;
          writer = createWriter(storage, successor.chain(), successor.end(), Number.POSITIVE_INFINITY);
          window.forget();
          storage.truncate(successor.end());
        },
      };
    },
  };
}

function readSlots(storage: PackStorage): LogPlace | undefined {
  const slots = [0, 1].map((index) => readSlot(storage, index)).filter((slot) => slot !== undefined);
  return slots.sort((a, b) => b.number - a.number)[0];
}

function readSlot(storage: PackStorage, index: number): LogPlace | undefined {
  const bytes = new Uint8Array(SLOT_BYTES);
  if (storage.read(index * SLOT_STEP, bytes) !== SLOT_BYTES) return undefined;
  const view = new DataView(bytes.buffer);
  if (view.getUint32(0, true) !== MAGIC || xxHash32(bytes.subarray(0, 24)) !== view.getUint32(24, true))
    return undefined;
  const version = view.getUint32(4, true);
  if (version !== VERSION)
    throw new Error(`the project file has version ${version}; this Cloche reads version ${VERSION}`);
  return { number: view.getFloat64(8, true), start: view.getFloat64(16, true) };
}

function writeSlot(storage: PackStorage, { number, start }: LogPlace): void {
  const bytes = new Uint8Array(SLOT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setFloat64(8, number, true);
  view.setFloat64(16, start, true);
  view.setUint32(24, xxHash32(bytes.subarray(0, 24)), true);
  storage.write((number % 2) * SLOT_STEP, bytes);
}

function createWriter(
  storage: PackStorage,
  seed: number,
  start: number,
  limit: number,
): LogWriter & { chain(): number } {
  const buffer = new Uint8Array(WRITE_BUFFER_BYTES);
  const view = new DataView(buffer.buffer);
  let chain = seed;
  /** Where the buffer will be written, and how much it holds. */
  let at = start;
  let filled = 0;
  const drain = (): void => {
    if (filled === 0) return;
    storage.write(at, buffer.subarray(0, filled));
    at += filled;
    filled = 0;
  };
  const append = (record: PackRecord, bytes?: Uint8Array): number => {
    const { type, payload } = encodeRecord(record);
    const length = payload.length + (bytes?.length ?? 0);
    const total = RECORD_HEADER_BYTES + length;
    if (at + filled + total > limit) throw new Error('the new log would run into the old one');
    if (filled + total > buffer.length) drain();
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
    commit() {
      append({ kind: 'commit' });
      drain();
      storage.flush();
    },
    end: () => at + filled,
    drained: () => at,
    chain: () => chain,
  };
}

/** Over length and type, then over the payload. */
function recordChecksum(bytes: Uint8Array, header: number, length: number, seed: number): number {
  const body = header + RECORD_HEADER_BYTES;
  return xxHash32(bytes.subarray(body, body + length), xxHash32(bytes.subarray(header, header + 8), seed));
}

interface Window {
  /** At most `length` bytes from `at`; fewer at the end of the storage. */
  read(at: number, length: number): Uint8Array;
  forget(): void;
}

function createWindow(storage: PackStorage): Window {
  const buffer = new Uint8Array(READ_WINDOW_BYTES);
  let start = 0;
  let filled = 0;
  return {
    read(at, length) {
      if (at < start || at + length > start + filled) {
        start = at;
        filled = storage.read(at, buffer);
      }
      return buffer.subarray(at - start, Math.min(filled, at - start + length));
    },
    forget() {
      filled = 0;
    },
  };
}

function replayLog(
  window: Window,
  { number, start }: LogPlace,
  apply: (record: PackRecord) => void,
): { end: number; chain: number } {
  let end = start;
  let committedChain = number;
  let chain = number;
  let batch: PackRecord[] = [];
  for (let at = start; ; ) {
    const header = window.read(at, RECORD_HEADER_BYTES);
    if (header.length < RECORD_HEADER_BYTES) break;
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    const length = view.getUint32(0, true);
    if (length > MAX_PAYLOAD_BYTES) break;
    const type = view.getUint32(4, true);
    const expected = view.getUint32(8, true);
    const whole = window.read(at, RECORD_HEADER_BYTES + length);
    if (whole.length < RECORD_HEADER_BYTES + length) break;
    chain = recordChecksum(whole, 0, length, chain);
    if (chain !== expected) break;
    const record = decodeRecord(type, whole.subarray(RECORD_HEADER_BYTES), at + RECORD_HEADER_BYTES);
    if (!record) break;
    at += RECORD_HEADER_BYTES + length;
    if (record.kind !== 'commit') {
      batch.push(record);
      continue;
    }
    for (const complete of batch) apply(complete);
    batch = [];
    end = at;
    committedChain = chain;
  }
  return { end, chain: committedChain };
}
