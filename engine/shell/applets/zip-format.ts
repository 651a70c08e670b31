// The zip format as Info-ZIP writes it (PKWARE APPNOTE 6.3.10, 4.3): what `zip` and `unzip` share. Names are UTF-8, times are local, the Unix mode stands
// in the external attributes. Zip64, encryption and methods other than stored and deflated are refused by name.
import { isUtf8 } from 'node:buffer';
import zlib from 'node:zlib';

/** One member. */
export interface ZipEntry {
  /** As the archive spells it; a folder's ends in a slash. */
  name: string;
  /** Unix type and permission bits; 0 when the archive has none. */
  mode: number;
  /** Local time, to two seconds. */
  time: Date;
  method: number;
  crc: number;
  size: number;
  /** The compressed bytes. */
  packed: Buffer;
}

export const STORED = 0;
export const DEFLATED = 8;
const UNIX = 3;
const UTF8 = 1 << 11;
const ENCRYPTED = 1;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffffffff;

/** The members of an archive in its order. Throws an Error whose message says what is wrong with it. */
export function readZip(archive: Buffer): ZipEntry[] {
  let end = archive.length - END_BYTES;
  const least = Math.max(0, end - 0xffff);
  while (end >= least && archive.readUInt32LE(end) !== END) end--;
  if (end < least)
    throw new Error(
      'End-of-central-directory signature not found. Either this file is not a zipfile, or it is cut off.',
    );
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  if (count === MAX_ENTRIES || at === MAX_BYTES) throw new Error('zip64 archives are not supported here.');
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > end || archive.readUInt32LE(at) !== CENTRAL)
      throw new Error(`the central directory is damaged (member ${index + 1} of ${count}).`);
    const flags = archive.readUInt16LE(at + 8);
    const nameLength = archive.readUInt16LE(at + 28);
    const bytes = archive.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength);
    const name = bytes.toString((flags & UTF8) === 0 && !isUtf8(bytes) ? 'latin1' : 'utf8');
    if (flags & ENCRYPTED) throw new Error(`${name} is encrypted, which is not supported here.`);
    const local = archive.readUInt32LE(at + 42);
    const packedBytes = archive.readUInt32LE(at + 20);
    if (local + LOCAL_BYTES > archive.length || archive.readUInt32LE(local) !== LOCAL)
      throw new Error(`${name}: its data is not where the archive says.`);
    const from = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    if (from + packedBytes > archive.length) throw new Error(`${name}: its data is cut off.`);
    entries.push({
      name,
      mode: archive[at + 5] === UNIX ? archive.readUInt32LE(at + 38) >>> 16 : 0,
      time: timeOf(archive.readUInt16LE(at + 14), archive.readUInt16LE(at + 12)),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      size: archive.readUInt32LE(at + 24),
      packed: archive.subarray(from, from + packedBytes),
    });
    at += CENTRAL_BYTES + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** What is in a member. Throws an Error for a method that nobody knows here, and for contents that are not what the archive says. */
export function contentsOf({ name, method, packed, size, crc }: ZipEntry): Buffer {
  if (method !== STORED && method !== DEFLATED) throw new Error(`${name}: unsupported compression method ${method}`);
  // One byte more than it says is enough to know that it lies.
  const bytes = method === STORED ? packed : zlib.inflateRawSync(packed, { maxOutputLength: size + 1 });
  if (bytes.length !== size || zlib.crc32(bytes) !== crc) throw new Error(`${name}: bad CRC or length`);
  return bytes;
}

/** A member of these contents, compressed when that is shorter. `level`: 0 (stored) to 9. */
export function zipEntry(name: string, contents: Buffer, mode: number, time: Date, level: number): ZipEntry {
  const deflated = level === 0 || contents.length === 0 ? contents : zlib.deflateRawSync(contents, { level });
  const isShorter = deflated.length < contents.length;
  return {
    name,
    mode,
    time,
    method: isShorter ? DEFLATED : STORED,
    crc: zlib.crc32(contents),
    size: contents.length,
    packed: isShorter ? deflated : contents,
  };
}

/** The archive of these members. Throws an Error for what only zip64 could hold. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, mode, time, method, crc, size, packed } of entries) {
    const bytes = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(method === DEFLATED ? 20 : 10, 0);
    shared.writeUInt16LE(/^[\x00-\x7f]*$/.test(name) ? 0 : UTF8, 2);
    shared.writeUInt16LE(method, 4);
    const [date, clock] = dosTime(time);
    shared.writeUInt16LE(clock, 6);
    shared.writeUInt16LE(date, 8);
    shared.writeUInt32LE(crc, 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(size, 18);
    shared.writeUInt16LE(bytes.length, 22);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL);
    const central = Buffer.alloc(6);
    central.writeUInt32LE(CENTRAL);
    central.writeUInt8(30, 4);
    central.writeUInt8(UNIX, 5);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    parts.push(local, shared, bytes, packed);
    directory.push(central, shared, rest, bytes);
    at += LOCAL_BYTES + bytes.length + packed.length;
    if (at > MAX_BYTES) throw new Error('archives of more than 4 GiB (zip64) are not supported here');
  }
  if (entries.length >= MAX_ENTRIES)
    throw new Error('archives of more than 65,534 members (zip64) are not supported here');
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

function timeOf(date: number, clock: number): Date {
  return new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    clock >> 11,
    (clock >> 5) & 63,
    (clock & 31) * 2,
  );
}

/** Date and time of day; years before 1980 are 1980. */
function dosTime(time: Date): [date: number, clock: number] {
  const year = Math.min(127, Math.max(0, time.getFullYear() - 1980));
  const date = (year << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  return [date, (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)];
}
