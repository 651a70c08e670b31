import { expect, test, vi } from 'vitest';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import type { FileChange, Sandbox } from '../../lib/sandbox/sandbox';
import { projectSources } from './project-sources';

const p = (name: string) => `/home/project/${name}`;

/** A project whose changes are told as the engine tells them: a moved folder is two changes, and none of its files is named. */
async function followed(files: Record<string, string>, maxFiles = 10) {
  const sandbox = await createMemorySandbox({ files });
  let heard: (changes: FileChange[]) => void = () => {};
  const watched: Sandbox = {
    ...sandbox,
    fs: {
      ...sandbox.fs,
      watch(_path, listener) {
        heard = listener;
        return () => {};
      },
    },
  };
  const known = new Map<string, string>();
  const whole: boolean[] = [];
  const readText = vi.spyOn(watched.fs, 'readText');
  const stop = projectSources(watched, {
    maxFiles,
    maxBytes: 1000,
    tell: (path, text) => void (text === undefined ? known.delete(path) : known.set(path, text)),
    onWhole: (isWhole) => void whole.push(isWhole),
  });
  await vi.waitFor(() => expect(whole).toHaveLength(1));
  return { fs: sandbox.fs, known, whole, readText, stop, hear: (...changes: FileChange[]) => heard(changes) };
}

test('a folder that was moved is known by its new name, and not by the old one', async () => {
  const { fs, known, hear } = await followed({ 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'node_modules/x/i.js': 'x' });
  expect([...known.keys()].sort()).toEqual([p('src/a.ts'), p('src/deep/b.ts')]);
  await fs.move(p('src'), p('lib'));
  hear({ path: p('src'), kind: 'deleted' }, { path: p('lib'), kind: 'created' });
  await vi.waitFor(() => expect([...known.keys()].sort()).toEqual([p('lib/a.ts'), p('lib/deep/b.ts')]));
});

test('when too much happened at once, everything is looked at again', async () => {
  const { fs, known, hear } = await followed({ 'a.ts': 'a', 'b.ts': 'b' });
  await fs.remove(p('a.ts'));
  await fs.write(p('b.ts'), 'bb');
  await fs.write(p('c.ts'), 'c');
  hear({ path: '/home/project', kind: 'changed' });
  await vi.waitFor(() => expect(Object.fromEntries(known)).toEqual({ [p('b.ts')]: 'bb', [p('c.ts')]: 'c' }));
});

test('more sources than are told: from then on nobody says that one is not there', async () => {
  const { fs, known, whole, hear } = await followed({ 'a.ts': 'a' }, 1);
  expect(whole).toEqual([true]);
  await fs.write(p('b.ts'), 'b');
  hear({ path: p('b.ts'), kind: 'created' });
  await vi.waitFor(() => expect(whole).toContain(false));
  expect([...known.keys()]).toEqual([p('a.ts')]);
});

test('thousands of sources made by a program: told once that they are too many, and the rest is not read', async () => {
  const { fs, known, whole, readText, hear } = await followed({ 'a.ts': 'a' }, 5);
  const many = Array.from({ length: 300 }, (_, at) => p(`made/f${at}.ts`));
  for (const path of many) await fs.write(path, 'x');
  for (const path of many) hear({ path, kind: 'created' });
  await fs.write(p('a.ts'), 'changed after all');
  hear({ path: p('a.ts'), kind: 'changed' });
  await vi.waitFor(() => expect(known.get(p('a.ts'))).toBe('changed after all'));
  expect(known.size).toBe(5);
  expect(readText.mock.calls.length).toBeLessThan(10);
  // Each time, the language service would begin anew with a worker of ten megabytes.
  expect(whole).toEqual([true, false]);
});

test('a file that changes while it is read is told as it is in the end', async () => {
  const { fs, known, readText, hear } = await followed({ 'a.ts': 'a' });
  readText.mockImplementationOnce(async (path) => {
    await fs.write(path, 'second');
    hear({ path, kind: 'changed' });
    return 'first';
  });
  hear({ path: p('a.ts'), kind: 'changed' });
  await vi.waitFor(() => expect(known.get(p('a.ts'))).toBe('second'));
});
