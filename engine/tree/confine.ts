// A tree that one process may only look at: what lies outside the writable places answers EROFS to every change, hidden names do not exist.
// It stands where all of a process's system calls pass, so no way of writing is forgotten; what it can't stop is in docs/decisions/0010.
import { EACCES, EEXIST, EISDIR, ELOOP, ENOENT, ENOTDIR, EROFS } from '../memory/errno';
import { hiddenNames } from './hidden-names';
import type { Tree } from './tree';
import { FILE_TYPE, type FilePolicy, STAT_FIELDS } from './types';

const MAX_LINKS_FOLLOWED = 40;
const LINKS_FIELD = 2;

/** Where a path leads, whether something is there or not. */
interface Landing {
  /** Without links: what the place is judged by. */
  real: string;
  /** 0: nothing is there. */
  ino: number;
}

// The guest shares this realm: a program that replaces these methods must not change what is allowed.
const { apply } = Reflect;
const { startsWith, lastIndexOf, slice } = String.prototype;
const begins = (text: string, start: string): boolean => apply(startsWith, text, [start]);
const lastSlash = (text: string, from: number): number => apply(lastIndexOf, text, ['/', from]);
const cut = (text: string, from: number, to?: number): string => apply(slice, text, [from, to]);

/** Puts `tree`, as this worker holds it, under the policy for good. Call it once, before the first program runs. */
export function confine(tree: Tree, policy: FilePolicy): void {
  if (policy.hidden !== undefined && policy.hidden.length > 0) hide(tree, policy.hidden);
  if (policy.writable !== undefined) protect(tree, policy.writable);
}

function hide(tree: Tree, globs: readonly string[]): void {
  const { isHidden, isHiddenName } = hiddenNames(globs);
  const { lookup, list } = bound(tree);
  tree.lookup = (path, followLast) => {
    const ino = lookup(path, followLast);
    return ino > 0 && (isHidden(path) || isHidden(tree.pathOf(ino))) ? ENOENT : ino;
  };
  tree.list = (ino) => {
    const entries = list(ino);
    if (typeof entries === 'number') return entries;
    const seen: typeof entries = [];
    for (let at = 0; at < entries.length; at++) if (!isHiddenName(entries[at].name)) seen[seen.length] = entries[at];
    return seen;
  };
  const isHiddenPlace = (path: string, follow = false): boolean | number => {
    const place = landing(tree, path, follow);
    return typeof place === 'number' ? place : isHidden(path) || isHidden(place.real);
  };
  const { create, mkdir, makeDevice, makeSocket, symlink, link, unlink, rmdir, rename } = bound(tree);
  /** `answer` for a hidden place: a new file there is refused, for it would overwrite; what is there is not to be found. */
  const at = (path: string, answer: number, change: () => number, follow = false): number =>
    tree.atomically(() => {
      const hidden = isHiddenPlace(path, follow);
      return typeof hidden === 'number' ? hidden : hidden ? answer : change();
    });
  tree.create = (path, mode, exclusive) => at(path, EACCES, () => create(path, mode, exclusive), !exclusive);
  tree.mkdir = (path, mode) => at(path, EACCES, () => mkdir(path, mode));
  tree.makeDevice = (path, mode, rdev) => at(path, EACCES, () => makeDevice(path, mode, rdev));
  tree.makeSocket = (path, mode) => at(path, EACCES, () => makeSocket(path, mode));
  tree.symlink = (target, path) => at(path, EACCES, () => symlink(target, path));
  tree.link = (existing, path) => at(existing, ENOENT, () => at(path, EACCES, () => link(existing, path)));
  tree.unlink = (path) => at(path, ENOENT, () => unlink(path));
  tree.rmdir = (path) => at(path, ENOENT, () => rmdir(path));
  tree.rename = (from, to) => at(from, ENOENT, () => at(to, EACCES, () => rename(from, to)));
}

