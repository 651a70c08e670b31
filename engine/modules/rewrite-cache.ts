// What the rewriting of a text comes to, kept in the tree for the next process that loads the same text: parsing is most of what a large program's start costs.
// A text is known by what it says, never by its path or times. Whoever may write there could as well write to the programs themselves (decision 10).
import type { FileTree } from '../tree/types';
import type { Edit } from './edits';

/** Beside the system's other caches; not among what a project keeps. */
export const CACHE_DIRECTORY = '/var/cache/node';
/** Shorter texts are parsed sooner than a file is read. */
const MIN_LENGTH = 512;
/** One file per slot, so there are never more; a text whose slot another text has takes its place. */
const SLOTS = 8192;
/** Longer entries are not kept, in UTF-8 bytes. */
const MAX_ENTRY_BYTES = 1 << 20;

// As they were before the guest ran.
const { parse, stringify } = JSON;
const encoder = new TextEncoder();

/** Edits in source order, none overlapping, and what else the reader of the text wants to know of it, as JSON. */
export interface Rewritten<Facts> {
  edits: Edit[];
  facts: Facts;
}

/** Finds the rewriting of a text, or makes it and keeps it. `kind` tells apart what is made of one text in several ways. */
export type RewriteCache = <Facts>(source: string, kind: string, make: () => Rewritten<Facts>) => Rewritten<Facts>;

/** The cache in `tree`. Nothing that it meets there, or cannot do there, is an error: then the text is rewritten. */
export function createRewriteCache(tree: FileTree): RewriteCache {
  return (source, kind, make) => {
    if (source.length < MIN_LENGTH) return make();
    const [slot, key] = textKey(source, kind);
    const path = `${CACHE_DIRECTORY}/${slot}`;
    const known = readEntry(tree, path, key, source.length);
    if (known) return known as ReturnType<typeof make>;
    const made = make();
    writeEntry(tree, path, key, made);
    return made;
  };
}

function readEntry(tree: FileTree, path: string, key: string, length: number): Rewritten<unknown> | undefined {
  const ino = tree.lookup(path);
  if (ino <= 0) return undefined;
  try {
    const text = tree.readText(ino);
    const end = text.indexOf('\n');
    if (text.slice(0, end) !== key) return undefined;
    const [texts, numbers, facts] = parse(text.slice(end + 1));
    const edits: Edit[] = [];
    let done = 0;
    for (let at = 0; at < numbers.length; at += 3) {
      const start = done + numbers[at];
      done = start + numbers[at + 1];
      edits.push({ start, end: done, text: texts[numbers[at + 2]] });
    }
    return done <= length ? { edits, facts } : undefined;
  } catch {
    // Another process's half-written entry, or something that is none.
    return undefined;
  }
}

function writeEntry(tree: FileTree, path: string, key: string, { edits, facts }: Rewritten<unknown>): void {
  const texts = new Map<string, number>();
  const numbers: number[] = [];
  let done = 0;
  for (const { start, end, text } of edits) {
    let index = texts.get(text);
    if (index === undefined) {
      index = texts.size;
      texts.set(text, index);
    }
    numbers.push(start - done, end - start, index);
    done = end;
  }
  const bytes = encoder.encode(`${key}\n${stringify([[...texts.keys()], numbers, facts])}`);
  if (bytes.length > MAX_ENTRY_BYTES) return;
  const ino = tree.create(path, 0o644);
  // Two processes may write one slot at once: what then stands there does not parse, or is one of the two.
  if (ino > 0) void (tree.write(ino, bytes, 0) < 0 ? tree.unlink(path) : tree.truncate(ino, bytes.length));
}

/** The slot of a text and what it is known by: 64 bits of two FNV-1a hashes over its UTF-16 units, and its length. */
function textKey(source: string, kind: string): [slot: number, key: string] {
  let first = 0x811c9dc5;
  let second = 0x1b873593;
  for (let index = 0; index < source.length; index++) {
    const unit = source.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b) + 0x9e37;
    second ^= second >>> 13;
  }
  let slot = first ^ second;
  for (let index = 0; index < kind.length; index++) slot = Math.imul(slot ^ kind.charCodeAt(index), 0x01000193);
  return [(slot >>> 0) % SLOTS, `${first >>> 0} ${second >>> 0} ${source.length} ${kind}`];
}
