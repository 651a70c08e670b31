// One file tree as one run of bytes: a JSON index, then the contents. The same format carries a project's snapshot and the base image.
// Layout: magic, index length (uint32 LE), index (UTF-8 JSON array of Entry), contents in the order of the index.

const MAGIC = 'CLSNAP1\n';

/** `path` is relative, `/`-separated, without `.`, `..` or empty segments. */
export type SnapshotEntry =
  | { kind: 'directory'; path: string; mode: number }
  | { kind: 'file'; path: string; mode: number; mtimeMs: number; contents: Uint8Array }
  | { kind: 'symlink'; path: string; target: string };

type IndexEntry =
  | ['d', path: string, mode: number]
  | ['f', path: string, mode: number, mtimeMs: number, size: number]
  | ['l', path: string, target: string];

/** Bounds on what a snapshot may hold; one beyond them is refused before anything is written. */
export const SNAPSHOT_LIMITS = { entries: 1_000_000, depth: 128, nameBytes: 255 };

/** Packs entries; parents must come before what is below them. */
export function encodeSnapshot(entries: Iterable<SnapshotEntry>): Uint8Array<ArrayBuffer> {
  const index: IndexEntry[] = [];
  const contents: Uint8Array[] = [];
  let total = 0;
  for (const entry of entries) {
    switch (entry.kind) {
      case 'directory':
        index.push(['d', entry.path, entry.mode]);
        break;
      case 'symlink':
        index.push(['l', entry.path, entry.target]);
        break;
      case 'file':
        index.push(['f', entry.path, entry.mode, entry.mtimeMs, entry.contents.length]);
        contents.push(entry.contents);
        total += entry.contents.length;
        break;
    }
  }
  const indexBytes = new TextEncoder().encode(JSON.stringify(index));
  const start = MAGIC.length + 4 + indexBytes.length;
  const out = new Uint8Array(start + total);
  out.set(new TextEncoder().encode(MAGIC));
  new DataView(out.buffer).setUint32(MAGIC.length, indexBytes.length, true);
  out.set(indexBytes, MAGIC.length + 4);
  let at = start;
  for (const bytes of contents) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

/** Unpacks; contents are views into `bytes`. Throws an Error that says what is wrong with a bad snapshot. */
export function decodeSnapshot(bytes: Uint8Array): SnapshotEntry[] {
  const text = new TextDecoder();
  if (text.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new Error('This is not a snapshot.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const indexLength = view.getUint32(MAGIC.length, true);
  const start = MAGIC.length + 4 + indexLength;
  if (start > bytes.length) throw new Error('The snapshot is cut off in its index.');
  const index: unknown = JSON.parse(text.decode(bytes.subarray(MAGIC.length + 4, start)));
  if (!Array.isArray(index)) throw new Error('The snapshot has no index.');
  if (index.length > SNAPSHOT_LIMITS.entries) throw new Error(`The snapshot has ${index.length} entries, too many.`);
  let at = start;
  return index.map((raw: IndexEntry): SnapshotEntry => {
    checkPath(raw[1]);
    switch (raw[0]) {
      case 'd':
        return { kind: 'directory', path: raw[1], mode: checkNumber(raw[2]) & 0o7777 };
      case 'l':
        if (typeof raw[2] !== 'string' || raw[2] === '') throw new Error(`The link ${raw[1]} has no target.`);
        return { kind: 'symlink', path: raw[1], target: raw[2] };
      case 'f': {
        const size = checkNumber(raw[4]);
        if (at + size > bytes.length) throw new Error(`The snapshot is cut off in ${raw[1]}.`);
        const contents = bytes.subarray(at, at + size);
        at += size;
        return {
          kind: 'file',
          path: raw[1],
          mode: checkNumber(raw[2]) & 0o7777,
          mtimeMs: checkNumber(raw[3]),
          contents,
        };
      }
      default:
        throw new Error(`The snapshot has an entry of an unknown kind: ${String((raw as unknown[])[0])}`);
    }
  });
}

function checkNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new Error('A number in the snapshot is none.');
  return value;
}

function checkPath(path: unknown): void {
  if (typeof path !== 'string') throw new Error('An entry of the snapshot has no path.');
  const segments = path.split('/');
  if (segments.length > SNAPSHOT_LIMITS.depth) throw new Error(`${path.slice(0, 80)}… lies too deep.`);
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..' || segment.includes('\0')) {
      throw new Error(`The snapshot names a path that is not allowed: ${JSON.stringify(path.slice(0, 200))}`);
    }
    if (segment.length > SNAPSHOT_LIMITS.nameBytes)
      throw new Error(`A name in the snapshot is too long: ${segment.slice(0, 80)}…`);
  }
}
