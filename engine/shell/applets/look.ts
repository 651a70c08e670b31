// stat, du, df, tree: looking at the tree.
import fs from 'node:fs';
import path from 'node:path';
import { compareNames } from '../expand/glob';
import { kindText } from './file';
import { humanSize, modeText, ownerName } from './file-text';
import { lastValue, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, complain, fileError, resolvePath, UsageError } from './tool';

/** stat [-L] [-c format] [-t] files. */
export const stat: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'Lc:', { dereference: 'L', 'format=': 'c', 'printf=': 'printf' });
  if (parsed.operands.length === 0) throw new UsageError("missing operand\nTry 'stat --help' for more information.");
  const format = lastValue(parsed, 'c') ?? lastValue(parsed, 'printf');
  const time = (date: Date) => strftime('%Y-%m-%d %H:%M:%S.%N %z', date);
  let status = 0;
  for (const name of parsed.operands) {
    let info: fs.Stats;
    const file = resolvePath(tool, name);
    try {
      info = parsed.flags.has('L') ? fs.statSync(file) : fs.lstatSync(file);
    } catch (error) {
      await complain(tool, `cannot statx '${name}': ${fileError('', error).slice(2)}`);
      status = 1;
      continue;
    }
    const shown = `'${name}'${info.isSymbolicLink() ? ` -> '${fs.readlinkSync(file)}'` : ''}`;
    const fields: Record<string, () => string | number> = {
      n: () => name,
      N: () => shown,
      s: () => info.size,
      F: () => kindText(info),
      a: () => (info.mode & 0o7777).toString(8),
      A: () => modeText(info),
      b: () => info.blocks,
      B: () => 512,
      i: () => info.ino,
      h: () => info.nlink,
      u: () => info.uid,
      g: () => info.gid,
      U: () => ownerName(info.uid),
      G: () => ownerName(info.gid),
      o: () => info.blksize,
      d: () => info.dev,
      f: () => info.mode.toString(16),
      x: () => time(info.atime),
      y: () => time(info.mtime),
      z: () => time(info.ctime),
      w: () => time(info.birthtime),
      X: () => Math.floor(info.atimeMs / 1000),
      Y: () => Math.floor(info.mtimeMs / 1000),
      Z: () => Math.floor(info.ctimeMs / 1000),
      W: () => Math.floor(info.birthtimeMs / 1000),
      '%': () => '%',
    };
    if (format !== undefined) {
      const text = format.replace(/%(-?\d*)(.)/g, (whole, width: string, letter: string) => {
        const value = fields[letter]?.();
        if (value === undefined) return whole;
        return width.startsWith('-')
          ? String(value).padEnd(Number(width.slice(1)))
          : String(value).padStart(Number(width));
      });
      await tool.stdout.write(
        parsed.values.has('printf') ? text.replace(/\\n/g, '\n').replace(/\\t/g, '\t') : `${text}\n`,
      );
      continue;
    }
    await tool.stdout.write(
      `  File: ${shown.replace(/^'|'$/g, '')}\n  Size: ${String(info.size).padEnd(10)}\tBlocks: ${String(info.blocks).padEnd(10)} IO Block: ${String(info.blksize).padEnd(6)} ${kindText(info)}\nDevice: ${info.dev}\tInode: ${String(info.ino).padEnd(11)} Links: ${info.nlink}\nAccess: (${(info.mode & 0o7777).toString(8).padStart(4, '0')}/${modeText(info)})  Uid: (${String(info.uid).padStart(5)}/${ownerName(info.uid).padStart(8)})   Gid: (${String(info.gid).padStart(5)}/${ownerName(info.gid).padStart(8)})\nAccess: ${time(info.atime)}\nModify: ${time(info.mtime)}\nChange: ${time(info.ctime)}\n Birth: ${time(info.birthtime)}\n`,
    );
  }
  return status;
};

