// What an archive holds, by its central directory: the one list that all programs go by, and the only one that knows modes, links and what an
// archive written in one go packed. Nothing is unpacked here, so a flood is seen before any work.
// Source: PKWARE APPNOTE 6.3.10: 4.3.7, 4.3.12, 4.3.14–4.3.16, 4.5.3.
import { strFromU8 } from 'fflate';

const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locator64Signature = 0x07064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const locator64Bytes = 20;
const entryBytes = 46;
const localBytes = 30;
const unix = 3;
const lockedFlag = 1;
const utf8Flag = 1 << 11;
const in64Bits = 0xffffffff;

/** One entry. Sizes are what the archive says; `packed` is a view of the archive. */
export interface ZipEntry {
  /** As the archive spells it: a folder ends in `/`. */
  name: string;
  /** Unix mode; 0 when the archive was made elsewhere. */
  mode: number;
  /** 0: as it is; 8: deflated. */
  method: number;
  /** Wants a password. */
  isLocked: boolean;
  size: number;
  crc: number;
  packed: Uint8Array;
}

/** All entries in the archive's order. Throws an Error that ends the sentence *The archive is damaged:*. */
export function* entriesOf(archive: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const { at: first, count, end } = directoryOf(view);
  let at = first;
  let number = 0;
  // Some programs count in 16 bits and start from zero again: the list itself is what counts.
  for (; at + entryBytes <= end && view.getUint32(at, true) === entrySignature; number++) {
    const nameAt = at + entryBytes;
    const extraAt = nameAt + view.getUint16(at + 28, true);
    const commentAt = extraAt + view.getUint16(at + 30, true);
    const next = commentAt + view.getUint16(at + 32, true);
    if (next > end) throw new Error(`its list ends in the middle of a name`);
    const flags = view.getUint16(at + 8, true);
    const name = textOf(archive.subarray(nameAt, extraAt), (flags & utf8Flag) !== 0);
    const [size, packedSize, localAt] = wide(view, extraAt, commentAt, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ]);
    yield {
      name,
      mode: view.getUint8(at + 5) === unix ? view.getUint32(at + 38, true) >>> 16 : 0,
      method: view.getUint16(at + 10, true),
      isLocked: (flags & lockedFlag) !== 0,
      size: size!,
      crc: view.getUint32(at + 16, true),
      packed: packedOf(archive, view, localAt!, packedSize!, name),
    };
    at = next;
  }
  if ((number & 0xffff) !== (count & 0xffff)) throw new Error(`its list has ${number} files, not ${count}`);
}

/** Where the list begins and ends, and how many entries it has. */
function directoryOf(view: DataView): { at: number; count: number; end: number } {
  const end = endOf(view);
  if (end === undefined) throw new Error('its end is missing, it was cut on its way');
  const count = view.getUint16(end + 10, true);
  const at = view.getUint32(end + 16, true);
  const locator = end - locator64Bytes;
  if (locator < 0 || view.getUint32(locator, true) !== locator64Signature) return { at, count, end };
  const end64 = Number(view.getBigUint64(locator + 8, true));
  if (end64 + 56 > locator || view.getUint32(end64, true) !== end64Signature)
    throw new Error('its list of files is not where it says');
  const list = { count: view.getBigUint64(end64 + 32, true), at: view.getBigUint64(end64 + 48, true) };
  return { at: Number(list.at), count: Number(list.count), end: end64 };
}

/** Where the end record begins: before it, at most 64 KB of comment. */
function endOf(view: DataView): number | undefined {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) if (view.getUint32(at, true) === endSignature) return at;
  return undefined;
}

/** Those of the numbers that did not fit into 32 bits stand in an extra field, in this order. */
function wide(view: DataView, from: number, to: number, numbers: number[]): number[] {
  if (!numbers.includes(in64Bits)) return numbers;
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== in64Bits || next + 8 > to) return number;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    });
  }
  return numbers;
}

function packedOf(archive: Uint8Array, view: DataView, localAt: number, size: number, name: string): Uint8Array {
  const bad = new Error(`${JSON.stringify(name.slice(0, 80))} is not where its list says`);
  if (localAt + localBytes > view.byteLength || view.getUint32(localAt, true) !== localSignature) throw bad;
  const from = localAt + localBytes + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true);
  if (from + size > view.byteLength) throw bad;
  return archive.subarray(from, from + size);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Many programs write UTF-8 without saying so (macOS among them). */
function textOf(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return strFromU8(bytes);
  try {
    return utf8.decode(bytes.slice());
  } catch {
    return strFromU8(bytes, true);
  }
}
