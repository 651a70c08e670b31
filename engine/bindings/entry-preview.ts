// Entries of collections and of their iterators for util.inspect. An iterator can only be read by moving it, so it is drained and
// then given an own `next` that replays what was drained: the guest reads the same items as if nobody had looked.
import { typeTests } from './types';

const apply = Reflect.apply;
const mapEntries = Map.prototype.entries;
const setValues = Set.prototype.values;
const mapNext = Object.getPrototypeOf(new Map().entries()).next;
const setNext = Object.getPrototypeOf(new Set().values()).next;

/** What drained iterators still have to give. */
const replays = new WeakMap<object, unknown[]>();

function drain(iterator: object, next: () => IteratorResult<unknown>): unknown[] {
  const known = replays.get(iterator);
  if (known) return known;
  const items: unknown[] = [];
  for (let step = apply(next, iterator, []); !step.done; step = apply(next, iterator, [])) items.push(step.value);
  if (items.length === 0) return items;
  replays.set(iterator, items);
  Object.defineProperty(iterator, 'next', {
    configurable: true,
    writable: true,
    enumerable: false,
    value: {
      next(): IteratorResult<unknown> {
        // What was added to the collection after the last drained item comes from the iterator, if it has not ended.
        return items.length > 0 ? { value: items.shift(), done: false } : { value: undefined, done: true };
      },
    }.next,
  });
  return items;
}

/** Items of an entries() iterator; values() of pairs look the same, which only changes the title that inspect prints. */
function arePairs(items: unknown[], ofSet: boolean): items is [unknown, unknown][] {
  return (
    items.length > 0 &&
    items.every((item) => Array.isArray(item) && item.length === 2 && (!ofSet || Object.is(item[0], item[1])))
  );
}

/**
 * V8's PreviewEntries: keys and values in turn. With `wantsKind`: `[entries, isKeyValue]`. Undefined for what has no entries; WeakMap and
 * WeakSet cannot be listed and give none.
 */
export function previewEntries(value: object, wantsKind?: unknown): unknown {
  let entries: unknown[];
  let keyed = false;
  if (typeTests.isMap(value)) {
    keyed = true;
    entries = collect(apply(mapEntries, value, []), mapNext).flat(1);
  } else if (typeTests.isSet(value)) {
    entries = collect(apply(setValues, value, []), setNext);
  } else if (typeTests.isMapIterator(value) || typeTests.isSetIterator(value)) {
    const ofSet = typeTests.isSetIterator(value);
    const items = drain(value, ofSet ? setNext : mapNext);
    keyed = arePairs(items, ofSet);
    entries = keyed ? items.flat(1) : items.slice();
  } else if (typeTests.isWeakMap(value) || typeTests.isWeakSet(value)) {
    keyed = typeTests.isWeakMap(value);
    entries = [];
  } else {
    return undefined;
  }
  return wantsKind ? [entries, keyed] : entries;
}

function collect(iterator: object, next: () => IteratorResult<unknown>): unknown[] {
  const items: unknown[] = [];
  for (let step = apply(next, iterator, []); !step.done; step = apply(next, iterator, [])) items.push(step.value);
  return items;
}
