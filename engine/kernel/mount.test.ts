// Mounting on a real tree: what a hostile or clumsy snapshot may not do, that a snapshot comes back as it was, and that the first format is still read.
import { describe, expect, it } from 'vitest';
import { createSharedMemory } from '../memory/memory';
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from '../tree/snapshot-entries';
import { formatTree, openTree } from '../tree/tree';
import { createFiles } from './files';
import { mountSnapshot, takeSnapshot } from './mount';

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
  const mountBytes = (snapshot: Uint8Array, path = '/home/project') =>
    mountSnapshot(tree, snapshot, path, async () => {});
  const mount = (entries: SnapshotEntry[], path?: string) => mountBytes(encodeSnapshot(entries), path);
  const text = (path: string) => new TextDecoder().decode(files.read(path));
  return { tree, files, mount, mountBytes, text };
}

describe('mount', () => {
  it('writes files with parents, modes and times; a snapshot of it is the same', async () => {
    const { tree, files, mount, mountBytes, text } = machine();
    await mount([file('deep/er/run.sh', 'x', 0o755), { kind: 'symlink', path: 'link', target: 'deep/er' }]);
    expect(text('/home/project/link/run.sh')).toBe('x');
    expect(files.stat('/home/project/deep/er/run.sh')).toMatchObject({ mode: 0o755, mtimeMs: 86_400_000 });
    const snapshot = takeSnapshot(tree, '/home/project');
    files.makeDirectory('/copy');
    await mountBytes(snapshot, '/copy');
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
    files.write('/home/project/etc/target', bytes('safe'));
    await expect(
      mount([{ kind: 'symlink', path: 'out', target: 'etc' }, file('out/target', 'overwritten')]),
    ).rejects.toThrow(/"out\/target" into "out", which is not a directory/);
    tree.symlink('/home/project/etc/target', '/home/project/file');
    await mount([file('file', 'mine')]);
    expect(new TextDecoder().decode(files.read('/home/project/etc/target'))).toBe('safe');
    expect(files.stat('/home/project/file').kind).toBe('file');
  });

  it('refuses a file where a directory is, and the other way round', async () => {
    const { files, mount } = machine();
    files.write('/home/project/d/inside', bytes('x'));
    files.write('/home/project/f', bytes('x'));
    await expect(mount([file('d', 'x')])).rejects.toThrow(/"d" of the snapshot is in the way/);
    await expect(mount([{ kind: 'directory', path: 'f', mode: 0o755 }])).rejects.toThrow(/"f" of the snapshot/);
    await expect(mount([file('f/x', 'x')])).rejects.toThrow(/not a directory/);
  });

  it('writes nothing of a snapshot that is bad further on', async () => {
    const { files, mount, mountBytes } = machine();
    const whole = encodeSnapshot([file('a', 'a'), file('b', 'b')]);
    await expect(mountBytes(whole.subarray(0, whole.length - 3))).rejects.toThrow(/cut off/);
    await expect(mount([file('a', 'a'), file('../b', 'b')])).rejects.toThrow(/not allowed/);
    await expect(mount([file('a', 'a'), { kind: 'symlink', path: 'l', target: '/etc' }])).rejects.toThrow(/leads out/);
    expect(files.list('/home/project')).toEqual([]);
  });
});

describe('entries', () => {
  it('come back as they went in', () => {
    const entries: SnapshotEntry[] = [
      { kind: 'directory', path: 'a', mode: 0o755, mtimeMs: 5 },
      file('a/ů.txt', 'one'),
      file('empty', ''),
      { kind: 'symlink', path: 'link', target: '../anywhere', mtimeMs: 6 },
      file('large', 'large '.repeat(100_000)),
    ];
    expect(decodeSnapshot(encodeSnapshot(entries), { links: 'any' })).toEqual(entries);
    expect(() => decodeSnapshot(encodeSnapshot(entries))).toThrow(/leads out/);
  });
});

describe('the first format', () => {
  const first = (index: unknown[], contents = ''): Uint8Array => {
    const text = bytes(JSON.stringify(index));
    const head = new Uint8Array(12);
    head.set(bytes('CLSNAP1\n'));
    new DataView(head.buffer).setUint32(8, text.length, true);
    return Uint8Array.from([...head, ...text, ...bytes(contents)]);
  };

  it('is mounted with modes and links, but for links that lead out of the project', async () => {
    const { tree, files, mountBytes, text } = machine();
    files.makeDirectory('/home/project/node_modules');
    files.write('/home/project/packages/a/index.js', bytes('a'));
    const index = [
      ['d', '.bin', 0o755],
      ['d', 'x', 0o750],
      ['f', 'x/run.js', 0o755, 1000, 3],
      ['l', '.bin/run', '../x/run.js'],
      ['l', 'a', '../packages/a'],
      ['l', 'far', '../../../etc'],
    ];
    await mountBytes(first(index, 'run'), '/home/project/node_modules');
    expect(text('/home/project/node_modules/.bin/run')).toBe('run');
    expect(files.stat('/home/project/node_modules/x/run.js')).toMatchObject({ mode: 0o755, mtimeMs: 1000 });
    expect(text('/home/project/node_modules/a/index.js')).toBe('a');
    expect(tree.lookup('/home/project/node_modules/far', false)).toBeLessThan(0);
  });

  it.each([
    [first([['f', '../x', 0o644, 0, 0]])],
    [first([['f', 'x', 0o644, 0, 10]], 'short')],
    [first([['x', 'x']])],
    [first([['f', 'x', -1, 0, 0]])],
    [bytes('CLSNAP1\n')],
  ])('is refused when it is bad (%#)', async (bad) => {
    const { mountBytes } = machine();
    await expect(mountBytes(bad)).rejects.toThrow(/snapshot/);
  });
});
