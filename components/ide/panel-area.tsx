// Places the panels by the layout. All of them stay mounted, in one order: what is closed is only not displayed.
'use client';

import { useLayoutEffect, useRef, useState } from 'react';
import { EditorPanel } from '../editor/editor-panel';
import { useStore, useStorePart } from '../ui/store';
import { type PlacedPanel, panelIds, placePanels } from './layout-model';
import { PanelFrame } from './panel-frame';
import { PanelSeparator } from './panel-separator';
import { rectStyle } from './rect-style';
import { useWorkbench } from './workbench-context';

/** The whole middle of the window. On a phone one panel fills it. */
export function PanelArea({ narrow }: { narrow: boolean }) {
  const workbench = useWorkbench();
  const layout = useStore(workbench.layout);
  const view = useStore(workbench.phoneView);
  const area = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });

  // At once as well: a frame without sizes would be seen, and then everything jump.
  useLayoutEffect(() => {
    const measured = ({ width, height }: DOMRectReadOnly) =>
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    measured(area.current!.getBoundingClientRect());
    const observer = new ResizeObserver(([entry]) => measured(entry!.contentRect));
    observer.observe(area.current!);
    return () => observer.disconnect();
  }, []);

  const isSplit = useStorePart(workbench.documents.sides, (sides) => sides.list.length > 1);
  const geometry = placePanels(layout, size.width, size.height, isSplit);
  const full = { x: 0, y: 0, ...size };
  const editor = narrow ? full : geometry.editor;
  const placed = (id: PlacedPanel['id']): PlacedPanel => {
    const panel = geometry.panels.find((other) => other.id === id)!;
    return narrow ? { ...panel, ...full, shape: view === id ? 'open' : 'hidden' } : panel;
  };
  return (
    <div className="panel-area" ref={area}>
      {panelIds
        .filter((id) => layout.docks[id] === 'left')
        .map((id) => (
          <PanelFrame key={id} placed={placed(id)} narrow={narrow} />
        ))}
      <main
        className="panel"
        data-panel="editor"
        aria-label="Editor"
        style={{ ...rectStyle(editor), display: narrow && view !== 'editor' ? 'none' : undefined }}
      >
        <EditorPanel narrow={narrow} />
      </main>
      {panelIds
        .filter((id) => layout.docks[id] !== 'left')
        .map((id) => (
          <PanelFrame key={id} placed={placed(id)} narrow={narrow} />
        ))}
      {!narrow && (
        // Last, so that Tab goes through the panels first; a region, so that a screen reader finds them.
        <section className="separators" aria-label="Sizes of the panels">
          {geometry.separators.map((line) => (
            <PanelSeparator key={JSON.stringify(line.target)} line={line} />
          ))}
        </section>
      )}
    </div>
  );
}
