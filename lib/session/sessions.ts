// All conversations of one project: the list, and which of them are open.
import type { Grant } from '../permission/rules';
import { newId } from '../std/ids';
import { openSession } from './session';
import type { SessionOptions } from './session-options';
import type { SavedSession } from './session-store';
import type { Session, SessionSummary, Sessions } from './types';

export interface SessionsOptions extends Omit<SessionOptions, 'onSummary'> {
  projectId: string;
  /** For new sessions. */
  defaultModel: string;
}

/** Loads the list. Nothing is opened yet. */
export async function createSessions(options: SessionsOptions): Promise<Sessions> {
  const { store, projectId } = options;
  const listeners = new Set<() => void>();
  const open = new Map<string, Promise<Awaited<ReturnType<typeof openSession>>>>();
  let list: SessionSummary[] = (await store.list(projectId)).map(summaryOf);

  function show(next: SessionSummary[]): void {
    list = next.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
    for (const listener of [...listeners]) listener();
  }

  function start(saved: SavedSession, messages: Parameters<typeof openSession>[1], grants: Grant[]) {
    return openSession(saved, messages, grants, {
      ...options,
      onSummary: (session) => show([summaryOf(session), ...list.filter((one) => one.id !== session.id)]),
    });
  }

  async function load(id: string) {
    const loaded = await store.loadSession(id);
    if (loaded === undefined) throw new Error('This conversation does not exist any more.');
    return start(loaded.session, loaded.messages, await store.projectGrants(projectId));
  }

  function opened(id: string) {
    let session = open.get(id);
    if (session === undefined) {
      session = load(id);
      open.set(id, session);
      session.catch(() => open.delete(id));
    }
    return session;
  }

  return {
    list: () => list,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async create(): Promise<Session> {
      const nowMs = Date.now();
      const saved: SavedSession = {
        id: newId('ses'),
        projectId,
        title: '',
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        model: options.defaultModel,
        mode: 'ask',
        grants: [],
      };
      await store.saveSession(saved);
      const session = start(saved, [], await store.projectGrants(projectId));
      open.set(saved.id, session);
      show([summaryOf(saved), ...list]);
      return session;
    },
    open: opened,
    rename: async (id, title) => (await opened(id)).rename(title),
    async delete(id) {
      const session = await open.get(id)?.catch(() => undefined);
      await session?.dispose();
      open.delete(id);
      await store.deleteSession(id);
      show(list.filter((one) => one.id !== id));
    },
  };
}

function summaryOf({ id, projectId, title, createdAtMs, updatedAtMs }: SavedSession): SessionSummary {
  return { id, projectId, title, createdAtMs, updatedAtMs };
}
