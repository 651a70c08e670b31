// One thing of a list in a sheet: its name opens it, small buttons do the rest, and what was deleted keeps its place with a way back, for behind a
// sheet no notice can be reached. F2 renames and Delete deletes, as in the tree of files.
'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { RenameField } from './rename-field';
import { TitledButton } from './titled-button';
import './sheet-row.css';

interface SheetRowProps {
  /** As it is shown: nothing invisible is in it. */
  name: string;
  /** What is said below the name. */
  children?: ReactNode;
  /** At the end of the line. */
  aside?: ReactNode;
  /** Buttons before the one that deletes. */
  actions?: ReactNode;
  /** It is what is on the screen behind the sheet. */
  isCurrent?: boolean;
  /** Deleted, and can be brought back. */
  isGone: boolean;
  /** Takes the focus when it comes. */
  takesFocus?: boolean;
  open(): void;
  /** What the field begins with, and what is done with a new name. Without it there is no other name. */
  naming?: { name: string; rename(name: string): void };
  remove(): void;
  restore(): void;
}

/** A list item. The focus stays on it whatever becomes of it; `data-row` is what arrow keys go to. */
export function SheetRow(props: SheetRowProps) {
  const { name, children, aside, actions, isCurrent, isGone, takesFocus, open, naming, remove, restore } = props;
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  /** What has the focus goes with the next change; what comes in its place takes it. */
  const keepsFocus = useRef(takesFocus === true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the changes.
  useLayoutEffect(() => {
    if (!keepsFocus.current) return;
    keepsFocus.current = false;
    row.current?.querySelector<HTMLElement>('[data-row]')?.focus();
  }, [isGone, renaming]);
  const finish = (typed: string) => {
    setRenaming(false);
    if (typed.trim() !== '' && typed.trim() !== naming?.name) naming?.rename(typed.trim());
  };
  const removeHere = () => {
    keepsFocus.current = true;
    remove();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'F2' && naming !== undefined) setRenaming(true);
    else if (event.key === 'Delete') removeHere();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (isGone)
    return (
      <li className="sheet-row" ref={row} data-gone="true">
        <span className="sheet-row-words" role="status">
          Deleted “{name}”
        </span>
        <button
          type="button"
          className="button"
          data-row
          aria-label={`Undo: bring “${name}” back`}
          onClick={() => {
            keepsFocus.current = true;
            restore();
          }}
        >
          Undo
        </button>
      </li>
    );
  if (renaming && naming !== undefined)
    return (
      <li className="sheet-row" ref={row}>
        <RenameField
          name={naming.name}
          label={`New name of ${name}`}
          finish={finish}
          cancel={() => setRenaming(false)}
          onKey={() => {
            keepsFocus.current = true;
          }}
        />
      </li>
    );
  return (
    <li className="sheet-row" ref={row}>
      <button
        type="button"
        className="sheet-row-open"
        data-row
        aria-current={isCurrent ? 'true' : undefined}
        aria-keyshortcuts={naming === undefined ? 'Delete' : 'F2 Delete'}
        onClick={open}
        onKeyDown={onKey}
      >
        <span className="sheet-row-words">
          <strong>{name}</strong>
          {children}
        </span>
        {aside !== undefined && <span className="sheet-row-aside">{aside}</span>}
      </button>
      {naming !== undefined && (
        <TitledButton icon={Pencil} label={`Rename ${name}`} title="Rename (F2)" onClick={() => setRenaming(true)} />
      )}
      {actions}
      <TitledButton icon={Trash2} label={`Delete ${name}`} title="Delete (Del)" onClick={removeHere} />
    </li>
  );
}
