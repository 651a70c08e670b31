// grep, egrep, fgrep: streaming; recursion as GNU does it.
import fs from 'node:fs';
import path from 'node:path';
import { patternRegex } from '../expand/pattern';
import type { Input } from '../io/streams';
import { encodeText, hasStrayBytes } from '../io/text';
import { lastValue, type Parsed, parseOptions } from './options';
import { literalSource, posixSource } from './regex';
import { type Applet, complain, fileError, openInput, readText, resolvePath, type Tool, UsageError } from './tool';

const LONG = {
  'extended-regexp': 'E',
  'fixed-strings': 'F',
  'basic-regexp': 'G',
  'perl-regexp': 'P',
  'regexp=': 'e',
  'file=': 'f',
  'ignore-case': 'i',
  'invert-match': 'v',
  'word-regexp': 'w',
  'line-regexp': 'x',
  count: 'c',
  'color=?': 'color',
  'colour=?': 'color',
  'files-without-match': 'L',
  'files-with-matches': 'l',
  'max-count=': 'm',
  'only-matching': 'o',
  quiet: 'q',
  silent: 'q',
  'no-messages': 's',
  'byte-offset': 'b',
  'with-filename': 'H',
  'no-filename': 'h',
  'line-number': 'n',
  'after-context=': 'A',
  'before-context=': 'B',
  'context=': 'C',
  recursive: 'r',
  'dereference-recursive': 'R',
  'include=': 'include',
  'exclude=': 'exclude',
  'exclude-dir=': 'exclude-dir',
  text: 'a',
  null: 'Z',
  'null-data': 'z',
  'line-buffered': 'U',
  'binary-files=': 'binary',
  'no-ignore-case': 'no-i',
};

interface Search {
  tool: Tool;
  parsed: Parsed;
  regex: RegExp;
  named: boolean;
  color: boolean;
  before: number;
  after: number;
  most: number;
  found: boolean;
  failed: boolean;
}

/** The expression that the options ask for. */
function compile(patterns: string[], parsed: Parsed, variant: string): RegExp {
  const { flags } = parsed;
  const kind =
    flags.has('F') || variant === 'fgrep'
      ? 'F'
      : flags.has('P')
        ? 'P'
        : flags.has('E') || variant === 'egrep'
          ? 'E'
          : 'G';
  const sources = patterns.map((pattern) =>
    kind === 'F' ? literalSource(pattern) : kind === 'P' ? pattern : posixSource(pattern, kind === 'E'),
  );
  let source = sources.length === 1 ? sources[0]! : sources.map((one) => `(?:${one})`).join('|');
  if (sources.length === 0) source = '(?!)';
  if (flags.has('x')) source = `^(?:${source})$`;
  else if (flags.has('w')) source = `(?<!\\w)(?:${source})(?!\\w)`;
  try {
    return new RegExp(source, flags.has('i') ? 'gi' : 'g');
  } catch {
    throw new UsageError('Invalid regular expression', 2);
  }
}

