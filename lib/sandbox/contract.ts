// What every backend must do: cases that take a fresh sandbox and throw when it breaks its promise. No test framework is imported,
// because the same cases run in Vitest (memory) and inside Chromium (embedded, WebContainer).

import { assert, type ContractCase, equal, rejectsWith, sorted } from './contract-assert';
import { processCases } from './contract-processes';
import { searchCases } from './contract-search';
import type { FileChange } from './sandbox';

/** Each case may assume an empty workdir and nothing running. */
export const contractCases: ContractCase[] = [
  {
    name: 'write creates parents; read gives the same bytes back',
    async run({ fs, workdir }) {
      const bytes = Uint8Array.from([0, 255, 13, 10, 0xc3, 0x28]);
      await fs.write(`${workdir}/a/b/c.bin`, bytes);
      equal([...(await fs.read(`${workdir}/a/b/c.bin`))], [...bytes]);
      await fs.write(`${workdir}/a/b/c.bin`, 'žluťoučký 🐎');
      equal(await fs.readText(`${workdir}/a/b/c.bin`), 'žluťoučký 🐎');
    },
  },
  {
    name: 'a write replaces the whole file',
    async run({ fs, workdir }) {
      await fs.write(`${workdir}/f`, 'long contents');
      await fs.write(`${workdir}/f`, 'x');
      equal(await fs.readText(`${workdir}/f`), 'x');
      equal((await fs.stat(`${workdir}/f`)).size, 1);
    },
  },
  {
    name: 'readText keeps a byte order mark',
    async run({ fs, workdir }) {
      await fs.write(`${workdir}/bom.txt`, Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]));
      equal(await fs.readText(`${workdir}/bom.txt`), '\ufeffa');
    },
  },
  {
    name: "errors carry Node's codes",
    async run({ fs, workdir }) {
      await rejectsWith('ENOENT', fs.read(`${workdir}/missing`));
      await rejectsWith('ENOENT', fs.stat(`${workdir}/missing/deeper`));
      await rejectsWith('ENOENT', fs.list(`${workdir}/missing`));
      await rejectsWith('ENOENT', fs.remove(`${workdir}/missing`));
      await rejectsWith('ENOENT', fs.move(`${workdir}/missing`, `${workdir}/other`));
      await fs.write(`${workdir}/file`, '');
      await fs.makeDirectory(`${workdir}/directory`);
      await rejectsWith('EISDIR', fs.read(`${workdir}/directory`));
      await rejectsWith('EISDIR', fs.write(`${workdir}/directory`, 'x'));
      await rejectsWith('ENOTDIR', fs.list(`${workdir}/file`));
      await rejectsWith('ENOTDIR', fs.write(`${workdir}/file/below`, 'x'));
    },
  },
  {
    name: 'list, stat and exists agree',
    async run({ fs, workdir }) {
      const before = Date.now() - 2000;
      await fs.write(`${workdir}/d/one.txt`, '12345');
      await fs.makeDirectory(`${workdir}/d/two`);
      equal(sorted((await fs.list(`${workdir}/d`)).map((entry) => `${entry.kind} ${entry.name}`)), [
        'directory two',
        'file one.txt',
      ]);
      const stat = await fs.stat(`${workdir}/d/one.txt`);
      equal([stat.kind, stat.size], ['file', 5]);
      assert(stat.mtimeMs >= before && stat.mtimeMs <= Date.now() + 2000, `mtimeMs is now: ${stat.mtimeMs}`);
      equal((await fs.stat(`${workdir}/d`)).kind, 'directory');
      equal(
        [
          await fs.exists(`${workdir}/d`),
          await fs.exists(`${workdir}/nope`),
          await fs.exists(`${workdir}/d/one.txt/x`),
        ],
        [true, false, false],
      );
    },
  },
  {
    name: 'makeDirectory makes parents and accepts existing ones',
    async run({ fs, workdir }) {
      await fs.makeDirectory(`${workdir}/p/q/r`);
      await fs.makeDirectory(`${workdir}/p/q/r`);
      equal((await fs.stat(`${workdir}/p/q/r`)).kind, 'directory');
    },
  },
  {
    name: 'move, copy and remove work on files and whole directories',
    async run({ fs, workdir }) {
      await fs.write(`${workdir}/a/x/1.txt`, 'one');
      await fs.copy(`${workdir}/a`, `${workdir}/b`);
      await fs.write(`${workdir}/b/x/1.txt`, 'two');
      equal(await fs.readText(`${workdir}/a/x/1.txt`), 'one');
      await fs.move(`${workdir}/a`, `${workdir}/c`);
      equal([await fs.exists(`${workdir}/a`), await fs.readText(`${workdir}/c/x/1.txt`)], [false, 'one']);
      await fs.move(`${workdir}/b/x/1.txt`, `${workdir}/c/x/1.txt`);
      equal(await fs.readText(`${workdir}/c/x/1.txt`), 'two');
      await fs.remove(`${workdir}/c`);
      equal(await fs.exists(`${workdir}/c`), false);
    },
  },
  {
    name: 'permission bits are set, stay when the file is written again, and go with it',
    async run({ fs, workdir }) {
      await fs.write(`${workdir}/bits/run.sh`, 'one');
      await fs.setMode(`${workdir}/bits/run.sh`, 0o750);
      await fs.write(`${workdir}/bits/run.sh`, 'two');
      await fs.move(`${workdir}/bits/run.sh`, `${workdir}/bits/moved.sh`);
      await fs.copy(`${workdir}/bits/moved.sh`, `${workdir}/bits/copy.sh`);
      const bits = async (name: string) => (await fs.stat(`${workdir}/bits/${name}`)).mode;
      equal([await bits('moved.sh'), await bits('copy.sh')], [0o750, 0o750]);
      await rejectsWith('ENOENT', fs.setMode(`${workdir}/bits/run.sh`, 0o644));
    },
  },
  {
    name: 'realpath resolves dots',
    async run({ fs, workdir }) {
      await fs.write(`${workdir}/r/f`, '');
      equal(await fs.realpath(`${workdir}/r/../r/./f`), `${await fs.realpath(workdir)}/r/f`);
      await rejectsWith('ENOENT', fs.realpath(`${workdir}/r/nope`));
    },
  },
  {
    name: 'names with spaces, quotes, unicode and newlines are ordinary',
    async run({ fs, workdir }) {
      for (const name of ['a b', "it's", 'dvě 🐎', 'li\nne', '-rf', '$HOME']) {
        await fs.write(`${workdir}/${name}`, name);
        equal(await fs.readText(`${workdir}/${name}`), name);
      }
    },
  },
  {
    name: 'watch reports what happened below, until it is stopped',
    async run({ fs, workdir }) {
      await fs.write(`${workdir}/w/old`, '1');
      await fs.write(`${workdir}/elsewhere`, '1');
      const seen: FileChange[] = [];
      const stop = fs.watch(`${workdir}/w`, (changes) => seen.push(...changes));
      const has = (path: string, kind: FileChange['kind']) =>
        seen.some((change) => change.path === `${workdir}/w/${path}` && change.kind === kind);
      await fs.write(`${workdir}/w/new`, '1');
      await fs.write(`${workdir}/elsewhere`, '2');
      await until(() => has('new', 'created'), 'created is reported');
      await fs.write(`${workdir}/w/old`, '2');
      await until(() => has('old', 'changed'), 'changed is reported');
      await fs.remove(`${workdir}/w/new`);
      await until(() => has('new', 'deleted'), 'deleted is reported');
      assert(!seen.some((change) => change.path.includes('elsewhere')), 'nothing outside is reported');
      stop();
      const count = seen.length;
      await fs.write(`${workdir}/w/later`, '1');
      await pause(200);
      equal(seen.length, count);
    },
  },
  ...searchCases,
  {
    name: 'snapshot and mount carry a tree over',
    async run(sandbox) {
      const { fs, workdir } = sandbox;
      await fs.write(`${workdir}/s/a.txt`, 'A');
      await fs.write(`${workdir}/s/deep/b.bin`, Uint8Array.from([0, 1, 255]));
      await sandbox.mount(await sandbox.snapshot(`${workdir}/s`), `${workdir}/t`);
      equal(await fs.readText(`${workdir}/t/a.txt`), 'A');
      equal([...(await fs.read(`${workdir}/t/deep/b.bin`))], [0, 1, 255]);
    },
  },
  {
    name: 'spawning something that does not exist is ENOENT; a missing working directory too',
    async run(sandbox) {
      await rejectsWith('ENOENT', sandbox.spawn('no-such-command-here', []));
    },
  },
  ...processCases,
];

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (condition()) return;
    await pause(50);
  }
  throw new Error(`Not within 5 s: ${what}`);
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
