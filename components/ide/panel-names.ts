// The panels' names, icons and the commands that show them.
import { FolderTree, type LucideIcon, MonitorPlay, Search, Sparkles, SquareTerminal } from 'lucide-react';
import type { PanelId } from './layout-model';

/** By panel id. */
export const panelNames: Record<PanelId, { name: string; icon: LucideIcon; command: string }> = {
  files: { name: 'Files', icon: FolderTree, command: 'files.toggle' },
  search: { name: 'Search', icon: Search, command: 'search.show' },
  terminal: { name: 'Terminal', icon: SquareTerminal, command: 'terminal.toggle' },
  preview: { name: 'Preview', icon: MonitorPlay, command: 'preview.toggle' },
  agent: { name: 'Agent', icon: Sparkles, command: 'agent.show' },
};
