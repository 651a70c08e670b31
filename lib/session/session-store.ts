// Where sessions live. Every write is all or nothing, and refused when another tab has the session.
import { deleteDB } from 'idb';
import type { Grant } from '../permission/rules';
import { newId } from '../std/ids';
import { findWords } from './find-words';
import type { BlobStore } from './keep-media';
import { outputsOf } from './keep-output';
import type { Message, MessagePart } from './messages';
import { readSession } from './read-session';
import { reconnecting } from './reconnecting';
import type { RecordedWrite } from './recording-sandbox';
import { openSessionDatabase, type SavedSession, type SessionDatabase } from './session-database';
import type { SavedTrace } from './turn-trace';

export type { SavedSession };

/** Every method resolves when the record is durable in IndexedDB's sense. Message ids sort by time. */
export interface SessionStore extends BlobStore {
  /** Newest first, sub-agents' conversations included. */
  list(projectId: string): Promise<SavedSession[]>;
  /** With these messages whole, their parts included. */
  saveSession(session: SavedSession, messages?: readonly Message[]): Promise<void>;
  /** What is damaged is named in its place and stays as it is in the database. */
  loadSession(id: string): Promise<{ session: SavedSession; messages: Message[] } | undefined>;
  /** This tab writes to the session from now on, and no other. */
  claim(sessionId: string): Promise<void>;
  deleteSession(id: string): Promise<void>;
  /** Marks it as deleted at that time, or as not deleted. Afterwards no tab writes to it before it is claimed again. */
  markDeleted(id: string, deletedAtMs: number | undefined): Promise<void>;
  /** See find-words.ts. */
  findWords(id: string, words: readonly string[], signal: AbortSignal): Promise<string | undefined>;
  /** The message without its parts. */
  saveMessage(sessionId: string, message: Message): Promise<void>;
  saveParts(sessionId: string, messageId: string, parts: { index: number; part: MessagePart }[]): Promise<void>;
  deleteMessages(sessionId: string, messageIds: string[]): Promise<void>;
  saveWrites(sessionId: string, messageId: string, firstIndex: number, writes: RecordedWrite[]): Promise<void>;
  /** In the order in which they were made. */
  loadWrites(sessionId: string, messageId: string): Promise<RecordedWrite[]>;
  /** Those of all messages, in their order. */
  allWrites(sessionId: string): Promise<RecordedWrite[]>;
  /** Replaces the one of the same key; the oldest of more than a hundred go. */
  saveTrace(sessionId: string, trace: SavedTrace): Promise<void>;
  /** Oldest first. */
  loadTraces(sessionId: string): Promise<SavedTrace[]>;
  projectGrants(projectId: string): Promise<Grant[]>;
  saveProjectGrant(projectId: string, grant: Grant): Promise<void>;
  deleteProjectGrant(id: string): Promise<void>;
  close(): void;
}

const keptTraces = 100;
const writesPerPage = 50;
/** Of one session. */
const maxBlobBytes = 200 * 2 ** 20;

/** Opens (and creates) the database. Rejects where the browser forbids storage. */
export function openSessionStore(name = 'cloche-sessions'): Promise<SessionStore> {
  const tab = newId('tab');
  return reconnecting(async (onClosed) => storeOn(await openSessionDatabase(name, tab, onClosed)));
}

