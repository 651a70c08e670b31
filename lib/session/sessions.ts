// All conversations of one project: the list, and which of them are open.
import type { Grant } from '../permission/rules';
import { newId } from '../std/ids';
import { ToolError } from '../tools/tool';
import type { Message, SessionSummary } from './messages';
import { type OpenedSession, openSession } from './session';
import type { ChildSeed, ParentSession, SessionOptions } from './session-options';
import type { SavedSession } from './session-store';
import { tellEvents } from './tell-events';
import type { Session, Sessions } from './types';

export interface SessionsOptions extends Omit<SessionOptions, 'onSummary'> {
  projectId: string;
  /** For new sessions. */
  defaultModel: string;
}

/** A page that went before it could make a deletion final leaves it behind; after this it can't be wanted back. */
const undoMs = 60_000;

/** Loads the list. Nothing is opened yet. */
export async function createSessions(options: SessionsOptions): Promise<Sessions> {
  const { store, projectId } = options;
  const listeners = new Set<() => void>();
  const open = new Map<string, Promise<OpenedSession>>();
  const turns = new Map<string, Promise<void>>();
  const saved = (await store.list(projectId)).filter((one) => one.parentId === undefined);
  let list: SessionSummary[] = saved.filter((one) => one.deletedAtMs === undefined).map(summaryOf);
  const wantedBack = Date.now() - undoMs;
  for (const { id, deletedAtMs = Number.POSITIVE_INFINITY } of saved)
    if (deletedAtMs < wantedBack) void forget(id, release(id)).catch(() => {});

  function show(next: SessionSummary[]): void {
    list = next.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
    for (const listener of [...listeners]) listener();
  }

  async function start(
    saved: SavedSession,
    messages: Message[],
    grants: Grant[] | Promise<Grant[]>,
    parent?: ParentSession,
  ) {
    const session = await openSession(
      saved,
      messages,
      grants,
      {
        ...options,
        openChild,
        onSummary: (session) => show([summaryOf(session), ...list.filter((one) => one.id !== session.id)]),
      },
      parent,
    );
    tellEvents(session, options.hooks ?? {});
    return session;
  }

  async function load(id: string, parent?: ParentSession) {
    await store.claim(id);
    const loaded = await store.loadSession(id);
    if (loaded === undefined) throw new Error('This conversation does not exist any more.');
    return start(loaded.session, loaded.messages, await store.projectGrants(projectId), parent);
  }

  async function openChild({ id, agent, model, title, parent }: ChildSeed): Promise<Session> {
    if (id !== undefined) {
      const saved = (await store.loadSession(id))?.session;
      if (saved?.parentId !== parent.id)
        throw new ToolError(`There is no task ${id} of this conversation. Leave taskId out to start a new one.`);
      // Somebody may be looking at it; it goes on in the same object's place.
      await (await open.get(id)?.catch(() => undefined))?.dispose();
      const session = load(id, parent);
      open.set(id, session);
      return session;
    }
    const saved = { ...fresh(), title, model, agent, parentId: parent.id };
    await store.claim(saved.id);
    await store.saveSession(saved);
    const session = start(saved, [], [], parent);
    tellCreated(saved);
    open.set(saved.id, session);
    return session;
  }

  function tellCreated({ id, title, parentId }: SavedSession): void {
    const info = { id, title, ...(parentId === undefined ? {} : { parentID: parentId }) };
    options.hooks?.onEvent?.({ type: 'session.created', properties: { info } });
  }

  function fresh(): SavedSession {
    const nowMs = Date.now();
    return {
      id: newId('ses'),
      projectId,
      title: '',
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      model: options.defaultModel,
      mode: 'ask',
      grants: [],
    };
  }

  /** Whoever opens it from now on gets another one; the function ends this one where it is open. */
  function release(id: string): () => Promise<void> {
    const session = open.get(id);
    open.delete(id);
    return async () => (await session?.catch(() => undefined))?.dispose();
  }

  async function forget(id: string, end: () => Promise<void>): Promise<void> {
    await end();
    for (const child of (await store.list(projectId)).filter((one) => one.parentId === id))
      await store.deleteSession(child.id);
    await store.deleteSession(id);
  }

  /** What is asked of a conversation while it is being deleted or brought back comes after that: the last wish counts. */
  function inTurn<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    const turn = (turns.get(id) ?? Promise.resolve()).then(work);
    const over = turn.then(
      () => {},
      () => {},
    );
    turns.set(id, over);
    void over.then(() => turns.get(id) === over && turns.delete(id));
    return turn;
  }

  function opened(id: string) {
    let session = open.get(id);
    if (session === undefined) {
      session = inTurn(id, () => load(id));
      open.set(id, session);
      session.catch(() => open.get(id) === session && open.delete(id));
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
      const saved = fresh();
      // Nobody waits for the database: it does these in their order, before what is said in the conversation, and that is saved with it whole.
      const kept = Promise.all([store.claim(saved.id), store.saveSession(saved)]);
      kept.catch((reason) => options.onUnsaved?.('conversation', reason));
      const session = start(saved, [], store.projectGrants(projectId));
      open.set(saved.id, session);
      tellCreated(saved);
      show([summaryOf(saved), ...list]);
      return session;
    },
    open: opened,
    rename: async (id, title) => (await opened(id)).rename(title),
    find: (id, words, signal) => store.findWords(id, words, signal),
    setAside(id) {
      const end = release(id);
      return inTurn(id, async () => {
        await end();
        await store.markDeleted(id, Date.now());
        show(list.filter((one) => one.id !== id));
      });
    },
    bringBack: (id) =>
      inTurn(id, async () => {
        await store.markDeleted(id, undefined);
        const back = (await store.list(projectId)).find((one) => one.id === id);
        if (back !== undefined) show([summaryOf(back), ...list.filter((one) => one.id !== id)]);
      }),
    delete(id) {
      const end = release(id);
      return inTurn(id, async () => {
        await forget(id, end);
        show(list.filter((one) => one.id !== id));
      });
    },
  };
}

function summaryOf({ id, projectId, title, createdAtMs, updatedAtMs }: SavedSession): SessionSummary {
  return { id, projectId, title, createdAtMs, updatedAtMs };
}
