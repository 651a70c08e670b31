// stat, du, df, tree, file, ps, free, uptime, less: looking at files and processes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { signalName } from '../execute/control';
import { compareNames } from '../expand/glob';
import { humanSize, modeText, ownerName } from './file-text';
import { lastValue, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, complain, eachInput, fileError, resolvePath, type Tool, UsageError } from './tool';

function kindText(stat: fs.Stats): string {
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'symbolic link';
  if (stat.isFIFO()) return 'fifo';
  if (stat.isSocket()) return 'socket';
  if (stat.isCharacterDevice()) return 'character special file';
  if (stat.isBlockDevice()) return 'block special file';
  return stat.size === 0 ? 'regular empty file' : 'regular file';
}

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

const MAGIC: [RegExp, string][] = [
  [/^\x89PNG\r\n/, 'PNG image data'],
  [/^\xff\xd8\xff/, 'JPEG image data'],
  [/^GIF8/, 'GIF image data'],
  [/^RIFF....WEBP/s, 'RIFF (little-endian) data, Web/P image'],
  [/^%PDF-/, 'PDF document'],
  [/^\x1f\x8b/, 'gzip compressed data'],
  [/^PK\x03\x04/, 'Zip archive data'],
  [/^\x7fELF/, 'ELF executable'],
  [/^\0asm/, 'WebAssembly (wasm) binary module'],
  [/^SQLite format 3/, 'SQLite 3.x database'],
  [/^wOF2/, 'Web Open Font Format (Version 2)'],
  [/^.{257}ustar/s, 'POSIX tar archive'],
];

/** file [-b] [-i] files. */
export const file: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'biL', { brief: 'b', mime: 'i', 'mime-type': 'mime-type' });
  if (operands.length === 0) throw new UsageError('Usage: file [-bi] FILE...');
  const width = Math.max(...operands.map((name) => name.length)) + 1;
  for (const name of operands)
    await tool.stdout.write(
      `${flags.has('b') ? '' : `${`${name}:`.padEnd(width)} `}${describe(tool, name, flags.has('i') || flags.has('mime-type'))}\n`,
    );
  return 0;
};

function describe(tool: Tool, name: string, mime: boolean): string {
  const target = resolvePath(tool, name);
  const info = fs.lstatSync(target, { throwIfNoEntry: false });
  if (!info) return `cannot open \`${name}' (No such file or directory)`;
  if (info.isDirectory()) return mime ? 'inode/directory' : 'directory';
  if (info.isSymbolicLink()) return mime ? 'inode/symlink' : `symbolic link to ${fs.readlinkSync(target)}`;
  if (!info.isFile()) return kindText(info);
  if (info.size === 0) return mime ? 'inode/x-empty' : 'empty';
  const bytes = fs.readFileSync(target).subarray(0, 8192);
  const head = bytes.toString('latin1');
  const magic = MAGIC.find(([regex]) => regex.test(head));
  if (magic) return mime ? 'application/octet-stream' : magic[1];
  if (bytes.includes(0)) return mime ? 'application/octet-stream' : 'data';
  const ascii = /^[\x07-\x0d\x1b\x20-\x7e]*$/.test(head);
  const text = `${ascii ? 'ASCII' : 'Unicode text, UTF-8'} text`.replace('text, UTF-8 text', 'text, UTF-8 text');
  if (mime) return `text/plain; charset=${ascii ? 'us-ascii' : 'utf-8'}`;
  const script = head.match(/^#!\s*(?:\/usr\/bin\/env\s+)?(\S+)/);
  if (script)
    return `${path.basename(script[1]!) === 'node' ? 'Node.js script' : /sh$/.test(script[1]!) ? `${path.basename(script[1]!) === 'bash' ? 'Bourne-Again' : 'POSIX'} shell script,` : `a ${script[1]} script,`} ${text} executable`;
  if (/^\s*[{[]/.test(head) && isJson(target)) return 'JSON text data';
  return `${text}${head.includes('\r\n') ? ', with CRLF line terminators' : !head.includes('\n') ? ', with no line terminators' : ''}`;
}

function isJson(target: string): boolean {
  try {
    JSON.parse(fs.readFileSync(target, 'utf8'));
    return true;
  } catch {
    return false;
  }
}

/** ps [-efaux] [-o fields] [-p pid]. */
export const ps: Applet = async (tool) => {
  const args = tool.args.map((word) => (/^[auxef]+$/.test(word) ? `-${word}` : word));
  const parsed = parseOptions(args, 'efauxAo:p:lw', {
    'pid=': 'p',
    'format=': 'o',
    forest: 'forest',
    'no-headers': 'bare',
  });
  let rows = tool.os.processes();
  const only = lastValue(parsed, 'p')?.split(',').map(Number);
  if (only) rows = rows.filter((row) => only.includes(row.pid));
  const elapsed = (started: number) => {
    const seconds = Math.max(0, Math.floor((Date.now() - started) / 1000));
    return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  };
  const fields: Record<string, [string, (row: (typeof rows)[number]) => string]> = {
    pid: ['PID', (row) => String(row.pid)],
    ppid: ['PPID', (row) => String(row.ppid)],
    stat: ['STAT', (row) => row.state],
    s: ['S', (row) => row.state],
    etime: ['ELAPSED', (row) => elapsed(row.startedAt)],
    time: ['TIME', () => '00:00:00'],
    tty: ['TTY', () => '?'],
    user: ['USER', () => ownerName(process.getuid?.() ?? 0)],
    comm: ['COMMAND', (row) => path.basename(row.command.split(' ')[0] ?? '')],
    args: ['COMMAND', (row) => row.command],
    cmd: ['CMD', (row) => row.command],
    command: ['COMMAND', (row) => row.command],
    start: ['STARTED', (row) => strftime('%H:%M:%S', new Date(row.startedAt))],
  };
  const format =
    lastValue(parsed, 'o') ??
    (parsed.flags.has('f')
      ? 'user,pid,ppid,start,cmd'
      : parsed.flags.has('u')
        ? 'user,pid,stat,start,command'
        : 'pid,stat,etime,cmd');
  const columns = format.split(/[, ]/).map((name) => {
    const [key, title] = name.split('=') as [string, string | undefined];
    const field = fields[key];
    if (!field) throw new UsageError(`error: unknown user-defined format specifier "${key}"`);
    return { title: title ?? field[0], read: field[1] };
  });
  const table = [
    ...(columns.every(({ title }) => title === '') || parsed.flags.has('bare')
      ? []
      : [columns.map(({ title }) => title)]),
    ...rows.map((row) => columns.map(({ read }) => read(row))),
  ];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => row[at]!.length), 0));
  for (const row of table)
    await tool.stdout.write(
      `${row.map((cell, at) => (at === row.length - 1 ? cell : /^\d+$|^P?PID$/.test(cell) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))).join(' ')}\n`,
    );
  return only && rows.length === 0 ? 1 : 0;
};

