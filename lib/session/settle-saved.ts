// What a tab that died left behind: its running calls and half-written text end as interrupted, and are saved so.
import { settleParts } from './apply-event';
import type { Message } from './messages';
import type { SessionStore } from './session-store';

/** The messages as they stand now. An answer without an end gets `interrupted`. */
export async function settleSaved(
  store: SessionStore,
  sessionId: string,
  messages: readonly Message[],
): Promise<Message[]> {
  const settled: Message[] = [];
  for (const saved of messages) {
    const { message, changed } = settleParts(saved);
    const left = message.role === 'assistant' && message.end === undefined;
    const ended: Message = left ? { ...message, end: 'interrupted', endedAtMs: Date.now() } : message;
    settled.push(ended);
    const parts = changed.map((index) => ({ index, part: ended.parts[index]! }));
    try {
      if (parts.length > 0) await store.saveParts(sessionId, saved.id, parts);
      if (left) await store.saveMessage(sessionId, ended);
    } catch {
      // Without room the conversation can still be read, and the next time it is settled again.
    }
  }
  return settled;
}
