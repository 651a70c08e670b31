// Brings what a pack holds into the tree: under the roots only, over what is there, and never through a link that was there before or came along.
// What cannot be placed is named in the report and stays in the pack.
import { EEXIST, EIO } from '../../memory/errno';
import { FILE_TYPE, type FileTree } from '../../tree/types';
import { bindInode, type KeptNode, type Model } from './model';
import type { Pack } from './pack';
import { CHUNK_BYTES, TOP } from './records';

export interface PlacedCounts {
  files: number;
  bytes: number;
  /** One sentence for everything that could not be placed. */
  problems: string[];
}

/** Makes the roots and all that the model holds below them. Reads from the pack, so it lets others run in between. */
export async function placeModel(
  tree: FileTree,
  pack: Pack,
  model: Model,
  roots: readonly string[],
  onProgress: (doneBytes: number) => void = () => {},
): Promise<PlacedCounts> {
  const counts: PlacedCounts = { files: 0, bytes: 0, problems: [] };
  const top = model.nodes.get(TOP)!;
  for (const root of roots) {
    const id = top.entries.get(root);
    if (id === undefined) continue;
    makeParents(tree, root);
    await place(id, root);
  }
  return counts;

  async function place(id: number, path: string): Promise<void> {
    const node = model.nodes.get(id);
    if (!node) return;
    const failed = node.ino > 0 ? linkAgain(node, path) : await placeNode(node, path);
    if (failed < 0) {
      counts.problems.push(`${path} could not be restored (errno ${failed})`);
      leave(node);
    }
  }

  /** Nothing below is placed either. */
  function leave(node: KeptNode): void {
    if (node.ino === 0) model.unplaced.add(node.id);
  }

  function linkAgain(node: KeptNode, path: string): number {
    const existing = tree.lookup(path, false);
    if (existing === node.ino) return 0;
    if (existing > 0) {
      const failed = tree.unlink(path);
      if (failed < 0) return failed;
    }
    return tree.link(tree.pathOf(node.ino), path);
  }

  async function placeNode(node: KeptNode, path: string): Promise<number> {
    const existing = tree.lookup(path, false);
    const existingType = existing > 0 ? tree.typeOf(existing) : undefined;
    if (existingType !== undefined && existingType !== node.type) {
      if (existingType === FILE_TYPE.directory || node.type === FILE_TYPE.directory) return EEXIST;
      const failed = tree.unlink(path);
      if (failed < 0) return failed;
    }
    switch (node.type) {
      case FILE_TYPE.directory: {
        const ino = existing > 0 ? existing : tree.mkdir(path, node.mode);
        if (ino < 0) return ino;
        bindInode(model, node, ino);
        for (const [name, id] of node.entries) await place(id, `${path}/${name}`);
        return setFacts(node, ino);
      }
      case FILE_TYPE.symlink: {
        if (existingType === FILE_TYPE.symlink) tree.unlink(path);
        const made = tree.symlink(node.target, path);
        if (made < 0) return made;
        const ino = tree.lookup(path, false);
        bindInode(model, node, ino);
        counts.files++;
        return setFacts(node, ino);
      }
      case FILE_TYPE.file:
        return placeFile(node, path);
    }
  }

  async function placeFile(node: KeptNode, path: string): Promise<number> {
    const ino = tree.create(path, node.mode);
    if (ino < 0) return ino;
    let failed = tree.sizeOf(ino) > 0 ? tree.truncate(ino, 0) : 0;
    for (let index = 0; index < node.chunks.length && failed >= 0; index++) {
      const { at, length } = node.chunks[index];
      const wanted = Math.min(length, node.size - index * CHUNK_BYTES);
      let bytes = pack.held(at, wanted);
      if (!bytes) {
        bytes = await pack.read(at, wanted);
        onProgress(counts.bytes);
      }
      failed = bytes.length === wanted ? tree.write(ino, bytes, index * CHUNK_BYTES) : EIO;
    }
    if (failed >= 0 && tree.sizeOf(ino) !== node.size) failed = tree.truncate(ino, node.size);
    if (failed < 0) {
      tree.unlink(path);
      return failed;
    }
    failed = setFacts(node, ino);
    bindInode(model, node, ino);
    node.version = tree.versionOf(ino);
    counts.files++;
    counts.bytes += node.size;
    return failed;
  }

  function setFacts(node: KeptNode, ino: number): number {
    tree.setMode(ino, node.mode);
    tree.setOwner(ino, node.uid, node.gid);
    return tree.setTimes(ino, undefined, node.mtimeMs);
  }
}

function makeParents(tree: FileTree, path: string): void {
  const segments = path.split('/').slice(1, -1);
  for (let count = 1; count <= segments.length; count++) {
    const parent = `/${segments.slice(0, count).join('/')}`;
    // What goes wrong here goes wrong again, and is told, when the root itself is made.
    if (tree.lookup(parent) < 0) tree.mkdir(parent, 0o755);
  }
}
