// Search by content and by name, against ripgrep on the same files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { readEntries } from '../sandbox/entries.ts';
import type { Contest } from './contest.ts';
import type { Stage } from './stage.ts';

const ROOT = '/home/project/sources';

/** The search panel's search for a word that 50 of 5,000 files hold. */
export const grep = (stage: Stage): Promise<Contest> => contentContest(stage, 5000);
/** The same over 20,000 files, of which 200 hold it. */
export const grepLarge = (stage: Stage): Promise<Contest> => contentContest(stage, 20_000);

async function contentContest(stage: Stage, files: number): Promise<Contest> {
  const tree = await fill(stage, files);
  return contestOf(
    () => stage.browser.page.evaluate(searchInPage, { root: ROOT, wanted: files / 100 }),
    () => ripgrep(['-n', 'needle', tree], files / 100),
  );
}

/** 200 of 20,000 files by a pattern for their names. */
export async function globLarge(stage: Stage): Promise<Contest> {
  const tree = await fill(stage, 20_000);
  return contestOf(
    () => stage.browser.page.evaluate(globInPage, { root: ROOT, wanted: 200 }),
    () => ripgrep(['--files', '--glob', '**/*00.ts', tree], 200),
  );
}

function contestOf(ours: () => Promise<number>, theirs: () => number): Contest {
  return {
    contestants: { cloche: async () => ({ '': await ours() }), ripgrep: async () => ({ '': theirs() }) },
    rounds: 9,
    warmUps: 1,
    targets: { '': { most: 5, timesOf: 'ripgrep' } },
    notes: { '': 'ripgrep’s time includes starting it; ours is the call from the page' },
  };
}

/** One in a hundred holds the word and has a name that ends in 00. */
async function fill({ browser, folder }: Stage, files: number): Promise<string> {
  const tree = path.join(folder, 'sources');
  const filler = 'const filler = 1; // nothing to see\n'.repeat(40);
  for (let index = 0; index < files; index++) {
    const directory = path.join(tree, `d${index % 50}`);
    mkdirSync(directory, { recursive: true });
    const name = `f${String(index).padStart(5, '0')}.ts`;
    writeFileSync(path.join(directory, name), `${filler}${index % 100 === 0 ? 'const needle = 42;\n' : ''}`);
  }
  await browser.mount(readEntries(folder), '/home/project', true);
  return tree;
}

/** Milliseconds. */
function ripgrep(words: string[], wanted: number): number {
  const started = performance.now();
  let output: string;
  try {
    output = execFileSync('rg', words, { encoding: 'utf8' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT'
      ? new Error('not installed: "apt-get install -y ripgrep" or "brew install ripgrep"')
      : error;
  }
  const ms = performance.now() - started;
  const found = output.trim().split('\n').length;
  if (found !== wanted) throw new Error(`ripgrep found ${found} lines instead of ${wanted}`);
  return ms;
}

async function searchInPage({ root, wanted }: { root: string; wanted: number }): Promise<number> {
  const started = performance.now();
  const { matches } = await window.cloche.engine!.searchText({
    path: root,
    pattern: { source: 'needle', flags: 'g' },
    multiline: false,
    respectIgnore: true,
    maxResults: 1000,
  });
  const ms = performance.now() - started;
  if (matches.length !== wanted) throw new Error(`found ${matches.length} instead of ${wanted}`);
  return ms;
}

async function globInPage({ root, wanted }: { root: string; wanted: number }): Promise<number> {
  const started = performance.now();
  const { paths } = await window.cloche.engine!.searchFiles({
    path: root,
    include: { source: '00\\.ts$', flags: '' },
    respectIgnore: true,
    maxResults: 1000,
  });
  const ms = performance.now() - started;
  if (paths.length !== wanted) throw new Error(`found ${paths.length} instead of ${wanted}`);
  return ms;
}
