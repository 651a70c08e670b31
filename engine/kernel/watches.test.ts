import { expect, test, vi } from 'vitest';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree } from '../tree/tree';
import { createWatches } from './watches';

function freshTree() {
  const memory = createSharedMemory();
  formatTree(memory);
  return openTree(memory, 1);
}

test('a watch hears what changes, and a tree in which nothing changes sets no timer', async () => {
  const tree = freshTree();
  const watches = createWatches(tree);
  const later = vi.spyOn(globalThis, 'setTimeout');
  const often = vi.spyOn(globalThis, 'setInterval');
  const heard: string[] = [];
  const hear = () =>
    new Promise<void>((resolve) => {
      watches.add('one', '/', true, (changes) => {
        for (const change of changes) heard.push(change.kind === 'overflow' ? '…' : `${change.kind} ${change.path}`);
        resolve();
      });
    });
  try {
    const first = hear();
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(later).not.toHaveBeenCalled();
    tree.mkdir('/made', 0o755);
    await first;
    expect(heard).toEqual(['rename /made']);
    // One that comes when all had gone hears only what is new.
    watches.removeAll('one');
    tree.mkdir('/unheard', 0o755);
    const second = hear();
    tree.mkdir('/heard', 0o755);
    await second;
    expect(heard).toEqual(['rename /made', 'rename /heard']);
    expect(often).not.toHaveBeenCalled();
  } finally {
    watches.removeAll('');
    later.mockRestore();
    often.mockRestore();
  }
});
