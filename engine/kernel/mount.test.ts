// Mounting on a real tree: what a hostile or clumsy snapshot may not do, and that a snapshot comes back as it was.
import { describe, expect, it } from 'vitest';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree } from '../tree/tree';
import { createFiles } from './files';
import { mountSnapshot, takeSnapshot } from './mount';
import { encodeSnapshot, type SnapshotEntry } from './snapshot';

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (path: string, text: string, mode = 0o644): SnapshotEntry => ({
  kind: 'file',
  path,
  mode,
  mtimeMs: 86_400_000,
  contents: bytes(text),
});

function machine() {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory);
  const files = createFiles(tree);
  files.makeDirectory('/home/project');
  const mount = (entries: SnapshotEntry[], path = '/home/project') =>
    mountSnapshot(tree, encodeSnapshot(entries), path, async () => {});
  const text = (path: string) => new TextDecoder().decode(files.read(path));
  return { tree, files, mount, text };
}

describe('mount', () => {
  it('writes files with parents, modes and times; a snapshot of it is the same', async () => {
    const { tree, files, mount, text } = machine();
    await mount([file('deep/er/run.sh', 'x', 0o755), { kind: 'symlink', path: 'link', target: 'deep/er' }]);
    expect(text('/home/project/link/run.sh')).toBe('x');
    expect(files.stat('/home/project/deep/er/run.sh')).toMatchObject({ mode: 0o755, mtimeMs: 86_400_000 });
    const snapshot = takeSnapshot(tree, '/home/project');
    files.makeDirectory('/copy');
    await mountSnapshot(tree, snapshot, '/copy', async () => {});
    expect(takeSnapshot(tree, '/copy')).toEqual(snapshot);
  });

  it('replaces files whole and keeps what is not in the snapshot', async () => {
    const { files, mount, text } = machine();
    files.write('/home/project/a', bytes('long contents'));
    files.write('/home/project/kept', bytes('kept'));
    await mount([file('a', 'short')]);
    expect([text('/home/project/a'), text('/home/project/kept')]).toEqual(['short', 'kept']);
  });

  it('does not write through links, neither its own nor those that were there', async () => {
    const { tree, files, mount } = machine();
    files.write('/etc/target', bytes('safe'));
    await expect(
      mount([{ kind: 'symlink', path: 'out', target: '/etc' }, file('out/target', 'overwritten')]),
    ).rejects.toMatchObject({ code: 'EEXIST' });
    tree.symlink('/etc/target', '/home/project/file');
    await mount([file('file', 'mine')]);
    expect(new TextDecoder().decode(files.read('/etc/target'))).toBe('safe');
    expect(files.stat('/home/project/file').kind).toBe('file');
  });

  it('refuses a file where a directory is, and the other way round', async () => {
    const { files, mount } = machine();
    files.makeDirectory('/home/project/d');
    files.write('/home/project/f', bytes('x'));
    await expect(mount([file('d', 'x')])).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(mount([{ kind: 'directory', path: 'f', mode: 0o755 }])).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(mount([file('f/x', 'x')])).rejects.toMatchObject({ code: 'EEXIST' });
  });
});
