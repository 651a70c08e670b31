// What is remembered of folders must never outlive a change of names, by whomever it was made: the same questions before and after, twice each.
import { expect, test } from 'vitest';
import { ENAMETOOLONG, ENOENT, ENOTDIR } from '../memory/errno';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree, type Tree } from './tree';

/** Two views of one tree: each remembers folders on its own. */
function twoViews(): [Tree, Tree] {
  const memory = createSharedMemory(8192);
  formatTree(memory);
  const writer = openTree(memory);
  for (const path of ['/a', '/a/b', '/other', '/other/b']) writer.mkdir(path, 0o755);
  writer.create('/a/b/file', 0o644);
  return [writer, openTree(memory, 2)];
}

/** Asks twice: the second answer comes from memory. */
function ask(tree: Tree, path: string, followLast = true): number {
  const first = tree.lookup(path, followLast);
  expect(tree.lookup(path, followLast)).toBe(first);
  return first;
}

test('a renamed, removed or replaced folder is looked up anew', () => {
  const [writer, reader] = twoViews();
  const file = ask(reader, '/a/b/file');
  expect(file).toBeGreaterThan(0);
  expect(ask(reader, '/c/b/file')).toBe(ENOENT);
  writer.rename('/a', '/c');
  expect(ask(reader, '/a/b/file')).toBe(ENOENT);
  expect(ask(reader, '/c/b/file')).toBe(file);
  writer.symlink('/other', '/a');
  const linked = writer.create('/other/b/file', 0o644);
  expect(ask(reader, '/a/b/file')).toBe(linked);
  writer.unlink('/a');
  writer.symlink('/c', '/a');
  expect(ask(reader, '/a/b/file')).toBe(file);
  writer.unlink('/c/b/file');
  writer.rmdir('/c/b');
  writer.create('/c/b', 0o644);
  expect(ask(reader, '/a/b/file')).toBe(ENOTDIR);
});

test('the last name is special, too long, a link or missing, and the folder is remembered', () => {
  const [writer, reader] = twoViews();
  const file = ask(reader, '/a/b/file');
  const folder = ask(reader, '/a/b');
  writer.symlink('file', '/a/b/link');
  writer.symlink('loose', '/a/b/dangling');
  for (const view of [writer, reader]) {
    expect(ask(view, '/a/b/file')).toBe(file);
    expect(ask(view, '/a/b/')).toBe(folder);
    expect(ask(view, '/a/b/.')).toBe(folder);
    expect(ask(view, '/a/b/..')).toBe(ask(view, '/a'));
    expect(ask(view, '/a//b//file')).toBe(file);
    expect(ask(view, '/a/b/file/')).toBe(ENOTDIR);
    expect(ask(view, '/a/b/link')).toBe(file);
    expect(ask(view, '/a/b/link', false)).not.toBe(file);
    expect(ask(view, '/a/b/dangling')).toBe(ENOENT);
    expect(ask(view, '/a/b/dangling', false)).toBeGreaterThan(0);
    expect(ask(view, '/a/b/..file')).toBe(ENOENT);
    expect(ask(view, '/a/b/.x')).toBe(ENOENT);
    expect(ask(view, `/a/b/${'n'.repeat(256)}`)).toBe(ENAMETOOLONG);
    expect(ask(view, `/a/b/${'./'.repeat(2100)}file`)).toBe(ENAMETOOLONG);
    expect(ask(view, `/a/b/${'é'.repeat(127)}`)).toBe(ENOENT);
    expect(ask(view, '/')).toBe(1);
    expect(ask(view, '')).toBe(ENOENT);
  }
});

test('names in scripts other than Latin are found', () => {
  const [writer, reader] = twoViews();
  const made = writer.create('/a/b/файл-📁', 0o644);
  expect(ask(reader, '/a/b/файл-📁')).toBe(made);
});
