// Snapshots: what goes in comes out however the stream is cut, and a damaged or hostile one is refused without a trace outside its root.
import { expect, test } from 'vitest';
import { createSharedMemory } from '../memory/memory';
import { checkTree } from './check';
import { openSnapshotReader, writeSnapshot } from './snapshot';
import { type EntryHeader, encodeEntry, encodeFrame, FRAME, SNAPSHOT_MAGIC } from './snapshot-format';
import type { SnapshotReadOptions } from './snapshot-stream';
import { formatTree, openTree, type Tree } from './tree';
import { FILE_TYPE } from './types';

const text = new TextEncoder();

function freshTree(): { tree: Tree; memory: WebAssembly.Memory } {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory);
  tree.mkdir('/in', 0o755);
  tree.write(tree.create('/outside', 0o644), text.encode('untouched'), 0);
  return { tree, memory };
}

function picture(tree: Tree, path: string): string[] {
  const listed = tree.list(tree.lookup(path));
  if (typeof listed === 'number') throw new Error(`${path}: ${listed}`);
  const stat = new Float64Array(18);
  return listed.flatMap(({ name, ino, type }) => {
    tree.stat(ino, stat);
    const facts = `${path}/${name} ${stat[1].toString(8)} ${stat[12]}.${stat[13]}`;
    return type === FILE_TYPE.directory
      ? [facts, ...picture(tree, `${path}/${name}`)]
      : [`${facts} ${tree.readText(ino)}`];
  });
}

function furnished(): Tree {
  const { tree } = freshTree();
  for (const path of ['/in/a', '/in/a/b', '/in/node_modules', '/in/empty']) tree.mkdir(path, 0o750);
  const write = (path: string, content: string, mode = 0o644): void => {
    const ino = tree.create(path, mode);
    tree.write(ino, text.encode(content), 0);
    tree.setTimes(ino, undefined, 1.5e12 + 0.25);
  };
  write('/in/a/ů.txt', 'one');
  write('/in/a/b/run', '#!x', 0o755);
  write('/in/large', 'large '.repeat(120_000));
  write('/in/none', '');
  write('/in/node_modules/x', 'x');
  tree.symlink('../large', '/in/a/link');
  tree.makeDevice('/in/null', 0o666, 0x103);
  return tree;
}

function joined(frames: Iterable<Uint8Array>): Uint8Array {
  return new Uint8Array([...frames].flatMap((frame) => [...frame]));
}

function read(tree: Tree, bytes: Uint8Array, options?: SnapshotReadOptions): unknown {
  const reader = openSnapshotReader(tree, '/in', options);
  reader.push(bytes);
  return reader.end();
}

/** A snapshot of entries as they are, however wrong. */
function forged(entries: Partial<EntryHeader>[]): Uint8Array {
  let checksum = 0;
  const frames: Uint8Array[] = [SNAPSHOT_MAGIC.slice()];
  const add = (type: number, payload: Uint8Array): void => {
    const encoded = encodeFrame(type, payload, checksum);
    checksum = encoded.checksum;
    frames.push(encoded.frame);
  };
  for (const entry of entries) {
    const whole = { kind: FILE_TYPE.file, path: 'x', mode: 0o644, mtimeMs: 1, size: 0, target: '', ...entry };
    add(FRAME.entry, encodeEntry(whole));
    if (whole.size > 0) add(FRAME.content, new Uint8Array(Math.min(whole.size, 1000)));
  }
  add(FRAME.end, new Uint8Array([entries.length, 0, 0, 0]));
  return joined(frames);
}

test.each([1, 7, 1000, 300_000, 1e9])('what goes in comes out, in pieces of %i bytes', (size) => {
  const source = furnished();
  source.unlink('/in/null');
  const bytes = joined(writeSnapshot(source, '/in'));
  const { tree, memory } = freshTree();
  const reader = openSnapshotReader(tree, '/in');
  // Tiny pieces only at the front: the rest would take minutes.
  let at = 0;
  for (let count = 0; count < 3000 && at < bytes.length; count++, at += size)
    reader.push(bytes.subarray(at, at + size));
  if (at < bytes.length) reader.push(bytes.subarray(at));
  expect(reader.end().entries).toBe(10);
  expect(picture(tree, '/in')).toEqual(picture(source, '/in'));
  expect(checkTree(memory)).toEqual([]);
});

