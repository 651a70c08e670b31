import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createMemorySandbox } from '../sandbox/memory';
import type { Sandbox } from '../sandbox/sandbox';
import { keepFiles, restoreFiles } from './keep-files';
import {
  cleanName,
  copyProject,
  createProject,
  findProject,
  listProjects,
  purgeProjects,
  updateProject,
} from './projects';

const files = [{ path: 'a.txt', contents: 'a' }];

test('a project lives from its creation to its deletion and back', async () => {
  const first = await createProject('demo', 'node', files, 1000);
  const second = await createProject('demo', 'node', files, 2000);
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
  expect(await contentsOf(second.id)).toEqual({});
  expect(await contentsOf(first.id)).toEqual({ 'a.txt': 'a' });
  await expect(updateProject(second.id, { name: 'x' })).rejects.toThrow(second.id);
});

test('names are one line and never empty', () => {
  expect(cleanName('  a\n\tb ')).toBe('a b');
  expect(cleanName(' \n ')).toBe('untitled');
  expect(cleanName('x'.repeat(100))).toHaveLength(80);
});

async function contentsOf(id: string): Promise<Record<string, string>> {
  const sandbox = await createMemorySandbox();
  await restoreFiles(sandbox, id);
  const { paths } = await sandbox.search.files({ path: sandbox.workdir, pattern: '**', respectIgnore: false });
  const entries = paths.map(
    async (path) => [path.slice(sandbox.workdir.length + 1), await sandbox.fs.readText(path)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function started(id: string) {
  const sandbox: Sandbox = await createMemorySandbox();
  await restoreFiles(sandbox, id);
  const failures: unknown[] = [];
  const keeper = keepFiles({
    sandbox,
    project: id,
    onFailure: (error) => failures.push(error),
    delayMs: 10,
    packagesDelayMs: 10,
  });
  return { sandbox, keeper, failures, at: (path: string) => `${sandbox.workdir}/${path}` };
}

const settle = () => new Promise((done) => setTimeout(done, 60));

test('what changes in the sandbox is there after the next start', async () => {
  const { id } = await createProject('kept', 'node', [...files, { path: 'src/b.txt', contents: 'b' }]);
  const { sandbox, keeper, failures, at } = await started(id);
  await sandbox.fs.write(at('a.txt'), 'changed');
  await sandbox.fs.write(at('new/deep/c.txt'), 'c');
  await sandbox.fs.move(at('src'), at('lib'));
  await sandbox.fs.write(at('node_modules/x/index.js'), 'x');
  await settle();
  await keeper.flush();
  const kept = { 'a.txt': 'changed', 'new/deep/c.txt': 'c', 'lib/b.txt': 'b', 'node_modules/x/index.js': 'x' };
  expect(await contentsOf(id)).toEqual(kept);

  const copy = await copyProject(id);
  expect(copy.name).toBe('kept copy');
  await sandbox.fs.remove(at('new'));
  await sandbox.fs.remove(at('node_modules'));
  await settle();
  await keeper.flush();
  expect(await contentsOf(id)).toEqual({ 'a.txt': 'changed', 'lib/b.txt': 'b' });
  expect(await contentsOf(copy.id)).toEqual(kept);
  expect(failures).toEqual([]);
  keeper.stop();
});

test('empty directories are kept, and names that begin alike are not confused', async () => {
  const { id } = await createProject('names', 'node', [
    { path: 'foo/a', contents: '1' },
    { path: 'foobar/a', contents: '2' },
    { path: 'foo.txt', contents: '3' },
  ]);
  const { sandbox, keeper, at } = await started(id);
  await sandbox.fs.remove(at('foo'));
  await sandbox.fs.makeDirectory(at('empty'));
  await settle();
  await keeper.flush();
  expect(await contentsOf(id)).toEqual({ 'foobar/a': '2', 'foo.txt': '3' });
  const again = await createMemorySandbox();
  await restoreFiles(again, id);
  expect(await again.fs.exists(`${again.workdir}/empty`)).toBe(true);
  keeper.stop();
});
