// The file tree as a value: which directories are read, which are open, and the rows that follow. No fetching here, so every key and every
// change from outside can be tested as text.
import type { DirEntry, FileChange } from '../../lib/sandbox/sandbox';
import { joinPath, parentPath } from '../../lib/std/paths';

export interface TreeState {
  /** Entries of the directories that were read, sorted. */
  children: ReadonlyMap<string, readonly DirEntry[]>;
  expanded: ReadonlySet<string>;
}

export interface TreeRow {
  path: string;
  name: string;
  kind: DirEntry['kind'];
  /** 0 for the top level. */
  depth: number;
  expanded: boolean;
  /** 1-based place among its siblings, and their number: for screen readers. */
  position: number;
  siblings: number;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Directories first, then by name with numbers in their order. */
export function sortEntries(entries: readonly DirEntry[]): DirEntry[] {
  const rank = (entry: DirEntry) => (entry.kind === 'directory' ? 0 : 1);
  return [...entries].sort(
    (a, b) => rank(a) - rank(b) || collator.compare(a.name, b.name) || (a.name < b.name ? -1 : 1),
  );
}

/** What is visible below `root`, top to bottom. */
export function visibleRows(state: TreeState, root: string): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (directory: string, depth: number) => {
    const entries = state.children.get(directory) ?? [];
    entries.forEach((entry, at) => {
      const path = joinPath(directory, entry.name);
      const expanded = entry.kind === 'directory' && state.expanded.has(path);
      rows.push({
        path,
        name: entry.name,
        kind: entry.kind,
        depth,
        expanded,
        position: at + 1,
        siblings: entries.length,
      });
      if (expanded) add(path, depth + 1);
    });
  };
  add(root, 0);
  return rows;
}

/** What a key does in a tree (the pattern of the ARIA practices). */
export type TreeMove = { kind: 'focus'; path: string } | { kind: 'expand' | 'collapse'; path: string } | undefined;

/** The move for an arrow, Home, End or a letter; undefined when the key means nothing here. */
export function moveByKey(rows: readonly TreeRow[], active: string | undefined, key: string): TreeMove {
  if (rows.length === 0) return undefined;
  const at = rows.findIndex((row) => row.path === active);
  const row = rows[at];
  const focus = (index: number): TreeMove => ({
    kind: 'focus',
    path: rows[Math.max(0, Math.min(index, rows.length - 1))]!.path,
  });
  switch (key) {
    case 'ArrowDown':
      return focus(at + 1);
    case 'ArrowUp':
      return focus(at < 0 ? 0 : at - 1);
    case 'PageDown':
      return focus(at + 15);
    case 'PageUp':
      return focus(at - 15);
    case 'Home':
      return focus(0);
    case 'End':
      return focus(rows.length - 1);
    case 'ArrowRight':
      if (row?.kind !== 'directory') return undefined;
      if (!row.expanded) return { kind: 'expand', path: row.path };
      return rows[at + 1]?.depth === row.depth + 1 ? focus(at + 1) : undefined;
    case 'ArrowLeft': {
      if (!row) return undefined;
      if (row.expanded) return { kind: 'collapse', path: row.path };
      const parent = rows.findIndex((other) => other.path === parentPath(row.path));
      return parent < 0 ? undefined : focus(parent);
    }
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const letter = key.toLowerCase();
      const after = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
      const found = after.find((other) => other.name.toLowerCase().startsWith(letter));
      return found && { kind: 'focus', path: found.path };
    }
  }
}

/** Which of the read directories must be read again after these changes. */
export function directoriesToRead(state: TreeState, changes: readonly FileChange[]): string[] {
  const stale = new Set<string>();
  for (const change of changes) {
    if (change.kind === 'changed') continue;
    const parent = parentPath(change.path);
    if (state.children.has(parent)) stale.add(parent);
    if (state.children.has(change.path)) stale.add(change.path);
  }
  return [...stale];
}

/** Why this can't be a name here, in words; undefined when it can. Slashes make folders on the way. */
export function nameProblem(name: string, siblings: readonly string[], own?: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return 'A name is needed.';
  if (trimmed.includes('\0')) return 'A name can’t contain a NUL character.';
  const segments = trimmed.replace(/\/+$/, '').split('/');
  if (trimmed.startsWith('/') || segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'The path must stay in this folder.';
  const encoder = new TextEncoder();
  if (segments.some((segment) => encoder.encode(segment).length > 255)) return 'A name can have at most 255 bytes.';
  if (segments.length === 1 && trimmed !== own && siblings.includes(segments[0]!))
    return `${segments[0]} is there already.`;
  return undefined;
}

/** `name`, or with a number before its extension when it is taken: `photo 2.png`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = 2; ; number++) {
    const candidate = `${stem} ${number}${extension}`;
    if (!taken.has(candidate)) return candidate;
  }
}