/** grep. */
export const grep: Applet = async (tool) => {
  const parsed = parseOptions(contextDigits(tool.args), 'EFGPe:f:ivwxcLlm:oqsbHhnA:B:C:rRaZzUIyT', LONG, { status: 2 });
  const { flags, values } = parsed;
  let operands = parsed.operands;
  const patterns = (values.get('e') ?? []).flatMap((text) => text.split('\n'));
  for (const file of values.get('f') ?? [])
    patterns.push(
      ...(await readText(tool, file))
        .replace(/\n$/, '')
        .split('\n')
        .filter((line, _, all) => all.length > 1 || line !== ''),
    );
  if (!values.has('e') && !values.has('f')) {
    if (operands[0] === undefined)
      throw new UsageError("Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.", 2);
    patterns.push(...operands[0].split('\n'));
    operands = operands.slice(1);
  }
  const recursive = flags.has('r') || flags.has('R');
  if (operands.length === 0) operands = [recursive ? '.' : '-'];
  const color = lastValue(parsed, 'color');
  const context = Number(lastValue(parsed, 'C') ?? 0);
  const search: Search = {
    tool,
    parsed,
    regex: compile(patterns, parsed, tool.name),
    named:
      flags.has('H') ||
      (!flags.has('h') &&
        (operands.length > 1 || (recursive && (operands.length > 1 || isFolder(tool, operands[0]!))))),
    color: color === 'always' || (color !== undefined && color !== 'never' && tool.stdout.isTerminal),
    before: Number(lastValue(parsed, 'B') ?? context),
    after: Number(lastValue(parsed, 'A') ?? context),
    most: Number(lastValue(parsed, 'm') ?? Number.POSITIVE_INFINITY),
    found: false,
    failed: false,
  };
  for (const name of operands) {
    if (recursive && isFolder(tool, name))
      await searchFolder(
        search,
        name,
        parsed.operands.length > (values.has('e') || values.has('f') ? 0 : 1) ? name : '',
      );
    else await searchFile(search, name);
    if (search.found && flags.has('q')) return 0;
  }
  return search.failed ? 2 : search.found ? 0 : 1;
};

function contextDigits(args: string[]): string[] {
  const end = args.indexOf('--');
  return args.map((word, position) =>
    /^-\d+$/.test(word) && (end < 0 || position < end) ? `-C${word.slice(1)}` : word,
  );
}

function isFolder(tool: Tool, name: string): boolean {
  return name !== '-' && (fs.statSync(resolvePath(tool, name), { throwIfNoEntry: false })?.isDirectory() ?? false);
}

async function searchFolder(search: Search, name: string, prefix: string): Promise<void> {
  const { tool, parsed } = search;
  const excludedFolders = (parsed.values.get('exclude-dir') ?? []).map((glob) => patternRegex(glob));
  const included = (parsed.values.get('include') ?? []).map((glob) => patternRegex(glob));
  const excluded = (parsed.values.get('exclude') ?? []).map((glob) => patternRegex(glob));
  for (const entry of fs.readdirSync(resolvePath(tool, name), { withFileTypes: true })) {
    const below = prefix === '' ? entry.name : prefix.endsWith('/') ? prefix + entry.name : `${prefix}/${entry.name}`;
    const isLink = entry.isSymbolicLink() && parsed.flags.has('R');
    if (entry.isDirectory() || (isLink && isFolder(tool, path.join(name, entry.name)))) {
      if (!excludedFolders.some((regex) => regex.test(entry.name)))
        await searchFolder(search, path.join(name, entry.name), below);
    } else if (entry.isFile() || isLink) {
      if (included.length > 0 && !included.some((regex) => regex.test(entry.name))) continue;
      if (!excluded.some((regex) => regex.test(entry.name))) await searchFile(search, below);
    }
    if (search.found && parsed.flags.has('q')) return;
  }
}

async function searchFile(search: Search, name: string): Promise<void> {
  const { tool, parsed } = search;
  let opened: ReturnType<typeof openInput>;
  try {
    opened = openInput(tool, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') {
      if (!parsed.flags.has('s')) await complain(tool, `${name}: Is a directory`);
      return;
    }
    if (!parsed.flags.has('s')) await complain(tool, fileError(name, error));
    search.failed = true;
    return;
  }
  try {
    await searchInput(search, opened.input, name === '-' ? '(standard input)' : name);
  } finally {
    opened.close();
  }
}

