// One thing to do: ticked, worded anew or taken off the list by the person.
'use client';

import { Pencil, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Todo } from '../../lib/session/messages';
import { IconButton } from '../ui/tip';

/** `change` gets the new item, undefined to remove it. */
export function TodoItem({ todo, change }: { todo: Todo; change(todo: Todo | undefined): void }) {
  const [isWording, setWording] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const { content, status } = todo;
  const close = () => {
    setWording(false);
    // The field goes; who left it by a key stays in its row.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) row.current?.querySelector('button')?.focus();
    });
  };
  return (
    <li ref={row} data-status={status}>
      {isWording ? (
        <TodoField
          label={`New words for: ${content}`}
          start={content}
          done={(words) => {
            close();
            if (words !== content) change({ ...todo, content: words });
          }}
          leave={close}
        />
      ) : (
        <>
          <label>
            <input
              type="checkbox"
              checked={status === 'completed'}
              onChange={(event) => change({ ...todo, status: event.currentTarget.checked ? 'completed' : 'pending' })}
            />
            <span>{content}</span>
            {status === 'in_progress' && <small>now</small>}
          </label>
          <IconButton label={`Change: ${content}`} small onClick={() => setWording(true)}>
            <Pencil size={14} />
          </IconButton>
          <IconButton label={`Remove: ${content}`} small onClick={() => change(undefined)}>
            <X size={14} />
          </IconButton>
        </>
      )}
    </li>
  );
}

/** The last row: something that the agent did not think of. Stays open, as there may be more. */
export function NewTodo({ add }: { add(content: string): void }) {
  return (
    <li>
      <TodoField label="Add something to do" start="" done={add} />
    </li>
  );
}

interface TodoFieldProps {
  label: string;
  /** The words to begin with; none: the field is always there, and empty again after each Enter. */
  start: string;
  done(words: string): void;
  leave?(): void;
}

/** Enter keeps the words, as going elsewhere does; Esc leaves them as they were. */
function TodoField({ label, start, done, leave }: TodoFieldProps) {
  const [words, setWords] = useState(start);
  const isOver = useRef(false);
  const finish = (keep: boolean) => {
    if (isOver.current) return;
    const said = words.trim();
    isOver.current = leave !== undefined;
    if (leave === undefined) setWords('');
    if (keep && said !== '') done(said);
    else leave?.();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === 'Enter');
  };
  return (
    <input
      className="field"
      aria-label={label}
      placeholder={start === '' ? label : undefined}
      value={words}
      // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into.
      autoFocus={leave !== undefined}
      onChange={(event) => setWords(event.currentTarget.value)}
      onBlur={() => leave && finish(true)}
      onKeyDown={onKey}
    />
  );
}
