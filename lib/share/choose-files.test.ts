// What goes into a link: what git would keep, and no key.
import { expect, test } from 'vitest';
import { createMemorySandbox } from '../sandbox/memory';
import { chooseFiles, filesToShare } from './choose-files';
import { shareLimits } from './share-limits';

const chosenOf = async (files: Record<string, string | Uint8Array>, limits = shareLimits) => {
  const sandbox = await createMemorySandbox({ files });
  return chooseFiles(sandbox.fs, sandbox.workdir, limits);
};
const paths = (files: { path: string }[]) => files.map((file) => file.path);

test('leaves out packages, history and what .gitignore names, and says so', async () => {
  const chosen = await chosenOf({
    'index.js': '1',
    'node_modules/a/index.js': '2',
    '.git/HEAD': 'ref',
    '.gitignore': 'dist/\n*.log\n!keep.log\n',
    'dist/out.js': '3',
    'a.log': '4',
    'keep.log': '5',
    'packages/b/.gitignore': 'generated\n!a.log\n',
    'packages/b/generated/x': '6',
    'packages/b/a.log': '7',
    'packages/b/src.ts': '8',
    'generated/y': '9',
  });
  expect(paths(chosen.files)).toEqual([
    '.gitignore',
    'generated/y',
    'index.js',
    'keep.log',
    'packages/b/.gitignore',
    'packages/b/a.log',
    'packages/b/src.ts',
  ]);
  expect(paths(chosen.leftOut)).toEqual(['.git/', 'a.log', 'dist/', 'node_modules/', 'packages/b/generated/']);
});

test('a file with a secret goes only when the person insists, and any file can be taken out', async () => {
  const chosen = await chosenOf({ '.env': 'A=1', '.env.example': 'A=', 'b.js': 'x', 'a.js': 'y' });
  expect(paths(filesToShare(chosen, new Set(), new Set()))).toEqual(['.env.example', 'a.js', 'b.js']);
  expect(paths(filesToShare(chosen, new Set(['.env']), new Set(['a.js'])))).toEqual(['.env', '.env.example', 'b.js']);
  expect(chosen.leftOut).toEqual([{ path: '.env', kind: 'secret', reason: 'environment files usually hold keys' }]);
});

test('a file that is too large is named, too many files are refused', async () => {
  const chosen = await chosenOf({ 'a.bin': new Uint8Array(5 * 2 ** 20), b: '' });
  expect(chosen.leftOut).toEqual([{ path: 'a.bin', kind: 'large', reason: 'it has 5.2 MB' }]);
  await expect(chosenOf({ a: '', b: '', c: '' }, { ...shareLimits, maxFiles: 2 })).rejects.toThrow(/more than 2 files/);
});
