// A confined tree: every way of changing a file is tried outside the writable places, and every way of seeing a hidden one.
import { beforeEach, describe, expect, test } from 'vitest';
import { EACCES, EEXIST, EISDIR, ENOENT, EROFS } from '../memory/errno';
import { createSharedMemory } from '../memory/memory';
import { confine } from './confine';
import { formatTree, openTree, type Tree } from './tree';
import { STAT_FIELDS } from './types';

const text = new TextEncoder();
let tree: Tree;
let outside: Tree;

function file(path: string, content = 'content'): number {
  const ino = outside.create(path, 0o644);
  outside.write(ino, text.encode(content), 0);
  return ino;
}

beforeEach(() => {
  const memory = createSharedMemory();
  formatTree(memory);
  outside = openTree(memory);
  tree = openTree(memory, 2);
  for (const path of ['/home', '/home/project', '/home/project/plans', '/home/project/src', '/tmp', '/tmp/a', '/dev'])
    outside.mkdir(path, 0o755);
  file('/home/project/src/index.ts');
  file('/tmp/note');
});

describe('outside the writable places nothing changes', () => {
  const path = '/home/project/src/index.ts';
  const shape = (): string => {
    const stat = new Float64Array(STAT_FIELDS);
    outside.stat(outside.lookup(path), stat);
    return `${outside.readText(outside.lookup(path))} ${[...stat]} ${JSON.stringify(outside.list(outside.lookup('/home/project')))}`;
  };

  test.each<[string, () => number, number]>([
    ['create', () => tree.create('/home/project/new', 0o644), EROFS],
    ['create with a trailing slash', () => tree.create('/home/project/new/', 0o644), EISDIR],
    ['create by a relative way', () => tree.create('/tmp/../home/project/./new', 0o644), EROFS],
    ['create exclusively what is there', () => tree.create(path, 0o644, true), EEXIST],
    ['mkdir', () => tree.mkdir('/home/project/new', 0o755), EROFS],
    ['mkdir of what is there', () => tree.mkdir('/home/project/src', 0o755), EEXIST],
    ['mkdir beside the writable place', () => tree.mkdir('/tmpx', 0o755), EROFS],
    ['symlink', () => tree.symlink('x', '/home/project/new'), EROFS],
    ['device', () => tree.makeDevice('/home/project/new', 0o666, 0x103), EROFS],
    ['socket', () => tree.makeSocket('/home/project/new', 0o777), EROFS],
    ['link into it', () => tree.link('/tmp/note', '/home/project/new'), EROFS],
    ['link out of it', () => tree.link(path, '/tmp/new'), EROFS],
    ['unlink', () => tree.unlink(path), EROFS],
    ['unlink of nothing', () => tree.unlink('/home/project/nothing'), ENOENT],
    ['rmdir', () => tree.rmdir('/home/project/plans'), EROFS],
    ['rmdir of the writable place itself', () => tree.rmdir('/tmp'), EROFS],
    ['rename within', () => tree.rename(path, '/home/project/src/other.ts'), EROFS],
    ['rename into it', () => tree.rename('/tmp/note', '/home/project/new'), EROFS],
    ['rename over it', () => tree.rename('/tmp/note', path), EROFS],
    ['rename out of it', () => tree.rename(path, '/tmp/new'), EROFS],
    ['rename of the writable place itself', () => tree.rename('/tmp', '/tmp2'), EROFS],
    ['open for writing', () => tree.mayWrite(tree.lookup(path)), EROFS],
    ['write', () => tree.write(tree.lookup(path), text.encode('x'), 0), EROFS],
    ['append', () => tree.append(tree.lookup(path), text.encode('x')), EROFS],
    ['truncate', () => tree.truncate(tree.lookup(path), 0), EROFS],
    ['chmod', () => tree.setMode(tree.lookup(path), 0o777), EROFS],
    ['chown', () => tree.setOwner(tree.lookup(path), 1, 1), EROFS],
    ['utimes', () => tree.setTimes(tree.lookup(path), 1, 1), EROFS],
  ])('%s', (_name, change, expected) => {
    const before = shape();
    confine(tree, { writable: ['/tmp'] });
    expect(change()).toBe(expected);
    expect(shape()).toBe(before);
  });

  test('through links that lead out of a writable place', () => {
    outside.symlink('/home/project', '/tmp/way');
    outside.symlink('/home/project/made', '/tmp/dangling');
    outside.symlink('../home/project/relative', '/tmp/up');
    confine(tree, { writable: ['/tmp'] });
    expect(tree.create('/tmp/way/x', 0o644)).toBe(EROFS);
    expect(tree.create('/tmp/dangling', 0o644)).toBe(EROFS);
    expect(tree.create('/tmp/up', 0o644)).toBe(EROFS);
    expect(tree.mkdir('/tmp/way/x', 0o755)).toBe(EROFS);
    expect(tree.unlink('/tmp/way/src/index.ts')).toBe(EROFS);
    expect(tree.mayWrite(tree.create('/tmp/way/src/index.ts', 0o644))).toBe(EROFS);
  });

  test('a file with another name in a writable place keeps its content', () => {
    outside.link(path, '/tmp/alias');
    confine(tree, { writable: ['/tmp'] });
    expect(tree.write(tree.lookup('/tmp/alias'), text.encode('x'), 0)).toBe(EROFS);
  });

  test('an empty list lets it write nowhere, but to devices', () => {
    outside.makeDevice('/dev/null', 0o666, 0x103);
    confine(tree, { writable: [] });
    expect(tree.create('/tmp/x', 0o644)).toBe(EROFS);
    expect(tree.mayWrite(tree.lookup('/dev/null'))).toBe(0);
  });

  test('what a program does to the language changes nothing', () => {
    confine(tree, { writable: ['/tmp'], hidden: ['.env'] });
    file('/home/project/.env');
    const kept = [String.prototype.startsWith, RegExp.prototype.exec, RegExp.prototype.test] as const;
    try {
      String.prototype.startsWith = () => true;
      RegExp.prototype.exec = () => null;
      RegExp.prototype.test = () => false;
      expect([tree.create('/home/x', 0o644), tree.lookup('/home/project/.env')]).toEqual([EROFS, ENOENT]);
    } finally {
      [String.prototype.startsWith, RegExp.prototype.exec, RegExp.prototype.test] = kept;
    }
  });
});

