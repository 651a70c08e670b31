// Says whether the tables of a tree agree with each other: every block of the heap owned once, every inode named or open, every entry in its
// lists, counts right. For tests, and for whoever suspects the tree.
import { HEADER_WORD } from '../memory/layout';
import { bucketOf, hashName, nameBytes } from './directory';
import {
  BUCKET_TABLE,
  BUCKETS,
  ENTRY,
  entryAt,
  FREE_LIST_COUNT,
  FREE_LISTS,
  HEAP_FIRST_UNIT,
  INODE,
  inodeAt,
  TREE_WORD,
  UNIT_BYTES,
  UNIT_WORDS,
} from './geometry';
import { BLOCK, listOf, USED } from './heap';
import { Store } from './store';
import { FILE_TYPE } from './types';

const OWNER = 0x7ffffffe;

/** What is wrong with the tree, one sentence each; empty when all is well. Takes the lock; no transaction may have been left half done. */
export function checkTree(memory: WebAssembly.Memory): string[] {
  const store = new Store(memory, OWNER);
  const faults: string[] = [];
  store.transaction(() => {
    const journal = Atomics.load(store.words, TREE_WORD.journalLength);
    if (journal !== 0) faults.push(`a transaction of ${journal} words was left half done`);
    if (store.words[HEADER_WORD.namespaceGeneration] & 1) faults.push('the namespace generation was left odd');
    store.cover(memory.buffer.byteLength);
    const owners = new Map<number, string>();
    checkEntries(store, owners, faults);
    checkInodes(store, owners, faults);
    checkHeap(store, owners, faults);
  });
  return faults;
}

function own(owners: Map<number, string>, unit: number, owner: string, faults: string[]): void {
  const other = owners.get(unit);
  if (other !== undefined) faults.push(`${owner} and ${other} share the block at unit ${unit}`);
  owners.set(unit, owner);
}

function checkEntries(store: Store, owners: Map<number, string>, faults: string[]): void {
  const { words } = store;
  const taken = words[TREE_WORD.entriesTaken];
  const free = new Set<number>();
  for (let entry = words[TREE_WORD.freeEntry]; entry !== 0; entry = words[entryAt(entry) + ENTRY.next]) {
    if (free.has(entry) || entry > taken) return void faults.push(`the list of free entries is broken at ${entry}`);
    free.add(entry);
    if (words[entryAt(entry) + ENTRY.parent] !== 0) faults.push(`entry ${entry} is free and in use`);
  }
  const chained = new Set<number>();
  for (let bucket = BUCKET_TABLE; bucket < BUCKET_TABLE + BUCKETS; bucket++) {
    for (let entry = words[bucket]; entry !== 0; entry = words[entryAt(entry) + ENTRY.nextInBucket]) {
      if (chained.has(entry)) return void faults.push(`entry ${entry} is chained twice`);
      chained.add(entry);
      if (bucketOf(words[entryAt(entry) + ENTRY.hash]) !== bucket) faults.push(`entry ${entry} is in a wrong bucket`);
    }
  }
  for (let entry = 1; entry <= taken; entry++) {
    const at = entryAt(entry);
    if (words[at + ENTRY.parent] === 0) {
      if (!free.has(entry)) faults.push(`entry ${entry} is neither free nor in use`);
      if (chained.has(entry)) faults.push(`the free entry ${entry} is in a bucket`);
      continue;
    }
    if (!chained.has(entry)) faults.push(`entry ${entry} is in no bucket`);
    if (hashName(words[at + ENTRY.parent], nameBytes(store, entry)) !== words[at + ENTRY.hash])
      faults.push(`entry ${entry} has a name that its hash does not know`);
    own(owners, words[at + ENTRY.nameUnit], `the name of entry ${entry}`, faults);
  }
}

function checkInodes(store: Store, owners: Map<number, string>, faults: string[]): void {
  const { words } = store;
  const taken = words[TREE_WORD.inodesTaken];
  const free = new Set<number>();
  let last = 0;
  for (let ino = words[TREE_WORD.freeInodeFirst]; ino !== 0; ino = words[inodeAt(ino) + INODE.anyEntry]) {
    if (free.has(ino) || ino > taken) return void faults.push(`the queue of free inodes is broken at ${ino}`);
    free.add(ino);
    last = ino;
  }
  if (last !== words[TREE_WORD.freeInodeLast]) faults.push('the queue of free inodes has a wrong end');
  if (free.size !== words[TREE_WORD.freeInodes]) faults.push('the queue of free inodes is counted wrongly');
  if (taken - free.size !== words[TREE_WORD.inodesUsed]) faults.push('the inodes in use are counted wrongly');
  const reached = reach(store, faults);
  for (let ino = 1; ino <= taken; ino++) {
    const at = inodeAt(ino);
    if (words[at + INODE.version] & 1) faults.push(`inode ${ino} was left with an odd version`);
    if (words[at + INODE.type] === 0) {
      if (!free.has(ino)) faults.push(`inode ${ino} is neither free nor in use`);
      continue;
    }
    if (free.has(ino)) faults.push(`inode ${ino} is free and in use`);
    checkInode(store, ino, reached, faults);
    const units = words[at + INODE.units];
    if (words[at + INODE.size] > units * UNIT_BYTES) faults.push(`inode ${ino} is larger than its block`);
    if (units === 0) continue;
    own(owners, words[at + INODE.unit], `the content of inode ${ino}`, faults);
    if (words[(words[at + INODE.unit] - 1) * UNIT_WORDS + BLOCK.units] !== units + 1)
      faults.push(`inode ${ino} and its block disagree about its size`);
  }
}

