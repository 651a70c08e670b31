import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { longSession } from '../../tests/fixtures/long-session';
import { deleteSessionStore, openSessionStore } from './session-store';

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

const session = {
  id: 's',
  projectId: 'p',
  title: 't',
  createdAtMs: 1,
  updatedAtMs: 1,
  model: 'm',
  mode: 'ask',
  grants: [],
} as const;

test('when the person removes the site’s data meanwhile, what is said afterwards is kept all the same', async () => {
  const store = await openSessionStore('removed');
  await store.saveSession({ ...session, grants: [] });
  await deleteSessionStore('removed');
  expect(await store.list('p')).toEqual([]);
  await store.saveSession({ ...session, grants: [] });
  expect((await store.list('p')).map(({ id }) => id)).toEqual(['s']);
  store.close();
});

test('a tab of an old version that finds a newer database says what to do, and harms nothing', async () => {
  const store = await openSessionStore('newer');
  await store.saveSession({ ...session, grants: [] });
  const newer = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('newer', 99);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  await expect(store.saveSession({ ...session, grants: [] })).rejects.toThrow('Reload this page');
  await expect(store.list('p')).rejects.toThrow('newer version of Cloche');
  expect(newer.objectStoreNames).toContain('sessions');
  newer.close();
});

test('a conversation with parts that nobody can read is read without them', async () => {
  const store = await openSessionStore('odd');
  await store.saveSession({ ...session, grants: [] });
  await store.saveMessage('s', { id: 'm', role: 'assistant', parts: [], createdAtMs: 1 });
  const parts = [null, { type: 'hologram' }, { type: 'text', id: 'x', text: 'kept' }];
  await store.saveParts(
    's',
    'm',
    parts.map((part, index) => ({ index: index * 2, part: part as never })),
  );
  const { messages } = (await store.loadSession('s'))!;
  expect(messages[0].parts.map((part) => part.type)).toEqual(['notice', 'notice', 'notice', 'notice', 'text']);
  store.close();
});

test('all writes of a conversation come in their order, over many pages, and none of its neighbours’', async () => {
  const store = await openSessionStore('writes');
  const write = (path: string) => ({ path, before: null, after: new Uint8Array([1]) });
  for (const id of ['ses_a', 'ses_b', 'ses_c']) {
    await store.saveSession({ ...session, id, grants: [] });
    for (const message of ['m1', 'm2', 'm3'])
      await store.saveWrites(
        id,
        message,
        0,
        Array.from({ length: 50 }, (_, at) => write(`${id}/${message}/${at}`)),
      );
  }
  const paths = (await store.allWrites('ses_b')).map(({ path }) => path);
  expect(paths).toEqual(
    ['m1', 'm2', 'm3'].flatMap((name) => Array.from({ length: 50 }, (_, at) => `ses_b/${name}/${at}`)),
  );
  expect(await store.allWrites('ses_none')).toEqual([]);
  store.close();
});

test('a browser whose database is broken says what to do, also when it throws at once', async () => {
  vi.stubGlobal('location', { host: 'cloche.example' });
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
  });
  try {
    await expect(openSessionStore('broken')).rejects.toThrow(
      /can’t use its database for cloche\.example: Internal error .* Restart the browser/,
    );
  } finally {
    open.mockRestore();
    vi.unstubAllGlobals();
  }
});
