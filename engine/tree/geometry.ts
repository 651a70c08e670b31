// Where the tree's tables lie in the shared memory, in Int32 words. All of it is below INITIAL_BYTES; contents live in the heap behind.
import { HEADER_WORD, HEAP_OFFSET, TREE_BYTES, TREE_OFFSET } from '../memory/layout';

/** Words of the tree in the header. */
export const TREE_WORD = {
  /** Entries in the journal of the transaction under way; 0 outside one. */
  journalLength: HEADER_WORD.tree,
  /** Inodes and entries ever taken from the tables, and their free lists (index of the first, 0: none). */
  inodesTaken: HEADER_WORD.tree + 1,
  freeInode: HEADER_WORD.tree + 2,
  inodesUsed: HEADER_WORD.tree + 3,
  entriesTaken: HEADER_WORD.tree + 4,
  freeEntry: HEADER_WORD.tree + 5,
  /** First heap unit never used. */
  heapTop: HEADER_WORD.tree + 6,
  /** Heap units in use. */
  heapUsed: HEADER_WORD.tree + 7,
  changeSequence: HEADER_WORD.tree + 8,
  /** Source of content versions: unique for the life of the memory, so that a reused inode never repeats one. */
  nextVersion: HEADER_WORD.tree + 9,
} as const;

/** Contents are placed in units of this many bytes, so that an Int32 word addresses 4 GiB. */
export const UNIT_BYTES = 16;
export const HEAP_FIRST_UNIT = HEAP_OFFSET / UNIT_BYTES;

/** Free lists of the heap, one a size class: 4 classes per doubling. */
export const SIZE_CLASSES = 128;
const FREE_LISTS_WORDS = SIZE_CLASSES;

/** The undo journal: pairs of (word index, old value). */
export const JOURNAL_CAPACITY = 16 * 1024;
const JOURNAL_WORDS = JOURNAL_CAPACITY * 2;

/** The change log: a ring of fixed records. */
export const CHANGE_RECORDS = 16 * 1024;
export const CHANGE = { sequence: 0, kind: 1, ino: 2, parent: 3, nameLength: 4, name: 5, words: 5 + 64 } as const;

export const BUCKETS = 1 << 19;

/** Fields of an inode, in words from its start. Times are Float64 milliseconds. */
export const INODE = {
  type: 0,
  mode: 1,
  size: 2,
  unit: 3,
  units: 4,
  links: 5,
  firstEntry: 6,
  opens: 7,
  version: 8,
  uid: 9,
  gid: 10,
  rdev: 11,
  /** An entry that names it (for pathOf), 0 when unlinked. Of a free inode: the next free one. */
  anyEntry: 12,
  children: 13,
  atime: 16,
  mtime: 18,
  ctime: 20,
  birthtime: 22,
  words: 24,
} as const;

/** Fields of a directory entry. */
export const ENTRY = {
  parent: 0,
  ino: 1,
  nameUnit: 2,
  nameLength: 3,
  hash: 4,
  /** Siblings in the directory, and the next entry of the same hash bucket. Of a free entry, `next` is the next free one. */
  next: 5,
  previous: 6,
  nextInBucket: 7,
  /** Other entries of the same inode (hard links). */
  nextLink: 8,
  words: 10,
} as const;

const FIRST = TREE_OFFSET / 4;
export const FREE_LISTS = FIRST;
export const JOURNAL = FREE_LISTS + FREE_LISTS_WORDS;
export const CHANGES = JOURNAL + JOURNAL_WORDS;
export const BUCKET_TABLE = CHANGES + CHANGE_RECORDS * CHANGE.words;
const TABLES = (BUCKET_TABLE + BUCKETS + 1) & ~1;
const PER_INODE = INODE.words + ENTRY.words;
/** As many entries as inodes: hard links are rarer than directories are deep. */
export const MAX_INODES = Math.floor((FIRST + TREE_BYTES / 4 - TABLES) / PER_INODE);
export const INODES = TABLES;
export const ENTRIES = INODES + MAX_INODES * INODE.words;