test('excluded entries and devices are left out', () => {
  const bytes = joined(
    writeSnapshot(furnished(), '/in', { exclude: (path) => path === 'node_modules' || path === 'large' }),
  );
  const { tree } = freshTree();
  read(tree, bytes);
  expect(picture(tree, '/in').map((line) => line.split(' ')[0])).toEqual([
    '/in/a',
    '/in/a/b',
    '/in/a/b/run',
    '/in/a/link',
    '/in/a/ů.txt',
    '/in/empty',
    '/in/none',
  ]);
});

test('a snapshot goes over what is there, and through no link or second name', () => {
  const { tree } = freshTree();
  tree.symlink('/outside', '/in/x');
  tree.link('/outside', '/in/y');
  read(
    tree,
    forged([
      { path: 'x', size: 10 },
      { path: 'y', size: 10 },
    ]),
  );
  expect(tree.readText(tree.lookup('/outside'))).toBe('untouched');
  expect(tree.sizeOf(tree.lookup('/in/x', false))).toBe(10);
  expect(tree.sizeOf(tree.lookup('/in/y', false))).toBe(10);
  tree.symlink('/', '/in/root');
  expect(() => read(tree, forged([{ path: 'root/etc' }]))).toThrow(/"root\/etc" into "root", which is not a directory/);
});

test.each(['../x', 'a/../b', '/x', 'a//b', '', '.', 'nul\0', 'n'.repeat(256), `${'d/'.repeat(200)}x`])(
  'the path %j is refused',
  (path) => {
    const { tree } = freshTree();
    expect(() => read(tree, forged([{ path }]))).toThrow(/not allowed|too long|too deep/);
    expect(picture(tree, '/in')).toEqual([]);
  },
);

test.each([
  ['x', '/etc'],
  ['x', '..'],
  ['x', '../y'],
  ['d/x', '../../y'],
  ['x', 'd/../..'],
  ['x', './../y'],
  ['d/x', '../d/..'],
])('the link %s to %s is refused', (path, target) => {
  const { tree } = freshTree();
  const entries: Partial<EntryHeader>[] = [
    { kind: FILE_TYPE.directory, path: 'd' },
    { kind: FILE_TYPE.symlink, path, target },
  ];
  expect(() => read(tree, forged(entries))).toThrow(/leads out/);
  read(tree, forged(entries), { links: 'any' });
});

test('more than is allowed is refused', () => {
  const { tree } = freshTree();
  expect(() => read(tree, forged([{ path: 'a' }, { path: 'b' }]), { maxEntries: 1 })).toThrow(/more than 1 entries/);
  expect(() => read(tree, forged([{ path: 'big', size: 1000 }]), { maxBytes: 999 })).toThrow(
    /larger than 999 bytes, with "big"/,
  );
  expect(tree.lookup('/in/big')).toBeLessThan(0);
});

test('a file that is cut off is removed, and named', () => {
  const { tree } = freshTree();
  expect(() =>
    read(
      tree,
      forged([
        { path: 'whole', size: 10 },
        { path: 'half', size: 2000 },
      ]),
    ),
  ).toThrow(/content of "half"/);
  expect(tree.lookup('/in/half')).toBeLessThan(0);
  expect(tree.sizeOf(tree.lookup('/in/whole'))).toBe(10);
});

test('every cut and every flipped bit is noticed', () => {
  const source = furnished();
  source.unlink('/in/large');
  const bytes = joined(writeSnapshot(source, '/in'));
  const { tree, memory } = freshTree();
  for (let cut = 0; cut < bytes.length; cut++)
    expect(() => read(tree, bytes.subarray(0, cut)), `cut at ${cut}`).toThrow(/snapshot/);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.slice();
    damaged[at] ^= 1 << (at % 8);
    expect(() => read(tree, damaged), `flipped at ${at}`).toThrow(/snapshot/);
  }
  expect(() => read(tree, new Uint8Array([...bytes, 0]))).toThrow(/goes on/);
  expect(tree.readText(tree.lookup('/outside'))).toBe('untouched');
  expect((tree.list(1) as { name: string }[]).map(({ name }) => name)).toEqual(['in', 'outside']);
  expect(checkTree(memory)).toEqual([]);
});
