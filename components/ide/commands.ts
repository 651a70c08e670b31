// Everything the IDE can be told to do, as data: the palette, the keys page, the menus and the key presses all read this list.

import { copyProject } from '../../lib/project/projects';
import { broughtSheet, listSheet, mcpSheet, seesSheet, traceSheet } from '../chat/chat-sheets';
import { focusedSide, sendTab, splitTab } from '../editor/editor-sides';
import { isMarkdown } from '../editor/markdown-name';
import { downloadZip } from '../files/download-zip';
import { nextWidth } from '../preview/preview-widths';
import { replacing } from '../search/replacing';
import type { Store } from '../ui/store';
import { chooseTheme, isDark } from '../ui/theme';
import { showError, showToast } from '../ui/toasts';
import { isNarrow } from '../ui/use-narrow';
import { focusNextPanel, keepFocusVisible } from './focus-panel';
import { isMac, showKeys } from './keymap';
import { type Preset, presetLayout } from './layout-model';
import { changeSettings, settings } from './settings';
import type { Workbench } from './workbench';

export interface Command {
  /** Stable: custom keys are stored under it. */
  id: string;
  title: string;
  /** Default keys; the first one is shown. */
  keys?: string | readonly string[];
  /** Means nothing where one panel is shown at a time. */
  wideOnly?: boolean;
  run: () => void;
}

/** The commands of a workbench. */
export function createCommands(workbench: Workbench): Command[] {
  const { documents, terminals, layout, picker, sheet, preview } = workbench;
  const active = () => documents.active.get();
  const preset = (name: Preset) => () => {
    layout.set((now) => ({
      ...presetLayout(name, { width: innerWidth, height: innerHeight }),
      docks: now.docks,
      split: now.split,
      previewWidth: now.previewWidth,
    }));
    keepFocusVisible();
  };
  const cycleTab = (step: number) => () => {
    const { tabs } = focusedSide(documents.sides.get());
    const at = tabs.indexOf(active() ?? '');
    if (tabs.length > 0) documents.active.set(tabs[(at + step + tabs.length) % tabs.length]);
  };
  const size = (change: number) => () =>
    changeSettings({ fontSize: Math.max(10, Math.min(24, settings.get().fontSize + change)) });

  return [
    { id: 'picker.all', title: 'Search, run, open…', keys: 'Mod+K', run: () => picker.set('all') },
    { id: 'picker.files', title: 'Go to file…', keys: 'Mod+P', run: () => picker.set('files') },
    {
      id: 'picker.commands',
      title: 'Show all commands',
      keys: ['Mod+Shift+P', 'F1'],
      run: () => picker.set('commands'),
    },
    {
      id: 'run.toggle',
      title: 'Run or stop the project',
      keys: 'Mod+Alt+Enter',
      run: () => void workbench.runOrStop(),
    },
    { id: 'file.save', title: 'Save', keys: 'Mod+S', run: () => active() && void documents.save(active()!) },
    {
      id: 'file.close',
      title: 'Close tab',
      keys: 'Alt+W',
      run: () => active() && void closeTab(workbench, active()!, documents.sides.get().focused),
    },
    { id: 'tab.next', title: 'Next tab', keys: 'Alt+PageDown', run: cycleTab(1) },
    { id: 'tab.previous', title: 'Previous tab', keys: 'Alt+PageUp', run: cycleTab(-1) },
    {
      id: 'editor.split',
      title: 'Editor: show this file on the other side too',
      keys: 'Mod+\\',
      wideOnly: true,
      run: () => splitEditor(workbench),
    },
    {
      id: 'editor.send',
      title: 'Editor: move this tab to the other side',
      keys: 'Mod+Alt+\\',
      wideOnly: true,
      run: () => sendToOtherSide(workbench),
    },
    {
      id: 'editor.page',
      title: 'Markdown: show the page or the text',
      keys: 'Mod+Alt+M',
      run: () => togglePage(workbench),
    },
    { id: 'files.toggle', title: 'Files: show or hide', keys: 'Mod+B', run: () => workbench.togglePanel('files') },
    { id: 'search.show', title: 'Search in files', keys: 'Mod+Shift+F', run: () => workbench.showPanel('search') },
    {
      id: 'search.replace',
      title: 'Replace in files',
      keys: 'Mod+Shift+H',
      run: () => {
        replacing.set(true);
        workbench.showPanel('search');
      },
    },
    {
      id: 'terminal.toggle',
      title: 'Terminal: show or hide',
      keys: 'Ctrl+`',
      run: () => workbench.togglePanel('terminal'),
    },
    {
      id: 'terminal.new',
      title: 'Terminal: open another',
      keys: 'Ctrl+Shift+`',
      run: () => {
        terminals.openShell();
        workbench.showPanel('terminal');
      },
    },
    {
      id: 'preview.toggle',
      title: 'Preview: show or hide',
      keys: 'Mod+Alt+P',
      run: () => workbench.togglePanel('preview'),
    },
    { id: 'preview.reload', title: 'Preview: reload', keys: 'Mod+Alt+R', run: () => preview.reload() },
    {
      id: 'preview.width',
      title: 'Preview: the page at the next width (phone, tablet, laptop)',
      run: () => {
        layout.set((now) => ({ ...now, previewWidth: nextWidth(now.previewWidth).px }));
        workbench.showPanel('preview');
      },
    },
    { id: 'panel.next', title: 'Go to the next panel', keys: 'F6', run: () => focusNextPanel(1) },
    { id: 'panel.previous', title: 'Go to the previous panel', keys: 'Shift+F6', run: () => focusNextPanel(-1) },
    { id: 'editor.focus', title: 'Go to the editor', keys: 'Mod+Alt+E', run: () => workbench.showPanel('editor') },
    { id: 'agent.show', title: 'Agent: show or hide', keys: 'Mod+L', run: () => workbench.togglePanel('agent') },
    { id: 'agent.focus', title: 'Agent: write to it', keys: 'Mod+I', run: () => workbench.showPanel('agent') },
    { id: 'agent.list', title: 'Agent: conversations', run: () => openAgentSheet(workbench, listSheet) },
    { id: 'agent.mcp', title: 'Agent: MCP servers', run: () => openAgentSheet(workbench, mcpSheet) },
    {
      id: 'agent.brought',
      title: 'Agent: what this project brings',
      run: () => openAgentSheet(workbench, broughtSheet),
    },
    { id: 'agent.sees', title: 'Agent: what the model sees', run: () => openAgentSheet(workbench, seesSheet) },
    { id: 'agent.trace', title: 'Agent: trace', run: () => openAgentSheet(workbench, traceSheet) },
    {
      id: 'agent.own',
      title: 'Agent: your skills, agents and commands',
      run: () => workbench.sheet.set('own'),
    },
    { id: 'layout.code', title: 'Layout: Code', keys: 'Mod+Alt+1', wideOnly: true, run: preset('code') },
    { id: 'layout.build', title: 'Layout: Build', keys: 'Mod+Alt+2', wideOnly: true, run: preset('build') },
    { id: 'layout.talk', title: 'Layout: Talk', keys: 'Mod+Alt+3', wideOnly: true, run: preset('talk') },
    { id: 'view.larger', title: 'Larger text', run: size(1) },
    { id: 'view.smaller', title: 'Smaller text', run: size(-1) },
    {
      id: 'view.wrap',
      title: 'Wrap long lines',
      keys: 'Alt+Z',
      run: () => changeSettings({ wordWrap: !settings.get().wordWrap }),
    },
    { id: 'view.theme', title: 'Switch between light and dark', run: () => chooseTheme(isDark() ? 'light' : 'dark') },
    { id: 'settings.show', title: 'Settings', keys: 'Mod+,', run: () => sheet.set('settings') },
    { id: 'settings.config', title: 'Your opencode.json', run: () => sheet.set('config') },
    { id: 'settings.keys', title: 'Keyboard shortcuts', keys: 'Mod+Alt+K', run: () => sheet.set('keys') },
    { id: 'project.share', title: 'Share a copy', run: () => sheet.set('share') },
    {
      id: 'project.export',
      title: 'Download the project as a zip',
      run: () => void downloadZip(workbench.sandbox, documents, workbench.project.get().name),
    },
    { id: 'project.duplicate', title: 'Duplicate the project', run: () => void duplicateProject(workbench) },
    { id: 'project.all', title: 'All projects', run: () => location.assign('/') },
  ];
}

