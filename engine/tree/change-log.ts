// The change log: a ring of fixed records that the kernel reads for watchers and the journal. Written inside the transaction that it reports.
import { CHANGE, CHANGE_RECORDS, CHANGES, TREE_WORD } from './geometry';
import type { Store } from './store';
import type { TreeChange } from './types';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const MAX_NAME_BYTES = (CHANGE.words - CHANGE.name) * 4;

/** Appends a change. Not journalled: a record of something that was then undone makes a reader look once too often. */
export function logChange(store: Store, kind: TreeChange['kind'], ino: number, parent: number, name: Uint8Array): void {
  const { words } = store;
  const sequence = (words[TREE_WORD.changeSequence] + 1) | 0;
  const at = CHANGES + (sequence & (CHANGE_RECORDS - 1)) * CHANGE.words;
  Atomics.exchange(words, at + CHANGE.sequence, 0);
  words[at + CHANGE.kind] = kind === 'rename' ? 1 : 2;
  words[at + CHANGE.ino] = ino;
  words[at + CHANGE.parent] = parent;
  const length = Math.min(name.length, MAX_NAME_BYTES);
  words[at + CHANGE.nameLength] = length;
  store.bytes.set(name.subarray(0, length), (at + CHANGE.name) * 4);
  Atomics.store(words, at + CHANGE.sequence, sequence);
  Atomics.store(words, TREE_WORD.changeSequence, sequence);
  Atomics.notify(words, TREE_WORD.changeSequence);
}

/** Changes after `since`; undefined when the ring no longer holds them all. */
export function readChanges(store: Store, since: number): TreeChange[] | undefined {
  const { words } = store;
  const newest = Atomics.load(words, TREE_WORD.changeSequence);
  if (newest - since > CHANGE_RECORDS - 1024) return undefined;
  const out: TreeChange[] = [];
  for (let sequence = since + 1; sequence <= newest; sequence++) {
    const at = CHANGES + (sequence & (CHANGE_RECORDS - 1)) * CHANGE.words;
    if (words[at + CHANGE.sequence] !== sequence) return undefined;
    const name = store.bytes.slice((at + CHANGE.name) * 4, (at + CHANGE.name) * 4 + words[at + CHANGE.nameLength]);
    out.push({
      sequence,
      kind: words[at + CHANGE.kind] === 1 ? 'rename' : 'change',
      ino: words[at + CHANGE.ino],
      parent: words[at + CHANGE.parent],
      name: decoder.decode(name),
    });
    // Writers may have come round while we were reading.
    if (Atomics.add(words, at + CHANGE.sequence, 0) !== sequence) return undefined;
  }
  return out;
}
