// Which conversation of the project is shown. The browser remembers it; one that is not shown any more may still run.

import type { Session, Sessions } from '../../lib/session/types';
import { browserStorage } from '../../lib/std/browser-storage';
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
  /** What should be on the screen at the start, while an empty one is there in its place. */
  unread: Store<UnreadConversation | undefined>;
  /** Shows another conversation. */
  show(id: string): Promise<void>;
  /** Shows an empty one: a new one, or the current one when nothing was said in it. */
  start(): Promise<void>;
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

  const unread = createStore<UnreadConversation | undefined>(undefined);
  const current = createStore(await first());
  const shown = new Set([current.get()]);
  const stopRemembering = current.subscribe(() => {
    shown.add(current.get());
    unread.set(undefined);
    browserStorage.setItem(shownKey, current.get().id);
  });

  return {
    current,
    unread,
    show: async (id) => current.set(await sessions.open(id)),
    async start() {
      if (current.get().state().messages.length === 0) unread.set(undefined);
      else current.set(await startNew());
    },
    async remove(id) {
      if (current.get().id === id) {
        const next = sessions.list().find((one) => one.id !== id);
        current.set(next ? await sessions.open(next.id).catch(startNew) : await sessions.create());
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
