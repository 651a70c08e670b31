// ls.
import fs from 'node:fs';
import path from 'node:path';
import { compareNames } from '../expand/glob';
import { columnsOf } from '../interactive/cells';
import { humanSize, modeText, ownerName } from './file-text';
import { lastValue, parseOptions } from './options';
import { quoteShown } from './quote-shown';
import { compareVersions } from './sort';
import { strftime } from './strftime';
import { type Applet, complain, fileError, resolvePath, type Tool } from './tool';

interface Item {
  name: string;
  path: string;
  stat: fs.Stats;
  /** The name as it is shown: on a terminal quoted so that a shell would read it back. */
  shown?: string;
}

/** ls [-1AacCdFfGghiklLmnopqRrSstUux]. */
export const ls: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    '1AaCcdFfgGhiklLmnNopqQRrSstUuvxXZw:'.replace('Z', ''),
    {
      all: 'a',
      'almost-all': 'A',
      'color=?': 'color',
      directory: 'd',
      classify: 'F',
      'human-readable': 'h',
      inode: 'i',
      'numeric-uid-gid': 'n',
      reverse: 'r',
      recursive: 'R',
      size: 's',
      'group-directories-first': 'first',
      'full-time': 'full',
      'time-style=': 'style',
      'sort=': 'sort',
      'width=': 'w',
      dereference: 'L',
      si: 'h',
    },
    { status: 2 },
  );
  const { flags } = parsed;
  const sortBy = lastValue(parsed, 'sort');
  if (sortBy === 'time') flags.add('t');
  if (sortBy === 'size') flags.add('S');
  if (sortBy === 'none') flags.add('U');
  if (sortBy === 'version') flags.add('v');
  if (sortBy === 'extension') flags.add('X');
  for (const letter of ['g', 'n', 'o']) if (flags.has(letter)) flags.add('l');
  const color = lastValue(parsed, 'color');
  const style = {
    tool,
    flags,
    color:
      color === 'always' ||
      color === '' ||
      (color === 'auto' && tool.stdout.isTerminal) ||
      (color === undefined && tool.stdout.isTerminal),
    width: Number(lastValue(parsed, 'w') ?? tool.os.terminalSize(1)?.columns ?? 80),
    timeStyle: flags.has('full') ? '+%Y-%m-%d %H:%M:%S.%N %z' : lastValue(parsed, 'style'),
  };
  let status = 0;
  const files: Item[] = [];
  const folders: Item[] = [];
  for (const name of parsed.operands.length > 0 ? parsed.operands : ['.']) {
    const file = resolvePath(tool, name);
    try {
      const link = fs.lstatSync(file);
      const follow =
        link.isSymbolicLink() && !flags.has('d') && (!flags.has('l') || name.endsWith('/') || flags.has('L'));
      const stat = follow ? (fs.statSync(file, { throwIfNoEntry: false }) ?? link) : link;
      (stat.isDirectory() && !flags.has('d') ? folders : files).push({ name, path: file, stat });
    } catch (error) {
      await complain(tool, `cannot access '${name}': ${fileError(name, error).slice(name.length + 2)}`);
      status = 2;
    }
  }
  await printItems(style, order(flags, files), false);
  const titled = parsed.operands.length > 1 || flags.has('R');
  let first = files.length === 0;
  const show = async (folder: Item): Promise<void> => {
    if (titled) await tool.stdout.write(`${first ? '' : '\n'}${folder.name}:\n`);
    first = false;
    let items: Item[];
    try {
      items = list(folder, flags);
    } catch (error) {
      await complain(tool, `cannot open directory '${folder.name}': ${fileError('', error).slice(2)}`);
      status = 2;
      return;
    }
    const sorted = order(flags, items);
    await printItems(style, sorted, true);
    if (flags.has('R'))
      for (const item of sorted)
        if (item.stat.isDirectory() && item.name !== '.' && item.name !== '..')
          await show({ ...item, name: `${folder.name.replace(/\/$/, '')}/${item.name}` });
  };
  for (const folder of order(flags, folders)) await show(folder);
  return status;
};

