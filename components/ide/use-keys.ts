// Key presses to commands, before anything else in the page sees them. A terminal in focus keeps the keys of its shell.
import { useEffect } from 'react';
import type { Command } from './commands';
import { bindingTable, isMac, keysOf, passesTerminal } from './keymap';
import { settings } from './settings';

/** The command that a press means here and now, or undefined. */
export function commandFor(event: KeyboardEvent, commands: readonly Command[]): Command | undefined {
  const mac = isMac();
  const keys = keysOf(event, mac);
  if (keys === undefined) return undefined;
  const id = bindingTable(commands, settings.get().keys, mac).get(keys);
  if (id === undefined) return undefined;
  const inTerminal = event.target instanceof Element && event.target.closest('.xterm') !== null;
  if (inTerminal && !passesTerminal(keys, mac)) return undefined;
  // What is written there is saved by its own form.
  if (id === 'file.save' && event.target instanceof Element && event.target.closest('[data-saves]')) return undefined;
  return commands.find((command) => command.id === id);
}

/** Runs commands by their keys while mounted. While a key is being recorded (`data-records-keys`), nothing runs. */
export function useCommandKeys(commands: readonly Command[]): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.target instanceof Element && event.target.closest('[data-records-keys]')) return;
      const command = commandFor(event, commands);
      if (!command) return;
      event.preventDefault();
      event.stopPropagation();
      command.run();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [commands]);
}
