// The allocator of file contents, names and link targets: blocks with boundary tags, free lists by size (four a doubling), neighbours merged
// when freed. A block is one header unit and its payload; what a caller holds is the payload's first unit. Headers are written only through
// the journal, and a header that a payload will lie over is journalled first, so undoing a transaction restores the heap.
// Contract: a transaction allocates before it releases; else undoing could bring back a block whose payload has been overwritten.
import { FREE_LIST_COUNT, FREE_LISTS, HEAP_FIRST_UNIT, TREE_WORD, UNIT_BYTES, UNIT_WORDS } from './geometry';
import type { Store } from './store';

/** Words of a block's header: its size with the header, the size of the block before it (0: none), and its neighbours in the free list. */
export const BLOCK = { units: 0, before: 1, next: 2, previous: 3 } as const;

/** In BLOCK.next: the block is in use. */
export const USED = -1;

/** A rest smaller than this stays with the block that it would be cut from. */
const SMALLEST_UNITS = 2;
/** How many blocks of about the right size are tried before a larger one is cut. */
const TRIES = 8;

export interface Block {
  /** First unit of the payload. */
  unit: number;
  /** Size of the payload, at least what was asked for. */
  units: number;
}

/** Free list that a block of this many units belongs to. */
export function listOf(units: number): number {
  if (units < 8) return units;
  const exponent = 31 - Math.clz32(units);
  return (exponent - 1) * 4 + ((units >>> (exponent - 2)) & 3);
}

/** A block for at least `bytes` bytes; undefined when the memory is full. Inside a transaction. */
export function allocate(store: Store, bytes: number): Block | undefined {
  coverHeap(store);
  const need = blockUnits(bytes);
  const block = findFree(store, need) || appendBlock(store, need) || findAny(store, need);
  if (block === 0) return undefined;
  return { unit: block + 1, units: store.words[block * UNIT_WORDS + BLOCK.units] - 1 };
}

/** Gives a block back, named by its payload's first unit. Inside a transaction. */
export function release(store: Store, payload: number): void {
  coverHeap(store);
  const block = payload - 1;
  store.add(TREE_WORD.heapUsed, -store.words[block * UNIT_WORDS + BLOCK.units]);
  free(store, block);
}

/** Makes a block larger where it is, when what follows is free; its payload units, or 0 (and nothing changed) when it cannot. Inside a transaction. */
export function extend(store: Store, payload: number, bytes: number): number {
  coverHeap(store);
  const block = payload - 1;
  const at = block * UNIT_WORDS;
  const units = store.words[at + BLOCK.units];
  const need = blockUnits(bytes);
  const next = block + units;
  if (next === store.words[TREE_WORD.heapTop]) {
    if (!store.grow((block + need) * UNIT_BYTES)) return 0;
    store.set(TREE_WORD.heapTop, block + need);
    store.set(TREE_WORD.heapLast, need);
    store.set(at + BLOCK.units, need);
    store.add(TREE_WORD.heapUsed, need - units);
    return need - 1;
  }
  const nextAt = next * UNIT_WORDS;
  if (store.words[nextAt + BLOCK.next] === USED || units + store.words[nextAt + BLOCK.units] < need) return 0;
  unlist(store, next);
  // The payload will lie over this header: undoing must be able to bring it back.
  for (let word = 0; word < UNIT_WORDS; word++) store.set(nextAt + word, store.words[nextAt + word]);
  setUnits(store, block, units + store.words[nextAt + BLOCK.units]);
  cut(store, block, need);
  store.add(TREE_WORD.heapUsed, store.words[at + BLOCK.units] - units);
  return store.words[at + BLOCK.units] - 1;
}

/** Gives back the end of a block that is larger than `bytes`; returns how many payload units it keeps. Inside a transaction. */
export function shrink(store: Store, payload: number, bytes: number): number {
  coverHeap(store);
  const block = payload - 1;
  const at = block * UNIT_WORDS;
  const units = store.words[at + BLOCK.units];
  cut(store, block, blockUnits(bytes));
  store.add(TREE_WORD.heapUsed, store.words[at + BLOCK.units] - units);
  return store.words[at + BLOCK.units] - 1;
}

function blockUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / UNIT_BYTES)) + 1;
}

/** All headers lie below the top; another worker may have moved it past our views. */
function coverHeap(store: Store): void {
  if (!store.cover(store.words[TREE_WORD.heapTop] * UNIT_BYTES))
    throw new Error('the file tree heap ends beyond the memory');
}

