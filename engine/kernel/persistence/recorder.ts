// Finds out how the tree differs from what the pack holds, and appends that. The change log only says where to look: a directory is compared entry
// by entry, a file by its version and then chunk by chunk, so a lost or repeated hint costs time and never truth.
import { FILE_TYPE, type FileTree, type FileType, type TreeChange } from '../../tree/types';
import { applyRecord, bindInode, type KeptNode, type Model, nodeRecord } from './model';
import type { Pack } from './pack';
import { CHUNK_BYTES, type NodeType, type PackRecord, TOP } from './records';

export interface RecorderOptions {
  tree: FileTree;
  pack: Pack;
  model: Model;
  /** Absolute paths of what is kept: directories with all below, or files. */
  roots: readonly string[];
  /** Judged once, when a name appears: true leaves it, and all below it, out. */
  exclude?(path: string): boolean;
  /** Awaited every few megabytes. */
  pause(): Promise<void>;
  /** Something differs: it is about to be written. */
  onAppend(): void;
}

/** Where to look. `everything`: the hints have been lost. */
export interface Hints {
  directories: Set<number>;
  inodes: Set<number>;
  everything: boolean;
}

type NodeRecord = Extract<PackRecord, { kind: 'node' }>;

const PAUSE_BYTES = 4 << 20;

/** No hints. */
export function createHints(everything = false): Hints {
  return { directories: new Set(), inodes: new Set(), everything };
}

/** Adds what changes say. */
export function addHints(hints: Hints, changes: readonly TreeChange[]): void {
  for (const { kind, ino, parent } of changes) {
    hints.inodes.add(ino);
    if (kind === 'change') continue;
    hints.directories.add(parent);
    // Its modification time.
    hints.inodes.add(parent);
  }
}

