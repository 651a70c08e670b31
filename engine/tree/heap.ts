// The allocator of file contents, names and link targets: segregated free lists (four size classes per doubling) over a bump pointer. A freed
// block serves the next request of its class; at most a fifth of a block is slack.
import { FREE_LISTS, SIZE_CLASSES, TREE_WORD, UNIT_BYTES } from './geometry';
import type { Store } from './store';

/** Smallest class that holds `units`, and how many units its blocks have. */
export function sizeClass(units: number): { index: number; units: number } {
  if (units <= 4) return { index: units - 1, units };
  const exponent = 31 - Math.clz32(units - 1);
  const step = 2 ** (exponent - 2);
  const quarter = Math.ceil((units - 2 ** exponent) / step);
  return { index: exponent * 4 - 4 + quarter - 1, units: 2 ** exponent + quarter * step };
}

/** A block of at least `bytes`; its first unit, or 0 when the memory is full. `granted` is in units. */
export function allocate(store: Store, bytes: number): { unit: number; units: number } | undefined {
  const { index, units } = sizeClass(Math.max(1, Math.ceil(bytes / UNIT_BYTES)));
  if (index >= SIZE_CLASSES) return undefined;
  const free = store.words[FREE_LISTS + index];
  if (free !== 0) {
    const unit = free >>> 0;
    store.cover((unit + 1) * UNIT_BYTES);
    store.set(FREE_LISTS + index, store.words[(unit * UNIT_BYTES) / 4]);
    store.add(TREE_WORD.heapUsed, units);
    return { unit, units };
  }
  const unit = store.words[TREE_WORD.heapTop] >>> 0;
  if (!store.grow((unit + units) * UNIT_BYTES)) return undefined;
  store.set(TREE_WORD.heapTop, unit + units);
  store.add(TREE_WORD.heapUsed, units);
  return { unit, units };
}

/** Gives a block back; `units` as granted. */
export function release(store: Store, unit: number, units: number): void {
  const { index } = sizeClass(units);
  store.cover((unit + 1) * UNIT_BYTES);
  store.set((unit * UNIT_BYTES) / 4, store.words[FREE_LISTS + index]);
  store.set(FREE_LISTS + index, unit);
  store.add(TREE_WORD.heapUsed, -units);
}
