// rg: grep over a tree, honouring .gitignore files and hidden names as ripgrep does.
import fs from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { compareNames } from '../expand/glob';
import { decodeText } from '../io/text';
import { lastValue, parseOptions } from './options';
import { literalSource } from './regex';
import { type Applet, complain, fileError, openInput, resolvePath, UsageError } from './tool';

const TYPES: Record<string, RegExp> = {
  js: /\.(js|jsx|mjs|cjs|vue)$/,
  ts: /\.(ts|tsx|mts|cts)$/,
  json: /\.json$/,
  css: /\.(css|scss)$/,
  html: /\.(html|htm)$/,
  md: /\.(md|markdown|mdx)$/,
  py: /\.pyi?$/,
  rust: /\.rs$/,
  go: /\.go$/,
  sh: /\.(sh|bash)$/,
  yaml: /\.ya?ml$/,
  toml: /\.toml$/,
};

/** rg [-inlcvwxFoqSUu.] [-e pattern] [-g glob] [-t type] [-A -B -C N] [-m N] pattern [paths]; --files lists. */
export const rg: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'inNlcvwxFoqsSuUHIe:g:t:T:A:B:C:m:.pjL',
    {
      'ignore-case': 'i',
      'line-number': 'n',
      'no-line-number': 'N',
      'files-with-matches': 'l',
      count: 'c',
      'invert-match': 'v',
      'word-regexp': 'w',
      'line-regexp': 'x',
      'fixed-strings': 'F',
      'only-matching': 'o',
      quiet: 'q',
      'smart-case': 'S',
      'case-sensitive': 's',
      unrestricted: 'u',
      'with-filename': 'H',
      'no-filename': 'I',
      'regexp=': 'e',
      'glob=': 'g',
      'type=': 't',
      'type-not=': 'T',
      'after-context=': 'A',
      'before-context=': 'B',
      'context=': 'C',
      'max-count=': 'm',
      hidden: '.',
      'no-ignore': 'no-ignore',
      files: 'files',
      'color=': 'color',
      'no-heading': 'no-heading',
      heading: 'heading',
      'no-messages': 'no-messages',
      'max-depth=': 'depth',
      'files-without-match': 'without',
      follow: 'L',
      json: 'json',
      vimgrep: 'vimgrep',
      'sort=': 'sort',
      column: 'column',
      trim: 'trim',
    },
    { status: 2 },
  );
  const { flags } = parsed;
  if (flags.has('json') || flags.has('U'))
    throw new UsageError(`${flags.has('json') ? '--json' : '-U'} is not supported here`, 2);
  const listing = flags.has('files');
  let operands = parsed.operands;
  const patterns = parsed.values.get('e') ?? [];
  if (patterns.length === 0 && !listing) {
    if (operands[0] === undefined) throw new UsageError('ripgrep requires at least one pattern to execute a search', 2);
    patterns.push(operands[0]);
    operands = operands.slice(1);
  }
  let source = patterns
    .map((pattern) => (flags.has('F') ? literalSource(pattern) : pattern.replace(/\(\?P</g, '(?<')))
    .map((one, _, all) => (all.length > 1 ? `(?:${one})` : one))
    .join('|');
  if (flags.has('w')) source = `\\b(?:${source})\\b`;
  if (flags.has('x')) source = `^(?:${source})$`;
  const insensitive =
    flags.has('i') || (flags.has('S') && patterns.every((pattern) => pattern === pattern.toLowerCase()));
  let regex: RegExp;
  try {
    regex = new RegExp(source || '(?:)', insensitive ? 'gi' : 'g');
  } catch (error) {
    throw new UsageError(`regex parse error: ${(error as Error).message}`, 2);
  }
  const color = lastValue(parsed, 'color');
  const colored = color === 'always' || (color !== 'never' && tool.stdout.isTerminal);
  const paint = (code: string, text: string) => (colored ? `\x1b[0m\x1b[${code}m${text}\x1b[0m` : text);
  const heading = (tool.stdout.isTerminal || flags.has('heading')) && !flags.has('no-heading');
  const numbered = (flags.has('n') || tool.stdout.isTerminal) && !flags.has('N');
  const context = Number(lastValue(parsed, 'C') ?? 0);
  const [before, after] = [Number(lastValue(parsed, 'B') ?? context), Number(lastValue(parsed, 'A') ?? context)];
  const most = Number(lastValue(parsed, 'm') ?? Number.POSITIVE_INFINITY);
  const globs = (parsed.values.get('g') ?? []).map((glob) => ({
    not: glob.startsWith('!'),
    filter: ignore().add(glob.replace(/^!/, '')),
  }));
  const types = (name: string) => (parsed.values.get(name) ?? []).map((type) => TYPES[type] ?? failType(type));
  const [wantedTypes, otherTypes] = [types('t'), types('T')];
  const fromInput = operands.length === 0 && !listing && !tool.stdin.channel.isTerminal() && isStream();
  const roots = operands.length > 0 ? operands : fromInput ? ['-'] : ['./'];
  const oneFile =
    roots.length === 1 &&
    (roots[0] === '-' || fs.statSync(resolvePath(tool, roots[0]!), { throwIfNoEntry: false })?.isFile() === true);
  const named = flags.has('H') || (!flags.has('I') && !oneFile);
  let found = false;
  let failed = false;
  let first = true;

  function isStream(): boolean {
    try {
      const stat = fs.fstatSync(tool.stdin.channel.descriptor());
      return stat.isFIFO() || stat.isFile() || stat.isSocket();
    } catch {
      return false;
    }
  }

  const searchFile = async (name: string): Promise<void> => {
    if (listing) {
      found = true;
      await tool.stdout.write(`${name}\n`);
      return;
    }
    let lines: string[];
    try {
      const { input, close } = openInput(tool, name);
      const bytes = await input.bytes();
      close();
      if (bytes.subarray(0, 8192).includes(0)) return;
      lines = decodeText(bytes).split('\n');
      if (lines.at(-1) === '') lines.pop();
    } catch (error) {
      await complain(tool, fileError(name, error));
      failed = true;
      return;
    }
    const hits: number[] = [];
    for (const [at, line] of lines.entries()) {
      regex.lastIndex = 0;
      if (regex.test(line) !== flags.has('v')) hits.push(at);
      if (hits.length >= most) break;
    }
    if (flags.has('without')) {
      if (hits.length === 0) {
        found = true;
        await tool.stdout.write(`${paint('35', name)}\n`);
      }
      return;
    }
    if (hits.length === 0) return;
    found = true;
    if (flags.has('q')) return;
    if (flags.has('l')) return void (await tool.stdout.write(`${paint('35', name)}\n`));
    if (flags.has('c'))
      return void (await tool.stdout.write(`${named ? `${paint('35', name)}:` : ''}${hits.length}\n`));
    if (heading && named) await tool.stdout.write(`${first ? '' : '\n'}${paint('35', name)}\n`);
    first = false;
    const shown = new Map<number, boolean>();
    for (const at of hits)
      for (let i = Math.max(0, at - before); i <= Math.min(lines.length - 1, at + after); i++)
        shown.set(i, shown.get(i) || i === at);
    let last = -1;
    for (const [at, hit] of [...shown].sort((a, b) => a[0] - b[0])) {
      if ((before > 0 || after > 0) && last >= 0 && at > last + 1) await tool.stdout.write('--\n');
      last = at;
      const mark = hit ? ':' : '-';
      const head = `${named && !heading ? paint('35', name) + mark : ''}${numbered ? paint('32', String(at + 1)) + mark : ''}`;
      if (flags.has('o') && hit)
        for (const match of lines[at]!.matchAll(regex)) await tool.stdout.write(`${head}${paint('1;31', match[0])}\n`);
      else
        await tool.stdout.write(
          `${head}${hit && colored && !flags.has('v') ? lines[at]!.replace(regex, (match) => (match ? paint('1;31', match) : '')) : lines[at]}\n`,
        );
    }
  };

  const depthLimit = Number(lastValue(parsed, 'depth') ?? Number.POSITIVE_INFINITY);
  const walk = async (
    folder: string,
    shown: string,
    rules: { base: string; filter: Ignore }[],
    depth: number,
  ): Promise<void> => {
    if (tool.signal.aborted) throw tool.signal.reason;
    const active = [...rules];
    if (!flags.has('no-ignore') && !flags.has('u')) {
      for (const file of ['.gitignore', '.ignore', '.rgignore']) {
        const text = fs.existsSync(path.join(folder, file)) ? fs.readFileSync(path.join(folder, file), 'utf8') : '';
        if (text) active.push({ base: folder, filter: ignore().add(text) });
      }
    }
    for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareNames(a.name, b.name))) {
      if (entry.name.startsWith('.') && !flags.has('.')) continue;
      const file = path.join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (active.some(({ base, filter }) => filter.ignores(path.relative(base, file) + (isFolder ? '/' : ''))))
        continue;
      if (isFolder && entry.name === '.git') continue;
      const name = shown + entry.name;
      if (isFolder) {
        if (depth < depthLimit && !globs.some(({ not, filter }) => not && filter.ignores(`${entry.name}/`)))
          await walk(file, `${name}/`, active, depth + 1);
      } else if (entry.isFile()) {
        const relative = path.relative(resolvePath(tool, roots[0]!), file) || entry.name;
        const inside = relative.startsWith('..') ? entry.name : relative;
        if (globs.some(({ not }) => !not) && !globs.some(({ not, filter }) => !not && filter.ignores(inside))) continue;
        if (globs.some(({ not, filter }) => not && filter.ignores(inside))) continue;
        if (wantedTypes.length > 0 && !wantedTypes.some((type) => type.test(entry.name))) continue;
        if (otherTypes.some((type) => type.test(entry.name))) continue;
        await searchFile(name);
        if (found && flags.has('q')) return;
      }
    }
  };
  for (const root of roots) {
    if (root === '-' || !fs.statSync(resolvePath(tool, root), { throwIfNoEntry: false })?.isDirectory())
      await searchFile(root);
    else
      await walk(resolvePath(tool, root), operands.length === 0 ? '' : root.endsWith('/') ? root : `${root}/`, [], 1);
  }
  return failed ? 2 : found ? 0 : 1;
};

function failType(type: string): never {
  throw new UsageError(`unrecognized file type: ${type}`, 2);
}
