// Which entries of a zip may be executed and which are links: what of an archive stands only in its central directory, which streaming does not read.
// Source: PKWARE APPNOTE 6.3.10, 4.3.12 and 4.3.16; Info-ZIP keeps the Unix mode in the upper half of the external attributes.
import { strFromU8 } from 'fflate';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const entryBytes = 46;
const unix = 3;
const utf8Flag = 1 << 11;

/** Unix modes by names as the archive spells them. An archive whose central directory makes no sense has none; never throws. */
export function modesOf(archive: Uint8Array): Map<string, number> {
  const modes = new Map<string, number>();
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  if (end === undefined) return modes;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  for (let entry = 0; entry < count; entry++) {
    if (at + entryBytes > end || view.getUint32(at, true) !== entrySignature) break;
    const nameAt = at + entryBytes;
    const next = nameAt + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) break;
    const mode = view.getUint32(at + 38, true) >>> 16;
    if (view.getUint8(at + 5) === unix) {
      const name = archive.subarray(nameAt, nameAt + view.getUint16(at + 28, true));
      modes.set(strFromU8(name, (view.getUint16(at + 8, true) & utf8Flag) === 0), mode);
    }
    at = next;
  }
  return modes;
}

/** The kind of a symbolic link, and the bits of all kinds. */
export const linkMode = 0o120000;
const kindBits = 0o170000;

/** Whether an entry of this mode is a symbolic link: its contents are what it leads to. */
export function isLinkMode(mode: number): boolean {
  return (mode & kindBits) === linkMode;
}

/** Where the end record begins: before it, at most 64 KB of comment. */
function endOf(view: DataView): number | undefined {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) if (view.getUint32(at, true) === endSignature) return at;
  return undefined;
}