function storeOn({ db, claim, change, seize, close }: SessionDatabase): SessionStore {
  const ofMessage = (sessionId: string, messageId: string) =>
    IDBKeyRange.bound([sessionId, messageId, 0], [sessionId, messageId, Number.MAX_SAFE_INTEGER]);
  // An array sorts after every string and number, so `[id, []]` ends a session's keys.
  const ofSession = (sessionId: string) => IDBKeyRange.bound([sessionId], [sessionId, []]);

  return {
    list: async (projectId) =>
      (await db.getAllFromIndex('sessions', 'projectId', projectId)).sort((a, b) => b.updatedAtMs - a.updatedAtMs),
    saveSession: (session, messages = []) =>
      change(session.id, (under) =>
        Promise.all([
          under.objectStore('sessions').put(session),
          ...messages.flatMap(({ parts, ...message }) => [
            under.objectStore('messages').put({ ...message, sessionId: session.id }),
            ...parts.map((part, index) =>
              under.objectStore('parts').put({ sessionId: session.id, messageId: message.id, index, part }),
            ),
          ]),
        ]),
      ),
    loadSession: (id) => readSession(db, id, ofSession(id)),
    claim,
    // The person's wish here counts more than another tab's.
    deleteSession: (id) =>
      seize(id, (under) =>
        Promise.all([
          under.objectStore('sessions').delete(id),
          ...(['messages', 'parts', 'writes', 'traces', 'blobs'] as const).map((name) =>
            under.objectStore(name).delete(ofSession(id)),
          ),
          under.objectStore('blobs').delete(ofSession(outputsOf(id))),
        ]),
      ),
    // Here too.
    markDeleted: (id, deletedAtMs) =>
      seize(id, async (under) => {
        const sessions = under.objectStore('sessions');
        const found = await sessions.get(id);
        if (found === undefined) throw new Error('This conversation does not exist any more.');
        const { deletedAtMs: _before, ...saved } = found;
        await sessions.put({ ...saved, ...(deletedAtMs === undefined ? {} : { deletedAtMs }) });
      }),
    findWords: (id, words, signal) => findWords(db, ofSession(id), words, signal),
    saveMessage: (sessionId, { parts: _parts, ...message }) =>
      change(sessionId, (under) => under.objectStore('messages').put({ ...message, sessionId })),
    saveParts: (sessionId, messageId, parts) =>
      change(sessionId, (under) =>
        Promise.all(
          parts.map(({ index, part }) => under.objectStore('parts').put({ sessionId, messageId, index, part })),
        ),
      ),
    deleteMessages: (sessionId, messageIds) =>
      change(sessionId, (under) =>
        Promise.all(
          messageIds.flatMap((messageId) => [
            under.objectStore('messages').delete([sessionId, messageId]),
            under.objectStore('parts').delete(ofMessage(sessionId, messageId)),
            under.objectStore('writes').delete(ofMessage(sessionId, messageId)),
          ]),
        ),
      ),
    saveWrites: (sessionId, messageId, firstIndex, writes) =>
      change(sessionId, (under) =>
        Promise.all(
          writes.map((write, at) =>
            under.objectStore('writes').put({ ...write, sessionId, messageId, index: firstIndex + at }),
          ),
        ),
      ),
    loadWrites: (sessionId, messageId) => db.getAll('writes', ofMessage(sessionId, messageId)),
    async allWrites(sessionId) {
      const whole = ofSession(sessionId);
      const writes: RecordedWrite[] = [];
      // In pages: each has the whole file before and after it.
      for (let range = whole; ; ) {
        const page = await db.getAll('writes', range, writesPerPage);
        writes.push(...page);
        if (page.length < writesPerPage) return writes;
        const { messageId, index } = page.at(-1)!;
        range = IDBKeyRange.bound([sessionId, messageId, index], whole.upper, true);
      }
    },
    saveTrace: (sessionId, { key, spans }) =>
      change(sessionId, async (under) => {
        const traces = under.objectStore('traces');
        await traces.put({ sessionId, key, spans });
        const keys = await traces.getAllKeys(ofSession(sessionId));
        for (const old of keys.slice(0, -keptTraces)) await traces.delete(old);
      }),
    loadTraces: (sessionId) => db.getAll('traces', ofSession(sessionId)),
    saveBlob: (sessionId, blob, maxTotalBytes = maxBlobBytes) =>
      change(sessionId, async (under) => {
        const blobs = under.objectStore('blobs');
        await blobs.put({ ...blob, sessionId, size: blob.bytes.length });
        let total = 0;
        let cursor = await blobs.index('age').openKeyCursor(ofSession(sessionId), 'prev');
        for (; cursor !== null; cursor = await cursor.continue()) {
          total += cursor.key[2];
          if (total > maxTotalBytes) await blobs.delete(cursor.primaryKey);
        }
      }),
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
    close,
  };
}

/** Forgets everything. */
export async function deleteSessionStore(name = 'cloche-sessions'): Promise<void> {
  await deleteDB(name);
}