function list(folder: Item, flags: Set<string>): Item[] {
  let names = fs.readdirSync(folder.path);
  if (!flags.has('a') && !flags.has('A') && !flags.has('f')) names = names.filter((name) => !name.startsWith('.'));
  if (flags.has('a') || flags.has('f')) names.push('.', '..');
  const items: Item[] = [];
  for (const name of names) {
    const file = path.join(folder.path, name);
    const stat = flags.has('L')
      ? (fs.statSync(file, { throwIfNoEntry: false }) ?? fs.lstatSync(file))
      : fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat) items.push({ name, path: file, stat });
  }
  return items;
}

function order(flags: Set<string>, items: Item[]): Item[] {
  if (flags.has('U') || flags.has('f')) return items;
  const byName = (a: Item, b: Item) => compareNames(a.name, b.name);
  const compare = flags.has('t')
    ? (a: Item, b: Item) => b.stat.mtimeMs - a.stat.mtimeMs || byName(a, b)
    : flags.has('S')
      ? (a: Item, b: Item) => b.stat.size - a.stat.size || byName(a, b)
      : flags.has('v')
        ? (a: Item, b: Item) => compareVersions(a.name, b.name)
        : flags.has('X')
          ? (a: Item, b: Item) => compareNames(path.extname(a.name), path.extname(b.name)) || byName(a, b)
          : byName;
  const sorted = [...items].sort(compare);
  if (flags.has('r')) sorted.reverse();
  if (flags.has('first')) sorted.sort((a, b) => Number(b.stat.isDirectory()) - Number(a.stat.isDirectory()));
  return sorted;
}

interface Style {
  tool: Tool;
  flags: Set<string>;
  color: boolean;
  width: number;
  timeStyle: string | undefined;
}

function mark(stat: fs.Stats, flags: Set<string>): string {
  if (stat.isDirectory()) return flags.has('F') || flags.has('p') ? '/' : '';
  if (!flags.has('F')) return '';
  if (stat.isSymbolicLink()) return '@';
  if (stat.isFIFO()) return '|';
  if (stat.isSocket()) return '=';
  return stat.mode & 0o111 ? '*' : '';
}

function painted({ color }: Style, name: string, stat: fs.Stats): string {
  if (!color) return name;
  const code = stat.isDirectory()
    ? '01;34'
    : stat.isSymbolicLink()
      ? '01;36'
      : stat.isFIFO()
        ? '33'
        : stat.isSocket()
          ? '01;35'
          : stat.isCharacterDevice()
            ? '01;33'
            : stat.mode & 0o111
              ? '01;32'
              : '';
  return code ? `\x1b[${code}m${name}\x1b[0m` : name;
}

/** On a terminal names that a shell would not read as they are get quotes, and the others a blank in their place. */
function quoteItems({ tool, flags }: Style, items: Item[]): Item[] {
  if (!tool.stdout.isTerminal || flags.has('N')) return items;
  const quoted = items.map((item) => quoteShown(item.name));
  const isAligned = !flags.has('1') && !flags.has('m') && quoted.some((name, at) => name !== items[at]!.name);
  return items.map((item, at) => ({
    ...item,
    shown: isAligned && quoted[at] === item.name ? ` ${item.name}` : quoted[at]!,
  }));
}

