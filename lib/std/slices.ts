// Long work on the page's thread in pieces, so that typing and scrolling go on meanwhile.

/** Well below what a person feels; a frame has 16. */
const sliceMs = 8;

/** Does `work` for each item in order, and lets the page do what waits whenever a slice is over. Rejects with what `work` throws. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let sinceMs = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - sinceMs < sliceMs) continue;
    await pageTurn();
    sinceMs = performance.now();
  }
}

/** Resolves when what waited before has had its turn. */
export function pageTurn(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}
