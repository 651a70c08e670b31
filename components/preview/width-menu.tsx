// The menu of the widths at which the page can be tried. Its button says the width and, where the page is shown smaller, by how much.
'use client';

import { MonitorSmartphone } from 'lucide-react';
import { useWorkbench } from '../ide/workbench-context';
import { Menu } from '../ui/menu';
import { previewWidths } from './preview-widths';

/** `scale`: at which the page is shown now. */
export function WidthMenu({ px, scale }: { px: number | undefined; scale: number }) {
  const { layout } = useWorkbench();
  const smaller = scale < 1 ? ` · ${Math.round(scale * 100)} %` : '';
  const said = px === undefined ? '' : `${px}${smaller}`;
  return (
    <Menu
      label="Width of the page"
      align="end"
      entries={previewWidths.map((one) => ({
        kind: 'item',
        label: one.px === undefined ? one.name : `${one.name}, ${one.px.toLocaleString('en')} pixels`,
        checked: one.px === px,
        run: () => layout.set((now) => ({ ...now, previewWidth: one.px })),
      }))}
    >
      <button
        type="button"
        className={px === undefined ? 'icon-button small' : 'port-button'}
        aria-label={said === '' ? 'Width of the page: as its panel' : `Width of the page, in pixels: ${said}`}
        title="Width of the page"
      >
        <MonitorSmartphone size={14} aria-hidden="true" />
        {said !== '' && <span className="preview-width">{said}</span>}
      </button>
    </Menu>
  );
}
