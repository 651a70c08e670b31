// All commands with their keys, each of which can be changed: press *Change*, then the keys.
'use client';

import { type KeyboardEvent, useState } from 'react';
import { Sheet } from '../ui/sheet';
import { useStore } from '../ui/store';
import { type Command, commandKeys } from './commands';
import { bindingTable, isMac, keysOf } from './keymap';
import { changeSettings, settings } from './settings';
import { useCommands, useWorkbench } from './workbench-context';

/** The editor's own keys, which are Monaco's and can't be changed here. */
const editorKeys: [string, string][] = [
  ['Find in the file', isMac() ? '⌘F' : 'Ctrl+F'],
  ['Go to definition', 'F12'],
  ['Rename symbol', 'F2'],
  ['Move line up or down', isMac() ? '⌥↑ ⌥↓' : 'Alt+↑ Alt+↓'],
  ['Comment', isMac() ? '⌘/' : 'Ctrl+/'],
  ['Format', isMac() ? '⇧⌥F' : 'Shift+Alt+F'],
  ['Let Tab move the focus', isMac() ? '⌃⇧M' : 'Ctrl+M'],
];

/** Opens by command or from the settings. */
export function KeysSheet() {
  const { sheet } = useWorkbench();
  const commands = useCommands();
  const open = useStore(sheet) === 'keys';
  const { keys } = useStore(settings);
  const [recording, setRecording] = useState<string>();
  const changed = Object.keys(keys).length > 0;
  return (
    <Sheet title="Keyboard shortcuts" open={open} close={() => sheet.set(null)}>
      <table className="keys-table">
        <thead>
          <tr>
            <th scope="col">Command</th>
            <th scope="col">Keys</th>
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {commands.map((command) => (
            <KeyRow key={command.id} command={command} recording={recording === command.id} record={setRecording} />
          ))}
          {editorKeys.map(([title, shown]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>
                <kbd className="kbd">{shown}</kbd>
              </td>
              <td>editor</td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed && (
        <button type="button" className="button" onClick={() => changeSettings({ keys: {} })}>
          All as they were
        </button>
      )}
    </Sheet>
  );
}

interface KeyRowProps {
  command: Command;
  recording: boolean;
  record: (id: string | undefined) => void;
}

function KeyRow({ command, recording, record }: KeyRowProps) {
  const commands = useCommands();
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return record(undefined);
    const own = settings.get().keys;
    if (event.key === 'Backspace') changeSettings({ keys: { ...own, [command.id]: null } });
    else {
      const pressed = keysOf(event.nativeEvent, isMac());
      if (pressed === undefined) return;
      // Whoever had these keys loses them, visibly.
      const before = bindingTable(commands, own, isMac()).get(pressed);
      const taken = before !== undefined && before !== command.id ? { [before]: null } : {};
      changeSettings({ keys: { ...own, ...taken, [command.id]: pressed } });
    }
    record(undefined);
  };
  return (
    <tr>
      <th scope="row">{command.title}</th>
      <td>{recording ? 'Press keys…' : <kbd className="kbd">{commandKeys(command) || '–'}</kbd>}</td>
      <td>
        <button
          type="button"
          className="button"
          data-tone="quiet"
          data-records-keys={recording ? '' : undefined}
          aria-label={
            recording
              ? `Press the new keys for ${command.title}; Backspace for none, Esc to leave`
              : `Change the keys of ${command.title}`
          }
          onClick={() => record(command.id)}
          onKeyDown={recording ? onKey : undefined}
          onBlur={() => recording && record(undefined)}
        >
          {recording ? 'Esc leaves' : 'Change'}
        </button>
      </td>
    </tr>
  );
}
