// Small things that the browser remembers for the IDE (tabs, layout, settings, drafts). A browser may refuse: its storage is full, or the person has forbidden
// it. Then they are remembered for this tab, nothing else breaks, and `trouble` tells whoever shows it.

/** What of `Storage` is used. */
export type SmallStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Why something is remembered for this tab only. */
export type StorageTrouble = 'full' | 'forbidden';

export interface BrowserStorage extends SmallStorage {
  /** Undefined while everything is kept. */
  trouble: { get(): StorageTrouble | undefined; subscribe(listener: () => void): () => void };
}

/** Over what `real` returns, which may throw at each use. No method throws. */
export function createBrowserStorage(real: () => SmallStorage): BrowserStorage {
  /** null: removed here, and perhaps not there. */
  const unkept = new Map<string, string | null>();
  const listeners = new Set<() => void>();
  let trouble: StorageTrouble | undefined;

  function tell(now: StorageTrouble | undefined): void {
    if (now === trouble) return;
    trouble = now;
    for (const listener of [...listeners]) listener();
  }

  /** False when the browser refuses. */
  function keep(key: string, value: string | null): boolean {
    try {
      if (value === null) real().removeItem(key);
      else real().setItem(key, value);
      unkept.delete(key);
      return true;
    } catch (error) {
      unkept.set(key, value);
      tell((error as DOMException).name === 'QuotaExceededError' ? 'full' : 'forbidden');
      return false;
    }
  }

  function change(key: string, value: string | null): void {
    if (!keep(key, value)) return;
    // There may be room now for what found none.
    for (const [other, waiting] of [...unkept]) if (!keep(other, waiting)) return;
    tell(undefined);
  }

  return {
    getItem(key) {
      const here = unkept.get(key);
      if (here !== undefined) return here;
      try {
        return real().getItem(key);
      } catch {
        return null;
      }
    },
    setItem: change,
    removeItem: (key) => change(key, null),
    trouble: {
      get: () => trouble,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}

/** The page's own. */
export const browserStorage = createBrowserStorage(() => localStorage);
