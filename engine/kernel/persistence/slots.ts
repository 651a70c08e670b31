// The front of a pack: two slots that say where the log begins (a switch of the log writes the other one), and a mark that says how far the log is
// known to have been safe. Only the mark tells a log that was damaged from one whose last batch was cut off.
// Slot at 0 and 512: "CLPK", version, log number (f64), start of the log (f64), checksum. Mark at 256: "CLMK", log number (f64), end (f64), checksum.
import { xxHash32 } from '../../tree/checksum';
import type { PackStorage } from './storage';

const SLOT_MAGIC = 0x4b504c43; // "CLPK"
const MARK_MAGIC = 0x4b4d4c43; // "CLMK"
const VERSION = 1;
const SLOT_BYTES = 28;
const SLOT_STEP = 512;
const MARK_AT = 256;
const MARK_BYTES = 24;
/** Where the first log begins. */
export const LOG_FIRST = 2 * SLOT_STEP;

/** Where a log is in the storage. */
export interface LogPlace {
  /** Numbers grow by one with every switch; the slot is the number's parity, and it seeds the checksums. */
  number: number;
  start: number;
}

/** The file was written by a Cloche that is newer than this one. */
export class NewerPackError extends Error {
  override readonly name = 'NewerPackError';
}

/** The newer of the readable slots, undefined when there is none; and whether one that was written can't be read. Throws a NewerPackError. */
export async function readSlots(storage: PackStorage): Promise<{ place: LogPlace | undefined; isDamaged: boolean }> {
  const front = await storage.read(0, LOG_FIRST);
  const both = [0, 1].map((index) => front.subarray(index * SLOT_STEP, index * SLOT_STEP + SLOT_BYTES));
  const parsed = both.map(parseSlot);
  const [place] = parsed.filter((slot) => slot !== undefined).sort((a, b) => b.number - a.number);
  return { place, isDamaged: both.some((bytes, index) => parsed[index] === undefined && isWritten(bytes)) };
}

const isWritten = (bytes: Uint8Array): boolean => bytes.some((byte) => byte !== 0);

function parseSlot(bytes: Uint8Array): LogPlace | undefined {
  if (bytes.length < SLOT_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== SLOT_MAGIC || xxHash32(bytes.subarray(0, 24)) !== view.getUint32(24, true))
    return undefined;
  const version = view.getUint32(4, true);
  if (version !== VERSION)
    throw new NewerPackError(
      `The project’s file has format ${version}, and this version of Cloche reads format ${VERSION}. Nothing was changed: open the project with the newer version that wrote it, usually by reloading the page.`,
    );
  const place = { number: view.getFloat64(8, true), start: view.getFloat64(16, true) };
  return Number.isSafeInteger(place.number) && Number.isSafeInteger(place.start) && place.start >= LOG_FIRST
    ? place
    : undefined;
}

/** Names the log; the other slot keeps what it says. */
export function writeSlot(storage: PackStorage, { number, start }: LogPlace): Promise<void> {
  const bytes = new Uint8Array(SLOT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, SLOT_MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setFloat64(8, number, true);
  view.setFloat64(16, start, true);
  view.setUint32(24, xxHash32(bytes.subarray(0, 24)), true);
  return storage.write((number % 2) * SLOT_STEP, bytes);
}

/** Forgets the other slot, which can't be read. */
export function clearOtherSlot(storage: PackStorage, { number }: LogPlace): Promise<void> {
  return storage.write(((number + 1) % 2) * SLOT_STEP, new Uint8Array(SLOT_BYTES));
}

/** The end that this log is known to have had: 0 when nothing is known, infinite when what was written of it can't be read. */
export async function readMark(storage: PackStorage, place: LogPlace): Promise<number> {
  const bytes = await storage.read(MARK_AT, MARK_BYTES);
  if (bytes.length < MARK_BYTES) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isRight =
    view.getUint32(0, true) === MARK_MAGIC && xxHash32(bytes.subarray(0, 20)) === view.getUint32(20, true);
  if (!isRight) return isWritten(bytes) ? Number.POSITIVE_INFINITY : 0;
  return view.getFloat64(4, true) === place.number ? view.getFloat64(12, true) : 0;
}

/** Says that the log has been flushed up to `end`. *Contract:* it has been, before this call. */
export function writeMark(storage: PackStorage, place: LogPlace, end: number): Promise<void> {
  const bytes = new Uint8Array(MARK_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MARK_MAGIC, true);
  view.setFloat64(4, place.number, true);
  view.setFloat64(12, end, true);
  view.setUint32(20, xxHash32(bytes.subarray(0, 20)), true);
  return storage.write(MARK_AT, bytes);
}
