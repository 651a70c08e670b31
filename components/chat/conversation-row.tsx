// One conversation of the list: its name opens it. F2 renames, Delete deletes, as in the tree of files.
'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { SessionSummary } from '../../lib/session/messages';
import { visibleText } from '../../lib/std/visible-text';
import { RenameField } from '../ui/rename-field';
import { showTime } from '../ui/show-size';
import { untitled } from './delete-conversation';

interface ConversationRowProps {
  conversation: SessionSummary;
  /** The line that was found in it. */
  said?: string;
  isShown: boolean;
  /** Deleted, and can be brought back. */
  isGone: boolean;
  show(): void;
  rename(title: string): void;
  remove(): void;
  restore(): void;
}

/** A list item. The focus stays on it whatever becomes of it. */
export function ConversationRow(props: ConversationRowProps) {
  const { conversation, said, isShown, isGone, show, rename, remove, restore } = props;
  const title = visibleText(conversation.title || untitled);
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  /** What has the focus goes with the next change; what comes in its place takes it. */
  const keepsFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the changes.
  useLayoutEffect(() => {
    if (!keepsFocus.current) return;
    keepsFocus.current = false;
    row.current?.querySelector<HTMLElement>('[data-row]')?.focus();
  }, [isGone, renaming]);
  const finish = (typed: string) => {
    setRenaming(false);
    if (typed.trim() !== '' && typed.trim() !== conversation.title) rename(typed.trim());
  };
  const removeHere = () => {
    keepsFocus.current = true;
    remove();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') removeHere();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (isGone)
    return (
      <li className="conversation" ref={row} data-gone="true">
        <span className="conversation-words" role="status">
          Deleted “{title}”
        </span>
        <button
          type="button"
          className="button"
          data-row
          aria-label={`Undo: bring “${title}” back`}
          onClick={() => {
            keepsFocus.current = true;
            restore();
          }}
        >
          Undo
        </button>
      </li>
    );
  if (renaming)
    return (
      <li className="conversation" ref={row}>
        <RenameField
          name={conversation.title}
          label={`New name of ${title}`}
          finish={finish}
          cancel={() => setRenaming(false)}
          onKey={() => {
            keepsFocus.current = true;
          }}
        />
      </li>
    );
  return (
    <li className="conversation" ref={row}>
      <button
        type="button"
        className="conversation-open"
        data-row
        aria-current={isShown ? 'true' : undefined}
        aria-keyshortcuts="F2 Delete"
        onClick={show}
        onKeyDown={onKey}
      >
        <span className="conversation-words">
          <strong>{title}</strong>
          {said !== undefined && <small>{visibleText(said)}</small>}
        </span>
        <span className="conversation-time" title={new Date(conversation.updatedAtMs).toLocaleString('en')}>
          {isShown ? 'shown now' : showTime(conversation.updatedAtMs)}
        </span>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Rename ${title}`}
        title="Rename (F2)"
        onClick={() => setRenaming(true)}
      >
        <Pencil size={16} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Delete ${title}`}
        title="Delete (Del)"
        onClick={removeHere}
      >
        <Trash2 size={16} />
      </button>
    </li>
  );
}
