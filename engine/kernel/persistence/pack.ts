// An append-only log in one file, and its successor when it is compacted. A record counts when its checksum is right and a commit follows.
// Layout: slots and mark (slots.ts) before 1024, then the records (log-writer.ts).
import { createWriter, type LogWriter, RECORD_HEADER_BYTES, recordChecksum, type SeededWriter } from './log-writer';
import { decodeRecord, MAX_PAYLOAD_BYTES, type PackRecord } from './records';
import { clearOtherSlot, LOG_FIRST, type LogPlace, readMark, readSlots, writeMark, writeSlot } from './slots';
import type { PackStorage } from './storage';
import { createWindow, type Window } from './window';

export interface Pack extends LogWriter {
  /** Where the log begins. */
  start(): number;
  /** Bytes of the log, of what has been appended too; fewer when the storage ends before. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** The same, when the bytes are at hand. */
  held(at: number, length: number): Uint8Array | undefined;
  /** Whether a log of that many bytes fits before the present one. */
  fitsBefore(bytes: number): boolean;
  /** A writer for the log that is to replace this one, before it (when it fits) or behind it. Nothing else may be appended meanwhile. */
  replacement(bytes: number): LogWriter & { adopt(): Promise<void> };
}

export interface OpenPackOptions {
  /** Gets every record of every committed batch, in order. */
  apply(record: PackRecord): void;
  /** Bytes that have been read, of all. */
  onProgress?(doneBytes: number, totalBytes: number): void;
}

export interface OpenedPack {
  pack: Pack;
  /** Bytes behind the last commit: what a kill cut off. They will be written over. */
  droppedBytes: number;
  /** Set when batches that were safe once can't be read: a name of the copy that was made of the whole file before anything else. */
  keptAs?: string;
}

/** Opens a pack, making a new one in an empty storage. A damaged one is set aside first, and opened as far as it can be read. */
export async function openPack(storage: PackStorage, options: OpenPackOptions): Promise<OpenedPack> {
  const slots = await readSlots(storage);
  let { place } = slots;
  const size = await storage.size();
  let keptAs: string | undefined;
  if (!place) {
    if (size >= LOG_FIRST) keptAs = await storage.setAside();
    place = { number: 1, start: LOG_FIRST };
    await Promise.all([storage.truncate(0), writeSlot(storage, place), storage.flush()]);
    return { pack: createPack(storage, place, place.number, place.start), droppedBytes: 0, keptAs };
  }
  const { end, chain } = await replayLog(createWindow(storage), place, size, options);
  const marked = await readMark(storage, place);
  // With a damaged front nobody knows whether what can't be read was safe once, or whether this is the newer log.
  if (slots.isDamaged || (marked === Number.POSITIVE_INFINITY ? end < size : end < marked)) {
    keptAs = await storage.setAside();
    // What lies behind is given up: whoever opens it next must not find the same damage again.
    const repairs = [writeMark(storage, place, end)];
    if (slots.isDamaged) repairs.push(clearOtherSlot(storage, place));
    await Promise.all([...repairs, storage.flush()]);
  }
  return { pack: createPack(storage, place, chain, end), droppedBytes: Math.max(0, size - end), keptAs };
}

function createPack(storage: PackStorage, opened: LogPlace, chain: number, end: number): Pack {
  let place = opened;
  let writer: SeededWriter = createWriter(storage, chain, end, Number.POSITIVE_INFINITY);
  /** End of what is known to be safe and not marked as such yet. */
  let unmarked: number | undefined;
  const window = createWindow(storage);
  return {
    append: (record, bytes) => writer.append(record, bytes),
    drain: () => writer.drain(),
    async commit() {
      const marked = unmarked === undefined ? undefined : writeMark(storage, place, unmarked);
      marked?.catch(() => {});
      await writer.commit();
      await marked;
      unmarked = writer.end();
    },
    end: () => writer.end(),
    start: () => place.start,
    held: window.held,
    async read(at, length) {
      if (at + length > writer.sent()) await writer.drain();
      return window.read(at, length, writer.sent());
    },
    fitsBefore: (bytes) => LOG_FIRST + bytes <= place.start,
    replacement(bytes) {
      const isBefore = LOG_FIRST + bytes <= place.start;
      const next: LogPlace = { number: place.number + 1, start: isBefore ? LOG_FIRST : writer.end() };
      const limit = isBefore ? place.start : Number.POSITIVE_INFINITY;
      const successor = createWriter(storage, next.number, next.start, limit);
      return {
        ...successor,
        async adopt() {
          await successor.commit();
          // The mark counts with its slot only, by the number of the log.
          await Promise.all([writeSlot(storage, next), writeMark(storage, next, successor.end()), storage.flush()]);
          place = next;
          writer = createWriter(storage, successor.chain(), successor.end(), Number.POSITIVE_INFINITY);
          unmarked = successor.end();
          window.forget();
          await storage.truncate(successor.end());
        },
      };
    },
  };
}

async function replayLog(
  window: Window,
  { number, start }: LogPlace,
  size: number,
  { apply, onProgress }: OpenPackOptions,
): Promise<{ end: number; chain: number }> {
  let end = start;
  let committedChain = number;
  let chain = number;
  let batch: PackRecord[] = [];
  for (let at = start; ; ) {
    let header = window.held(at, RECORD_HEADER_BYTES);
    if (!header) {
      header = await window.read(at, RECORD_HEADER_BYTES, size);
      onProgress?.(at, size);
    }
    if (header.length < RECORD_HEADER_BYTES) break;
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    const length = view.getUint32(0, true);
    if (length > MAX_PAYLOAD_BYTES) break;
    const type = view.getUint32(4, true);
    const expected = view.getUint32(8, true);
    const total = RECORD_HEADER_BYTES + length;
    const whole = window.held(at, total) ?? (await window.read(at, total, size));
    if (whole.length < total) break;
    chain = recordChecksum(whole, 0, length, chain);
    if (chain !== expected) break;
    const record = decodeRecord(type, whole.subarray(RECORD_HEADER_BYTES), at + RECORD_HEADER_BYTES);
    if (!record) break;
    at += total;
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
