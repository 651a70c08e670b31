// The one box that opens files and runs commands. `>` shows commands only, `:12` goes to a line.
'use client';

import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { PickerMode } from '../ide/workbench';
import { useCommands, useWorkbench } from '../ide/workbench-context';
import { giveFocusBack, rememberFocus } from '../ui/focus-back';
import { useStore } from '../ui/store';
import { Highlighted } from './highlighted';
import { type PickerItem, pickerItems } from './picker-items';
import './search.css';

/** A key ranks so many in some 50 ms. */
const maxFiles = 100_000;

/** Open while `workbench.picker` has a mode. */
export function Picker() {
  const { picker } = useWorkbench();
  const mode = useStore(picker);
  return (
    <Dialog.Root open={mode !== null} onOpenChange={(open) => !open && picker.set(null)}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog picker"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            rememberFocus();
            // Not selected: what stands in the box says what it is asked for, and the next key must not replace it.
            event.preventDefault();
            const input = (event.currentTarget as HTMLElement).querySelector('input');
            input?.focus();
            input?.setSelectionRange(input.value.length, input.value.length);
          }}
          onCloseAutoFocus={giveFocusBack}
        >
          <Dialog.Title className="visually-hidden">Search, run, open</Dialog.Title>
          {mode && <PickerBox key={mode} mode={mode} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PickerBox({ mode }: { mode: NonNullable<PickerMode> }) {
  const workbench = useWorkbench();
  const { picker, sandbox } = workbench;
  const commands = useCommands();
  const [query, setQuery] = useState(mode === 'commands' ? '>' : '');
  const [files, setFiles] = useState<readonly string[]>();
  const [isAll, setAll] = useState(true);
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    const stopped = new AbortController();
    sandbox.search.files({ path: sandbox.workdir, pattern: '**', maxResults: maxFiles, signal: stopped.signal }).then(
      ({ paths, truncated }) => {
        setFiles(paths);
        setAll(!truncated);
      },
      () => setFiles([]),
    );
    return () => stopped.abort();
  }, [sandbox]);

  const items = pickerItems({ query, mode, files: files ?? [], commands, workbench });
  const index = Math.min(chosen, items.length - 1);

  const run = (item: PickerItem | undefined) => {
    if (!item) return;
    picker.set(null);
    item.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const go = (to: number) => {
      event.preventDefault();
      const next = (to + items.length) % items.length;
      setChosen(next);
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    };
    if (event.key === 'ArrowDown') go(index + 1);
    else if (event.key === 'ArrowUp') go(index - 1);
    else if (event.key === 'Enter') {
      // The editor has the focus before this key is done: it would get a line break.
      event.preventDefault();
      run(items[index]);
    }
  };
  const waiting = files === undefined && !query.startsWith('>');
  return (
    <>
      <input
        className="picker-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={items[index] ? `${id}-${index}` : undefined}
        aria-label={mode === 'files' ? 'Go to file' : 'Search, run, open'}
        placeholder={mode === 'files' ? 'File name' : 'File name, or > for commands'}
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div className="picker-list" role="listbox" id={id} aria-label="Results" ref={list}>
        {items.map((item, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the focus and takes the keys.
          <div
            key={item.id}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            className="picker-item"
            onClick={() => run(item)}
            onPointerMove={() => setChosen(at)}
          >
            {item.icon}
            <Highlighted text={item.text} positions={item.positions} />
            {item.detail && <small>{item.detail}</small>}
            {item.keys && <kbd className="kbd">{item.keys}</kbd>}
          </div>
        ))}
      </div>
      {items.length === 0 && (
        <p className="picker-none" role="status">
          {waiting ? 'Reading the files…' : noMatch(query, isAll)}
        </p>
      )}
    </>
  );
}

/** What to try instead. */
function noMatch(query: string, isAll: boolean): string {
  if (query.startsWith('>')) return 'No command is called so. Without the > files are looked for.';
  if (!isAll) return `None of the first ${maxFiles.toLocaleString('en')} files is called so, and there are more.`;
  return 'No file is called so. Search in files looks inside them; > shows all commands.';
}
