// Search over 5,000 files, against ripgrep on the same files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { readEntries } from '../sandbox/entries.ts';
import type { Contest } from './contest.ts';
import type { Stage } from './stage.ts';

const ROOT = '/home/project/sources';

/** The search panel's search for a word that 50 of the files hold. */
export async function grep({ browser, folder }: Stage): Promise<Contest> {
  const tree = path.join(folder, 'sources');
  for (let index = 0; index < 5000; index++) {
    const directory = path.join(tree, `d${index % 50}`);
    mkdirSync(directory, { recursive: true });
    const filler = 'const filler = 1; // nothing to see\n'.repeat(40);
    writeFileSync(path.join(directory, `f${index}.ts`), `${filler}${index % 100 === 0 ? 'const needle = 42;\n' : ''}`);
  }
  await browser.mount(readEntries(folder), '/home/project', true);
  return {
    contestants: {
      cloche: async () => ({ '': await browser.page.evaluate(searchInPage, ROOT) }),
      ripgrep: async () => {
        const started = performance.now();
        let output: string;
        try {
          output = execFileSync('rg', ['-n', 'needle', tree], { encoding: 'utf8' });
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          throw code === 'ENOENT'
            ? new Error('not installed: "apt-get install -y ripgrep" or "brew install ripgrep"')
            : error;
        }
        const ms = performance.now() - started;
        if (output.trim().split('\n').length !== 50) throw new Error('ripgrep did not find 50 lines');
        return { '': ms };
      },
    },
    rounds: 9,
    warmUps: 1,
    targets: { '': { most: 5, timesOf: 'ripgrep' } },
    notes: { '': 'ripgrep’s time includes starting it; ours is the call from the page' },
  };
}

async function searchInPage(root: string): Promise<number> {
  const started = performance.now();
  const { matches } = await window.cloche.engine!.searchText({
    path: root,
    pattern: { source: 'needle', flags: 'g' },
    multiline: false,
    respectIgnore: true,
    maxResults: 1000,
  });
  const ms = performance.now() - started;
  if (matches.length !== 50) throw new Error(`found ${matches.length} instead of 50`);
  return ms;
}
