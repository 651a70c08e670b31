// What waits at the desk, shown in a conversation: its questions, and which of its calls wait for an answer.
import type { Desk } from './desk';
import type { Message, ToolPart } from './messages';
import type { SessionRecord } from './session-record';

/** Shows what waits at the desk: all of it in the person's conversation, its own in a sub-agent's. */
export function hearDesk(record: SessionRecord, desk: Desk, isRoot: boolean): void {
  const { id } = record.state();
  const open = desk.open();
  const isShown = (one: { sessionId?: string }) => isRoot || one.sessionId === id;
  const own = new Set(open.asks.filter((ask) => ask.sessionId === id).map((ask) => ask.callId));
  record.change({
    asks: open.asks.filter(isShown),
    questions: open.questions.filter(isShown),
    messages: record.state().messages.map((message) => markAsking(message, own, record)),
    ...(isRoot ? { grants: desk.shownGrants() } : {}),
  });
}

function markAsking(message: Message, waiting: ReadonlySet<string>, record: SessionRecord): Message {
  if (!message.parts.some((part) => isMisplaced(part, waiting))) return message;
  const parts = message.parts.map((part, index) => {
    if (!isMisplaced(part, waiting)) return part;
    record.parts.markDirty(message.id, [index]);
    return { ...part, state: waiting.has((part as ToolPart).callId) ? 'asking' : 'running' } as ToolPart;
  });
  return { ...message, parts };
}

function isMisplaced(part: Message['parts'][number], waiting: ReadonlySet<string>): boolean {
  if (part.type !== 'tool') return false;
  return waiting.has(part.callId) ? part.state === 'running' || part.state === 'waiting' : part.state === 'asking';
}
