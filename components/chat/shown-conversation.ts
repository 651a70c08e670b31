// Which conversation of the project is shown. The browser remembers it; one that is not shown any more may still run.

import type { Session, Sessions } from '../../lib/session/types';
import { browserStorage } from '../../lib/std/browser-storage';
import { pageTurn } from '../../lib/std/slices';
import { createStore, type Store } from '../ui/store';

/** One that can't be read, though the list has it. Nothing of it is changed. */
export interface UnreadConversation {
  id: string;
  title: string;
  error: unknown;
}

/** The conversation on screen, and how to go to another one. */
export interface ShownConversation {
  current: Store<Session>;
  /** The one that will be shown in a moment, while it is read from the database. What is typed now is for it. */
  opening: Store<{ id: string; title: string } | undefined>;
  /** What should be on the screen at the start, while an empty one is there in its place. */
  unread: Store<UnreadConversation | undefined>;
  /** Shows another conversation, unless the person goes on to yet another one meanwhile. */
  show(id: string): Promise<void>;
  /** Shows an empty one at once: a new one, or the current one when it has no name and nothing was said in it. */
  start(): Promise<void>;
  /** Says something in the conversation on screen. It counts as said from now on, though it may take a while until it stands there. */
  speak(say: (session: Session) => Promise<void>): Promise<void>;
  /** Takes it off the list (it can be brought back) and, if it is on screen, shows the next one. */
  remove(id: string): Promise<void>;
  /** Ends every conversation that was shown. */
  dispose(): Promise<void>;
}

/**
 * Shows the one that was last shown in this project, else the newest, else a new one. `model`: what a new one begins with. Rejects only when there can't be
 * a new one either.
 */
export async function showConversation(
  sessions: Sessions,
  projectId: string,
  model: () => string,
): Promise<ShownConversation> {
  const shownKey = `cloche:conversation:${projectId}`;

  async function first(): Promise<Session> {
    const wanted = browserStorage.getItem(shownKey);
    const listed = sessions.list();
    const one = listed.find(({ id }) => id === wanted) ?? listed[0];
    if (one === undefined) return sessions.create();
    try {
      return await sessions.open(one.id);
    } catch (error) {
      const empty = await startNew().catch(() => Promise.reject(error));
      unread.set({ id: one.id, title: one.title, error });
      // The next start must not leave another empty one behind.
      browserStorage.setItem(shownKey, empty.id);
      return empty;
    }
  }

  async function startNew(): Promise<Session> {
    const session = await sessions.create();
    session.setModel(model());
    return session;
  }

  /** Whoever was asked for last is shown, in whatever order they come. */
  async function go(id: string, coming: Promise<Session>): Promise<void> {
    const title = sessions.list().find((one) => one.id === id)?.title ?? '';
    const one = { id, title };
    opening.set(id === current.get().id ? undefined : one);
    try {
      const session = await coming;
      shown.add(session);
      // Reading a long one, what is above it and itself: each in a task of its own.
      await pageTurn();
      if (opening.get() === one || session.id === current.get().id) current.set(session);
      await pageTurn();
    } finally {
      if (opening.get() === one) opening.set(undefined);
    }
  }

  const unread = createStore<UnreadConversation | undefined>(undefined);
  const opening = createStore<{ id: string; title: string } | undefined>(undefined);
  const current = createStore(await first());
  const shown = new Set([current.get()]);
  const speaking = new Set<Session>();
  const stopRemembering = current.subscribe(() => {
    shown.add(current.get());
    unread.set(undefined);
    browserStorage.setItem(shownKey, current.get().id);
  });

  return {
    current,
    opening,
    unread,
    show: (id) => go(id, sessions.open(id)),
    async start() {
      opening.set(undefined);
      const { messages, title } = current.get().state();
      if (messages.length > 0 || title !== '' || speaking.has(current.get())) current.set(await startNew());
      else unread.set(undefined);
    },
    async speak(say) {
      const session = current.get();
      speaking.add(session);
      await say(session).finally(() => speaking.delete(session));
    },
    async remove(id) {
      if (opening.get()?.id === id) opening.set(undefined);
      if (current.get().id === id) {
        const next = sessions.list().find((one) => one.id !== id);
        if (next) await go(next.id, sessions.open(next.id).catch(startNew));
        else current.set(await startNew());
      }
      await sessions.setAside(id);
      if (unread.get()?.id === id) unread.set(undefined);
    },
    async dispose() {
      stopRemembering();
      await Promise.all([...shown].map((session) => session.dispose()));
    },
  };
}
