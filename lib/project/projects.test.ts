import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createMemorySandbox } from '../sandbox/memory';
import type { Sandbox, StorageState } from '../sandbox/sandbox';
import { projectDatabase } from './database';
import {
  cleanName,
  copyProject,
  createProject,
  findProject,
  listProjects,
  purgeProjects,
  updateProject,
} from './projects';
import { bringIn } from './waiting-files';

const files = [{ path: 'a.txt', contents: 'a' }];

test('a project lives from its creation to its deletion and back', async () => {
  const first = await createProject('demo', 'node', files, { nowMs: 1000 });
  const second = await createProject('demo', 'node', files, { nowMs: 2000 });
  expect(first.id).toMatch(/^[a-z][a-z0-9]{15}$/);
  expect((await listProjects()).map((project) => project.name)).toEqual(['demo 2', 'demo']);

  await updateProject(first.id, { openedAtMs: 3000, sizeBytes: 12 });
  expect((await listProjects())[0]).toMatchObject({ id: first.id, sizeBytes: 12, name: 'demo' });

  await updateProject(second.id, { deletedAtMs: 5000 });
  expect(await findProject(second.id)).toBeUndefined();
  expect(await purgeProjects({ deletedBeforeMs: 5000 })).toEqual([]);
  await updateProject(second.id, { deletedAtMs: undefined });
  expect(await purgeProjects({ id: second.id })).toEqual([]);
  expect((await findProject(second.id))?.name).toBe('demo 2');

  await updateProject(second.id, { deletedAtMs: 6000 });
  expect(await purgeProjects({ deletedBeforeMs: 6001 })).toEqual([second.id]);
  expect(await waitingOf(second.id)).toEqual([]);
  expect(await waitingOf(first.id)).toEqual(['a.txt']);
  await expect(updateProject(second.id, { name: 'x' })).rejects.toThrow(second.id);
});

test('names are one line and never empty', () => {
  expect(cleanName('  a\n\tb ')).toBe('a b');
  expect(cleanName(' \n ')).toBe('untitled');
  expect(cleanName('x'.repeat(100))).toHaveLength(80);
});

test('a creation that is stopped leaves nothing; the part that is done is told', async () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ path: `f${at}`, contents: 'x' }));
  const stop = new AbortController();
  const before = (await listProjects()).length;
  const told: number[] = [];
  const making = createProject('big', 'import', many, {
    signal: stop.signal,
    onProgress: (fraction) => told.push(fraction) === 200 && stop.abort(),
  });
  await expect(making).rejects.toThrow('abort');
  expect(told[199]).toBeCloseTo(0.4);
  expect((await listProjects()).length).toBe(before);
  expect((await allWaiting()).every(([, path]) => path === 'a.txt')).toBe(true);
});

test('a view of something larger is kept without the rest of it', async () => {
  const whole = new Uint8Array(100_000);
  const { id } = await createProject('views', 'shared', [{ path: 'v', contents: whole.subarray(5, 15) }]);
  const kept = await (await projectDatabase()).get('files', [id, 'v']);
  expect(kept!.contents.buffer.byteLength).toBe(10);
});

async function allWaiting(): Promise<[string, string][]> {
  return (await projectDatabase()).getAllKeys('files');
}

async function waitingOf(id: string): Promise<string[]> {
  return (await allWaiting()).filter(([project]) => project === id).map(([, path]) => path);
}

/** A computer that keeps files, and can be told that it can't. */
async function keeping() {
  const sandbox = await createMemorySandbox();
  const listeners = new Set<() => void>();
  let state: StorageState = { kind: 'saved' };
  const set = (next: StorageState): void => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const storage: Sandbox['storage'] = {
    notices: [],
    state: () => state,
    async flush() {
      if (state.kind === 'failing') throw new Error(state.message);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const at = (path: string): string => `${sandbox.workdir}/${path}`;
  return { sandbox: { ...sandbox, storage }, set, text: (path: string) => sandbox.fs.readText(at(path)), at };
}

test('what a project starts with is brought in once, and then no more', async () => {
  const { id } = await createProject('new', 'node', [...files, { path: 'src/b.txt', contents: 'b' }]);
  const { sandbox, text, at } = await keeping();
  await bringIn(sandbox, id);
  expect([await text('a.txt'), await text('src/b.txt')]).toEqual(['a', 'b']);
  expect(await waitingOf(id)).toEqual([]);
  await sandbox.fs.write(at('a.txt'), 'typed');
  await bringIn(sandbox, id);
  expect(await text('a.txt')).toBe('typed');
});

test('a project of an earlier version comes in whole, with its packages and empty folders', async () => {
  const { id } = await createProject('old', 'node', files);
  const db = await projectDatabase();
  await db.put('files', { project: id, path: 'empty', kind: 'directory', contents: new Uint8Array(0) });
  const other = await createMemorySandbox();
  await other.fs.write(`${other.workdir}/node_modules/x/index.js`, 'x');
  await db.put('packages', { project: id, bytes: await other.snapshot(`${other.workdir}/node_modules`) });
  const copy = await copyProject(id);
  expect(copy.name).toBe('old copy');
  for (const each of [id, copy.id]) {
    const { sandbox, text, at } = await keeping();
    await bringIn(sandbox, each);
    expect(await text('node_modules/x/index.js')).toBe('x');
    expect(await sandbox.fs.exists(at('empty'))).toBe(true);
    expect(await waitingOf(each)).toEqual([]);
    expect(await db.get('packages', each)).toBeUndefined();
  }
});

test('what can’t be made safe waits on, and comes no second time once it is', async () => {
  const { id } = await createProject('full', 'node', files);
  const { sandbox, set } = await keeping();
  set({ kind: 'failing', isFull: true, message: 'full' });
  await bringIn(sandbox, id);
  expect(await waitingOf(id)).toEqual(['a.txt']);
  set({ kind: 'saved' });
  await expect.poll(() => waitingOf(id)).toEqual([]);
});

test('where nothing is kept, what a project starts with stays', async () => {
  const { id } = await createProject('private', 'node', files);
  const { sandbox, set } = await keeping();
  set({ kind: 'unkept', message: 'private window' });
  await bringIn(sandbox, id);
  expect(await waitingOf(id)).toEqual(['a.txt']);
});
