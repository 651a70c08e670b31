// What can be done to the shown terminal: find, clear, and a menu with copy, paste, signals.
'use client';

import { Eraser, Search, SquareMenu } from 'lucide-react';
import { isMac } from '../ide/keymap';
import { Menu, type MenuEntry } from '../ui/menu';
import { IconButton } from '../ui/tip';
import { showToast } from '../ui/toasts';
import type { TerminalSession } from './terminal-session';

/** Buttons of the terminal panel's header. */
export function TerminalActions({ session, find }: { session: TerminalSession; find: () => void }) {
  const mac = isMac();
  const copyAll = async () => {
    session.xterm.selectAll();
    await session.copy();
    session.xterm.clearSelection();
    showToast('Copied everything that the terminal holds');
  };
  const entries: MenuEntry[] = [
    { kind: 'item', label: 'Copy', keys: mac ? '⌘C' : 'Ctrl+Shift+C', run: () => void session.copy() },
    {
      kind: 'item',
      label: 'Paste',
      keys: mac ? '⌘V' : 'Ctrl+Shift+V',
      run: () =>
        void navigator.clipboard.readText().then(
          (text) => session.paste(text),
          () =>
            showToast('The browser does not let this page read the clipboard. Use the keys instead.', {
              tone: 'error',
            }),
        ),
    },
    { kind: 'item', label: 'Copy everything', run: () => void copyAll() },
    { kind: 'separator' },
    { kind: 'item', label: 'Interrupt (Ctrl+C)', run: () => session.type('\x03') },
    { kind: 'item', label: 'End (SIGTERM)', run: () => session.kill('SIGTERM') },
    { kind: 'item', label: 'End at once (SIGKILL)', danger: true, run: () => session.kill('SIGKILL') },
  ];
  return (
    <>
      <IconButton label="Find in the terminal" keys={mac ? '⌘F' : 'Ctrl+Alt+F'} small onClick={find}>
        <Search size={14} />
      </IconButton>
      <IconButton label="Clear the terminal" small onClick={() => session.xterm.clear()}>
        <Eraser size={14} />
      </IconButton>
      <Menu label="Terminal" align="end" entries={entries}>
        <button type="button" className="icon-button small" aria-label="More for this terminal">
          <SquareMenu size={14} />
        </button>
      </Menu>
    </>
  );
}