async function searchInput(search: Search, input: Input, label: string): Promise<void> {
  const { tool, regex, before, after } = search;
  const { flags } = search.parsed;
  const listing = flags.has('l') || flags.has('L') || flags.has('c') || flags.has('q');
  let number = 0;
  let count = 0;
  let due = 0;
  let lastShown = 0;
  let offset = 0;
  const waiting: [number, string, number][] = [];
  const lineEnd = flags.has('z') ? '\0' : '\n';
  let isOver = false;
  const head = (line: number, mark: string, at = offset) =>
    `${search.named ? paint(search, '35', label) + paint(search, '36', mark) : ''}${flags.has('n') ? paint(search, '32', String(line)) + paint(search, '36', mark) : ''}${flags.has('b') ? `${at}${mark}` : ''}`;
  const isText = flags.has('a') || lastValue(search.parsed, 'binary') === 'text';
  const isBinary = (text: string) => !isText && hasStrayBytes(text);
  const skipsBinary = flags.has('I') || lastValue(search.parsed, 'binary') === 'without-match';
  const tellBinary = async () => {
    if (skipsBinary) return;
    search.found = true;
    await complain(tool, `${label}: binary file matches`);
  };
  const show = async (line: number, text: string, mark: string, at = offset) => {
    if ((before > 0 || after > 0) && lastShown > 0 && line > lastShown + 1)
      await tool.stdout.write(`${paint(search, '36', '--')}\n`);
    lastShown = line;
    await tool.stdout.write(head(line, mark, at) + text + lineEnd);
  };
  outer: for await (const { lines } of input.batches(lineEnd)) {
    for (const line of lines) {
      number++;
      if (number === 1 && line.includes('\0') && !isText && skipsBinary) break outer;
      if (number === 1 && line.includes('\0') && !isText && !listing && !flags.has('o')) {
        if (regex.test(line)) {
          await tellBinary();
        }
        regex.lastIndex = 0;
        break outer;
      }
      regex.lastIndex = 0;
      if (isOver && due === 0) break outer;
      const matches = !isOver && regex.test(line) !== flags.has('v');
      if (matches) {
        count++;
        search.found = true;
        if (flags.has('q') || flags.has('l')) break outer;
        if (!listing) {
          regex.lastIndex = 0;
          if (flags.has('o')) {
            if (!flags.has('v'))
              for (const match of line.matchAll(regex))
                if (isBinary(match[0])) {
                  await tellBinary();
                  break outer;
                } else if (match[0] !== '')
                  await tool.stdout.write(
                    head(number, ':', offset + encodeText(line.slice(0, match.index)).length) +
                      paint(search, '01;31', match[0]) +
                      lineEnd,
                  );
          } else {
            if ([line, ...waiting.map(([, text]) => text)].some(isBinary)) {
              await tellBinary();
              break outer;
            }
            for (const [at, text, place] of waiting.splice(0)) await show(at, text, '-', place);
            await show(
              number,
              search.color && !flags.has('v')
                ? line.replace(regex, (match) => (match === '' ? '' : paint(search, '01;31', match)))
                : line,
              ':',
            );
            due = after;
          }
        }
        if (count >= search.most) {
          // What follows the last one is still shown.
          if (after === 0 || listing || flags.has('o')) break outer;
          isOver = true;
        }
      } else if (!listing && !flags.has('o')) {
        if (due > 0) {
          if (isBinary(line)) {
            await tellBinary();
            break outer;
          }
          due--;
          await show(number, line, '-');
        } else if (before > 0) {
          waiting.push([number, line, offset]);
          if (waiting.length > before) waiting.shift();
        }
      }
      offset += encodeText(line).length + 1;
    }
  }
  if (flags.has('q')) return;
  const end = flags.has('Z') ? '\0' : '\n';
  if (flags.has('l')) {
    if (count > 0) await tool.stdout.write(paint(search, '35', label) + end);
  } else if (flags.has('L')) {
    if (count === 0) await tool.stdout.write(label + end);
  } else if (flags.has('c'))
    await tool.stdout.write(
      `${search.named ? `${paint(search, '35', label)}${paint(search, '36', ':')}` : ''}${count}\n`,
    );
}

function paint(search: Search, code: string, text: string): string {
  return search.color ? `\x1b[${code}m\x1b[K${text}\x1b[m\x1b[K` : text;
}
