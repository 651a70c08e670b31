// Which files are shown where: one row of tabs, or two editors side by side. A small value and pure functions of it. There is always at least
// one side; of two, neither is empty. A file may be on both: it is one buffer with two views.

export interface Side {
  /** Stays the same while the side is there, whatever comes or goes beside it. */
  readonly id: number;
  readonly tabs: readonly string[];
  readonly active: string | undefined;
}

export interface Sides {
  /** From left to right. */
  readonly list: readonly Side[];
  /** Index of the side that has, or last had, the focus: what is opened appears there. */
  readonly focused: number;
}

/** One side without a file. */
export const oneSide: Sides = { list: [{ id: 0, tabs: [], active: undefined }], focused: 0 };

/** The side in which the person works. */
export function focusedSide({ list, focused }: Sides): Side {
  return list[focused] ?? list[0]!;
}

/** Every file that has a tab, once, from left to right. */
export function allTabs({ list }: Sides): readonly string[] {
  return list.length === 1 ? list[0]!.tabs : [...new Set(list.flatMap((side) => side.tabs))];
}

/** Shows the file on the focused side, in a new tab behind the active one if it has none there. */
export function openTab(sides: Sides, path: string): Sides {
  return change(sides, sides.focused, (side) => withTab(side, path, side.tabs.indexOf(side.active ?? '') + 1));
}

/** Shows a file that has a tab: on the focused side, or where it is. */
export function activateTab(sides: Sides, path: string): Sides {
  const at = focusedSide(sides).tabs.includes(path)
    ? sides.focused
    : sides.list.findIndex((side) => side.tabs.includes(path));
  return at < 0
    ? sides
    : focusSide(
        change(sides, at, (side) => ({ ...side, active: path })),
        at,
      );
}

/** The person works on that side now. */
export function focusSide(sides: Sides, at: number): Sides {
  return sides.focused === at || sides.list[at] === undefined ? sides : { ...sides, focused: at };
}

/** Closes the file's tab on one side, or on all. A side that has none left goes. */
export function closeTab(sides: Sides, path: string, at?: number): Sides {
  const list = sides.list.map((side, index) => (at === undefined || at === index ? withoutTab(side, path) : side));
  return withoutEmpty({ ...sides, list });
}

/** The tab moves to a place on a side, from another side or the same, and is shown there. */
export function moveTab(sides: Sides, path: string, from: number, to: number, place: number): Sides {
  const taken = from === to ? sides : change(sides, from, (side) => withoutTab(side, path));
  const placed = change(taken, to, (side) => {
    const tabs = side.tabs.filter((other) => other !== path);
    return { ...side, tabs: tabs.toSpliced(place, 0, path), active: path };
  });
  return withoutEmpty(focusSide(placed, to));
}

/** Shows the file on the other side as well, which is made if there is none, and goes there. */
export function splitTab(sides: Sides, path: string): Sides {
  const to = sides.list.length === 1 ? 1 : 1 - sides.focused;
  return openTab(focusSide(withSecond(sides), to), path);
}

/** Moves the tab over to the other side. The only tab of the only side stays and is shown on both. */
export function sendTab(sides: Sides, path: string, from: number): Sides {
  if (sides.list.length === 1 && sides.list[0]!.tabs.length < 2) return splitTab(sides, path);
  const to = sides.list.length === 1 ? 1 : 1 - from;
  const both = withSecond(sides);
  return moveTab(both, path, from, to, both.list[to]!.tabs.length);
}

/** The file has another path now; every tab stays where it is. */
export function renameTab(sides: Sides, from: string, to: string): Sides {
  const list = sides.list.map((side) => {
    if (!side.tabs.includes(from)) return side;
    const tabs = side.tabs.filter((path) => path !== to).map((path) => (path === from ? to : path));
    return { ...side, tabs, active: side.active === from ? to : side.active };
  });
  return { ...sides, list };
}

/** Sides from storage, with only those files; undefined when it is something else. At most 30 tabs a side. */
export function parseSides(value: unknown, isThere: (path: string) => boolean): Sides | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { list, focused } = value as Record<string, unknown>;
  if (!Array.isArray(list)) return undefined;
  const sides = list.slice(0, 2).map((one: unknown, id): Side => {
    const { tabs, active } = (one ?? {}) as Record<string, unknown>;
    const paths = (Array.isArray(tabs) ? tabs : []).filter((path) => typeof path === 'string' && isThere(path));
    const known: string[] = [...new Set<string>(paths)].slice(0, 30);
    return { id, tabs: known, active: known.find((path) => path === active) ?? known[0] };
  });
  return sides.length === 0 ? undefined : withoutEmpty({ list: sides, focused: focused === 1 ? 1 : 0 });
}

function change(sides: Sides, at: number, edit: (side: Side) => Side): Sides {
  return { ...sides, list: sides.list.map((side, index) => (index === at ? edit(side) : side)) };
}

function withTab(side: Side, path: string, place: number): Side {
  return side.tabs.includes(path)
    ? { ...side, active: path }
    : { ...side, tabs: side.tabs.toSpliced(place, 0, path), active: path };
}

function withoutTab(side: Side, path: string): Side {
  const at = side.tabs.indexOf(path);
  if (at < 0) return side;
  const tabs = side.tabs.toSpliced(at, 1);
  return { ...side, tabs, active: side.active === path ? tabs[Math.min(at, tabs.length - 1)] : side.active };
}

function withSecond(sides: Sides): Sides {
  if (sides.list.length > 1) return sides;
  const [only] = sides.list as [Side];
  return { ...sides, list: [only, { id: only.id + 1, tabs: [], active: undefined }] };
}

function withoutEmpty(sides: Sides): Sides {
  const kept = sides.list.filter((side) => side.tabs.length > 0);
  const list = kept.length === 0 ? sides.list.slice(0, 1) : kept;
  const focused = list.indexOf(focusedSide(sides));
  return { list, focused: Math.max(0, focused) };
}
