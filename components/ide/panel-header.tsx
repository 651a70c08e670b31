// The line on top of a panel: its name, its own controls, and the menu that moves or hides it.
'use client';

import { Ellipsis, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu } from '../ui/menu';
import { useStorePart } from '../ui/store';
import { IconButton } from '../ui/tip';
import { commandKeys } from './commands';
import { focusPanel } from './focus-panel';
import { type Dock, movePanel, type PanelId, setPanelOpen } from './layout-model';
import { panelNames } from './panel-names';
import { useCommands, useWorkbench } from './workbench-context';

const dockNames: Record<Dock, string> = { left: 'left', bottom: 'bottom', right: 'right' };

interface PanelHeaderProps {
  panel: PanelId;
  /** Between the name and the buttons; it may take all the room. */
  children?: ReactNode;
  actions?: ReactNode;
  /** Leave out the name where the children say it. */
  bare?: boolean;
}

/** Every panel has one. */
export function PanelHeader({ panel, children, actions, bare }: PanelHeaderProps) {
  const { layout } = useWorkbench();
  const commands = useCommands();
  const dock = useStorePart(layout, (now) => now.docks[panel]);
  const { name, command } = panelNames[panel];
  const hide = () => {
    layout.set((now) => setPanelOpen(now, panel, false));
    requestAnimationFrame(() => focusPanel('editor'));
  };
  return (
    <header className="panel-header">
      <h2 className={bare ? 'visually-hidden' : 'panel-title'}>{name}</h2>
      <div className="panel-header-fill">{children}</div>
      {actions}
      <Menu
        label={`${name}: place`}
        align="end"
        entries={(['left', 'bottom', 'right'] as const).map((target) => ({
          kind: 'item',
          label: `Move to the ${dockNames[target]}`,
          disabled: target === dock,
          run: () => layout.set((now) => movePanel(now, panel, target)),
        }))}
      >
        <button type="button" className="icon-button small wide-only panel-move" aria-label={`Move ${name}`}>
          <Ellipsis size={16} />
        </button>
      </Menu>
      <IconButton
        label={`Hide ${name}`}
        keys={commandKeys(commands.find((other) => other.id === command))}
        small
        className="wide-only"
        onClick={hide}
      >
        <Minus size={16} />
      </IconButton>
    </header>
  );
}
