// The kernel's word to whoever watches a process that can't speak for itself any more.
import type { Ipc } from '../ipc/types';
import type { FileTree } from '../tree/types';

/** Best effort: into the process's own stderr, as long as somebody can take it at once. */
export function sayOnStderr(
  ipc: Pick<Ipc, 'tableOf' | 'descriptions'>,
  tree: Pick<FileTree, 'append'>,
  slot: number,
  text: string,
): void {
  const bytes = new TextEncoder().encode(text);
  const description = ipc.tableOf(slot).get(2);
  if (description < 0) return;
  const ring = ipc.descriptions.outgoing(description);
  if (ring) ring.write(bytes);
  else if (ipc.descriptions.inoOf(description) > 0) tree.append(ipc.descriptions.inoOf(description), bytes);
}
