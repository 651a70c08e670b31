// Links of an archive are links in the project, and again in an export: a repository's AGENTS.md is often one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import 'fake-indexeddb/auto';
import { createMemorySandbox } from '../sandbox/memory';
import { createProject } from './projects';
import { bringIn } from './waiting-files';
import { exportZip } from './zip-export';
import { type ImportedFile, readZipInSteps } from './zip-import';

const folder = mkdtempSync(path.join(tmpdir(), 'cloche-links-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readZip(archive: Uint8Array): ImportedFile[] {
  const steps = readZipInSteps(archive);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A memory sandbox at a directory of this machine, whose `node` is this machine's, and which lists links as they lie there. */
async function linkingSandbox() {
  const sandbox = await createMemorySandbox({
    workdir: folder,
    commands: {
      node: ({ args, out }) => {
        out(execFileSync(process.execPath, args, { encoding: 'utf8' }));
        return 0;
      },
    },
  });
  const list: typeof sandbox.fs.list = async (at) => {
    const links = readdirSync(at, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    const kept = await sandbox.fs.list(at);
    return [...kept, ...links.map(({ name }) => ({ name, kind: 'symlink' as const }))];
  };
  return { ...sandbox, fs: { ...sandbox.fs, list } };
}

test('a link of an archive is one in the project, with its target as it was, and in an export', async () => {
  const link = { os: 3, attrs: 0o120777 << 16 };
  const files = readZip(
    zipSync({
      'p/CLAUDE.md': strToU8('Work well.'),
      'p/AGENTS.md': [strToU8('CLAUDE.md'), link],
      'p/deep/to/gone': [strToU8('../../nowhere/žluť'), link],
      'p/strange': [new Uint8Array(5000), link],
    }),
  );
  expect(files.map(({ path: at, kind, executable }) => [at, kind, executable])).toEqual([
    ['CLAUDE.md', 'file', false],
    ['AGENTS.md', 'link', false],
    ['deep/to/gone', 'link', false],
    ['strange', 'file', false],
  ]);

  const sandbox = await linkingSandbox();
  writeFileSync(path.join(folder, 'CLAUDE.md'), 'Work well.');
  const { id } = await createProject('linked', 'import', files.slice(0, 2));
  await bringIn(sandbox, id);
  expect(readlinkSync(path.join(folder, 'AGENTS.md'))).toBe('CLAUDE.md');
  expect(readFileSync(path.join(folder, 'AGENTS.md'), 'utf8')).toBe('Work well.');

  const exported = readZip(await exportZip(sandbox));
  expect(exported.map(({ path: at, kind, contents }) => [at, kind, new TextDecoder().decode(contents)])).toEqual([
    ['CLAUDE.md', 'file', 'Work well.'],
    ['AGENTS.md', 'link', 'CLAUDE.md'],
  ]);
});

test('a link that could lead out of the project is kept as the file that it is in the archive', () => {
  const link = { os: 3, attrs: 0o120777 << 16 };
  const targets: Record<string, string> = {
    'p/up': '../outside',
    'p/far': '/root/.npmrc',
    'p/a/b/c': '../..',
    'p/a/b/top': '../../x',
    'p/x/y': 'z',
    // Reads as `a`, and is above the project where `a/b/top` is a link to `x`.
    'p/round': 'a/b/top/../..',
    'p/a/wide': './../..//..',
  };
  const files = readZip(
    zipSync(Object.fromEntries(Object.entries(targets).map(([at, target]) => [at, [strToU8(target), link]]))),
  );
  expect(Object.fromEntries(files.map(({ path: at, kind }) => [at, kind]))).toEqual({
    up: 'file',
    far: 'file',
    'a/b/c': 'link',
    'a/b/top': 'link',
    'x/y': 'link',
    round: 'file',
    'a/wide': 'file',
  });
});

test('what lies below a link in an archive is refused', () => {
  const link = { os: 3, attrs: 0o120777 << 16 };
  expect(() => readZip(zipSync({ out: [strToU8('/root'), link], 'out/x': strToU8('x') }))).toThrow(
    'out is a file and a folder',
  );
});

test('links that can’t be made are not passed over in silence', async () => {
  const sandbox = await createMemorySandbox({
    commands: {
      node: ({ err }) => {
        err('Error: EROFS: read-only file system');
        return 1;
      },
    },
  });
  const { id } = await createProject('x', 'import', [{ path: 'a', kind: 'link', contents: 'b' }]);
  await expect(bringIn(sandbox, id)).rejects.toThrow('Symbolic links: Error: EROFS: read-only file system.');
});
