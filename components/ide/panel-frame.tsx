// One panel in its place: its contents, or the strip that brings it back.
'use client';

import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { FilesPanel } from '../files/files-panel';
import { PreviewPanel } from '../preview/preview-panel';
import { SearchPanel } from '../search/search-panel';
import { TerminalPanel } from '../terminal/terminal-panel';
import { PanelBoundary } from '../ui/failure';
import { AgentPanel } from './agent-slot';
import type { PanelId, PlacedPanel } from './layout-model';
import { panelNames } from './panel-names';
import { rectStyle } from './rect-style';
import { useWorkbench } from './workbench-context';

const contents: Record<PanelId, ComponentType> = {
  files: FilesPanel,
  search: SearchPanel,
  terminal: TerminalPanel,
  preview: PreviewPanel,
  agent: AgentPanel,
};

/** Mounts its contents when it is first shown, and keeps them. */
export function PanelFrame({ placed, narrow }: { placed: PlacedPanel; narrow: boolean }) {
  const workbench = useWorkbench();
  const { id, shape } = placed;
  const [wasShown, setWasShown] = useState(shape === 'open');
  useEffect(() => {
    if (shape === 'open') setWasShown(true);
  }, [shape]);
  const { name, icon: Icon } = panelNames[id];
  const Contents = contents[id];
  const isStrip = shape === 'row' || shape === 'column';
  return (
    <section
      className="panel"
      data-panel={id}
      data-dock={narrow ? 'full' : placed.dock}
      data-shape={shape}
      aria-label={name}
      style={{ ...rectStyle(placed), display: shape === 'hidden' ? 'none' : undefined }}
    >
      {isStrip && (
        <button type="button" className="strip" aria-label={`Show ${name}`} onClick={() => workbench.showPanel(id)}>
          <Icon size={16} aria-hidden="true" />
          <span>{name}</span>
        </button>
      )}
      {(wasShown || shape === 'open') && (
        <div className="panel-contents" style={{ display: isStrip ? 'none' : undefined }}>
          <PanelBoundary name={name}>
            <Suspense>
              <Contents />
            </Suspense>
          </PanelBoundary>
        </div>
      )}
    </section>
  );
}
