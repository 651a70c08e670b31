// The names of the terminals; F2 or a double click renames, Delete ends one.
'use client';

import { Play, Plus, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { commandKeys } from '../ide/commands';
import { useCommands, useWorkbench } from '../ide/workbench-context';
import { focusSoon } from '../ui/focus-soon';
import { useStore } from '../ui/store';
import { IconButton } from '../ui/tip';
import { useFollowActive } from '../ui/use-follow-active';
import type { TerminalSession } from './terminal-session';
import { describeEnd, terminalLabel } from './terminal-words';

/** A tab list, walked with the arrow keys. */
export function TerminalTabs() {
  const { terminals } = useWorkbench();
  const commands = useCommands();
  const list = useStore(terminals.list);
  const active = useStore(terminals.active);
  const strip = useRef<HTMLDivElement>(null);
  useFollowActive(strip, '.terminal-tab[data-active="true"]', active);
  const focusAt = (index: number) => {
    terminals.active.set(list[(index + list.length) % list.length]);
    focusSoon(strip.current, '[aria-selected="true"]');
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    if (event.key === 'ArrowRight') focusAt(at + 1);
    else if (event.key === 'ArrowLeft') focusAt(at - 1);
    else if (event.key === 'Delete') terminals.close(list[at]!);
    else if (event.key === 'Enter') list[at]!.xterm.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div className="terminal-tabs" ref={strip}>
      {list.length > 0 && (
        <div role="tablist" aria-label="Terminals" className="terminal-tablist">
          {list.map((session, at) => (
            <TerminalTab
              key={session.id}
              session={session}
              active={session === active}
              onKeyDown={(event) => onKey(event, at)}
            />
          ))}
        </div>
      )}
      <IconButton
        label="New terminal"
        keys={commandKeys(commands.find((command) => command.id === 'terminal.new'))}
        small
        onClick={() => terminals.openShell().xterm.focus()}
      >
        <Plus size={16} />
      </IconButton>
    </div>
  );
}

interface TerminalTabProps {
  session: TerminalSession;
  active: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

function TerminalTab({ session, active, onKeyDown }: TerminalTabProps) {
  const { terminals } = useWorkbench();
  const now = useStore(session.status);
  const { name, state, end } = now;
  const label = terminalLabel(now);
  const [renaming, setRenaming] = useState(false);
  const rename = (typed: string) => {
    setRenaming(false);
    if (typed.trim() !== '') session.rename(typed.trim());
  };
  if (renaming)
    return (
      <input
        className="field terminal-name-field"
        aria-label="Name of the terminal"
        defaultValue={name}
        ref={(input) => input?.select()}
        onBlur={(event) => rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') rename(event.currentTarget.value);
          if (event.key === 'Escape') setRenaming(false);
        }}
      />
    );
  const status = end ? `, ${describeEnd(end)}` : state === 'failed' ? ', failed' : '';
  return (
    <div className="terminal-tab" role="presentation" data-active={active} data-state={state}>
      <button
        type="button"
        role="tab"
        aria-keyshortcuts="Delete F2"
        aria-selected={active}
        aria-label={`${label}${status}`}
        title={label === name ? undefined : `${name}: ${label}`}
        tabIndex={active ? 0 : -1}
        onClick={({ currentTarget: tab }) => {
          terminals.active.set(session);
          // A second click may have made the tab a field for its name meanwhile, which must keep the focus.
          if (matchMedia('(hover: hover)').matches)
            requestAnimationFrame(() => tab.isConnected && session.xterm.focus());
        }}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={(event) => (event.key === 'F2' ? setRenaming(true) : onKeyDown(event))}
      >
        {session.args[0] === '-c' && <Play size={12} aria-hidden="true" />}
        <span>{label}</span>
      </button>
      <button
        type="button"
        className="tab-close"
        aria-hidden="true"
        title={`End ${name}`}
        tabIndex={-1}
        onClick={() => terminals.close(session)}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
