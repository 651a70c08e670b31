// Ctrl-R and Ctrl-S: the history is searched while the text to find is typed.

/** A search that goes on. */
export interface Search {
  readonly query: string;
  /** Index of the entry that is shown; the length of the history stands for the line itself. */
  readonly at: number;
  /** Where the found text begins in the entry. */
  readonly from: number;
  readonly failed: boolean;
  readonly backward: boolean;
}

/** A search that has found nothing yet, from the entry `at`. */
export function startSearch(at: number, cursor: number, backward: boolean): Search {
  return { query: '', at, from: cursor, failed: false, backward };
}

/** The prompt in place of the shell's own. */
export function searchPrompt(search: Search): string {
  return `(${search.failed ? 'failed ' : ''}${search.backward ? 'reverse-' : ''}i-search)\`${search.query}': `;
}

/** The next entry that holds `query`: the present one first, unless `onward`. */
export function findNext(search: Search, query: string, entries: readonly string[], onward: boolean): Search {
  if (query === '') return { ...search, query, failed: false };
  const step = search.backward ? -1 : 1;
  const present = entries[search.at];
  for (let at = search.at; at >= 0 && at < entries.length; at += step) {
    const entry = entries[at]!;
    if (onward && (at === search.at || entry === present)) continue;
    const from = search.backward ? entry.lastIndexOf(query) : entry.indexOf(query);
    if (from >= 0) return { ...search, query, at, from, failed: false };
  }
  return { ...search, query, failed: true };
}