/** du [-sahkmbc] [-d N] files. */
export const du: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'sahkmbcd:x', {
    summarize: 's',
    all: 'a',
    'human-readable': 'h',
    bytes: 'b',
    total: 'c',
    'max-depth=': 'd',
    'apparent-size': 'apparent',
    'exclude=': 'exclude',
  });
  const { flags } = parsed;
  const depthLimit = flags.has('s') ? 0 : Number(lastValue(parsed, 'd') ?? Number.POSITIVE_INFINITY);
  const show = (bytes: number) =>
    flags.has('h')
      ? humanSize(bytes)
      : flags.has('b')
        ? String(bytes)
        : String(Math.ceil(bytes / (flags.has('m') ? 1024 ** 2 : 1024)));
  const seen = new Set<number>();
  let status = 0;
  const measure = async (name: string, file: string, depth: number): Promise<number> => {
    let info: fs.Stats;
    try {
      info = fs.lstatSync(file);
    } catch (error) {
      await complain(tool, `cannot access '${name}': ${fileError('', error).slice(2)}`);
      status = 1;
      return -1;
    }
    if (info.nlink > 1 && !info.isDirectory()) {
      if (seen.has(info.ino)) return 0;
      seen.add(info.ino);
    }
    let total = flags.has('b') || flags.has('apparent') ? info.size : info.blocks * 512;
    if (tool.signal.aborted) throw tool.signal.reason;
    if (info.isDirectory())
      for (const entry of fs.readdirSync(file).sort(compareNames))
        total += Math.max(
          0,
          await measure(name.endsWith('/') ? name + entry : `${name}/${entry}`, path.join(file, entry), depth + 1),
        );
    if (depth <= depthLimit && (info.isDirectory() || flags.has('a') || depth === 0))
      await tool.stdout.write(`${show(total)}\t${name}\n`);
    return total;
  };
  let sum = 0;
  for (const name of parsed.operands.length > 0 ? parsed.operands : ['.'])
    sum += Math.max(0, await measure(name, resolvePath(tool, name), 0));
  if (flags.has('c')) await tool.stdout.write(`${show(sum)}\ttotal\n`);
  return status;
};

/** df [-hk] [files]. */
export const df: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'hkTP', { 'human-readable': 'h' });
  const places = operands.length > 0 ? operands : ['/'];
  const show = (bytes: number) => (flags.has('h') ? humanSize(bytes) : String(Math.ceil(bytes / 1024)));
  await tool.stdout.write(
    `Filesystem     ${(flags.has('h') ? 'Size' : '1K-blocks').padStart(9)} ${'Used'.padStart(9)} ${(flags.has('h') ? 'Avail' : 'Available').padStart(9)} Use% Mounted on\n`,
  );
  for (const name of places) {
    const info = fs.statfsSync(resolvePath(tool, name));
    const [size, free] = [info.blocks * info.bsize, info.bavail * info.bsize];
    const used = size - info.bfree * info.bsize;
    await tool.stdout.write(
      `${'root'.padEnd(14)} ${show(size).padStart(9)} ${show(used).padStart(9)} ${show(free).padStart(9)} ${String(size === 0 ? 0 : Math.ceil((100 * used) / (used + free || 1))).padStart(3)}% /\n`,
    );
  }
  return 0;
};

/** tree [-adf] [-L N] [-I glob] [folder]. */
export const tree: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'adfL:I:Cn', { dirsfirst: 'first', noreport: 'noreport' });
  const { flags } = parsed;
  const limit = Number(lastValue(parsed, 'L') ?? Number.POSITIVE_INFINITY);
  const { patternRegex } = await import('../expand/pattern');
  const ignored = (lastValue(parsed, 'I')?.split('|') ?? []).map((glob) => patternRegex(glob));
  let folders = 0;
  let files = 0;
  let status = 0;
  const walk = async (file: string, shown: string, indent: string, depth: number): Promise<void> => {
    const entries = fs
      .readdirSync(file, { withFileTypes: true })
      .filter(
        (entry) =>
          (flags.has('a') || !entry.name.startsWith('.')) &&
          (!flags.has('d') || entry.isDirectory()) &&
          !ignored.some((regex) => regex.test(entry.name)),
      )
      .sort(
        (a, b) =>
          (flags.has('first') ? Number(b.isDirectory()) - Number(a.isDirectory()) : 0) || compareNames(a.name, b.name),
      );
    for (const [position, entry] of entries.entries()) {
      const last = position === entries.length - 1;
      const target = entry.isSymbolicLink() ? ` -> ${fs.readlinkSync(path.join(file, entry.name))}` : '';
      await tool.stdout.write(
        `${indent}${last ? '└── ' : '├── '}${flags.has('f') ? `${shown}/` : ''}${entry.name}${target}\n`,
      );
      if (entry.isDirectory()) {
        folders++;
        if (depth < limit)
          await walk(
            path.join(file, entry.name),
            `${shown}/${entry.name}`,
            `${indent}${last ? '    ' : '│\u00a0\u00a0 '}`,
            depth + 1,
          );
      } else files++;
    }
  };
  for (const name of parsed.operands.length > 0 ? parsed.operands : ['.']) {
    const file = resolvePath(tool, name);
    if (!fs.statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      await tool.stdout.write(`${name}  [error opening dir]\n`);
      status = 2;
      continue;
    }
    await tool.stdout.write(`${name}\n`);
    folders++;
    await walk(file, name, '', 1);
  }
  if (!flags.has('noreport'))
    await tool.stdout.write(
      `\n${folders} director${folders === 1 ? 'y' : 'ies'}${flags.has('d') ? '' : `, ${files} file${files === 1 ? '' : 's'}`}\n`,
    );
  return status;
};
