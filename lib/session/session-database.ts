// The database of conversations: its stores, and which tab may write to a conversation. A record per part, so that saving a delta never rewrites
// a conversation; a tab that was taken over cannot write over what the other one does.
import { type DBSchema, type IDBPDatabase, openDB, type StoreNames } from 'idb';
import type { Grant } from '../permission/rules';
import { namedBlock, openedInTime } from '../std/blocked-storage';
import type { AskMode, Message, MessagePart, QueuedPrompt, SavedBlob, SessionSummary, Todo } from './messages';
import type { RecordedWrite } from './recording-sandbox';
import { ElsewhereError, NewerVersionError, OlderTabError } from './storage-errors';
import type { SavedTrace } from './turn-trace';

/** What of a session is not messages. */
export interface SavedSession extends SessionSummary {
  model: string;
  mode: AskMode;
  grants: Grant[];
  agent?: string;
  parentId?: string;
  inbox?: QueuedPrompt[];
  todos?: Todo[];
  /** Set while the deletion can still be undone. */
  deletedAtMs?: number;
}

export type SavedMessage = Omit<Message, 'parts'> & { sessionId: string };
export interface SavedPart {
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

export interface Schema extends DBSchema {
  blobs: {
    key: [string, string];
    value: SavedBlob & { sessionId: string; size: number };
    indexes: { age: [string, number, number] };
  };
  /** Who may write to a conversation; a tab that nobody is, once it is deleted. */
  claims: { key: string; value: { sessionId: string; tab: string } };
  sessions: { key: string; value: SavedSession; indexes: { projectId: string } };
  messages: { key: [string, string]; value: SavedMessage };
  parts: { key: [string, string, number]; value: SavedPart };
  writes: { key: [string, string, number]; value: SavedWrite };
  traces: { key: [string, string]; value: SavedTrace & { sessionId: string } };
  projectGrants: { key: string; value: Grant & { projectId: string }; indexes: { projectId: string } };
}

type Stores = StoreNames<Schema>;
/** A change of one conversation that is under way. */
export type Change = ReturnType<typeof beginChange>;

/** The database as one tab sees it. */
export interface SessionDatabase {
  db: IDBPDatabase<Schema>;
  /** Nobody else may write to the conversation from now on. */
  claim(sessionId: string): Promise<void>;
  /** All that `work` asks for, or nothing. Rejects with an ElsewhereError when another tab has the conversation. */
  change(sessionId: string, work: (change: Change) => Promise<unknown>): Promise<void>;
  /** The same, whoever has the conversation; with it nobody has it any more, this tab neither. */
  seize(sessionId: string, work: (change: Change) => Promise<unknown>): Promise<void>;
  close(): void;
}

/** How long another tab may take to let the database be brought up to date. */
const blockedMs = 8000;

/**
 * Opens (and creates) it for the tab of that name. Rejects where the browser forbids storage, and with words where other tabs have an older or newer
 * version open. `onClosed`: it can't be used any more.
 */
export async function openSessionDatabase(name: string, tab: string, onClosed: () => void): Promise<SessionDatabase> {
  const fresh = new Promise<IDBPDatabase<Schema>>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const opening = openDB<Schema>(name, 4, {
      upgrade: (fresh) => createStores(fresh),
      blocked() {
        timer = setTimeout(() => reject(new OlderTabError()), blockedMs);
      },
      // A newer version of the product, in another tab: it must not wait for this one.
      blocking(_current, _blocked, event) {
        (event.target as IDBDatabase).close();
        onClosed();
      },
      terminated: onClosed,
    });
    opening
      .then(resolve, (error: DOMException) => reject(error.name === 'VersionError' ? new NewerVersionError() : error))
      .finally(() => clearTimeout(timer));
  });
  const db = await openedInTime(fresh, () => location.host).catch((error: unknown) => {
    throw namedBlock(error, () => location.host);
  });
  return {
    db,
    async claim(sessionId) {
      await db.put('claims', { sessionId, tab });
    },
    change: (sessionId, work) =>
      inOne(db, async (change) => {
        const claim = await change.objectStore('claims').get(sessionId);
        if (claim !== undefined && claim.tab !== tab) throw new ElsewhereError(claim.tab === '');
        await work(change);
      }),
    seize: (sessionId, work) =>
      inOne(db, async (change) => {
        await change.objectStore('claims').put({ sessionId, tab: '' });
        await work(change);
      }),
    close: () => db.close(),
  };
}

async function inOne(db: IDBPDatabase<Schema>, work: (change: Change) => Promise<void>): Promise<void> {
  const change = beginChange(db);
  try {
    await work(change);
    await change.done;
  } catch (error) {
    change.done.catch(() => {});
    try {
      change.abort();
    } catch {
      // It is over already: that is why we are here.
    }
    throw error;
  }
}

function beginChange(db: IDBPDatabase<Schema>) {
  const stores: Stores[] = ['claims', 'sessions', 'messages', 'parts', 'writes', 'traces', 'blobs'];
  return db.transaction(stores, 'readwrite');
}

/** Makes what is missing: a new database has nothing, an older one has some. */
function createStores(db: IDBPDatabase<Schema>): void {
  const isMissing = (store: Stores) => !db.objectStoreNames.contains(store);
  if (isMissing('sessions')) db.createObjectStore('sessions', { keyPath: 'id' }).createIndex('projectId', 'projectId');
  if (isMissing('messages')) db.createObjectStore('messages', { keyPath: ['sessionId', 'id'] });
  if (isMissing('parts')) db.createObjectStore('parts', { keyPath: ['sessionId', 'messageId', 'index'] });
  if (isMissing('writes')) db.createObjectStore('writes', { keyPath: ['sessionId', 'messageId', 'index'] });
  if (isMissing('traces')) db.createObjectStore('traces', { keyPath: ['sessionId', 'key'] });
  // Ordered by age within a session, with the size in the key: what to drop is known without reading bytes.
  if (isMissing('blobs'))
    db.createObjectStore('blobs', { keyPath: ['sessionId', 'id'] }).createIndex('age', [
      'sessionId',
      'addedAtMs',
      'size',
    ]);
  if (isMissing('claims')) db.createObjectStore('claims', { keyPath: 'sessionId' });
  if (isMissing('projectGrants'))
    db.createObjectStore('projectGrants', { keyPath: 'id' }).createIndex('projectId', 'projectId');
}
