// Looking for words in what was said in a conversation, in the database and not in memory: the conversations that are searched are not open.
import type { IDBPDatabase } from 'idb';
import type { Schema } from './session-database';

/** Small: a page of tool outputs is copied for nothing. */
const partsPerPage = 64;
const aroundChars = 60;

/** The words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether all words are in the text, in any order; case is ignored. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/**
 * One line of the first text of the person or the agent that has all the words, with what stands around the first of them; undefined when there is none.
 * Tools' inputs and outputs are not searched. Stops (undefined) when the signal aborts.
 */
export async function findWords(
  db: IDBPDatabase<Schema>,
  range: IDBKeyRange,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (let rest = range; !signal.aborted; ) {
    const page = await db.getAll('parts', rest, partsPerPage);
    for (const { part } of page)
      if (part?.type === 'text' && typeof part.text === 'string' && hasWords(part.text, words))
        return excerpt(part.text, words[0] ?? '');
    if (page.length < partsPerPage) return undefined;
    const { sessionId, messageId, index } = page.at(-1)!;
    rest = IDBKeyRange.bound([sessionId, messageId, index], range.upper, true);
  }
  return undefined;
}

function excerpt(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word);
  const from = Math.max(0, at - aroundChars);
  const to = at + word.length + aroundChars;
  const line = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}`;
}
