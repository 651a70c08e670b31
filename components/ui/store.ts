// The one kind of state outside React: a value, a setter, listeners. Things that live longer than a view (documents, terminals, layout) keep
// theirs here, and views subscribe to the part that they draw.
import { useCallback, useRef, useSyncExternalStore } from 'react';

/** A value that can be watched. `set` with the same reference tells nobody. */
export interface Store<T> {
  get(): T;
  set(next: T | ((now: T) => T)): void;
  subscribe(listener: () => void): () => void;
}

/** A store that holds `initial`. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const result = typeof next === 'function' ? (next as (now: T) => T)(value) : next;
      if (Object.is(result, value)) return;
      value = result;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The store's value in a component. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** A part of it; draws again only when the part changed by `Object.is`. The selector must not make new objects of unchanged parts. */
export function useStorePart<T, P>(store: Store<T>, select: (value: T) => P): P {
  const latest = useRef(select);
  latest.current = select;
  const read = useCallback(() => latest.current(store.get()), [store]);
  return useSyncExternalStore(store.subscribe, read, read);
}
