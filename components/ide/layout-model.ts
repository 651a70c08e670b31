// Where every panel is: a small value and pure functions of it. Panels are flat siblings placed by rectangles, so that moving or hiding one
// never mounts it anew (a preview keeps its page, a terminal its scrollback). The editor has no dock: it gets what is left.

/** Panels beside the editor, in the order of the activity bar. */
export const panelIds = ['files', 'search', 'terminal', 'preview', 'agent'] as const;
export type PanelId = (typeof panelIds)[number];
export type Dock = 'left' | 'bottom' | 'right';
export type Preset = 'code' | 'build' | 'talk';

export interface Layout {
  docks: Record<PanelId, Dock>;
  /** A closed panel is a strip (in the left dock: its button in the activity bar). */
  open: Record<PanelId, boolean>;
  /** Pixels: width of left and right, height of bottom. */
  sizes: Record<Dock, number>;
  /** Relative size among the open panels of one dock. */
  shares: Record<PanelId, number>;
  /** Of the editor's width, what its left side takes while it has two. */
  split: number;
  /** How wide the preview's page is, in its own pixels; undefined: as its panel. */
  previewWidth: number | undefined;
}

/** Size of a strip or a panel's header, in pixels. */
export const stripPx = 32;
const minPx: Record<Dock, number> = { left: 160, right: 240, bottom: 96 };
const sideMinPx = 120;
const editorMinPx = { width: 240, height: 120 };

/** The window that the presets' sizes were drawn for, in pixels. */
export const drawnFor = { width: 1440, height: 900 };

/** What each preset shows: in a smaller window the panels beside the editor are smaller too. The geometry clamps the rest. */
export function presetLayout(preset: Preset, window = drawnFor): Layout {
  const wide = clamp(window.width / drawnFor.width, 0.72, 1.2);
  const high = clamp(window.height / drawnFor.height, 0.72, 1.2);
  const base: Layout = {
    docks: { files: 'left', search: 'left', terminal: 'bottom', preview: 'right', agent: 'right' },
    open: { files: true, search: false, terminal: true, preview: false, agent: false },
    sizes: { left: Math.round(232 * wide), right: Math.round(440 * wide), bottom: Math.round(252 * high) },
    shares: { files: 1, search: 1, terminal: 1, preview: 1, agent: 1.6 },
    split: 0.5,
    previewWidth: undefined,
  };
  switch (preset) {
    case 'code':
      return base;
    case 'build':
      return { ...base, open: { ...base.open, preview: true, agent: true } };
    case 'talk':
      return {
        ...base,
        open: { files: false, search: false, terminal: false, preview: false, agent: true },
        sizes: { ...base.sizes, right: Math.round(720 * wide) },
      };
  }
}

/** Opens or closes a panel; the left dock shows one at a time. */
export function setPanelOpen(layout: Layout, panel: PanelId, open: boolean): Layout {
  const next = { ...layout.open, [panel]: open };
  if (open && layout.docks[panel] === 'left')
    for (const other of panelIds) if (other !== panel && layout.docks[other] === 'left') next[other] = false;
  return { ...layout, open: next };
}