/** The sheet belongs to the panel, which may have to be loaded first. */
export function openAgentSheet({ sheet, showPanel }: Workbench, which: Store<boolean>): void {
  sheet.set(null);
  showPanel('agent');
  which.set(true);
}

function togglePage({ documents, pages, showPanel }: Workbench): void {
  const path = documents.active.get();
  if (path === undefined || !isMarkdown(path)) {
    showToast('Only Markdown files can be shown as a page.');
    return;
  }
  pages.set((now) => new Set(now).symmetricDifference(new Set([path])));
  showPanel('editor');
}

/** Shows the active file on the other side of the editor, which is made if there is none, and goes there. */
function splitEditor({ documents, showPanel }: Workbench): void {
  const path = documents.active.get();
  if (path === undefined || !hasRoomForTwo()) return;
  documents.sides.set((now) => splitTab(now, path));
  showPanel('editor');
}

function sendToOtherSide({ documents, showPanel }: Workbench): void {
  const path = documents.active.get();
  if (path === undefined || !hasRoomForTwo()) return;
  documents.sides.set((now) => sendTab(now, path, now.focused));
  showPanel('editor');
}

function hasRoomForTwo(): boolean {
  if (!isNarrow()) return true;
  showToast('Two files side by side need a wider window.');
  return false;
}

/** A command's keys as people read them, after the person's own choice; empty when it has none. */
export function commandKeys(command: Command | undefined): string {
  if (!command) return '';
  const custom = settings.get().keys[command.id];
  const keys = custom === undefined ? [command.keys ?? []].flat()[0] : custom;
  return keys ? showKeys(keys, isMac()) : '';
}

/** Closes a tab of that side (without one: of all); text that was not saved (autosave is off) can be brought back from the notice. */
export async function closeTab({ documents }: Workbench, path: string, side?: number): Promise<void> {
  const unsaved = await documents.close(path, side);
  if (unsaved === undefined) return;
  showToast(`Closed ${path.slice(path.lastIndexOf('/') + 1)} without saving`, {
    action: { label: 'Undo', run: () => void documents.retype(path, unsaved) },
  });
}

async function duplicateProject(workbench: Workbench): Promise<void> {
  try {
    await workbench.keep();
    const copy = await copyProject(workbench.project.get().id);
    showToast(`Made ${copy.name}`, { action: { label: 'Open', run: () => location.assign(`/p/${copy.id}`) } });
  } catch (error) {
    showError('Could not duplicate the project', error);
  }
}
