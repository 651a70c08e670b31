// Which conversation of the project is shown. The browser remembers it; one that is not shown any more may still run.

import type { Session, Sessions } from '../../lib/session/types';
import { browserStorage } from '../../lib/std/browser-storage';
import { createStore, type Store } from '../ui/store';

/** The conversation on screen, and how to go to another one. */
export interface ShownConversation {
  current: Store<Session>;
  /** Shows another conversation. */
  show(id: string): Promise<void>;
  /** Shows an empty one: a new one, or the current one when nothing was said in it. */
  start(): Promise<void>;
  /** Deletes it and shows the next one. */
  remove(id: string): Promise<void>;
  /** Ends every conversation that was shown. */
  dispose(): Promise<void>;
}

/** Shows the one that was last shown in this project, else the newest, else a new one. `model`: what a new one begins with. */
export async function showConversation(
  sessions: Sessions,
  projectId: string,
  model: () => string,
): Promise<ShownConversation> {
  const shownKey = `cloche:conversation:${projectId}`;

  async function first(): Promise<Session> {
    const wanted = browserStorage.getItem(shownKey);
    const listed = sessions.list();
    const id = listed.some((one) => one.id === wanted) ? wanted : listed[0]?.id;
    return id ? sessions.open(id) : sessions.create();
  }

  const current = createStore(await first());
  const shown = new Set([current.get()]);
  const stopRemembering = current.subscribe(() => {
    shown.add(current.get());
    browserStorage.setItem(shownKey, current.get().id);
  });

  return {
    current,
    show: async (id) => current.set(await sessions.open(id)),
    async start() {
      if (current.get().state().messages.length === 0) return;
      const session = await sessions.create();
      session.setModel(model());
      current.set(session);
    },
    async remove(id) {
      if (current.get().id === id) {
        const next = sessions.list().find((one) => one.id !== id);
        current.set(next ? await sessions.open(next.id) : await sessions.create());
      }
      await sessions.delete(id);
    },
    async dispose() {
      stopRemembering();
      await Promise.all([...shown].map((session) => session.dispose()));
    },
  };
}