/** Appends (without a commit) what has changed; returns the inodes that were being written meanwhile, to be looked at again. */
export async function recordChanges(options: RecorderOptions, hints: Hints): Promise<Set<number>> {
  const { tree, pack, model, roots, exclude } = options;
  const busy = new Set<number>();
  const orphans = new Set<number>();
  const stat = new Float64Array(18);
  const chunk = new Uint8Array(CHUNK_BYTES);
  let sincePause = 0;

  const append = (record: PackRecord): void => {
    options.onAppend();
    pack.append(record);
    applyRecord(model, record);
  };

  const setEntry = (parent: KeptNode, name: string, id: number): void => {
    const old = parent.entries.get(name);
    if (old === id) return;
    append({ kind: 'entry', parent: parent.id, name, id });
    if (old !== undefined) orphans.add(old);
  };

  /** The node of an inode under this name: known, recognised (after a load that lost the inode), or new. */
  const nodeFor = async (
    parent: KeptNode,
    name: string,
    ino: number,
    type: NodeType,
    path: string,
  ): Promise<KeptNode> => {
    const known = model.nodes.get(model.byIno.get(ino) ?? -1);
    if (known?.type === type) return known;
    const named = model.nodes.get(parent.entries.get(name) ?? -1);
    const isRecognised = named !== undefined && named.ino === 0 && named.type === type;
    const id = isRecognised ? named.id : model.nextId;
    if (!isRecognised) append(recordOf(id, ino, type));
    const node = model.nodes.get(id)!;
    bindInode(model, node, ino);
    await recordNode(node);
    if (type === FILE_TYPE.directory) await recordDirectory(node, path);
    return node;
  };

  const recordOf = (id: number, ino: number, type: NodeType): NodeRecord => {
    tree.stat(ino, stat);
    return {
      kind: 'node',
      id,
      type,
      mode: stat[1] & 0o7777,
      uid: stat[3],
      gid: stat[4],
      mtimeMs: stat[12] * 1000 + stat[13] / 1e6,
      size: type === FILE_TYPE.file ? stat[8] : 0,
      target: type === FILE_TYPE.symlink ? tree.readText(ino) : '',
    };
  };

  const recordNode = async (node: KeptNode): Promise<void> => {
    const { ino } = node;
    if (tree.typeOf(ino) !== node.type) return;
    const version = tree.versionOf(ino);
    const record = recordOf(node.id, ino, node.type);
    if (JSON.stringify(record) !== JSON.stringify(nodeRecord(node))) append(record);
    if (node.type !== FILE_TYPE.file || version === node.version) return;
    for (let index = 0; index * CHUNK_BYTES < record.size; index++) {
      const length = tree.read(
        ino,
        chunk.subarray(0, Math.min(CHUNK_BYTES, record.size - index * CHUNK_BYTES)),
        index * CHUNK_BYTES,
      );
      // Cut while we read: the next look sees the new size.
      if (length <= 0) break;
      await recordChunk(node, index, chunk.subarray(0, length));
      if ((sincePause += length) > PAUSE_BYTES) {
        sincePause = 0;
        await pack.drain();
        await options.pause();
      }
    }
    if ((version & 1) === 0 && tree.versionOf(ino) === version) node.version = version;
    else {
      node.version = -1;
      busy.add(ino);
    }
  };

  const recordChunk = async (node: KeptNode, index: number, bytes: Uint8Array): Promise<void> => {
    const old = node.chunks[index];
    if (old?.length === bytes.length && isEqual(await pack.read(old.at, old.length), bytes)) return;
    options.onAppend();
    const at = pack.append({ kind: 'chunk', id: node.id, index, at: 0, length: bytes.length }, bytes);
    node.chunks[index] = { at, length: bytes.length };
  };

  const recordDirectory = async (node: KeptNode, path: string): Promise<void> => {
    const listed = tree.list(node.ino);
    if (typeof listed === 'number') return;
    const present = new Set<string>();
    for (const { name, ino, type } of listed) {
      const childPath = `${path}/${name}`;
      const isKnown = node.entries.has(name);
      if (!isKept(type) || (!isKnown && exclude?.(childPath))) continue;
      present.add(name);
      setEntry(node, name, (await nodeFor(node, name, ino, type, childPath)).id);
    }
    for (const [name, id] of [...node.entries]) {
      if (!present.has(name) && !model.unplaced.has(id)) setEntry(node, name, TOP);
    }
  };

  const recordRoots = async (): Promise<void> => {
    const top = model.nodes.get(TOP)!;
    for (const root of roots) {
      const ino = tree.lookup(root, false);
      const type = ino > 0 ? tree.typeOf(ino) : undefined;
      if (type !== undefined && isKept(type)) setEntry(top, root, (await nodeFor(top, root, ino, type, root)).id);
      else if (top.entries.has(root) && !model.unplaced.has(top.entries.get(root)!)) setEntry(top, root, TOP);
    }
  };

  const removeOrphan = (id: number): void => {
    const node = model.nodes.get(id);
    if (!node || id === TOP || node.links > 0) return;
    append({ kind: 'remove', id });
    // Its entries go with it; what they named may have no other name.
    for (const child of node.entries.values()) {
      const orphan = model.nodes.get(child);
      if (orphan && --orphan.links === 0) removeOrphan(child);
    }
  };

  await recordRoots();
  const directories = hints.everything ? [...model.nodes.values()].map(({ ino }) => ino) : hints.directories;
  for (const ino of directories) {
    const node = model.nodes.get(model.byIno.get(ino) ?? -1);
    if (node?.type === FILE_TYPE.directory) await recordDirectory(node, tree.pathOf(ino));
  }
  const inodes = hints.everything ? [...model.byIno.keys()] : hints.inodes;
  for (const ino of inodes) {
    const node = model.nodes.get(model.byIno.get(ino) ?? -1);
    if (node) await recordNode(node);
  }
  for (const id of orphans) removeOrphan(id);
  return busy;
}

function isKept(type: FileType): type is NodeType {
  return type !== FILE_TYPE.character && type !== FILE_TYPE.socket;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