function findFree(store: Store, need: number): number {
  const own = listOf(need);
  const near = searchList(store, own, need, TRIES);
  if (near !== 0) return take(store, near, need);
  for (let list = own + 1; list < FREE_LIST_COUNT; list++) {
    const block = store.words[FREE_LISTS + list];
    if (block !== 0) return take(store, block, need);
  }
  return 0;
}

/** The memory cannot grow: look at every block of about the right size. */
function findAny(store: Store, need: number): number {
  const block = searchList(store, listOf(need), need, Number.POSITIVE_INFINITY);
  return block === 0 ? 0 : take(store, block, need);
}

function searchList(store: Store, list: number, need: number, tries: number): number {
  const { words } = store;
  let block = words[FREE_LISTS + list];
  for (let count = 0; block !== 0 && count < tries; count++) {
    if (words[block * UNIT_WORDS + BLOCK.units] >= need) return block;
    block = words[block * UNIT_WORDS + BLOCK.next];
  }
  return 0;
}

function take(store: Store, block: number, need: number): number {
  unlist(store, block);
  store.set(block * UNIT_WORDS + BLOCK.next, USED);
  cut(store, block, need);
  store.add(TREE_WORD.heapUsed, store.words[block * UNIT_WORDS + BLOCK.units]);
  return block;
}

/** A new block at the top of the heap, or 0. */
function appendBlock(store: Store, need: number): number {
  const block = store.words[TREE_WORD.heapTop];
  if (!store.grow((block + need) * UNIT_BYTES)) return 0;
  const at = block * UNIT_WORDS;
  store.set(at + BLOCK.units, need);
  store.set(at + BLOCK.before, store.words[TREE_WORD.heapLast]);
  store.set(at + BLOCK.next, USED);
  store.set(TREE_WORD.heapTop, block + need);
  store.set(TREE_WORD.heapLast, need);
  store.add(TREE_WORD.heapUsed, need);
  return block;
}

/** Cuts a used block to `need` units when the rest is worth a block. */
function cut(store: Store, block: number, need: number): void {
  const units = store.words[block * UNIT_WORDS + BLOCK.units];
  if (units - need < SMALLEST_UNITS) return;
  setUnits(store, block, need);
  const rest = block + need;
  store.set(rest * UNIT_WORDS + BLOCK.before, need);
  setUnits(store, rest, units - need);
  free(store, rest);
}

/** Sets the size of a block, there and in the block behind it. */
function setUnits(store: Store, block: number, units: number): void {
  store.set(block * UNIT_WORDS + BLOCK.units, units);
  const next = block + units;
  if (next === store.words[TREE_WORD.heapTop]) store.set(TREE_WORD.heapLast, units);
  else store.set(next * UNIT_WORDS + BLOCK.before, units);
}

/** Merges a block with its free neighbours and lists it, or gives it back to the top. */
function free(store: Store, released: number): void {
  const { words } = store;
  let block = released;
  let units = words[block * UNIT_WORDS + BLOCK.units];
  const next = block + units;
  if (next !== words[TREE_WORD.heapTop] && words[next * UNIT_WORDS + BLOCK.next] !== USED) {
    unlist(store, next);
    units += words[next * UNIT_WORDS + BLOCK.units];
  }
  const before = words[block * UNIT_WORDS + BLOCK.before];
  if (before !== 0 && words[(block - before) * UNIT_WORDS + BLOCK.next] !== USED) {
    block -= before;
    unlist(store, block);
    units += before;
  }
  if (block + units === words[TREE_WORD.heapTop]) {
    store.set(TREE_WORD.heapTop, block);
    store.set(TREE_WORD.heapLast, words[block * UNIT_WORDS + BLOCK.before]);
    return;
  }
  setUnits(store, block, units);
  const head = FREE_LISTS + listOf(units);
  const first = words[head];
  store.set(block * UNIT_WORDS + BLOCK.next, first);
  store.set(block * UNIT_WORDS + BLOCK.previous, 0);
  if (first !== 0) store.set(first * UNIT_WORDS + BLOCK.previous, block);
  store.set(head, block);
}

function unlist(store: Store, block: number): void {
  const { words } = store;
  const next = words[block * UNIT_WORDS + BLOCK.next];
  const previous = words[block * UNIT_WORDS + BLOCK.previous];
  if (previous !== 0) store.set(previous * UNIT_WORDS + BLOCK.next, next);
  else store.set(FREE_LISTS + listOf(words[block * UNIT_WORDS + BLOCK.units]), next);
  if (next !== 0) store.set(next * UNIT_WORDS + BLOCK.previous, previous);
}

/** What the heap looks like at the start. */
export function formatHeap(store: Store): void {
  store.words[TREE_WORD.heapTop] = HEAP_FIRST_UNIT;
}
