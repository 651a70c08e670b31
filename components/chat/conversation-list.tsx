// All conversations of the project: found by name and by what was said, opened, renamed, deleted with a way back. All of it by keyboard too.
'use client';

import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { SessionSummary } from '../../lib/session/messages';
import { visibleText } from '../../lib/std/visible-text';
import { Sheet } from '../ui/sheet';
import { SheetRow } from '../ui/sheet-row';
import { showTime } from '../ui/show-size';
import { useStore } from '../ui/store';
import { showError } from '../ui/toasts';
import { useConversations, useCurrent } from './chat-context';
import { listSheet } from './chat-sheets';
import { bringBack, setAside, settle, untitled } from './delete-conversation';
import { focusToType } from './focus-to-type';
import { useFindConversations } from './use-find-conversations';

/** Opened by the conversation's menu and the palette. */
export function ConversationList() {
  const open = useStore(listSheet);
  return (
    <Sheet title="Conversations" open={open} close={() => listSheet.set(false)}>
      {open && <Listed />}
    </Sheet>
  );
}

const firstRows = 24;

function Listed() {
  const conversations = useConversations();
  const { sessions } = conversations;
  const { session } = useCurrent();
  const list = useSyncExternalStore(sessions.subscribe, sessions.list, sessions.list);
  /** Deleted while this is open: they keep their places, with a way back. */
  const [gone, setGone] = useState<SessionSummary[]>([]);
  const [query, setQuery] = useState('');
  const all = [...list, ...gone.filter(({ id }) => !list.some((one) => one.id === id))].sort(
    (a, b) => b.updatedAtMs - a.updatedAtMs,
  );
  const { found, searching } = useFindConversations(all, query);
  // A screen of them at once; hundreds are drawn in slices, while the field takes letters.
  const drawn = useDeferredValue(found, found.slice(0, firstRows));
  const field = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLUListElement>(null);

  useEffect(() => {
    // After the dialog has taken the focus.
    const frame = requestAnimationFrame(() => focusToType(field.current));
    return () => cancelAnimationFrame(frame);
  }, []);
  const goneNow = useRef(gone);
  goneNow.current = gone;
  useEffect(
    () => () => {
      for (const { id } of goneNow.current) settle(conversations, id);
    },
    [conversations],
  );

  const show = (id: string) => {
    listSheet.set(false);
    conversations.show(id).catch((error) => showError('Could not open the conversation', error));
  };
  const remove = async (one: SessionSummary) => {
    // Before the list loses it: its row stays, and with it the focus.
    setGone((now) => [...now, one]);
    if (!(await setAside(conversations, one.id))) setGone((now) => now.filter(({ id }) => id !== one.id));
  };
  const restore = async (one: SessionSummary) => {
    if (await bringBack(conversations, one.id)) setGone((now) => now.filter(({ id }) => id !== one.id));
  };
  /** From the field into the list and through it; the first row leads back. */
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops = [field.current, ...(rows.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const row = document.activeElement?.closest('li');
    const at = stops.findIndex((stop) => stop === document.activeElement || (row && stop && row.contains(stop)));
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of what is inside.
    <div className="conversations" onKeyDown={onKey}>
      <input
        ref={field}
        className="field"
        type="search"
        // The first Esc empties the field, the second closes the sheet.
        data-records-keys={query === '' ? undefined : true}
        aria-label="Search conversations"
        placeholder="Search names and what was said"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = found.find(({ one }) => !gone.includes(one))?.one;
          if (event.key === 'Enter' && query.trim() !== '' && first) show(first.id);
          if (event.key === 'Escape') setQuery('');
        }}
      />
      <ul ref={rows} className="sheet-rows" aria-label="Conversations of this project">
        {drawn.map(({ one, said }) => (
          <SheetRow
            key={one.id}
            name={visibleText(one.title || untitled)}
            aside={
              <span title={new Date(one.updatedAtMs).toLocaleString('en')}>
                {one.id === session.id ? 'shown now' : showTime(one.updatedAtMs)}
              </span>
            }
            isCurrent={one.id === session.id}
            isGone={gone.some(({ id }) => id === one.id)}
            open={() => show(one.id)}
            naming={{
              name: one.title,
              rename: (title) =>
                void sessions.rename(one.id, title).catch((error) => showError('Could not rename', error)),
            }}
            remove={() => void remove(one)}
            restore={() => void restore(one)}
          >
            {said !== undefined && <small>{visibleText(said)}</small>}
          </SheetRow>
        ))}
      </ul>
      <p className="conversations-state" role="status">
        {stateLine(found.length, query, searching)}
      </p>
    </div>
  );
}

function stateLine(count: number, query: string, searching: boolean): string {
  if (query.trim() === '') return '';
  if (searching) return count === 0 ? 'Searching what was said…' : `${count} so far…`;
  if (count === 0) return 'No conversation has all these words. Try fewer, or other ones.';
  return count === 1 ? '1 conversation' : `${count} conversations`;
}
