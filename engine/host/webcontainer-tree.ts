// Trees of files as the WebContainer client sends and takes them: {"d":{name:{"d":…} | {"f":{"c":text,"b":true when Latin-1 bytes}} | {"f":{"l":target}}}}.
// Inside they are our snapshots (engine/tree/snapshot.ts), so mounting and its bounds have one home.
import { type Zippable, zipSync } from 'fflate';
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from '../tree/snapshot-entries';

/** A tree on the wire. */
export type WireNode = { d: Record<string, WireNode> } | { f: { c: string; b?: boolean } } | { f: { l: string } };

const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/** A snapshot of what `mount` was given: the client's JSON, or a snapshot that `export` made here. Throws an Error for anything else. */
export function snapshotOfMount(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== '{'.charCodeAt(0)) {
    try {
      decodeSnapshot(bytes);
    } catch (error) {
      throw new Error(
        `Cloche's WebContainer host mounts trees and its own binary exports, not snapshots of @webcontainer/snapshot: ${(error as Error).message}`,
      );
    }
    return bytes;
  }
  const root = JSON.parse(new TextDecoder().decode(bytes)) as WireNode;
  return encodeSnapshot(entriesOf(root, '', Date.now()));
}

function* entriesOf(node: WireNode, path: string, now: number): Generator<SnapshotEntry> {
  if ('d' in node) {
    if (path !== '') yield { kind: 'directory', path, mode: DIRECTORY_MODE };
    for (const [name, child] of Object.entries(node.d))
      yield* entriesOf(child, path === '' ? name : `${path}/${name}`, now);
  } else if ('l' in node.f) yield { kind: 'symlink', path, target: node.f.l };
  else {
    const { c, b } = node.f;
    const contents = b ? Uint8Array.from(c, (char) => char.charCodeAt(0)) : new TextEncoder().encode(c);
    yield { kind: 'file', path, mode: FILE_MODE, mtimeMs: now, contents };
  }
}

/** What `export` gives back for a snapshot, by its format. */
export function exportSnapshot(snapshot: Uint8Array, format: string): Uint8Array {
  switch (format) {
    case 'binary':
      return snapshot;
    case 'json':
      return new TextEncoder().encode(JSON.stringify(treeOf(decodeSnapshot(snapshot, { links: 'any' }))));
    case 'zip':
      return zipSync(zippable(decodeSnapshot(snapshot, { links: 'any' })));
    default:
      throw new Error(`Cloche's WebContainer host exports json, binary and zip, not ${format}.`);
  }
}

function treeOf(entries: SnapshotEntry[]): WireNode {
  const root = { d: Object.create(null) as Record<string, WireNode> };
  const directories = new Map([['', root]]);
  for (const entry of entries) {
    const slash = entry.path.lastIndexOf('/');
    const parent = directories.get(entry.path.slice(0, Math.max(slash, 0)));
    const name = entry.path.slice(slash + 1);
    if (!parent) throw new Error(`The snapshot names ${entry.path} before its directory.`);
    switch (entry.kind) {
      case 'directory': {
        const made = { d: Object.create(null) as Record<string, WireNode> };
        parent.d[name] = made;
        directories.set(entry.path, made);
        break;
      }
      case 'symlink':
        parent.d[name] = { f: { l: entry.target } };
        break;
      case 'file':
        parent.d[name] = { f: fileOf(entry.contents) };
        break;
    }
  }
  return root;
}

function fileOf(contents: Uint8Array): { c: string; b?: boolean } {
  try {
    return { c: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(contents) };
  } catch {
    let c = '';
    for (const byte of contents) c += String.fromCharCode(byte);
    return { c, b: true };
  }
}

/** Modes and links go along as Unix zips carry them. */
function zippable(entries: SnapshotEntry[]): Zippable {
  const files: Zippable = {};
  const UNIX = 3;
  for (const entry of entries) {
    const attributes = (type: number, mode: number) => ({ os: UNIX, attrs: ((type | mode) << 16) >>> 0 });
    if (entry.kind === 'file') files[entry.path] = [entry.contents, attributes(0o100000, entry.mode)];
    else if (entry.kind === 'directory')
      files[`${entry.path}/`] = [new Uint8Array(0), attributes(0o040000, entry.mode)];
    else files[entry.path] = [new TextEncoder().encode(entry.target), attributes(0o120000, 0o777)];
  }
  return files;
}
