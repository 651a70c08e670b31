// Parts as they come back from the browser. What a newer version wrote, or what was lost when there was no room, must not keep the rest of a conversation
// from being read: it stands there as a remark, in its own place, so that later parts keep theirs.
import type { MessagePart, NoticePart } from './messages';

/** Every type with the members that views and prompts take for granted. */
const members: { [Type in MessagePart['type']]: Record<string, 'string' | 'number' | 'object'> } = {
  text: { text: 'string' },
  reasoning: { text: 'string' },
  tool: { callId: 'string', tool: 'string', state: 'string', inputText: 'string' },
  step: {},
  notice: { text: 'string' },
  summary: { text: 'string', keptSteps: 'number' },
  file: { file: 'object' },
};

/** More than any message has; an index beyond is nonsense. */
const mostParts = 100_000;

/** The parts of one message in their places; `saved` is sorted by index. */
export function partsInPlace(saved: readonly { index: number; part: MessagePart }[]): MessagePart[] {
  const parts: MessagePart[] = [];
  for (const { index, part } of saved) {
    if (!(index < mostParts)) break;
    while (parts.length < index) parts.push(remark(parts.length, 'A part of this answer could not be kept.'));
    parts.push(
      isReadable(part) ? part : remark(index, 'This part was written by another version of Cloche and can’t be shown.'),
    );
  }
  return parts;
}

function isReadable(part: unknown): part is MessagePart {
  if (typeof part !== 'object' || part === null) return false;
  const { type, id } = part as Partial<MessagePart>;
  if (typeof id !== 'string' || typeof type !== 'string' || !Object.hasOwn(members, type)) return false;
  return Object.entries(members[type]).every(([name, kind]) => {
    const value = (part as unknown as Record<string, unknown>)[name];
    return typeof value === kind && value !== null;
  });
}

function remark(index: number, text: string): NoticePart {
  return { type: 'notice', id: `lost-${index}`, text };
}
