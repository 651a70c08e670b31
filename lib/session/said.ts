// What the person said: which of it is heard next, and how it stands in the conversation.
import { newId } from '../std/ids';
import type { Message, MessagePart, QueuedPrompt } from './messages';

/** Words of the person, and what they showed with them. */
export type Said = Pick<QueuedPrompt, 'text' | 'files'>;

/** `steer`: all that is to be heard at once. `next`: those, or else the first that waited for the end. */
export function heardNext(inbox: readonly QueuedPrompt[], which: 'steer' | 'next'): QueuedPrompt[] {
  const steering = inbox.filter((prompt) => prompt.delivery === 'steer');
  return steering.length > 0 || which === 'steer' ? steering : inbox.slice(0, 1);
}

/** The message with these words. */
export function saidMessage({ text, files = [] }: Said, createdAtMs: number): Message {
  return {
    id: newId('msg'),
    role: 'user',
    parts: [
      { type: 'text', id: newId('part'), text },
      ...files.map((file): MessagePart => ({ type: 'file', id: newId('part'), file })),
    ],
    createdAtMs,
  };
}
