// Where the tree's tables lie in the shared memory, in Int32 words. All of it is below INITIAL_BYTES; contents live in the heap behind.
import { HEADER_WORD, HEAP_OFFSET, TREE_BYTES, TREE_OFFSET } from '../memory/layout';

/** Words of the tree in the header. */
export const TREE_WORD = {
  /** Entries in the journal of the transaction under way; 0 outside one. */
  journalLength: HEADER_WORD.tree,
  /** Inodes and entries ever taken from the tables. */
  inodesTaken: HEADER_WORD.tree + 1,
  entriesTaken: HEADER_WORD.tree + 2,
  /** Queue of free inodes, oldest first, and its length; list of free entries. 0: none. */
  freeInodeFirst: HEADER_WORD.tree + 3,
  freeInodeLast: HEADER_WORD.tree + 4,
  freeInodes: HEADER_WORD.tree + 5,
  freeEntry: HEADER_WORD.tree + 6,
  inodesUsed: HEADER_WORD.tree + 7,
  /** First heap unit behind all blocks, the size of the last block before it, and the units in use. */
  heapTop: HEADER_WORD.tree + 8,
  heapLast: HEADER_WORD.tree + 9,
  heapUsed: HEADER_WORD.tree + 10,
  changeSequence: HEADER_WORD.tree + 11,
  /** Source of content versions: unique for the life of the memory, so that a reused inode never repeats one. */
  nextVersion: HEADER_WORD.tree + 12,
} as const;

/** Contents are placed in units of this many bytes, so that an Int32 word addresses 4 GiB. */
export const UNIT_BYTES = 16;
export const UNIT_WORDS = UNIT_BYTES / 4;
export const HEAP_FIRST_UNIT = HEAP_OFFSET / UNIT_BYTES;

/** Free lists of the heap: 4 a doubling. */
export const FREE_LIST_COUNT = 128;

/** The undo journal: pairs of (word index, old value). */
export const JOURNAL_CAPACITY = 16 * 1024;
const JOURNAL_WORDS = JOURNAL_CAPACITY * 2;

/** The change log: a ring of fixed records. */
export const CHANGE_RECORDS = 32 * 1024;
export const CHANGE = { sequence: 0, kind: 1, ino: 2, parent: 3, nameLength: 4, name: 5, words: 5 + 64 } as const;

/** Buckets of the directory hash: about one an entry at the most, so that it never has to be rebuilt. */
export const BUCKETS = 1 << 19;

/** Fields of an inode, in words from its start. Times are Float64 milliseconds. */
export const INODE = {
  /** A FILE_TYPE, 0 when the inode is free. */
  type: 0,
  mode: 1,
  size: 2,
  /** First unit of the content and how many units are reserved for it; 0 and 0 when there are none. */
  unit: 3,
  units: 4,
  links: 5,
  firstEntry: 6,
  opens: 7,
  version: 8,
  uid: 9,
  gid: 10,
  rdev: 11,
  /** The first entry that names it, 0 when unlinked. Of a free inode: the next free one. */
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
  /** The directory; 0 when the entry is free. */
  parent: 0,
  ino: 1,
  nameUnit: 2,
  nameLength: 3,
  hash: 4,
  /** Siblings in the directory. Of a free entry, `next` is the next free one. */
  next: 5,
  previous: 6,
  nextInBucket: 7,
  /** The next entry of the same inode (hard links). */
  nextLink: 8,
  words: 10,
} as const;

const FIRST = TREE_OFFSET / 4;
export const FREE_LISTS = FIRST;
export const JOURNAL = FREE_LISTS + FREE_LIST_COUNT;
export const CHANGES = JOURNAL + JOURNAL_WORDS;
export const BUCKET_TABLE = CHANGES + CHANGE_RECORDS * CHANGE.words;
const TABLES = (BUCKET_TABLE + BUCKETS + 1) & ~1;
const PER_INODE = INODE.words + ENTRY.words;
/** As many entries as inodes: hard links are rarer than directories are deep. */
export const MAX_INODES = Math.floor((FIRST + TREE_BYTES / 4 - TABLES) / PER_INODE);
export const INODES = TABLES;
export const ENTRIES = INODES + MAX_INODES * INODE.words;

/** Word index of an inode's first field. Inode numbers start at 1. */
export const inodeAt = (ino: number): number => INODES + (ino - 1) * INODE.words;

/** Word index of a directory entry's first field. Entry numbers start at 1. */
export const entryAt = (entry: number): number => ENTRIES + (entry - 1) * ENTRY.words;

/** Inode whose record holds a word, or 0. */
export const inodeOfWord = (index: number): number =>
  index >= INODES && index < ENTRIES ? Math.floor((index - INODES) / INODE.words) + 1 : 0;