test('in the writable places everything works', () => {
  confine(tree, { writable: ['/tmp', '/home/project/plans'] });
  const ino = tree.create('/tmp/a/x', 0o644);
  expect(tree.write(ino, text.encode('abc'), 0)).toBe(3);
  expect(tree.append(ino, text.encode('d'))).toBe(1);
  expect(tree.truncate(ino, 2)).toBe(0);
  expect(tree.setMode(ino, 0o600)).toBe(0);
  expect(tree.rename('/tmp/a/x', '/home/project/plans/y')).toBe(0);
  expect(tree.readText(tree.lookup('/home/project/plans/y'))).toBe('ab');
  expect(tree.mkdir('/tmp/b', 0o755)).toBeGreaterThan(0);
  expect(tree.rmdir('/tmp/b')).toBe(0);
  expect(tree.setTimes(tree.lookup('/tmp'), 1, 1)).toBe(0);
  tree.retain(ino);
  expect(tree.unlink('/home/project/plans/y')).toBe(0);
  expect(tree.write(ino, text.encode('still open'), 0)).toBe(10);
});

describe('hidden names', () => {
  const project = '/home/project';
  beforeEach(() => {
    for (const name of ['.env', '.env.local', '.env.example', 'prod.env', 'Prod.ENV']) file(`${project}/${name}`);
    outside.mkdir(`${project}/.envs`, 0o755);
    outside.mkdir(`${project}/.secrets`, 0o755);
    file(`${project}/.secrets/key`);
    outside.symlink(`${project}/.env`, `${project}/link`);
    outside.symlink(`${project}/.secrets`, '/tmp/way');
    confine(tree, { hidden: ['.env', '.env.*', '*.env', '!.env.example', '.secrets'] });
  });

  test.each(['.env', '.env.local', 'prod.env', 'Prod.ENV', 'link', '.secrets', '.secrets/key', 'src/../.env'])(
    '%s is not there',
    (name) => expect(tree.lookup(`${project}/${name}`)).toBe(ENOENT),
  );
  test.each(['.env.example', '.envs', 'src'])('%s is', (name) =>
    expect(tree.lookup(`${project}/${name}`)).toBeGreaterThan(0),
  );
  test('a directory does not list them', () => {
    const names = tree.list(tree.lookup(project)) as { name: string }[];
    expect(names.map(({ name }) => name)).toEqual(['.env.example', '.envs', 'link', 'plans', 'src']);
  });
  test('no call changes them or makes them appear under another name', () => {
    const env = `${project}/.env`;
    expect(tree.create(env, 0o644)).toBe(EACCES);
    expect(tree.create(`${project}/link`, 0o644)).toBe(EACCES);
    expect(tree.create('/tmp/way/new', 0o644)).toBe(ENOENT);
    expect(tree.unlink(env)).toBe(ENOENT);
    expect(tree.rename(env, '/tmp/x')).toBe(ENOENT);
    expect(tree.rename('/tmp/note', env)).toBe(EACCES);
    expect(tree.link(env, '/tmp/x')).toBe(ENOENT);
    expect(tree.readlink(`${project}/link`)).toBe(env);
    expect(outside.readText(outside.lookup(env))).toBe('content');
  });
});
