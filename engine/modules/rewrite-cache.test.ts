// The cache in a real tree: what comes out of it is what was made, and whatever else stands in its place is not used.
import { beforeEach, expect, test, vi } from 'vitest';
import { createSharedMemory } from '../memory/memory';
import { confine } from '../tree/confine';
import { formatTree, openTree, type Tree } from '../tree/tree';
import { editedText, settleEdits } from './edits';
import { readShape } from './module-shape';
import { parseModule } from './parse';
import { rewrite } from './rewrite';
import { CACHE_DIRECTORY, createRewriteCache } from './rewrite-cache';

let tree: Tree;
let other: Tree;

beforeEach(() => {
  const memory = createSharedMemory();
  formatTree(memory);
  tree = openTree(memory);
  other = openTree(memory, 2);
  for (const path of ['/var', '/var/cache', CACHE_DIRECTORY]) tree.mkdir(path, 0o755);
});

const source = `import { a } from 'a';
export const values = async () => [await a(), \`${'x'.repeat(600)}\u{1f600}\`, new Promise((done) => done())];
export default async (b) => { for await (const c of b) await c; };
`;

function make() {
  const program = parseModule(source);
  const { shape, edits } = readShape(program, source);
  const rewritten = rewrite(program, source, { imports: shape.imports });
  return { edits: settleEdits(source, [...edits, ...rewritten.edits]), facts: { locals: [...shape.locals] } };
}

const entries = (): string[] => {
  const list = tree.list(tree.lookup(CACHE_DIRECTORY));
  return typeof list === 'number' ? [] : list.map(({ name }) => `${CACHE_DIRECTORY}/${name}`);
};

function write(path: string, text: string): void {
  const ino = tree.create(path, 0o644);
  tree.truncate(ino, 0);
  tree.write(ino, new TextEncoder().encode(text), 0);
}

test('another process gets what the first one made', () => {
  const made = createRewriteCache(tree)(source, 'module', make);
  const found = createRewriteCache(other)(source, 'module', () => {
    throw new Error('made again');
  });
  expect(found).toEqual(made);
  expect(made.edits.length).toBeGreaterThan(10);
  expect(editedText(source, found.edits)).toBe(editedText(source, make().edits));
});

test('a text that differs by one unit, or is of another kind, is made anew', () => {
  const again = vi.fn(make);
  createRewriteCache(tree)(source, 'module', make);
  createRewriteCache(other)(source.replace('done())', 'dome())'), 'module', again);
  createRewriteCache(other)(source, 'module of a package', again);
  expect(again).toHaveBeenCalledTimes(2);
});

test('a text takes the slot of another', () => {
  const again = vi.fn(make);
  createRewriteCache(tree)(source, 'module', make);
  const [slot] = entries();
  write(slot, `1 2 3 module\n[[],[],null]`);
  expect(createRewriteCache(other)(source, 'module', again)).toEqual(make());
  expect(createRewriteCache(other)(source, 'module', again)).toEqual(make());
  expect(again).toHaveBeenCalledTimes(1);
});

test.each<[string, (entry: string) => string]>([
  ['cut off', (entry) => entry.slice(0, -20)],
  ['with the end of a longer one', (entry) => `${entry}ull]`],
  ['empty', () => ''],
  ['with edits beyond the end', (entry) => entry.replace(/\n.*/s, '\n[["x"],[99999,0,0],null]')],
  ['no list', (entry) => entry.replace(/\n.*/s, '\n7')],
])('an entry that is %s is made anew', (_, spoilt) => {
  createRewriteCache(tree)(source, 'module', make);
  const [slot] = entries();
  write(slot, spoilt(tree.readText(tree.lookup(slot))));
  const again = vi.fn(make);
  expect(createRewriteCache(other)(source, 'module', again)).toEqual(make());
  expect(again).toHaveBeenCalledTimes(1);
});

test('who may not write there, or finds no such folder, rewrites for itself', () => {
  confine(other, { writable: ['/home'] });
  expect(createRewriteCache(other)(source, 'module', make)).toEqual(make());
  expect(entries()).toEqual([]);
  tree.rmdir(CACHE_DIRECTORY);
  expect(createRewriteCache(tree)(source, 'module', make)).toEqual(make());
});

test('what fails to be made is not kept', () => {
  const fail = () => {
    throw new SyntaxError('no');
  };
  expect(() => createRewriteCache(tree)(source, 'module', fail)).toThrow('no');
  expect(entries()).toEqual([]);
});
