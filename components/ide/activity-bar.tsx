// The narrow bar on the left: one button per panel, pressed while it is open, so that nothing can be lost.
'use client';

import { Keyboard, Settings } from 'lucide-react';
import { useStorePart } from '../ui/store';
import { IconButton } from '../ui/tip';
import { commandKeys } from './commands';
import { type PanelId, panelIds } from './layout-model';
import { panelNames } from './panel-names';
import { useCommands, useWorkbench } from './workbench-context';

/** Panels on top, settings below. */
export function ActivityBar() {
  const { sheet } = useWorkbench();
  return (
    <nav className="activity-bar" aria-label="Panels">
      {panelIds.map((id) => (
        <PanelButton key={id} id={id} />
      ))}
      <span className="activity-gap" />
      <IconButton label="Keyboard shortcuts" className="activity" onClick={() => sheet.set('keys')}>
        <Keyboard size={18} />
      </IconButton>
      <IconButton label="Settings" className="activity" onClick={() => sheet.set('settings')}>
        <Settings size={18} />
      </IconButton>
    </nav>
  );
}

function PanelButton({ id }: { id: PanelId }) {
  const workbench = useWorkbench();
  const commands = useCommands();
  const open = useStorePart(workbench.layout, (now) => now.open[id]);
  const { name, icon: Icon, command } = panelNames[id];
  const keys = commandKeys(commands.find((other) => other.id === command));
  return (
    <IconButton
      label={name}
      keys={keys}
      className="activity"
      aria-pressed={open}
      onClick={() => workbench.togglePanel(id)}
    >
      <Icon size={18} />
    </IconButton>
  );
}
