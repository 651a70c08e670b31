import { expect, test } from 'vitest';
import { scriptedModel } from '../../lib/agent/scripted-model';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { createSessions } from '../../lib/session/sessions';
import { setup, store } from '../../lib/session/testing';
import { showConversation } from './shown-conversation';

/** The same database, where one conversation can't be read while `isBroken`. */
async function reopened(brokenId: string) {
  const damage = { isBroken: true };
  const sandbox = await createMemorySandbox({});
  const sessions = await createSessions({
    projectId: 'p',
    defaultModel: 'scripted',
    sandbox,
    resolveModel: () => scriptedModel([]),
    store: {
      ...store,
      async loadSession(id) {
        if (id === brokenId && damage.isBroken) throw new Error('The record is damaged.');
        return store.loadSession(id);
      },
    },
  });
  return { damage, sessions, show: () => showConversation(sessions, 'p', () => 'scripted') };
}

test('when the last conversation can’t be read, an empty one is shown that says so; the others and it itself can be opened', async () => {
  const { session, sessions } = await setup([['One.'], ['Two.']]);
  await session.send('first');
  const other = await sessions.create();
  await other.send('second');
  await Promise.all([session.dispose(), other.dispose()]);
  const { damage, sessions: found, show } = await reopened(other.id);

  const shown = await show();
  expect(shown.unread.get()).toMatchObject({
    id: other.id,
    title: 'second',
    error: { message: 'The record is damaged.' },
  });
  const empty = shown.current.get();
  expect(empty.state().messages).toEqual([]);
  await expect(shown.show(other.id)).rejects.toThrow('damaged');
  expect(shown.current.get()).toBe(empty);

  await shown.show(session.id);
  expect(shown.unread.get()).toBeUndefined();
  expect(shown.current.get().state().messages).toHaveLength(2);

  damage.isBroken = false;
  await shown.show(other.id);
  expect(shown.current.get().state().messages[0]?.parts).toMatchObject([{ text: 'second' }]);
  expect(found.list()).toHaveLength(3);
  await shown.dispose();
});

test('a new one is begun though what was said in the old one does not stand there yet', async () => {
  const { session, sessions } = await setup([['One.']]);
  const shown = await showConversation(sessions, 'p', () => 'scripted');
  const prepared = Promise.withResolvers<void>();
  const said = shown.speak(async (heard) => {
    await prepared.promise;
    await heard.send('first');
  });
  await shown.start();
  prepared.resolve();
  await said;
  expect(shown.current.get()).not.toBe(session);
  expect(shown.current.get().state().messages).toEqual([]);
  expect(session.state().messages[0]?.parts).toMatchObject([{ text: 'first' }]);
  await shown.dispose();
});

test('one with a name is not taken for a new one', async () => {
  const { session, sessions } = await setup([]);
  const shown = await showConversation(sessions, 'p', () => 'scripted');
  await sessions.rename(session.id, 'For later');
  await shown.start();
  expect(shown.current.get()).not.toBe(session);
  await shown.dispose();
});

test('a later start shows the empty one again and leaves no other; deleting goes past one that can’t be read', async () => {
  const { session } = await setup([['One.']]);
  await session.send('first');
  await session.dispose();
  const { sessions, show } = await reopened(session.id);
  const shown = await show();
  const empty = shown.current.get().id;
  await shown.dispose();

  const again = await (await reopened(session.id)).show();
  expect(again.current.get().id).toBe(empty);
  expect(again.unread.get()).toBeUndefined();
  await again.remove(empty);
  expect(again.current.get().state().messages).toEqual([]);
  expect(again.current.get().id).not.toBe(session.id);
  expect(sessions.list().map(({ id }) => id)).toContain(session.id);
  await again.dispose();
});

test('when there can be no new one either, the first reason is told', async () => {
  const { session } = await setup([['One.']]);
  await session.send('first');
  const { sessions } = await reopened(session.id);
  const full = { ...sessions, create: () => Promise.reject(new Error('No room.')) };
  await expect(showConversation(full, 'p', () => 'scripted')).rejects.toThrow('damaged');
});

/** Two conversations were opened before; from now on the database answers only when it is let go on. */
async function busy() {
  const { session, sessions } = await setup([['One.'], ['Two.']]);
  await session.send('first');
  const other = await sessions.create();
  await other.send('second');
  await Promise.all([session.dispose(), other.dispose()]);
  const waiting: (() => void)[] = [];
  let isBusy = false;
  const slow = new Proxy(store, {
    get:
      (_target, name: keyof typeof store) =>
      async (...args: unknown[]) => {
        if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
        return (store[name] as (...args: unknown[]) => unknown)(...args);
      },
  });
  const opened = await createSessions({
    projectId: 'p',
    defaultModel: 'scripted',
    sandbox: await createMemorySandbox({}),
    resolveModel: () => scriptedModel([['Heard.']]),
    store: slow,
  });
  const shown = await showConversation(opened, 'p', () => 'chosen');
  return {
    shown,
    first: session.id,
    second: other.id,
    hold() {
      isBusy = true;
    },
    goOn() {
      isBusy = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

test('a new conversation is shown at once, however busy the database is; what is said in it is saved in it', async () => {
  const { shown, second, hold, goOn } = await busy();
  expect(shown.current.get().id).toBe(second);
  hold();
  await shown.start();
  const fresh = shown.current.get();
  expect(fresh.state()).toMatchObject({ messages: [], model: 'chosen' });
  const over = fresh.send('third');
  goOn();
  await over;
  expect((await store.loadSession(fresh.id))!.messages).toEqual(fresh.state().messages);
  expect((await store.loadSession(fresh.id))!.session).toMatchObject({ model: 'chosen', title: 'third' });
  expect((await store.loadSession(second))!.messages).toHaveLength(2);
  await shown.dispose();
});

test('a conversation that is being read is named at once; a new one that was wished for meanwhile stays', async () => {
  const { shown, first, hold, goOn } = await busy();
  hold();
  const coming = shown.show(first);
  expect(shown.opening.get()).toEqual({ id: first, title: 'first' });
  await shown.start();
  const fresh = shown.current.get();
  expect(shown.opening.get()).toBeUndefined();
  goOn();
  await coming;
  expect(shown.current.get()).toBe(fresh);
  await shown.show(first);
  expect(shown.opening.get()).toBeUndefined();
  expect(shown.current.get().id).toBe(first);
  await shown.dispose();
});