function checkInode(store: Store, ino: number, reached: Map<number, number>, faults: string[]): void {
  const { words } = store;
  const at = inodeAt(ino);
  let names = 0;
  for (let entry = words[at + INODE.anyEntry]; entry !== 0; entry = words[entryAt(entry) + ENTRY.nextLink]) {
    if (words[entryAt(entry) + ENTRY.ino] !== ino) faults.push(`entry ${entry} is a link of ${ino} but names another`);
    if (++names > 1e6) return void faults.push(`the links of inode ${ino} run in a circle`);
  }
  const links = words[at + INODE.links];
  if (words[at + INODE.type] === FILE_TYPE.directory) {
    const subdirectories = reached.get(ino);
    if (subdirectories === undefined) {
      if (links !== 0 || words[at + INODE.opens] === 0) faults.push(`the directory ${ino} cannot be reached`);
    } else if (links !== subdirectories + 2) faults.push(`the directory ${ino} has ${links} links`);
    if (names !== (ino === 1 || links === 0 ? 0 : 1)) faults.push(`the directory ${ino} has ${names} names`);
    return;
  }
  if (names !== links) faults.push(`inode ${ino} has ${names} names and ${links} links`);
  if (links === 0 && words[at + INODE.opens] <= 0) faults.push(`inode ${ino} is neither named nor open`);
}

/** Every directory that can be reached from the root, with its number of subdirectories. */
function reach(store: Store, faults: string[]): Map<number, number> {
  const { words } = store;
  const reached = new Map<number, number>([[1, 0]]);
  let entries = 0;
  for (const directory of reached.keys()) {
    let previous = 0;
    let children = 0;
    let subdirectories = 0;
    for (let entry = words[inodeAt(directory) + INODE.firstEntry]; entry !== 0; ) {
      const at = entryAt(entry);
      if (words[at + ENTRY.parent] !== directory || words[at + ENTRY.previous] !== previous) {
        faults.push(`entry ${entry} in directory ${directory} is linked wrongly`);
        break;
      }
      children++;
      const child = words[at + ENTRY.ino];
      const type = words[inodeAt(child) + INODE.type];
      if (type === 0) faults.push(`entry ${entry} names the free inode ${child}`);
      if (type === FILE_TYPE.directory) {
        subdirectories++;
        if (reached.has(child)) faults.push(`the directory ${child} is reached twice`);
        else reached.set(child, 0);
      }
      previous = entry;
      entry = words[at + ENTRY.next];
    }
    if (children !== words[inodeAt(directory) + INODE.children])
      faults.push(`the children of directory ${directory} are counted wrongly`);
    reached.set(directory, subdirectories);
    entries += children;
  }
  let inUse = 0;
  for (let entry = 1; entry <= words[TREE_WORD.entriesTaken]; entry++)
    if (words[entryAt(entry) + ENTRY.parent] !== 0) inUse++;
  if (inUse !== entries) faults.push(`${inUse} entries are in use, ${entries} can be reached`);
  return reached;
}

function checkHeap(store: Store, owners: Map<number, string>, faults: string[]): void {
  const { words } = store;
  const top = words[TREE_WORD.heapTop];
  const free = new Set<number>();
  let used = 0;
  let before = 0;
  let isAfterFree = false;
  for (let block = HEAP_FIRST_UNIT; block < top; ) {
    const at = block * UNIT_WORDS;
    const units = words[at + BLOCK.units];
    if (units < 2 || block + units > top) return void faults.push(`the heap is broken at unit ${block}`);
    if (words[at + BLOCK.before] !== before) faults.push(`the block at unit ${block} does not know the one before it`);
    const isFree = words[at + BLOCK.next] !== USED;
    if (isFree) {
      free.add(block);
      if (isAfterFree) faults.push(`the free block at unit ${block} was not merged`);
    } else {
      used += units;
      if (!owners.delete(block + 1)) faults.push(`the block at unit ${block} belongs to nobody`);
    }
    isAfterFree = isFree;
    before = units;
    block += units;
  }
  if (isAfterFree) faults.push('the last block is free');
  if (before !== words[TREE_WORD.heapLast]) faults.push('the size of the last block is wrong');
  if (used !== words[TREE_WORD.heapUsed]) faults.push('the units in use are counted wrongly');
  for (const [unit, owner] of owners) faults.push(`${owner} owns no block at unit ${unit}`);
  for (let list = 0; list < FREE_LIST_COUNT; list++) {
    for (let block = words[FREE_LISTS + list]; block !== 0; block = words[block * UNIT_WORDS + BLOCK.next]) {
      if (!free.delete(block)) return void faults.push(`the free list ${list} is broken at unit ${block}`);
      if (listOf(words[block * UNIT_WORDS + BLOCK.units]) !== list)
        faults.push(`unit ${block} is in a wrong free list`);
    }
  }
  if (free.size > 0) faults.push(`${free.size} free blocks are in no list`);
}
