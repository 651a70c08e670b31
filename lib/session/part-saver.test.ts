import { expect, test } from 'vitest';
import type { Message, MessagePart } from './messages';
import { createPartSaver } from './part-saver';
import type { SessionStore } from './session-store';

const text = (value: string) => ({ type: 'text', text: value }) as unknown as MessagePart;

test('parts that could not be saved are told, and saved when there is room again', async () => {
  const saved = new Map<string, MessagePart>();
  let isFull = false;
  const headers: string[] = [];
  const store = {
    async saveMessage(_session: string, message: Message) {
      if (isFull) throw new DOMException('no room', 'QuotaExceededError');
      headers.push(message.id);
    },
    async saveParts(_session: string, messageId: string, parts: { index: number; part: MessagePart }[]) {
      if (isFull) throw new DOMException('no room', 'QuotaExceededError');
      for (const { index, part } of parts) saved.set(`${messageId}/${index}`, part);
    },
  } as unknown as SessionStore;
  const messages = [
    { id: 'a', parts: [text('1'), text('2')] },
    { id: 'b', parts: [text('3')] },
  ] as unknown as Message[];
  const saver = createPartSaver(store, 's', () => messages);
  isFull = true;
  saver.markMessage('a');
  saver.markMessage('taken back meanwhile');
  saver.markDirty('a', [0, 1]);
  saver.markDirty('b', [0]);
  await expect(saver.flush()).rejects.toThrow('no room');
  await expect(saver.flush()).rejects.toThrow('no room');
  isFull = false;
  await saver.flush();
  await saver.flush();
  expect(headers).toEqual(['a']);
  expect([...saved.keys()]).toEqual(['a/0', 'a/1', 'b/0']);
});
