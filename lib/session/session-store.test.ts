import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { longSession } from '../../tests/fixtures/long-session';
import { openSessionStore } from './session-store';

test('a conversation of many pages of parts comes back whole, in order, and without its neighbours', async () => {
  const store = await openSessionStore('long');
  const times = { createdAtMs: 1, updatedAtMs: 1 };
  const { messages } = longSession(3, 1000);
  for (const id of ['ses_a', 'ses_b', 'ses_c']) {
    await store.saveSession({ id, projectId: 'p', title: id, ...times, model: 'practice', mode: 'ask', grants: [] });
    for (const message of id === 'ses_b' ? messages : messages.slice(0, 2)) {
      await store.saveMessage(id, message);
      const parts = message.parts.map((part, index) => ({ index, part }));
      await store.saveParts(id, message.id, parts);
    }
  }
  expect((await store.loadSession('ses_b'))!.messages).toEqual(messages);
  expect((await store.loadSession('ses_a'))!.messages).toEqual(messages.slice(0, 2));
  store.close();
});
