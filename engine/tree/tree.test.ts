// The tree against the real file system: the same random operations on both, the same results, the same tree.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { EEXIST, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOSPC, ENOTDIR, ENOTEMPTY } from '../memory/errno';
import { INITIAL_PAGES } from '../memory/layout';
import { createSharedMemory } from '../memory/memory';
import { checkTree } from './check';
import { formatTree, openTree, type Tree } from './tree';
import { FILE_TYPE } from './types';

const text = new TextEncoder();

function freshTree(maximumPages?: number): Tree {
  const memory = createSharedMemory(maximumPages);
  formatTree(memory);
  return openTree(memory);
}

/** A small random generator with a seed, so that a failure can be repeated. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function errnoOf(run: () => void): number {
  try {
    run();
    return 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).errno ?? Number.NaN;
  }
}

function dumpReal(root: string): string[] {
  const out: string[] = [];
  const walk = (relative: string): void => {
    for (const name of fs.readdirSync(path.join(root, relative)).sort((a, b) => (a < b ? -1 : 1))) {
      const full = path.join(root, relative, name);
      const stat = fs.lstatSync(full);
      const entry = `${relative}/${name}`;
      if (stat.isSymbolicLink()) out.push(`${entry} -> ${fs.readlinkSync(full)}`);
      else if (stat.isDirectory()) {
        out.push(`${entry}/ ${(stat.mode & 0o7777).toString(8)} ${stat.nlink}`);
        walk(entry);
      } else out.push(`${entry} ${(stat.mode & 0o7777).toString(8)} ${stat.nlink} ${fs.readFileSync(full, 'latin1')}`);
    }
  };
  walk('');
  return out;
}

function dumpTree(tree: Tree, root: string): string[] {
  const out: string[] = [];
  const stat = new Float64Array(18);
  const walk = (relative: string): void => {
    for (const { name, ino, type } of tree.list(tree.lookup(root + relative)) as any[]) {
      tree.stat(ino, stat);
      const entry = `${relative}/${name}`;
      if (type === FILE_TYPE.symlink) out.push(`${entry} -> ${tree.readlink(root + entry)}`);
      else if (type === FILE_TYPE.directory) {
        out.push(`${entry}/ ${(stat[1] & 0o7777).toString(8)} ${stat[2]}`);
        walk(entry);
      } else out.push(`${entry} ${(stat[1] & 0o7777).toString(8)} ${stat[2]} ${tree.readText(ino)}`);
    }
  };
  walk('');
  return out;
}

test.each([1, 2, 3, 4, 5, 6])('random operations give what the real file system gives (seed %i)', (seed) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'tree-'));
  folders.push(root);
  fs.chmodSync(root, 0o755);
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory);
  tree.mkdir('/r', 0o755);
  const next = random(seed);
  const names = ['a', 'b', 'c', 'ü', 'a/', 'x.', '..', '.'];
  const place = (): string =>
    Array.from({ length: 1 + next(3) }, () => names[next(next(6) === 0 ? names.length : 4)]).join('/');
  for (let step = 0; step < 1500; step++) {
    const one = place();
    const two = place();
    // `..` may not leave the root: both sides would then see different things.
    if (/\.\./.test(one) || (/\.\./.test(two) && path.posix.normalize(two).startsWith('..'))) continue;
    const real = (name: string): string => `${root}/${name}`;
    const ours = (name: string): string => `/r/${name}`;
    const content = 'z'.repeat(next(300));
    const kind = next(16);
    let expected = 0;
    let actual = 0;
    if (kind === 0) {
      expected = errnoOf(() => fs.mkdirSync(real(one), 0o755));
      actual = tree.mkdir(ours(one), 0o755);
    } else if (kind <= 2) {
      expected = errnoOf(() => fs.writeFileSync(real(one), content, { mode: 0o644 }));
      actual = tree.create(ours(one), 0o644);
      if (actual >= 0 && tree.typeOf(actual) === FILE_TYPE.directory) actual = EISDIR;
      if (actual >= 0) {
        tree.truncate(actual, 0);
        tree.write(actual, text.encode(content), 0);
      }
    } else if (kind === 3) {
      expected = errnoOf(() => fs.unlinkSync(real(one)));
      actual = tree.unlink(ours(one));
    } else if (kind === 4) {
      expected = errnoOf(() => fs.rmdirSync(real(one)));
      actual = tree.rmdir(ours(one));
    } else if (kind <= 6) {
      expected = errnoOf(() => fs.renameSync(real(one), real(two)));
      actual = tree.rename(ours(one), ours(two));
    } else if (kind === 7) {
      expected = errnoOf(() => fs.symlinkSync(two, real(one)));
      actual = tree.symlink(two, ours(one));
    } else if (kind === 8) {
      expected = errnoOf(() => fs.linkSync(real(one), real(two)));
      actual = tree.link(ours(one), ours(two));
    } else if (kind === 9) {
      expected = errnoOf(() => fs.appendFileSync(real(one), content));
      actual = tree.create(ours(one), 0o644);
      if (actual >= 0) actual = tree.append(actual, text.encode(content));
    } else if (kind === 10) {
      const position = next(600);
      expected = errnoOf(() => {
        const fd = fs.openSync(real(one), 'r+');
        fs.writeSync(fd, content, position);
        fs.closeSync(fd);
      });
      const ino = tree.lookup(ours(one));
      actual = ino < 0 ? ino : tree.write(ino, text.encode(content), position);
    } else if (kind === 11) {
      const mode = 0o700 | next(0o100);
      expected = errnoOf(() => fs.chmodSync(real(one), mode));
      const ino = tree.lookup(ours(one));
      actual = ino < 0 ? ino : tree.setMode(ino, mode);
    } else if (kind === 12) {
      const seconds = next(1e9) + 0.5;
      expected = errnoOf(() => fs.lutimesSync(real(one), seconds, seconds));
      const ino = tree.lookup(ours(one), false);
      actual = ino < 0 ? ino : tree.setTimes(ino, seconds * 1000, seconds * 1000);
      if (actual === 0) {
        const stat = new Float64Array(18);
        tree.stat(ino, stat);
        expect(stat[12] * 1000 + stat[13] / 1e6).toBe(fs.lstatSync(real(one)).mtimeMs);
      }
    } else if (kind === 13) {
      let target = '';
      expected = errnoOf(() => {
        target = fs.readlinkSync(real(one));
      });
      const found = tree.readlink(ours(one));
      actual = typeof found === 'number' ? found : 0;
      if (typeof found === 'string') expect(found).toBe(target);
    } else if (kind === 14) {
      expected = errnoOf(() => fs.statSync(real(one)));
      actual = tree.lookup(ours(one));
      if (actual > 0) {
        const stat = new Float64Array(18);
        tree.stat(actual, stat);
        const { mode, nlink, size } = fs.statSync(real(one));
        const isDirectory = tree.typeOf(actual) === FILE_TYPE.directory;
        expect([stat[1], stat[2], isDirectory ? 0 : stat[8]]).toEqual([mode, nlink, isDirectory ? 0 : size]);
      }
    } else {
      const size = next(500);
      expected = errnoOf(() => fs.truncateSync(real(one), size));
      const ino = tree.lookup(ours(one));
      actual = ino < 0 ? ino : tree.typeOf(ino) === FILE_TYPE.directory ? EISDIR : tree.truncate(ino, size);
    }
    expect(`${step} ${kind} ${one} ${two}: ${Math.min(actual, 0)}`).toBe(`${step} ${kind} ${one} ${two}: ${expected}`);
  }
  expect(dumpTree(tree, '/r')).toEqual(dumpReal(root));
  expect(checkTree(memory)).toEqual([]);
});

test('an open file keeps its content after unlink, and its space comes back at the last release', () => {
  const tree = freshTree();
  const before = tree.usage();
  const ino = tree.create('/f', 0o644);
  tree.write(ino, new Uint8Array(100_000).fill(7), 0);
  tree.retain(ino);
  tree.unlink('/f');
  expect(tree.lookup('/f')).toBe(ENOENT);
  const read = new Uint8Array(10);
  expect(tree.read(ino, read, 99_995)).toBe(5);
  expect(read[4]).toBe(7);
  tree.release(ino);
  expect(tree.usage()).toEqual(before);
});

test('everything that is deleted can be used again', () => {
  const tree = freshTree();
  const round = (): void => {
    tree.mkdir('/d', 0o755);
    for (let index = 0; index < 300; index++)
      tree.write(tree.create(`/d/file-${index}`, 0o644), new Uint8Array(1000 + index * 50), 0);
    for (let index = 0; index < 300; index++) expect(tree.unlink(`/d/file-${index}`)).toBe(0);
    expect(tree.rmdir('/d')).toBe(0);
  };
  const empty = tree.usage();
  for (let rounds = 0; rounds < 20; rounds++) round();
  expect(tree.usage()).toEqual(empty);
});

test('contents beyond the initial memory', () => {
  const tree = freshTree();
  const chunk = new Uint8Array(10 << 20);
  for (let index = 0; index < 25; index++) {
    chunk[0] = index;
    chunk[chunk.length - 1] = index;
    expect(tree.write(tree.create(`/big-${index}`, 0o644), chunk, 0)).toBe(chunk.length);
  }
  const byte = new Uint8Array(1);
  for (let index = 0; index < 25; index++) {
    tree.read(tree.lookup(`/big-${index}`), byte, chunk.length - 1);
    expect(byte[0]).toBe(index);
  }
});

test('a full disk says so and leaves the tree as it was', () => {
  const tree = freshTree(INITIAL_PAGES + 16);
  const ino = tree.create('/full', 0o644);
  let written = 0;
  for (;;) {
    const count = tree.append(ino, new Uint8Array(1 << 20));
    if (count < 0) {
      expect(count).toBe(ENOSPC);
      break;
    }
    written += count;
  }
  expect(tree.sizeOf(ino)).toBe(written);
  expect(tree.unlink('/full')).toBe(0);
  expect(tree.write(tree.create('/again', 0o644), new Uint8Array(1 << 20), 0)).toBe(1 << 20);
});

test('paths: links, loops, trailing slashes, lengths', () => {
  const tree = freshTree();
  tree.mkdir('/d', 0o755);
  tree.mkdir('/d/e', 0o755);
  tree.create('/d/f', 0o644);
  tree.symlink('d/e', '/l');
  tree.symlink('loop', '/loop');
  expect(tree.lookup('/l/../f')).toBe(tree.lookup('/d/f'));
  expect(tree.lookup('/loop')).toBe(ELOOP);
  expect(tree.lookup('/d/f/')).toBe(ENOTDIR);
  expect(tree.lookup('/d/f/x')).toBe(ENOTDIR);
  expect(tree.lookup('//d///e/.')).toBe(tree.lookup('/d/e'));
  expect(tree.lookup(`/${'n'.repeat(256)}`)).toBe(ENAMETOOLONG);
  expect(tree.rmdir('/d')).toBe(ENOTEMPTY);
  expect(tree.mkdir('/d/e', 0o755)).toBe(EEXIST);
  expect(tree.pathOf(tree.lookup('/l'))).toBe('/d/e');
});

test('changes are logged in order with the names they concern', () => {
  const tree = freshTree();
  const since = tree.changeSequence();
  tree.mkdir('/d', 0o755);
  tree.write(tree.create('/d/f', 0o644), text.encode('x'), 0);
  tree.rename('/d/f', '/d/g');
  expect(tree.changesSince(since)?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'rename d',
    'rename f',
    'change f',
    'rename f',
    'rename g',
  ]);
  for (let index = 0; index < 40_000; index++) tree.setMode(tree.lookup('/d'), 0o700);
  expect(tree.changesSince(since)).toBeUndefined();
});
