// Where sessions live: one IndexedDB database, a record per part, so that saving a delta never rewrites a conversation.
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Grant } from '../permission/rules';
import { outputsOf } from './keep-output';
import { reconnecting } from './reconnecting';
import type { RecordedWrite } from './recording-sandbox';
import { partsInPlace } from './saved-parts';
import type { SavedTrace } from './turn-trace';
import type { AskMode, Message, MessagePart, QueuedPrompt, SessionSummary, Todo } from './types';

/** What of a session is not messages. */
export interface SavedSession extends SessionSummary {
  model: string;
  mode: AskMode;
  grants: Grant[];
  agent?: string;
  parentId?: string;
  inbox?: QueuedPrompt[];
  todos?: Todo[];
}

type SavedMessage = Omit<Message, 'parts'> & { sessionId: string };
interface SavedPart {
  sessionId: string;
  messageId: string;
  index: number;
  part: MessagePart;
}
interface SavedWrite extends RecordedWrite {
  sessionId: string;
  messageId: string;
  index: number;
}

/** Bytes that a message refers to. `id`: the hash of their content. */
export interface SavedBlob {
  id: string;
  mediaType: string;
  bytes: Uint8Array;
  addedAtMs: number;
}

interface Schema extends DBSchema {
  blobs: {
    key: [string, string];
    value: SavedBlob & { sessionId: string; size: number };
    indexes: { age: [string, number, number] };
  };
  sessions: { key: string; value: SavedSession; indexes: { projectId: string } };
  messages: { key: [string, string]; value: SavedMessage };
  parts: { key: [string, string, number]; value: SavedPart };
  writes: { key: [string, string, number]; value: SavedWrite };
  traces: { key: [string, string]; value: SavedTrace & { sessionId: string } };
  projectGrants: { key: string; value: Grant & { projectId: string }; indexes: { projectId: string } };
}

/** Every method resolves when the record is durable in IndexedDB's sense. Message ids sort by time. */
export interface SessionStore {
  /** Newest first, sub-agents' conversations included. */
  list(projectId: string): Promise<SavedSession[]>;
  saveSession(session: SavedSession): Promise<void>;
  loadSession(id: string): Promise<{ session: SavedSession; messages: Message[] } | undefined>;
  deleteSession(id: string): Promise<void>;
  /** The message without its parts. */
  saveMessage(sessionId: string, message: Message): Promise<void>;
  saveParts(sessionId: string, messageId: string, parts: { index: number; part: MessagePart }[]): Promise<void>;
  deleteMessages(sessionId: string, messageIds: string[]): Promise<void>;
  saveWrites(sessionId: string, messageId: string, firstIndex: number, writes: RecordedWrite[]): Promise<void>;
  /** In the order in which they were made. */
  loadWrites(sessionId: string, messageId: string): Promise<RecordedWrite[]>;
  /** Replaces the one of the same key; the oldest of more than a hundred go. */
  saveTrace(sessionId: string, trace: SavedTrace): Promise<void>;
  /** Oldest first. */
  loadTraces(sessionId: string): Promise<SavedTrace[]>;
  /** Keeps bytes for a session, once for the same content; beyond `maxTotalBytes` (default 200 MiB) a session's oldest go. */
  saveBlob(sessionId: string, blob: SavedBlob, maxTotalBytes?: number): Promise<void>;
  loadBlob(sessionId: string, id: string): Promise<SavedBlob | undefined>;
  projectGrants(projectId: string): Promise<Grant[]>;
  saveProjectGrant(projectId: string, grant: Grant): Promise<void>;
  deleteProjectGrant(id: string): Promise<void>;
  close(): void;
}

const keptTraces = 100;
const partsPerPage = 1000;

/** Opens (and creates) the database. Rejects where the browser forbids storage. */
export function openSessionStore(name = 'cloche-sessions'): Promise<SessionStore> {
  return reconnecting(async (onClosed) => storeOn(await openDatabase(name, onClosed)));
}

