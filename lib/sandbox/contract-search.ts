// The part of the contract about searches: what they find, what ignore files hide, and what they say about files that are no text.
import { type ContractCase, equal, sorted } from './contract-assert';

const text = new TextEncoder();

/** Cases for every backend. */
export const searchCases: ContractCase[] = [
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
      await new Promise((resolve) => setTimeout(resolve, 20));
      await fs.write(`${workdir}/src/deep/c.ts`, 'changed');
      const newest = { path: workdir, pattern: '*.ts', maxResults: 1, newestFirst: true };
      equal(await search.files(newest), { paths: [`${workdir}/src/deep/c.ts`], truncated: true });
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
      equal(await at({ pattern: '[Nn]eedle', maxPerFile: 1 }), ['a.txt:2:5+6', 'b.md:1:6+6']);
      await fs.write(`${workdir}/e.txt`, `${'x'.repeat(50_000)}hit${'y'.repeat(50_000)}`);
      for (const multiline of [false, true]) {
        const [long] = (await search.text({ path: workdir, pattern: 'hit', multiline })).matches;
        equal([long!.column, long!.text.slice(long!.column - 1 - long!.from!).slice(0, 4)], [50_001, 'hity']);
        equal(long!.text.length < 5000, true);
      }
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
];