/** Puts a panel into another dock and opens it there. */
export function movePanel(layout: Layout, panel: PanelId, dock: Dock): Layout {
  return setPanelOpen({ ...layout, docks: { ...layout.docks, [panel]: dock } }, panel, true);
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedPanel extends Rect {
  id: PanelId;
  dock: Dock;
  /** `row`: only its header. `column`: a narrow strip with its name turned. */
  shape: 'open' | 'row' | 'column' | 'hidden';
}

/** A line that can be dragged. `axis` is the direction in which it moves. */
export interface PlacedSeparator extends Rect {
  target: { kind: 'dock'; dock: Dock } | { kind: 'share'; before: PanelId; after: PanelId } | { kind: 'split' };
  axis: 'x' | 'y';
  value: number;
  min: number;
  max: number;
}

export interface Geometry {
  editor: Rect;
  panels: PlacedPanel[];
  separators: PlacedSeparator[];
}

/**
 * Rectangles of everything in an area of that size, in whole pixels. `isSplit`: the editor has two sides, and there is a line between them.
 */
export function placePanels(layout: Layout, width: number, height: number, isSplit = false): Geometry {
  const inDock = (dock: Dock) => panelIds.filter((id) => layout.docks[id] === dock);
  const anyOpen = (dock: Dock) => inDock(dock).some((id) => layout.open[id]);
  const closed = (dock: Dock) => (dock === 'left' || inDock(dock).length === 0 ? 0 : stripPx);
  const maxOf = (total: number, min: number, other: number, editorMin: number) =>
    Math.max(min, Math.round(total - other - editorMin));

  const rightGuess = anyOpen('right') ? Math.min(layout.sizes.right, width * 0.6) : closed('right');
  const leftMax = maxOf(width, minPx.left, rightGuess, editorMinPx.width);
  const left = anyOpen('left') ? clamp(layout.sizes.left, minPx.left, leftMax) : 0;
  const rightMax = maxOf(width, minPx.right, left, editorMinPx.width);
  const right = anyOpen('right') ? clamp(layout.sizes.right, minPx.right, rightMax) : closed('right');
  const bottomMax = maxOf(height, minPx.bottom, 0, editorMinPx.height);
  const bottom = anyOpen('bottom') ? clamp(layout.sizes.bottom, minPx.bottom, bottomMax) : closed('bottom');

  const middle = Math.max(0, width - left - right);
  const editor = { x: left, y: 0, width: middle, height: Math.max(0, height - bottom) };
  const geometry: Geometry = { editor, panels: [], separators: [] };
  const areas: Record<Dock, Rect> = {
    left: { x: 0, y: 0, width: left, height },
    right: { x: width - right, y: 0, width: right, height },
    bottom: { x: left, y: height - bottom, width: middle, height: bottom },
  };
  for (const dock of ['left', 'bottom', 'right'] as const) placeDock(layout, dock, inDock(dock), areas[dock], geometry);
  if (isSplit) {
    const value = Math.round(editor.width * layout.split);
    const [min, max] = [sideMinPx, Math.max(sideMinPx, editor.width - sideMinPx)];
    const line = { ...editor, x: editor.x + value, width: 0 };
    geometry.separators.push({ target: { kind: 'split' }, axis: 'x', ...line, value, min, max });
  }

  const dockLine = (dock: Dock, rect: Rect, axis: 'x' | 'y', value: number, max: number) => {
    if (anyOpen(dock))
      geometry.separators.push({ target: { kind: 'dock', dock }, axis, ...rect, value, min: minPx[dock], max });
  };
  dockLine('left', { x: left, y: 0, width: 0, height }, 'x', left, leftMax);
  dockLine('bottom', { x: left, y: height - bottom, width: middle, height: 0 }, 'y', bottom, bottomMax);
  dockLine('right', { x: width - right, y: 0, width: 0, height }, 'x', right, rightMax);
  return geometry;
}

function placeDock(layout: Layout, dock: Dock, ids: PanelId[], area: Rect, geometry: Geometry): void {
  const openIds = ids.filter((id) => layout.open[id]);
  const vertical = dock !== 'bottom';
  if (dock === 'left') {
    for (const id of ids) {
      const rect = layout.open[id] ? area : { ...area, width: 0 };
      geometry.panels.push({ id, dock, shape: layout.open[id] ? 'open' : 'hidden', ...rect });
    }
    return;
  }
  if (openIds.length === 0) {
    ids.forEach((id, at) => {
      const along = vertical ? area.height / ids.length : area.width / ids.length;
      const rect = vertical
        ? { ...area, y: area.y + Math.round(at * along), height: Math.round(along) }
        : { ...area, x: area.x + Math.round(at * along), width: Math.round(along) };
      geometry.panels.push({ id, dock, shape: vertical ? 'column' : 'row', ...rect });
    });
    return;
  }
  const extent = vertical ? area.height : area.width;
  const room = Math.max(0, extent - stripPx * (ids.length - openIds.length));
  const total = openIds.reduce((sum, id) => sum + layout.shares[id], 0);
  let at = vertical ? area.y : area.x;
  let previous: PanelId | undefined;
  for (const id of ids) {
    const isOpen = layout.open[id];
    const isLast = id === openIds.at(-1);
    const size = isOpen ? Math.round((room * layout.shares[id]) / total) : stripPx;
    const rect = vertical ? { ...area, y: at, height: size } : { ...area, x: at, width: size };
    geometry.panels.push({ id, dock, shape: isOpen ? 'open' : vertical ? 'row' : 'column', ...rect });
    if (isOpen && previous !== undefined) {
      const pair = layout.shares[previous] + layout.shares[id];
      const line = vertical
        ? { x: area.x, y: at, width: area.width, height: 0 }
        : { x: at, y: area.y, width: 0, height: area.height };
      const pairPx = Math.round((room * pair) / total);
      const value = Math.round((room * layout.shares[previous]) / total);
      const target = { kind: 'share' as const, before: previous, after: id };
      geometry.separators.push({
        target,
        axis: vertical ? 'y' : 'x',
        ...line,
        value,
        min: 96,
        max: Math.max(96, pairPx - 96),
      });
    }
    if (isOpen) previous = id;
    at += isLast && isOpen ? Math.max(0, size) : size;
  }
}

/** The layout after a separator was set to `value` pixels (clamped to its bounds). */
export function resize(layout: Layout, separator: PlacedSeparator, value: number): Layout {
  const next = clamp(Math.round(value), separator.min, separator.max);
  if (separator.target.kind === 'dock') return { ...layout, sizes: { ...layout.sizes, [separator.target.dock]: next } };
  if (separator.target.kind === 'split') return { ...layout, split: next / (separator.max + separator.min) };
  const { before, after } = separator.target;
  const pair = layout.shares[before] + layout.shares[after];
  const pairPx = separator.max + separator.min;
  const share = (pair * next) / pairPx;
  return { ...layout, shares: { ...layout.shares, [before]: share, [after]: pair - share } };
}

/** True when dragging the separator right or down makes its value larger. */
export function growsForward(separator: PlacedSeparator): boolean {
  return separator.target.kind !== 'dock' || separator.target.dock === 'left';
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}
