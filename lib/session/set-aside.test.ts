// A conversation that is deleted can be brought back as it was, until it is gone for good; and conversations are found by what was said in them.
import { expect, test, vi } from 'vitest';
import { createSessions } from './sessions';
import { setup, store, texts, until } from './testing';

const rest = new AbortController().signal;

async function spoken(said: string, answer: string) {
  const made = await setup([[answer]]);
  await made.session.send(said);
  await until(() => made.session.state().status.kind === 'idle' && texts(made.session).length === 2);
  return made;
}

/** The same project as another page, or a later one, sees it. */
async function nextStart({ sandbox, model }: Awaited<ReturnType<typeof setup>>) {
  return createSessions({
    projectId: 'p',
    defaultModel: 'scripted',
    sandbox,
    store,
    resolveModel: () => model,
  });
}

test('set aside it is off the list, here and at the next start; brought back it is whole and goes on', async () => {
  const made = await spoken('hello there', 'good morning');
  const { sessions, session } = made;
  await sessions.setAside(session.id);
  expect(sessions.list()).toEqual([]);
  expect((await nextStart(made)).list()).toEqual([]);
  await sessions.bringBack(session.id);
  expect(sessions.list().map(({ id }) => id)).toEqual([session.id]);
  const back = await sessions.open(session.id);
  expect(texts(back)).toEqual(['hello there', 'good morning']);
  await sessions.rename(session.id, 'kept');
  expect((await nextStart(made)).list()[0]).toMatchObject({ title: 'kept' });
});

test('what is wished while an earlier wish is being done comes after it', async () => {
  const made = await spoken('hello there', 'good morning');
  const { sessions, session } = made;
  // As fast as keys can be pressed.
  await Promise.all([sessions.setAside(session.id), sessions.bringBack(session.id)]);
  expect(sessions.list().map(({ id }) => id)).toEqual([session.id]);
  const opened = (async () => texts(await sessions.open(session.id)))();
  expect(await opened).toEqual(['hello there', 'good morning']);
  await Promise.all([sessions.setAside(session.id), sessions.bringBack(session.id), sessions.setAside(session.id)]);
  expect(sessions.list()).toEqual([]);
  expect((await nextStart(made)).list()).toEqual([]);
  const [, , back] = await Promise.all([
    sessions.setAside(session.id),
    sessions.bringBack(session.id),
    sessions.open(session.id),
  ]);
  expect(texts(back)).toEqual(['hello there', 'good morning']);
});

test('one that runs is stopped, and what it still wanted to write does not bring it back', async () => {
  const { sessions, session, ...rest } = await setup([[{ hang: true }]]);
  void session.send('wait');
  await until(() => session.state().status.kind === 'running');
  await sessions.setAside(session.id);
  expect(session.state().status.kind).not.toBe('running');
  session.setMode('ask');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await nextStart({ sessions, session, ...rest })).list()).toEqual([]);
});

test('a later start forgets what was set aside more than a minute ago, and nothing else', async () => {
  const made = await spoken('hello', 'hi');
  const { sessions, session } = made;
  const kept = await sessions.create();
  await sessions.setAside(session.id);
  await sessions.setAside(kept.id);
  await sessions.bringBack(kept.id);
  await nextStart(made);
  expect(await store.loadSession(session.id)).toBeDefined();
  await store.markDeleted(session.id, Date.now() - 61_000);
  await nextStart(made);
  await vi.waitFor(async () => expect(await store.loadSession(session.id)).toBeUndefined());
  expect(await store.loadSession(kept.id)).toBeDefined();
  await expect(sessions.bringBack(session.id)).rejects.toThrow('does not exist any more');
});

test('words are found in any order and case in one text of the person or the agent, with what stands around', async () => {
  const { sessions, session } = await spoken(
    'Why does the parser fail on empty lines?',
    `${'Because of this. '.repeat(20)}The Tokenizer\nskips them. ${'And so on. '.repeat(20)}`,
  );
  expect(await sessions.find(session.id, ['empty', 'parser'], rest)).toContain('the parser fail on empty lines');
  const line = await sessions.find(session.id, ['tokenizer'], rest);
  expect(line).toMatch(/^….*The Tokenizer skips them.*…$/);
  expect(await sessions.find(session.id, ['parser', 'tokenizer'], rest)).toBeUndefined();
  expect(await sessions.find(session.id, ['nothing'], rest)).toBeUndefined();
  expect(await sessions.find(session.id, ['parser'], AbortSignal.abort())).toBeUndefined();
});