async function openDatabase(name: string, onClosed: () => void): Promise<IDBPDatabase<Schema>> {
  const opening = openDB<Schema>(name, 3, {
    upgrade(fresh, from) {
      if (from < 2) fresh.createObjectStore('traces', { keyPath: ['sessionId', 'key'] });
      // Ordered by age within a session, with the size in the key: what to drop is known without reading bytes.
      if (from < 3)
        fresh
          .createObjectStore('blobs', { keyPath: ['sessionId', 'id'] })
          .createIndex('age', ['sessionId', 'addedAtMs', 'size']);
      if (from > 0) return;
      fresh.createObjectStore('sessions', { keyPath: 'id' }).createIndex('projectId', 'projectId');
      fresh.createObjectStore('messages', { keyPath: ['sessionId', 'id'] });
      fresh.createObjectStore('parts', { keyPath: ['sessionId', 'messageId', 'index'] });
      fresh.createObjectStore('writes', { keyPath: ['sessionId', 'messageId', 'index'] });
      fresh.createObjectStore('projectGrants', { keyPath: 'id' }).createIndex('projectId', 'projectId');
    },
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
  return opening.catch((error: DOMException) => {
    if (error.name !== 'VersionError') throw error;
    throw new Error(
      'A newer version of Cloche keeps the conversations of this browser by now. Reload this page to go on.',
    );
  });
}

/** Of one session. */
const maxBlobBytes = 200 * 2 ** 20;

function storeOn(db: IDBPDatabase<Schema>): SessionStore {
  const ofMessage = (sessionId: string, messageId: string) =>
    IDBKeyRange.bound([sessionId, messageId, 0], [sessionId, messageId, Number.MAX_SAFE_INTEGER]);
  // An array sorts after every string and number, so `[id, []]` ends a session's keys.
  const ofSession = (sessionId: string) => IDBKeyRange.bound([sessionId], [sessionId, []]);

  /** In pages: ten thousand records at once would block the page while they are copied. */
  async function allParts(sessionId: string): Promise<SavedPart[]> {
    const { store } = db.transaction('parts');
    const parts: SavedPart[] = [];
    for (let range = ofSession(sessionId); ; ) {
      const page = await store.getAll(range, partsPerPage);
      parts.push(...page);
      if (page.length < partsPerPage) return parts;
      const { messageId, index } = page.at(-1)!;
      range = IDBKeyRange.bound([sessionId, messageId, index], [sessionId, []], true);
    }
  }

  return {
    list: async (projectId) =>
      (await db.getAllFromIndex('sessions', 'projectId', projectId)).sort((a, b) => b.updatedAtMs - a.updatedAtMs),
    saveSession: async (session) => {
      await db.put('sessions', session);
    },
    async loadSession(id) {
      const session = await db.get('sessions', id);
      if (session === undefined) return undefined;
      const [saved, parts] = await Promise.all([db.getAll('messages', ofSession(id)), allParts(id)]);
      const byMessage = Map.groupBy(parts, (part) => part.messageId);
      const messages = saved.map(
        ({ sessionId: _id, ...message }): Message => ({
          ...message,
          parts: partsInPlace(byMessage.get(message.id) ?? []),
        }),
      );
      return { session, messages };
    },
    async deleteSession(id) {
      const change = db.transaction(['sessions', 'messages', 'parts', 'writes', 'traces', 'blobs'], 'readwrite');
      await Promise.all([
        change.objectStore('sessions').delete(id),
        change.objectStore('messages').delete(ofSession(id)),
        change.objectStore('parts').delete(ofSession(id)),
        change.objectStore('writes').delete(ofSession(id)),
        change.objectStore('traces').delete(ofSession(id)),
        change.objectStore('blobs').delete(ofSession(id)),
        change.objectStore('blobs').delete(ofSession(outputsOf(id))),
        change.done,
      ]);
    },
    async saveMessage(sessionId, { parts: _parts, ...message }) {
      await db.put('messages', { ...message, sessionId });
    },
    async saveParts(sessionId, messageId, parts) {
      const change = db.transaction('parts', 'readwrite');
      await Promise.all([
        ...parts.map(({ index, part }) => change.store.put({ sessionId, messageId, index, part })),
        change.done,
      ]);
    },
    async deleteMessages(sessionId, messageIds) {
      const change = db.transaction(['messages', 'parts', 'writes'], 'readwrite');
      for (const messageId of messageIds) {
        change.objectStore('messages').delete([sessionId, messageId]);
        change.objectStore('parts').delete(ofMessage(sessionId, messageId));
        change.objectStore('writes').delete(ofMessage(sessionId, messageId));
      }
      await change.done;
    },
    async saveWrites(sessionId, messageId, firstIndex, writes) {
      const change = db.transaction('writes', 'readwrite');
      await Promise.all([
        ...writes.map((write, at) => change.store.put({ ...write, sessionId, messageId, index: firstIndex + at })),
        change.done,
      ]);
    },
    loadWrites: (sessionId, messageId) => db.getAll('writes', ofMessage(sessionId, messageId)),
    async saveTrace(sessionId, { key, spans }) {
      const change = db.transaction('traces', 'readwrite');
      await change.store.put({ sessionId, key, spans });
      const keys = await change.store.getAllKeys(ofSession(sessionId));
      for (const old of keys.slice(0, -keptTraces)) await change.store.delete(old);
      await change.done;
    },
    loadTraces: (sessionId) => db.getAll('traces', ofSession(sessionId)),
    async saveBlob(sessionId, blob, maxTotalBytes = maxBlobBytes) {
      const change = db.transaction('blobs', 'readwrite');
      await change.store.put({ ...blob, sessionId, size: blob.bytes.length });
      let total = 0;
      let cursor = await change.store.index('age').openKeyCursor(ofSession(sessionId), 'prev');
      for (; cursor !== null; cursor = await cursor.continue()) {
        total += cursor.key[2];
        if (total > maxTotalBytes) await change.store.delete(cursor.primaryKey);
      }
      await change.done;
    },
    async loadBlob(sessionId, id) {
      const saved = await db.get('blobs', [sessionId, id]);
      if (saved === undefined) return undefined;
      const { sessionId: _id, size: _size, ...blob } = saved;
      return blob;
    },
    projectGrants: (projectId) => db.getAllFromIndex('projectGrants', 'projectId', projectId),
    saveProjectGrant: async (projectId, grant) => {
      await db.put('projectGrants', { ...grant, projectId });
    },
    deleteProjectGrant: (id) => db.delete('projectGrants', id),
    close: () => db.close(),
  };
}

/** Forgets everything. */
export async function deleteSessionStore(name = 'cloche-sessions'): Promise<void> {
  await deleteDB(name);
}
