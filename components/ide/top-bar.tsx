// The bar on top: whose work this is, the one box that finds everything, Share and Run.
'use client';

import { ChevronDown, Link2, Moon, Play, Search, Square, Sun } from 'lucide-react';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { updateProject } from '../../lib/project/projects';
import { OfflineStatus } from '../offline/offline-status';
import { Mark } from '../ui/mark';
import { Menu, type MenuEntry } from '../ui/menu';
import { useStore } from '../ui/store';
import { chooseTheme, isDark, onThemeChange } from '../ui/theme';
import { IconButton, Tip } from '../ui/tip';
import { ShareButton } from './agent-slot';
import { commandKeys } from './commands';
import { useCommands, useWorkbench } from './workbench-context';

/** The header of the page. */
export function TopBar({ narrow }: { narrow: boolean }) {
  const { picker } = useWorkbench();
  const commands = useCommands();
  const keys = commandKeys(commands.find((command) => command.id === 'picker.all'));
  return (
    <header className="top-bar">
      <a className="top-mark" href="/" aria-label="Cloche: all projects">
        <Mark />
      </a>
      <h1 className="top-heading">
        <ProjectName narrow={narrow} />
      </h1>
      <span className="top-gap" />
      <button
        type="button"
        className="top-search"
        aria-label={narrow ? 'Search, run, open' : undefined}
        onClick={() => picker.set('all')}
      >
        <Search size={16} aria-hidden="true" />
        {!narrow && <span>Search, run, open…</span>}
        {!narrow && keys && <kbd className="kbd">{keys}</kbd>}
      </button>
      <span className="top-gap" />
      {/* A phone has no status bar: what is worth a word there is said here. */}
      {narrow && <OfflineStatus onlyTrouble />}
      {!narrow && <ThemeButton />}
      <Suspense fallback={<ShareToCome />}>
        <ShareButton />
      </Suspense>
      <RunButton />
    </header>
  );
}

/** Keeps the button's room until its code is there. */
function ShareToCome() {
  return (
    <button type="button" className="button share-button" disabled aria-label="Share">
      <Link2 size={14} aria-hidden="true" />
      <span>Share</span>
    </button>
  );
}

function ProjectName({ narrow }: { narrow: boolean }) {
  const { project } = useWorkbench();
  const commands = useCommands();
  const { id, name } = useStore(project);
  const [renaming, setRenaming] = useState(false);
  const rename = async (typed: string) => {
    setRenaming(false);
    if (typed.trim() !== '' && typed !== name) project.set(await updateProject(id, { name: typed }));
  };
  if (renaming)
    return (
      <input
        className="field top-name-field"
        aria-label="Project name"
        defaultValue={name}
        ref={(input) => input?.select()}
        onBlur={(event) => void rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void rename(event.currentTarget.value);
          if (event.key === 'Escape') setRenaming(false);
        }}
      />
    );
  const entry = (commandId: string, label: string): MenuEntry => {
    const command = commands.find((other) => other.id === commandId)!;
    return { kind: 'item', label, keys: commandKeys(command), run: command.run };
  };
  const entries: MenuEntry[] = [
    // The menu gives the focus back when it closes; the field must come after that.
    { kind: 'item', label: 'Rename', run: () => setTimeout(() => setRenaming(true), 50) },
    entry('project.duplicate', 'Duplicate'),
    entry('project.export', 'Download as a zip'),
    { kind: 'separator' },
    // A phone shows one panel at a time; there is nothing to lay out.
    ...['layout.code', 'layout.build', 'layout.talk']
      .filter((commandId) => !narrow && commands.some((command) => command.id === commandId))
      .map((commandId) => entry(commandId, commands.find((command) => command.id === commandId)!.title)),
    ...(narrow ? [] : [{ kind: 'separator' } as const]),
    entry('settings.show', 'Settings'),
    entry('settings.keys', 'Keyboard shortcuts'),
    { kind: 'separator' },
    entry('project.all', 'All projects'),
  ];
  return (
    <Menu label="Project" entries={entries}>
      <button type="button" className="top-name">
        <span>{name}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </button>
    </Menu>
  );
}

function ThemeButton() {
  const dark = useSyncExternalStore(onThemeChange, isDark, () => false);
  return (
    <IconButton
      label={dark ? 'Use light colours' : 'Use dark colours'}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    >
      {dark ? <Sun size={16} /> : <Moon size={16} />}
    </IconButton>
  );
}

function RunButton() {
  const workbench = useWorkbench();
  const commands = useCommands();
  const running = useStore(workbench.terminals.running);
  const keys = commandKeys(commands.find((command) => command.id === 'run.toggle'));
  return (
    <Tip label={running ? 'Stop what Run started' : 'Run what package.json says'} keys={keys}>
      <button
        type="button"
        className="button"
        data-tone={running ? undefined : 'primary'}
        onClick={() => void workbench.runOrStop()}
      >
        {running ? <Square size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
        {running ? 'Stop' : 'Run'}
      </button>
    </Tip>
  );
}
