import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import {
  cleanName,
  createProject,
  deletedProjects,
  findProject,
  forgetProject,
  forgetSeed,
  listProjects,
  pendingSeed,
  updateProject,
} from './projects';

const seed = { kind: 'files' as const, files: [{ path: 'a.txt', contents: 'a' }] };

test('a project lives from its seed to its deletion and back', async () => {
  const first = await createProject('demo', 'node', seed, 1000);
  const second = await createProject('demo', 'node', seed, 2000);
  expect(first.id).toMatch(/^[a-z][a-z0-9]{15}$/);
  expect((await listProjects()).map((project) => project.name)).toEqual(['demo 2', 'demo']);

  expect(await pendingSeed(first.id)).toMatchObject(seed);
  await forgetSeed(first.id);
  expect(await pendingSeed(first.id)).toBeUndefined();
  expect((await findProject(first.id))?.unopened).toBe(false);

  await updateProject(first.id, { openedAtMs: 3000, sizeBytes: 12 });
  expect((await listProjects())[0]).toMatchObject({ id: first.id, sizeBytes: 12, name: 'demo' });

  await updateProject(second.id, { deletedAtMs: 5000 });
  expect(await findProject(second.id)).toBeUndefined();
  expect(await deletedProjects(5000)).toEqual([]);
  expect(await deletedProjects(5001)).toEqual([second.id]);
  await updateProject(second.id, { deletedAtMs: undefined });
  expect(await deletedProjects(9e15)).toEqual([]);
  expect((await findProject(second.id))?.name).toBe('demo 2');

  await forgetProject(second.id);
  expect(await pendingSeed(second.id)).toBeUndefined();
  expect((await listProjects()).length).toBe(1);
  await expect(updateProject(second.id, { name: 'x' })).rejects.toThrow(second.id);
});

test('names are one line and never empty', () => {
  expect(cleanName('  a\n\tb ')).toBe('a b');
  expect(cleanName(' \n ')).toBe('untitled');
  expect(cleanName('x'.repeat(100))).toHaveLength(80);
});
