// A layout as the browser kept it, of an older version perhaps: what is known of it counts, the rest is the preset's.
import { isRecord } from '../../lib/std/json';
import { drawnFor, type Layout, panelIds, presetLayout } from './layout-model';

/** A layout from storage: unknown or broken members fall back to the Build preset in a window of that size. */
export function parseLayout(json: string | null, window = drawnFor): Layout {
  const layout = presetLayout('build', window);
  let value: unknown;
  try {
    value = JSON.parse(json ?? '');
  } catch {
    return layout;
  }
  const record = asRecord(value);
  const [docks, open, sizes, shares] = ['docks', 'open', 'sizes', 'shares'].map((name) => asRecord(record[name]));
  for (const id of panelIds) {
    const dock = docks![id];
    if (dock === 'left' || dock === 'bottom' || dock === 'right') layout.docks[id] = dock;
    if (typeof open![id] === 'boolean') layout.open[id] = open![id];
    layout.shares[id] = numberIn(shares![id], 0.01, 100) ?? layout.shares[id];
  }
  layout.split = numberIn(record.split, 0.05, 0.95) ?? layout.split;
  layout.previewWidth = numberIn(record.previewWidth, 99, 10_000);
  for (const dock of ['left', 'right', 'bottom'] as const)
    layout.sizes[dock] = numberIn(sizes![dock], 0, 10_000) ?? layout.sizes[dock];
  return layout;
}

const numberIn = (value: unknown, above: number, below: number): number | undefined =>
  typeof value === 'number' && value > above && value < below ? value : undefined;

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
