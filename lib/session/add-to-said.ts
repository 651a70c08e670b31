// What programs of the project add to the person's words, before the model reads them: parts of their own in the person's message, each with the file
// that it comes from.
import { newId } from '../std/ids';
import type { MessagePart } from './messages';
import type { SessionOptions } from './session-options';
import type { SessionRecord } from './session-record';

/** Saved when it resolves. Nothing for an answer that has begun already. */
export async function addToSaid(
  record: SessionRecord,
  { hooks }: SessionOptions,
  answerId: string,
  signal: AbortSignal,
): Promise<void> {
  const answer = record.message(answerId);
  if (hooks?.addToSaid === undefined || answer.parts.length > 0 || signal.aborted) return;
  const { messages, id: sessionId } = record.state();
  const before = messages.slice(0, messages.indexOf(answer));
  const said = before.slice(before.findLastIndex((message) => message.role === 'assistant') + 1);
  for (const { id: messageId, parts } of said) {
    if (parts.some((part) => part.type === 'text' && part.from !== undefined)) continue;
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    const about = { sessionId, messageId, agent: answer.agent ?? 'build', model: answer.model! };
    const added = await hooks.addToSaid(about, text, signal).catch(() => []);
    if (added.length === 0 || signal.aborted) continue;
    const more = added.map((one): MessagePart => ({ type: 'text', id: newId('part'), text: one.text, from: one.from }));
    const now = record.message(messageId);
    record.parts.markDirty(
      messageId,
      more.map((_part, at) => now.parts.length + at),
    );
    record.replace({ ...now, parts: [...now.parts, ...more] });
    await record.parts.flush();
  }
}
