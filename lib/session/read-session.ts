// Reading a conversation that may be damaged: what the browser can't read any more is named in its place. Nothing is written here.
import type { IDBPDatabase } from 'idb';
import type { Message, MessagePart } from './messages';
import { partsInPlace } from './saved-parts';
import type { SavedMessage, SavedPart, SavedSession, Schema } from './session-database';

const partsPerPage = 1000;

/** The session whole; undefined when there is none. Rejects when the database itself can't be read. */
export async function readSession(
  db: IDBPDatabase<Schema>,
  id: string,
  range: IDBKeyRange,
): Promise<{ session: SavedSession; messages: Message[] } | undefined> {
  const session = await db.get('sessions', id);
  if (session === undefined) return undefined;
  const [saved, parts] = await Promise.all([db.getAll('messages', range), allParts(db, id, range)]);
  const byMessage = Map.groupBy(parts, (part) => part.messageId);
  const messages = saved.map((message) => messageOf(message, byMessage.get(message.id) ?? []));
  return { session: sessionOf(session), messages };
}

/** In pages: ten thousand records at once would block the page while they are copied. */
async function allParts(db: IDBPDatabase<Schema>, sessionId: string, whole: IDBKeyRange): Promise<SavedPart[]> {
  const parts: SavedPart[] = [];
  for (let range = whole; ; ) {
    const page = await db.getAll('parts', range, partsPerPage).catch(() => pageOneByOne(db, range));
    parts.push(...page);
    if (page.length < partsPerPage) return parts;
    const { messageId, index } = page.at(-1)!;
    range = IDBKeyRange.bound([sessionId, messageId, index], whole.upper, true);
  }
}

/** A record that the browser can't read any more spoils every page that it is in. */
async function pageOneByOne(db: IDBPDatabase<Schema>, range: IDBKeyRange): Promise<SavedPart[]> {
  const keys = await db.getAllKeys('parts', range, partsPerPage);
  return Promise.all(
    keys.map(async (key) => {
      const [sessionId, messageId, index] = key;
      const unreadable = { sessionId, messageId, index, part: undefined as unknown as MessagePart };
      return (await db.get('parts', key).catch(() => undefined)) ?? unreadable;
    }),
  );
}

function messageOf({ sessionId: _id, ...saved }: SavedMessage, records: readonly SavedPart[]): Message {
  const message = { ...saved, createdAtMs: Number(saved.createdAtMs) || 0 };
  if (message.role !== 'user' && message.role !== 'assistant')
    Object.assign(message, { role: 'assistant', end: 'stopped' });
  return { ...message, parts: partsInPlace(records) };
}

/** With what a conversation can't be without. */
function sessionOf(saved: SavedSession): SavedSession {
  const list = <T>(value: T[] | undefined): T[] => (Array.isArray(value) ? value : []);
  return {
    ...saved,
    title: String(saved.title ?? ''),
    createdAtMs: Number(saved.createdAtMs) || 0,
    updatedAtMs: Number(saved.updatedAtMs) || 0,
    model: typeof saved.model === 'string' ? saved.model : 'practice',
    mode: saved.mode === 'edits' || saved.mode === 'auto' ? saved.mode : 'ask',
    grants: list(saved.grants),
    inbox: list(saved.inbox),
    todos: list(saved.todos),
  };
}
