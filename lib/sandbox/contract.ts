// What every backend must do: cases that take a fresh sandbox and throw when it breaks its promise. No test framework is imported,
// because the same cases run in Vitest (memory) and inside Chromium (embedded, WebContainer).

import { assert, equal, rejectsWith, sorted } from './contract-assert';
import { processCases } from './contract-processes';
import type { FileChange, Sandbox } from './sandbox';

export interface ContractCase {
  name: string;
  /** `shell`: needs real processes (bash, node); the memory backend has none. */
  needs?: 'shell';
  run(sandbox: Sandbox): Promise<void>;
}

const text = new TextEncoder();

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
  {
    name: 'search.files: a pattern without a slash matches at any depth, one with a slash is anchored; dotfiles count',
    async run({ fs, workdir, search }) {
      for (const path of [
        'a.ts',
        'src/b.ts',
        'src/deep/c.ts',
        'src/d.js',
        '.github/workflows/ci.yml',
        '.eslintrc.json',
      ])
        await fs.write(`${workdir}/${path}`, '');
      const find = async (pattern: string) =>
        sorted((await search.files({ path: workdir, pattern })).paths.map((path) => path.slice(workdir.length + 1)));
      equal(await find('*.ts'), ['a.ts', 'src/b.ts', 'src/deep/c.ts']);
      equal(await find('src/*.ts'), ['src/b.ts']);
      equal(await find('src/**/*.ts'), ['src/b.ts', 'src/deep/c.ts']);
      equal(await find('**/*.{js,yml}'), ['.github/workflows/ci.yml', 'src/d.js']);
      equal(await find('.github/**'), ['.github/workflows/ci.yml']);
      equal(await find('.eslintrc.json'), ['.eslintrc.json']);
      const few = await search.files({ path: workdir, pattern: '**', maxResults: 2 });
      equal([few.paths.length, few.truncated], [2, true]);
    },
  },
  {
    name: 'search respects .gitignore files at every level, and .git is skipped, unless told otherwise',
    async run({ fs, workdir, search }) {
      await fs.write(`${workdir}/.gitignore`, 'dist/\n*.log\n!keep.log\n');
      await fs.write(`${workdir}/pkg/.gitignore`, '/local.txt\n');
      for (const path of ['dist/o.js', 'x.log', 'keep.log', 'pkg/local.txt', 'pkg/sub/local.txt', '.git/config'])
        await fs.write(`${workdir}/${path}`, 'needle');
      const options = { path: workdir, pattern: 'needle' };
      const names = (matches: { path: string }[]) =>
        sorted(matches.map((match) => match.path.slice(workdir.length + 1)));
      equal(names((await search.text(options)).matches), ['keep.log', 'pkg/sub/local.txt']);
      equal(names((await search.text({ ...options, respectIgnore: false })).matches).length, 6);
    },
  },
  {
    name: 'search.text: positions, flags, include, limit; binary and long lines do no harm',
    async run({ fs, workdir, search }) {
      await fs.write(`${workdir}/a.txt`, 'one\r\ntwo Needle needle\r\n');
      await fs.write(`${workdir}/b.md`, `žž🐎 needle${'x'.repeat(100_000)}\n`);
      await fs.write(`${workdir}/c.bin`, Uint8Array.from([0, ...text.encode('needle')]));
      await fs.write(`${workdir}/d.txt`, 'a.b\naxb\n');
      const at = async (options: object) =>
        (await search.text({ path: workdir, pattern: 'needle', ...options })).matches.map(
          (match) => `${match.path.slice(workdir.length + 1)}:${match.line}:${match.column}+${match.length}`,
        );
      equal(sorted(await at({})), ['a.txt:2:12+6', 'b.md:1:6+6']);
      equal(sorted(await at({ ignoreCase: true, include: '*.txt' })), ['a.txt:2:12+6', 'a.txt:2:5+6']);
      equal(await at({ pattern: 'a.b', literal: true }), ['d.txt:1:1+3']);
      equal(sorted(await at({ pattern: '^a[.x]b$' })), ['d.txt:1:1+3', 'd.txt:2:1+3']);
      equal(await at({ pattern: 'a\\.b\\naxb', multiline: true }), ['d.txt:1:1+7']);
      const few = await search.text({ path: workdir, pattern: 'needle', maxResults: 1 });
      equal([few.matches.length, few.truncated], [1, true]);
    },
  },
  {
    name: 'search.text: UTF-16 by its mark is text; what is not looked into is counted, what is no Unicode is told',
    async run({ fs, workdir, search }) {
      const utf16 = (text: string, little: boolean) =>
        Uint8Array.from([...`\ufeff${text}`].flatMap((char) => pair(char.charCodeAt(0), little)));
      const pair = (unit: number, little: boolean) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]);
      await fs.write(`${workdir}/le.txt`, utf16('one\ntwo žneedle\n', true));
      await fs.write(`${workdir}/be.txt`, utf16('needle\n', false));
      await fs.write(`${workdir}/bom.txt`, '\ufeffneedle\n');
      await fs.write(`${workdir}/latin.txt`, Uint8Array.from([...text.encode('needle '), 0xe9, 10]));
      await fs.write(`${workdir}/odd.txt`, Uint8Array.from([0xff, 0xfe, 1]));
      await fs.write(`${workdir}/c.bin`, Uint8Array.from([0, ...text.encode('needle')]));
      const found = await search.text({ path: workdir, pattern: 'needle' });
      equal(
        sorted(found.matches.map((match) => `${match.path.slice(workdir.length + 1)}:${match.line}:${match.column}`)),
        ['be.txt:1:1', 'bom.txt:1:1', 'latin.txt:1:1', 'le.txt:2:6'],
      );
      equal([found.filesSearched, found.notUnicode], [4, 1]);
      equal(found.skipped, { binary: 2, tooLarge: 0, unreadable: 0 });
    },
  },
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
