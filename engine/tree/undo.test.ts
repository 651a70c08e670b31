// A transaction that stops at any of its steps is as if it had never begun: every kind of call, stopped at every word that it sets.
import { expect, test } from 'vitest';
import { createSharedMemory } from '../memory/memory';
import { checkTree } from './check';
import { Store } from './store';
import { formatTree, openTree, type Tree } from './tree';

class Stop extends Error {}

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

/** A tree with something for every call to change. */
function furnished(): { memory: WebAssembly.Memory; tree: Tree } {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory);
  for (const directory of ['/d', '/d/e', '/empty']) tree.mkdir(directory, 0o755);
  // Holes of many sizes, so that blocks are cut, merged and extended.
  for (let index = 0; index < 40; index++)
    tree.write(tree.create(`/d/hole-${index}`, 0o644), bytes(16 + index * 40, 1), 0);
  for (let index = 0; index < 40; index += 3) tree.unlink(`/d/hole-${index}`);
  tree.write(tree.create('/d/f', 0o644), bytes(500, 2), 0);
  tree.write(tree.create('/d/g', 0o600), bytes(3000, 3), 0);
  tree.link('/d/f', '/d/e/second');
  tree.symlink('d/f', '/l');
  for (const name of ['before', 'gap', 'after']) tree.write(tree.create(`/${name}`, 0o644), bytes(2000, 5), 0);
  tree.unlink('/gap');
  return { memory, tree };
}

function picture(tree: Tree, path = ''): string[] {
  const listed = tree.list(tree.lookup(path || '/'));
  if (typeof listed === 'number') throw new Error(`${path}: ${listed}`);
  const stat = new Float64Array(18);
  return listed.flatMap(({ name, ino, type }) => {
    tree.stat(ino, stat);
    const line = `${path}/${name} ${ino} ${type} ${stat[1]} ${stat[2]} ${stat[3]} ${stat[8]}`;
    return type === 2 ? [line, ...picture(tree, `${path}/${name}`)] : [`${line} ${tree.readText(ino)}`];
  });
}

const calls: Record<string, (tree: Tree) => unknown> = {
  create: (tree) => tree.create('/d/new', 0o644),
  mkdir: (tree) => tree.mkdir('/d/new', 0o755),
  symlink: (tree) => tree.symlink('somewhere/else', '/d/e/link'),
  device: (tree) => tree.makeDevice('/null', 0o666, 0x103),
  socket: (tree) => tree.makeSocket('/socket', 0o755),
  link: (tree) => tree.link('/d/g', '/d/e/third'),
  'unlink the only name': (tree) => tree.unlink('/d/g'),
  'unlink one of two names': (tree) => tree.unlink('/d/f'),
  rmdir: (tree) => tree.rmdir('/empty'),
  'rename a directory': (tree) => tree.rename('/d/e', '/moved'),
  'rename over a file': (tree) => tree.rename('/d/g', '/d/hole-1'),
  'rename over a directory': (tree) => tree.rename('/d/e', '/empty'),
  'grow by a write': (tree) => tree.write(tree.lookup('/d/hole-1'), bytes(5000, 9), 56),
  'grow into a hole': (tree) => tree.append(tree.lookup('/d/hole-2'), bytes(20, 9)),
  'grow over all of a hole': (tree) => tree.append(tree.lookup('/before'), bytes(1000, 9)),
  'a first write': (tree) => tree.write(tree.lookup('/d/empty'), bytes(100, 9), 7),
  'truncate to nothing': (tree) => tree.truncate(tree.lookup('/d/g'), 0),
  'truncate to less': (tree) => tree.truncate(tree.lookup('/d/big'), 100),
  'truncate to more': (tree) => tree.truncate(tree.lookup('/d/f'), 4000),
  chmod: (tree) => tree.setMode(tree.lookup('/d/f'), 0o400),
  chown: (tree) => tree.setOwner(tree.lookup('/d/f'), 5, 6),
  'several as one': (tree) =>
    tree.atomically(() => {
      tree.create('/one', 0o644);
      tree.rename('/d/e', '/two');
      tree.write(tree.lookup('/d/f'), bytes(2000, 8), 500);
      tree.unlink('/l');
    }),
};

test.each(Object.keys(calls))('%s', (name) => {
  const { memory, tree } = furnished();
  tree.create('/d/empty', 0o644);
  tree.write(tree.create('/d/big', 0o644), bytes(30_000, 4), 0);
  const before = picture(tree);
  const { set } = Store.prototype;
  let stops = 0;
  for (;;) {
    let left = stops;
    // The stop comes after the value has been written and before whatever follows it.
    Store.prototype.set = function (index, value) {
      set.call(this, index, value);
      if (left-- === 0) throw new Stop();
    };
    try {
      calls[name](tree);
      break;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      stops++;
    } finally {
      Store.prototype.set = set;
    }
    expect(checkTree(memory), `stopped at ${stops}`).toEqual([]);
    expect(picture(tree), `stopped at ${stops}`).toEqual(before);
  }
  expect(stops).toBeGreaterThan(0);
  expect(picture(tree)).not.toEqual(before);
  expect(checkTree(memory)).toEqual([]);
});
