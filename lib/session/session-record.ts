// What a session holds and how it is kept: one place where state changes, so that what is shown and what is saved can't part.
import type { Grant } from '../permission/rules';
import type { Message } from './messages';
import { createPartSaver, type PartSaver } from './part-saver';
import type { SavedSession, SessionStore } from './session-store';
import type { SessionState } from './types';

const streamingNotifyMs = 50;

/** The state of one session with its two followers: listeners and the database. */
export interface SessionRecord {
  readonly parts: PartSaver;
  state(): SessionState;
  /** `streaming`: listeners hear of it within 50 ms, together with what follows. */
  change(patch: Partial<SessionState>, streaming?: boolean): void;
  /** *Contract:* the id is one of this session. */
  message(id: string): Message;
  /** Is there a call of that id? */
  hasCall(callId: string): boolean;
  /** Shows another version of a message. */
  replace(message: Message, more?: Partial<SessionState>, streaming?: boolean): void;
  /** Adds messages; `save` keeps them whole. */
  add(messages: readonly Message[], more?: Partial<SessionState>): void;
  /** Saves what of the session is not messages, and with it what was added: all of it or nothing. */
  save(): Promise<void>;
  subscribe(listener: () => void): () => void;
  close(): void;
}

interface RecordOptions {
  store: SessionStore;
  /** The grants to save with the session. */
  grants(): readonly Grant[];
  onSummary?: (session: SavedSession) => void;
}

/** A record that starts with `initial`. Nothing is saved by making it. */
export function createRecord(initial: SessionState, { store, grants, onSummary }: RecordOptions): SessionRecord {
  const listeners = new Set<() => void>();
  let state = initial;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Messages that were added and never saved. */
  let unsaved: readonly string[] = [];

  function notify(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const listener of [...listeners]) listener();
  }

  const record: SessionRecord = {
    parts: createPartSaver(store, initial.id, () => state.messages),
    state: () => state,
    change(patch, streaming = false) {
      state = { ...state, ...patch };
      const isAtRest = state.status.kind === 'idle' || state.status.kind === 'failed';
      state.canUndo = isAtRest && state.parentId === undefined && state.messages.length > 0;
      if (streaming) timer ??= setTimeout(notify, streamingNotifyMs);
      else notify();
    },
    // It is the last one, nearly always.
    message: (id) => state.messages.findLast((one) => one.id === id)!,
    hasCall: (callId) =>
      state.messages.some(({ parts }) => parts.some((part) => part.type === 'tool' && part.callId === callId)),
    replace(message, more = {}, streaming = false) {
      const messages = state.messages.map((one) => (one.id === message.id ? message : one));
      record.change({ ...more, messages }, streaming);
    },
    add(messages, more = {}) {
      unsaved = [...unsaved, ...messages.map((one) => one.id)];
      record.change({ ...more, messages: [...state.messages, ...messages] });
    },
    async save() {
      const { id, projectId, title, createdAtMs, updatedAtMs, model, mode, agent, inbox, todos, parentId } = state;
      const saved: SavedSession = {
        id,
        projectId,
        title,
        createdAtMs,
        updatedAtMs,
        model,
        mode,
        agent,
        inbox,
        todos,
        grants: grants().filter((grant) => grant.scope === 'session'),
        ...(parentId === undefined ? {} : { parentId }),
      };
      onSummary?.(saved);
      const added = state.messages.filter((one) => unsaved.includes(one.id));
      await store.saveSession(saved, added);
      unsaved = unsaved.filter((one) => !added.some(({ id }) => id === one));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      listeners.clear();
      clearTimeout(timer);
      record.parts.close();
    },
  };
  return record;
}