function protect(tree: Tree, roots: readonly string[]): void {
  const places: string[] = [];
  for (let at = 0; at < roots.length; at++) places[at] = roots[at] === '/' ? '' : roots[at];
  /** `below`: the place itself does not count, for its name lies in a directory that is not writable. */
  const isWritable = (real: string, below = true): boolean => {
    for (let at = 0; at < places.length; at++)
      if (begins(real, `${places[at]}/`) || (!below && real === places[at])) return true;
    return false;
  };
  const links = new Float64Array(STAT_FIELDS);

  tree.mayWrite = (ino) => {
    const type = tree.typeOf(ino);
    if (type === FILE_TYPE.character) return 0;
    tree.stat(ino, links);
    // Open and without a name: a temporary file. With several names: which of them was opened can't be known.
    if (type === FILE_TYPE.file && links[LINKS_FIELD] !== 1) return links[LINKS_FIELD] === 0 ? 0 : EROFS;
    return isWritable(tree.pathOf(ino), false) ? 0 : EROFS;
  };

  const calls = bound(tree);
  // By inode: an open file, whoever opened it.
  const guarded =
    <Rest extends unknown[]>(call: (ino: number, ...rest: Rest) => number) =>
    (ino: number, ...rest: Rest): number =>
      tree.mayWrite(ino) || call(ino, ...rest);
  tree.write = guarded(calls.write);
  tree.append = guarded(calls.append);
  tree.truncate = guarded(calls.truncate);
  tree.setMode = guarded(calls.setMode);
  tree.setOwner = guarded(calls.setOwner);
  tree.setTimes = guarded(calls.setTimes);

  /** Runs `change` where it may, else answers as a read-only file system does: what is or is not there comes first. */
  const at = (path: string, absent: number, present: number, change: () => number, follow = false): number =>
    tree.atomically(() => {
      const place = landing(tree, path, follow);
      if (typeof place === 'number') return place;
      if (isWritable(place.real)) return change();
      return place.ino === 0 ? absent : present;
    });
  const made = (path: string, change: () => number): number => at(path, EROFS, EEXIST, change);
  const gone = (path: string, change: () => number): number => at(path, ENOENT, EROFS, change);

  tree.create = (path, mode, exclusive = false) =>
    tree.atomically(() => {
      const place = landing(tree, path, !exclusive);
      if (typeof place === 'number') return place;
      if (isWritable(place.real)) return calls.create(path, mode, exclusive);
      if (place.ino === 0) return path[path.length - 1] === '/' ? EISDIR : EROFS;
      return exclusive ? EEXIST : place.ino;
    });
  tree.mkdir = (path, mode) => made(path, () => calls.mkdir(path, mode));
  tree.makeDevice = (path, mode, rdev) => made(path, () => calls.makeDevice(path, mode, rdev));
  tree.makeSocket = (path, mode) => made(path, () => calls.makeSocket(path, mode));
  tree.symlink = (target, path) => made(path, () => calls.symlink(target, path));
  // A second name in a writable place would make the file writable.
  tree.link = (existing, path) => gone(existing, () => made(path, () => calls.link(existing, path)));
  tree.unlink = (path) => gone(path, () => calls.unlink(path));
  tree.rmdir = (path) => gone(path, () => calls.rmdir(path));
  tree.rename = (from, to) => gone(from, () => at(to, EROFS, EROFS, () => calls.rename(from, to)));
}

/** Where `path` leads once links are followed (the last one only with `follow`); a negative errno when its folder is not there. */
function landing(tree: Tree, path: string, follow: boolean): Landing | number {
  let current = path;
  for (let followed = 0; followed <= MAX_LINKS_FOLLOWED; followed++) {
    let end = current.length;
    while (end > 1 && current[end - 1] === '/') end--;
    const slash = lastSlash(current, end - 1);
    const name = cut(current, slash + 1, end);
    if (name === '' || name === '.' || name === '..') {
      const ino = tree.lookup(current);
      return ino < 0 ? ino : { real: tree.pathOf(ino), ino };
    }
    const folder = tree.lookup(slash <= 0 ? '/' : cut(current, 0, slash));
    if (folder < 0) return folder;
    if (tree.typeOf(folder) !== FILE_TYPE.directory) return ENOTDIR;
    const base = tree.pathOf(folder);
    const real = base === '/' ? `/${name}` : `${base}/${name}`;
    const ino = tree.lookup(real, false);
    if (ino < 0) return { real, ino: 0 };
    if (!follow || tree.typeOf(ino) !== FILE_TYPE.symlink) return { real, ino };
    const target = tree.readText(ino);
    current = target[0] === '/' ? target : `${base}/${target}`;
  }
  return ELOOP;
}

/** The methods as they are now. */
function bound(tree: Tree) {
  const { lookup, list, create, mkdir, makeDevice, makeSocket, symlink, link, unlink, rmdir, rename } = tree;
  const { write, append, truncate, setMode, setOwner, setTimes } = tree;
  const calls = { lookup, list, create, mkdir, makeDevice, makeSocket, symlink, link, unlink, rmdir, rename };
  const all = { ...calls, write, append, truncate, setMode, setOwner, setTimes };
  for (const name of Object.keys(all) as (keyof typeof all)[]) (all as any)[name] = all[name].bind(tree);
  return all;
}
