// What a pack holds, in memory, without the contents: the nodes by id with where their chunks lie, and which inode of the tree each one is.
// The recorder compares the tree with it; compaction writes it anew.
import { FILE_TYPE } from '../../tree/types';
import type { LogWriter } from './log-writer';
import type { Pack } from './pack';
import { CHUNK_BYTES, type NodeAttributes, type NodeType, type PackRecord, TOP } from './records';

export interface Chunk {
  at: number;
  length: number;
}

export interface KeptNode extends NodeAttributes {
  chunks: Chunk[];
  /** Of a directory: ids by name. */
  entries: Map<string, number>;
  /** Entries that name it. */
  links: number;
  /** Its inode in the tree, 0 when it is not there (yet). */
  ino: number;
  /** The inode's content version that was recorded; −1: unknown. */
  version: number;
}

export interface Model {
  nodes: Map<number, KeptNode>;
  /** Ids by inode. */
  byIno: Map<number, number>;
  /** Nodes that could not be brought into the tree: their absence there does not mean that they were deleted. */
  unplaced: Set<number>;
  nextId: number;
}

/** Rough bytes that a node takes in the log, contents apart. */
const NODE_COST = 120;

/** A model of nothing. */
export function createModel(): Model {
  return {
    nodes: new Map([[TOP, emptyNode(TOP, FILE_TYPE.directory)]]),
    byIno: new Map(),
    unplaced: new Set(),
    nextId: 1,
  };
}

function emptyNode(id: number, type: NodeType): KeptNode {
  const facts = { mode: 0, uid: 0, gid: 0, mtimeMs: 0, size: 0, target: '' };
  return { id, type, ...facts, chunks: [], entries: new Map(), links: 0, ino: 0, version: -1 };
}

/** Applies a record. Records that speak of nodes that are not there are without effect. */
export function applyRecord(model: Model, record: PackRecord): void {
  const { nodes } = model;
  switch (record.kind) {
    case 'node': {
      if (record.id === TOP) return;
      let node = nodes.get(record.id);
      if (!node) nodes.set(record.id, (node = emptyNode(record.id, record.type)));
      const { mode, uid, gid, mtimeMs, size, target } = record;
      Object.assign(node, { mode, uid, gid, mtimeMs, size, target });
      node.chunks.length = Math.min(node.chunks.length, Math.ceil(size / CHUNK_BYTES));
      model.nextId = Math.max(model.nextId, record.id + 1);
      return;
    }
    case 'chunk': {
      const node = nodes.get(record.id);
      // Chunks come in order: one that leaves a gap belongs to nothing.
      if (node && record.index <= node.chunks.length)
        node.chunks[record.index] = { at: record.at, length: record.length };
      return;
    }
    case 'entry': {
      const parent = nodes.get(record.parent);
      if (!parent) return;
      const old = nodes.get(parent.entries.get(record.name) ?? -1);
      if (old) old.links--;
      const node = nodes.get(record.id);
      if (record.id === TOP || !node) parent.entries.delete(record.name);
      else {
        parent.entries.set(record.name, record.id);
        node.links++;
      }
      return;
    }
    case 'remove': {
      const node = nodes.get(record.id);
      if (!node || record.id === TOP) return;
      nodes.delete(record.id);
      model.unplaced.delete(record.id);
      if (model.byIno.get(node.ino) === record.id) model.byIno.delete(node.ino);
      return;
    }
    case 'commit':
      return;
  }
}

/** The record that says everything about a node but its content. */
export function nodeRecord(node: KeptNode): PackRecord {
  const { id, type, mode, uid, gid, mtimeMs, size, target } = node;
  return { kind: 'node', id, type, mode, uid, gid, mtimeMs, size, target };
}

/** Bytes that a log of just this model takes, at most. */
export function liveBytes(model: Model): number {
  let bytes = 0;
  for (const node of model.nodes.values()) {
    bytes += NODE_COST + node.target.length * 3;
    for (const name of node.entries.keys()) bytes += 32 + name.length * 3;
    for (const { length } of node.chunks) bytes += 32 + length;
  }
  return bytes;
}

/** Tells the inode of a node. */
export function bindInode(model: Model, node: KeptNode, ino: number): void {
  if (model.byIno.get(node.ino) === node.id) model.byIno.delete(node.ino);
  node.ino = ino;
  if (ino === 0) return;
  model.byIno.set(ino, node.id);
  model.unplaced.delete(node.id);
}

/**
 * Writes the model to a log, copying the contents; returns where the chunks now lie, by id. Pauses every few megabytes.
 * Contract: nobody changes the model or the pack meanwhile.
 */
export async function writeModel(
  model: Model,
  pack: Pack,
  log: LogWriter,
  pause: () => Promise<void>,
): Promise<Map<number, Chunk[]>> {
  const moved = new Map<number, Chunk[]>();
  let sincePause = 0;
  for (const node of model.nodes.values()) {
    if (node.id === TOP) continue;
    log.append(nodeRecord(node));
    const chunks: Chunk[] = [];
    for (const [index, { at, length }] of node.chunks.entries()) {
      const bytes = pack.held(at, length) ?? (await pack.read(at, length));
      if (bytes.length !== length) throw new Error('the project file ends in the middle of a content');
      chunks.push({ at: log.append({ kind: 'chunk', id: node.id, index, at: 0, length }, bytes), length });
      sincePause += length;
      if (sincePause > 4 << 20) {
        sincePause = 0;
        await log.drain();
        await pause();
      }
    }
    moved.set(node.id, chunks);
  }
  for (const node of model.nodes.values()) {
    for (const [name, id] of node.entries) log.append({ kind: 'entry', parent: node.id, name, id });
  }
  return moved;
}