async function printItems(style: Style, plain: Item[], inFolder: boolean): Promise<void> {
  const { tool, flags } = style;
  const items = quoteItems(style, plain);
  if (flags.has('l') || flags.has('full')) return printLong(style, items, inFolder);
  const label = (item: Item) =>
    `${flags.has('i') ? `${item.stat.ino} ` : ''}${flags.has('s') ? `${Math.ceil(item.stat.blocks / 2)} ` : ''}${item.shown ?? item.name}${mark(item.stat, flags)}`;
  if (flags.has('m')) return tool.stdout.write(commaLines(items.map(label), style.width)) ?? undefined;
  if (items.length === 0) return;
  if (flags.has('1') || (!tool.stdout.isTerminal && !flags.has('C') && !flags.has('x'))) {
    for (const item of items)
      await tool.stdout.write(
        `${label(item).slice(0, label(item).length - (item.shown ?? item.name).length - mark(item.stat, flags).length)}${painted(style, item.shown ?? item.name, item.stat)}${mark(item.stat, flags)}\n`,
      );
    return;
  }
  const labels = items.map(label);
  let rows = 1;
  let widths: number[] = [];
  for (; rows <= items.length; rows++) {
    const columns = Math.ceil(items.length / rows);
    widths = Array.from(
      { length: columns },
      (_, column) => Math.max(...labels.slice(column * rows, column * rows + rows).map((text) => columnsOf(text))) + 2,
    );
    if (widths.reduce((sum, width) => sum + width, -2) <= style.width) break;
  }
  for (let row = 0; row < rows; row++) {
    let text = '';
    for (let column = 0; column * rows + row < items.length; column++) {
      const at = column * rows + row;
      const last = (column + 1) * rows + row >= items.length;
      text +=
        painted(style, items[at]!.shown ?? items[at]!.name, items[at]!.stat) +
        mark(items[at]!.stat, flags) +
        (last ? '' : ' '.repeat(widths[column]! - columnsOf(labels[at]!)));
    }
    await tool.stdout.write(`${text}\n`);
  }
}

/** Names with commas, in rows that are not wider than the screen. */
function commaLines(labels: string[], width: number): string {
  let text = '';
  let column = 0;
  for (const [at, label] of labels.entries()) {
    const length = columnsOf(label);
    if (at > 0 && width > 0 && column + 2 + length >= width) {
      text += ',\n';
      column = 0;
    } else if (at > 0) {
      text += ', ';
      column += 2;
    }
    text += label;
    column += length;
  }
  return labels.length > 0 ? `${text}\n` : '';
}

function time(style: Style, date: Date): string {
  if (style.timeStyle?.startsWith('+')) return strftime(style.timeStyle.slice(1), date);
  if (style.timeStyle === 'long-iso') return strftime('%Y-%m-%d %H:%M', date);
  if (style.timeStyle === 'full-iso') return strftime('%Y-%m-%d %H:%M:%S.%N %z', date);
  const recent = Math.abs(Date.now() - date.getTime()) < 15_778_476_000;
  return strftime(recent ? '%b %e %H:%M' : '%b %e  %Y', date);
}

async function printLong(style: Style, items: Item[], inFolder: boolean): Promise<void> {
  const { tool, flags } = style;
  if (inFolder) {
    const blocks = items.reduce((sum, item) => sum + item.stat.blocks, 0);
    await tool.stdout.write(`total ${flags.has('h') ? humanSize(blocks * 512) : Math.ceil(blocks / 2)}\n`);
  }
  const rows = items.map((item) => {
    const { stat } = item;
    const quoteTarget = (name: string) => (item.shown === undefined ? name : quoteShown(name));
    const target = stat.isSymbolicLink() ? ` -> ${quoteTarget(fs.readlinkSync(item.path))}` : mark(stat, flags);
    const user = flags.has('n') ? String(stat.uid) : ownerName(stat.uid);
    const group = flags.has('n') ? String(stat.gid) : ownerName(stat.gid);
    return [
      ...(flags.has('i') ? [String(stat.ino)] : []),
      modeText(stat),
      String(stat.nlink),
      ...(flags.has('g') ? [] : [user]),
      ...(flags.has('o') || flags.has('G') ? [] : [group]),
      flags.has('h') ? humanSize(stat.size) : String(stat.size),
      time(style, stat.mtime),
      painted(style, item.shown ?? item.name, stat) + target,
    ];
  });
  const last = (rows[0]?.length ?? 1) - 1;
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  const sizeAt = last - 2;
  const left = new Set([last - 3, ...(flags.has('g') || flags.has('o') ? [] : [last - 4])]);
  for (const row of rows)
    await tool.stdout.write(
      `${row.map((cell, column) => (column === last ? cell : column === sizeAt || !left.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(' ')}\n`,
    );
}