/** kill [-s signal | -signal] pids; pkill and killall by name. */
export const kill: Applet = async (tool) => {
  const program = path.basename(tool.name);
  const rest = [...tool.args];
  let signal: NodeJS.Signals | 0 | undefined = 'SIGTERM';
  const full = rest[0] === '-f' && program === 'pkill';
  if (full) rest.shift();
  if (rest[0]?.startsWith('-')) {
    const text = rest.shift()!;
    const name = text === '-s' ? rest.shift()! : text.slice(1);
    signal = name === '0' ? 0 : signalName(name);
    if (signal === undefined) throw new UsageError(`unknown signal: ${name}`);
  }
  if (rest.length === 0) throw new UsageError('usage: kill [-signal] pid ...');
  let status = 0;
  for (const operand of rest) {
    const matches = (command: string) =>
      full ? command.includes(operand) : path.basename(command.split(' ')[0] ?? '') === operand;
    const pids =
      program === 'kill'
        ? [Number(operand)]
        : tool.os
            .processes()
            .filter((row) => row.pid !== process.pid && matches(row.command))
            .map((row) => row.pid);
    if (pids.length === 0) {
      if (program === 'killall') await complain(tool, `${operand}: no process found`);
      status = 1;
    }
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        await complain(tool, `(${operand}): ${fileError('', error).slice(2)}`);
        status = 1;
      }
    }
  }
  return status;
};

/** free [-hmg]. */
export const free: Applet = async (tool) => {
  const { flags } = parseOptions(tool.args, 'hmgbk', { human: 'h' });
  const show = (bytes: number) =>
    (flags.has('h')
      ? humanSize(bytes)
      : String(
          Math.floor(bytes / (flags.has('g') ? 1024 ** 3 : flags.has('m') ? 1024 ** 2 : flags.has('b') ? 1 : 1024)),
        )
    ).padStart(11);
  await tool.stdout.write(
    `${' '.repeat(8)}${'total'.padStart(11)} ${'used'.padStart(11)} ${'free'.padStart(11)}\nMem:    ${show(os.totalmem())} ${show(os.totalmem() - os.freemem())} ${show(os.freemem())}\n`,
  );
  return 0;
};

/** less, more: page by page on a terminal (space, enter, q), otherwise as cat. */
export const less: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, 'RSNFXeEirs');
  const parts: string[] = [];
  const status = await eachInput(tool, operands, async (input) => void parts.push(await input.text()));
  const text = parts.join('');
  const size = tool.stdout.isTerminal ? tool.os.terminalSize(1) : undefined;
  const keys = operands.length > 0 && tool.stdin.channel.isTerminal();
  const lines = text.replace(/\n$/, '').split('\n');
  if (!size || !keys || lines.length < size.rows) {
    await tool.stdout.write(text);
    return status;
  }
  process.stdin.setRawMode(true);
  try {
    for (let at = 0, step = size.rows - 1; at < lines.length; ) {
      await tool.stdout.write(`\r\x1b[K${lines.slice(at, at + step).join('\r\n')}\r\n`);
      at += step;
      if (at >= lines.length) break;
      await tool.stdout.write('\x1b[7m:\x1b[0m');
      await tool.stdout.flush();
      const key = Buffer.from((await tool.stdin.chunk()) ?? Buffer.from('q')).toString();
      if (key === 'q' || key === '\x03' || key === '\x04') break;
      step = key === '\r' || key === 'j' || key === '\x1b[B' ? 1 : size.rows - 1;
    }
    await tool.stdout.write('\r\x1b[K');
    await tool.stdout.flush();
  } finally {
    process.stdin.setRawMode(false);
  }
  return status;
};
