// When the database takes nothing: nothing is done that was not kept before, what is on the screen is kept later, and one tab writes at a time.
import { expect, test } from 'vitest';
import { threadPlace } from '../tools/testing-program';
import { openSessionStore, type SessionStore } from './session-store';
import { createSessions } from './sessions';
import { last, setup, store, texts, tools, until } from './testing';

/** The store of the test, until it is full: then these methods fail. */
function fillable(failing = /^save/): { store: SessionStore; fill(isFull: boolean): void } {
  let isFull = false;
  const filling = new Proxy({} as SessionStore, {
    get:
      (_target, name: keyof SessionStore) =>
      async (...args: unknown[]) => {
        if (isFull && failing.test(name)) throw new DOMException('The quota was exceeded.', 'QuotaExceededError');
        return (store[name] as (...args: unknown[]) => unknown)(...args);
      },
  });
  return {
    store: filling,
    fill(now) {
      isFull = now;
    },
  };
}

const program = `try { await tools.write({ path: 'effect.txt', content: 'x' }); } catch {}
try { await tools.write({ path: 'second.txt', content: 'x' }); } catch {}
return 'went on';`;

test.each([
  ['the model', [{ tool: 'write', input: { path: 'effect.txt', content: 'x' } }]],
  ['a program', [{ tool: 'execute', input: { code: program } }]],
])('a call of %s has no effect when it could not be saved first', async (who, calls) => {
  // What undo needs could still be kept: the call itself can't.
  const full = fillable(/^saveParts$/);
  let asked = 0;
  const { session, sandbox } = await setup([calls, ['done']], {
    store: full.store,
    startProgram: async (signal) => {
      full.fill(true);
      return threadPlace(signal);
    },
    settings: () => ({ programs: true }),
  });
  session.setMode('auto');
  session.subscribe(() => {
    // The model's call is there: from now on nothing is saved.
    if (who === 'the model' && tools(session).length > 0 && asked++ === 0) full.fill(true);
  });
  await session.send('go');
  for (const path of ['effect.txt', 'second.txt']) expect(await sandbox.fs.exists(`/home/project/${path}`)).toBe(false);
  expect(session.state().status).toMatchObject({ kind: 'failed', error: { retryable: true } });
  expect(JSON.stringify(session.state().status)).toContain('no more room');
});

test('an end that found no room is kept when the person tries again', async () => {
  const full = fillable();
  let hasRoom = false;
  const { session } = await setup([['All is well.']], { store: full.store });
  session.subscribe(() => {
    if (!hasRoom && texts(session).includes('All is well.')) full.fill(true);
  });
  await session.send('go');
  expect(session.state().status).toMatchObject({ kind: 'failed', error: { retryable: true } });
  hasRoom = true;
  full.fill(false);
  await session.retry();
  expect(session.state().status).toEqual({ kind: 'idle' });
  expect(texts(session)).toEqual(['go', 'All is well.']);
  expect((await store.loadSession(session.id))!.messages).toEqual(session.state().messages);
});

test('words that could not be put aside while a turn runs are not said twice', async () => {
  const full = fillable();
  const { session } = await setup([[{ hang: true }]], { store: full.store });
  const over = session.send('go');
  await until(() => session.state().messages.length === 2);
  full.fill(true);
  await expect(session.send('and more', 'queue')).rejects.toThrow('no more room');
  expect(session.state().inbox).toEqual([]);
  full.fill(false);
  await session.stop();
  await over;
});

test('another tab takes a conversation over: the first writes no more and does nothing more', async () => {
  const name = `tabs-${Math.random()}`;
  const here = await openSessionStore(name);
  const there = await openSessionStore(name);
  const write = { tool: 'write', input: { path: 'late.txt', content: 'x' } };
  const { session, sandbox } = await setup([[write], ['done']], { store: here });
  const over = session.send('go');
  await until(() => session.state().asks.length === 1);
  const elsewhere = await createSessions({
    projectId: 'p',
    defaultModel: 'scripted',
    sandbox,
    store: there,
    resolveModel: () => {
      throw new Error('not asked');
    },
  });
  const taken = await elsewhere.open(session.id);
  expect(last(taken).end).toBe('interrupted');
  const kept = taken.state().messages;
  session.answer(session.state().asks[0]!.id, { kind: 'once' });
  await over;
  expect(await sandbox.fs.exists('/home/project/late.txt')).toBe(false);
  expect(session.state().status).toMatchObject({ kind: 'failed' });
  expect(JSON.stringify(session.state().status)).toContain('goes on in another tab');
  await session.dispose();
  expect((await there.loadSession(session.id))!.messages).toEqual(kept);
  await elsewhere.delete(session.id);
  await expect(here.saveParts(session.id, 'm', [])).rejects.toThrow('was deleted');
  here.close();
  there.close();
});
