// tar: create, list, extract, with gzip; the ustar format with GNU and pax long names (POSIX.1-2001, "ustar Interchange Format").
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { patternRegex } from '../expand/pattern';
import { parseDate } from './date';
import { modeText, ownerName } from './file-text';
import { lastValue, type Parsed, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, complain, fileError, openInput, resolvePath, type Tool, UsageError } from './tool';

interface Entry {
  name: string;
  kind: string;
  mode: number;
  size: number;
  mtime: number;
  link: string;
  body: Buffer;
}

/** tar -c|-x|-t [-zvfCOkp] [--strip-components=N] [--exclude=glob]. */
export const tar: Applet = async (tool) => {
  const args = /^[A-Za-z]+$/.test(tool.args[0] ?? '') ? apart(tool.args[0]!, tool.args.slice(1)) : tool.args;
  const parsed = parseOptions(
    args,
    'cxtzvf:C:OkpahmjJ',
    {
      create: 'c',
      extract: 'x',
      get: 'x',
      list: 't',
      gzip: 'z',
      verbose: 'v',
      'file=': 'f',
      'directory=': 'C',
      'to-stdout': 'O',
      'strip-components=': 'strip',
      'exclude=': 'exclude',
      'auto-compress': 'a',
      'no-same-owner': 'o',
      'keep-old-files': 'k',
      'preserve-permissions': 'p',
      'same-permissions': 'p',
      'mtime=': 'mtime',
      'owner=': 'owner',
      'group=': 'group',
      'sort=': 'sort',
      'numeric-owner': 'numeric',
    },
    { status: 2 },
  );
  const { flags } = parsed;
  if (!['name', 'none'].includes(lastValue(parsed, 'sort') ?? 'none'))
    throw new UsageError(`Invalid argument for --sort: ‘${lastValue(parsed, 'sort')}’`, 2);
  if (flags.has('j') || flags.has('J')) throw new UsageError('bzip2 and xz archives are not supported here', 2);
  const folder = resolvePath(tool, lastValue(parsed, 'C') ?? '.');
  if ([...'cxt'].filter((letter) => flags.has(letter)).length !== 1)
    throw new UsageError("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options", 2);
  return flags.has('c') ? create(tool, parsed, folder) : read(tool, parsed, folder);
};

/** In `tar xfCz a b`, what the letters need follows the cluster in their order. */
function apart(cluster: string, rest: readonly string[]): string[] {
  const values = [...rest];
  const options = [...cluster].flatMap((letter) =>
    'fC'.includes(letter) ? [`-${letter}`, values.shift() ?? ''] : [`-${letter}`],
  );
  return [...options, ...values];
}

/** Whose a member is. */
interface Owner {
  user: string;
  userId: number;
  group: string;
  groupId: number;
}

/** `--owner` and `--group`: a name, a number, or `name:number`. */
function ownerOf(parsed: Parsed): Owner {
  const read = (option: string, id: number): [string, number] => {
    const text = lastValue(parsed, option);
    if (text === undefined) return [parsed.flags.has('numeric') ? '' : ownerName(id), id];
    const [name = '', number] = text.split(':');
    if (/^\+?\d+$/.test(name)) return ['', Number(name)];
    return [name, number !== undefined ? Number(number) : name === 'root' ? 0 : id];
  };
  const [user, userId] = read('owner', process.getuid?.() ?? 0);
  const [group, groupId] = read('group', process.getgid?.() ?? 0);
  return { user, userId, group, groupId };
}

function header(
  name: string,
  kind: string,
  mode: number,
  size: number,
  mtime: number,
  link: string,
  owner: Owner,
): Buffer {
  const block = Buffer.alloc(512);
  let short = name;
  let prefix = '';
  if (Buffer.byteLength(name) > 100) {
    const at = name.indexOf('/', name.length - 101);
    prefix = name.slice(0, at);
    short = name.slice(at + 1);
  }
  const octal = (value: number, width: number) =>
    `${Math.max(0, Math.floor(value))
      .toString(8)
      .padStart(width - 1, '0')}\0`;
  block.write(short, 0, 100);
  block.write(octal(mode & 0o7777, 8), 100);
  block.write(octal(owner.userId, 8), 108);
  block.write(octal(owner.groupId, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(mtime, 12), 136);
  block.write('        ', 148);
  block.write(kind, 156);
  block.write(link, 157, 100);
  block.write('ustar\x0000', 257);
  block.write(owner.user, 265, 32);
  block.write(owner.group, 297, 32);
  block.write(prefix, 345, 155);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return block;
}

function padded(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

async function create(tool: Tool, parsed: Parsed, folder: string): Promise<number> {
  if (parsed.operands.length === 0) throw new UsageError('Cowardly refusing to create an empty archive', 2);
  const file = lastValue(parsed, 'f') ?? '-';
  const excluded = (parsed.values.get('exclude') ?? []).map((glob) => patternRegex(glob));
  const blocks: Buffer[] = [];
  const owner = ownerOf(parsed);
  const when = lastValue(parsed, 'mtime');
  const date = when === undefined ? undefined : parseDate(when, new Date());
  /** Files with several names, by their inode: the first name holds the bytes. */
  const firstNames = new Map<number, string>();
  let status = 0;
  const log = parsed.flags.has('v') ? (file === '-' ? tool.stderr : tool.stdout) : undefined;
  const add = async (name: string): Promise<void> => {
    if (excluded.some((regex) => regex.test(name) || regex.test(path.basename(name)))) return;
    const stat = fs.lstatSync(path.join(folder, name));
    const stored = name.replace(/^\/+/, '') + (stat.isDirectory() && !name.endsWith('/') ? '/' : '');
    const twin = stat.isFile() && stat.nlink > 1 ? firstNames.get(stat.ino) : undefined;
    if (stat.isFile() && stat.nlink > 1 && twin === undefined) firstNames.set(stat.ino, stored);
    const body = stat.isFile() && twin === undefined ? fs.readFileSync(path.join(folder, name)) : Buffer.alloc(0);
    if (Buffer.byteLength(stored) > 100 && (stored.indexOf('/', stored.length - 101) < 0 || stored.length > 255)) {
      const long = Buffer.from(`${stored}\0`);
      blocks.push(header('././@LongLink', 'L', 0, long.length, 0, '', owner), padded(long));
    }
    const link = stat.isSymbolicLink() ? fs.readlinkSync(path.join(folder, name)) : (twin ?? '');
    const kind = stat.isDirectory() ? '5' : stat.isSymbolicLink() ? '2' : twin === undefined ? '0' : '1';
    const time = (date?.getTime() ?? stat.mtimeMs) / 1000;
    blocks.push(header(stored, kind, stat.mode, body.length, time, link, owner), padded(body));
    await log?.write(`${stored}\n`);
    if (stat.isDirectory())
      for (const entry of fs.readdirSync(path.join(folder, name)).sort())
        await add(name.endsWith('/') ? name + entry : `${name}/${entry}`);
  };
  for (const name of parsed.operands) {
    try {
      await add(name.replace(/(.)\/+$/, '$1'));
    } catch (error) {
      await complain(
        tool,
        `${name}: Cannot stat: ${fileError('', error).slice(2)}\ntar: Exiting with failure status due to previous errors`,
      );
      status = 2;
    }
  }
  const total = blocks.reduce((sum, block) => sum + block.length, 0) + 1024;
  const archive = Buffer.concat([...blocks, Buffer.alloc(1024 + ((10240 - (total % 10240)) % 10240))]);
  const zipped = parsed.flags.has('z') || (parsed.flags.has('a') && /\.t?gz$/.test(file));
  const bytes = zipped ? zlib.gzipSync(archive) : archive;
  if (file === '-') await tool.stdout.write(bytes);
  else fs.writeFileSync(resolvePath(tool, file), bytes);
  return status;
}

/** The entries of an archive, long names applied. */
function* entries(archive: Buffer): Generator<Entry> {
  const text = (block: Buffer, from: number, length: number) =>
    block.toString('utf8', from, from + length).split('\0')[0]!;
  let longName: string | undefined;
  let longLink: string | undefined;
  for (let at = 0; at + 512 <= archive.length; ) {
    const block = archive.subarray(at, at + 512);
    if (block.every((byte) => byte === 0)) return;
    if (text(block, 257, 5) !== 'ustar' && at === 0)
      throw new UsageError(
        'This does not look like a tar archive\ntar: Exiting with failure status due to previous errors',
        2,
      );
    const size =
      block[124]! & 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(block, 124, 12).trim() || '0', 8);
    const body = archive.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
    const kind = text(block, 156, 1) || '0';
    if (kind === 'L') longName = text(body, 0, size);
    else if (kind === 'K') longLink = text(body, 0, size);
    else if (kind === 'x' || kind === 'g') {
      for (const match of body.toString('utf8').matchAll(/\d+ (\w+)=([^\n]*)\n/g)) {
        if (match[1] === 'path') longName = match[2];
        if (match[1] === 'linkpath') longLink = match[2];
      }
    } else {
      const prefix = text(block, 345, 155);
      const name =
        longName ??
        (prefix && text(block, 257, 6) === 'ustar' ? `${prefix}/${text(block, 0, 100)}` : text(block, 0, 100));
      yield {
        name,
        kind,
        mode: Number.parseInt(text(block, 100, 8).trim() || '0', 8),
        size,
        mtime: Number.parseInt(text(block, 136, 12).trim() || '0', 8),
        link: longLink ?? text(block, 157, 100),
        body,
      };
      longName = longLink = undefined;
    }
  }
}

async function read(tool: Tool, parsed: Parsed, folder: string): Promise<number> {
  const { flags } = parsed;
  const file = lastValue(parsed, 'f') ?? '-';
  let archive: Buffer;
  try {
    const { input, close } = openInput(tool, file);
    archive = await input.bytes();
    close();
  } catch (error) {
    throw new UsageError(
      `${file}: Cannot open: ${fileError('', error).slice(2)}\ntar: Error is not recoverable: exiting now`,
      2,
    );
  }
  if (archive[0] === 0x1f && archive[1] === 0x8b) archive = zlib.gunzipSync(archive);
  if (archive.length === 0 && file === '-')
    throw new UsageError(
      'This does not look like a tar archive\ntar: Exiting with failure status due to previous errors',
      2,
    );
  const strip = Number(lastValue(parsed, 'strip') ?? 0);
  const wanted = parsed.operands.map((name) => name.replace(/\/$/, ''));
  const found = new Set<string>();
  const excluded = (parsed.values.get('exclude') ?? []).map((glob) => patternRegex(glob));
  const folders: [string, Entry][] = [];
  for (const entry of entries(archive)) {
    const match = wanted.find((name) => entry.name.replace(/\/$/, '') === name || entry.name.startsWith(`${name}/`));
    if (wanted.length > 0 && match === undefined) continue;
    if (match !== undefined) found.add(match);
    if (excluded.some((regex) => regex.test(entry.name.replace(/\/$/, '')))) continue;
    if (flags.has('t'))
      await tool.stdout.write(
        `${flags.has('v') ? `${longRow(entry)} ` : ''}${entry.name}${flags.has('v') ? linkText(entry) : ''}\n`,
      );
    else {
      if (flags.has('v')) await (flags.has('O') ? tool.stderr : tool.stdout).write(`${entry.name}\n`);
      await extract(tool, entry, folder, strip, flags, folders);
    }
  }
  for (const [target, entry] of folders.reverse()) fs.utimesSync(target, entry.mtime, entry.mtime);
  let status = 0;
  for (const name of wanted) {
    if (found.has(name)) continue;
    await complain(tool, `${name}: Not found in archive`);
    status = 2;
  }
  if (status) await complain(tool, 'Exiting with failure status due to previous errors');
  return status;
}

function linkText({ kind, link }: Entry): string {
  return kind === '2' ? ` -> ${link}` : kind === '1' ? ` link to ${link}` : '';
}

function longRow({ kind, mode, size, mtime }: Entry): string {
  const type = { '5': 'd', '2': 'l', '1': 'h' }[kind] ?? '-';
  const bits = modeText({
    mode,
    isDirectory: () => false,
    isSymbolicLink: () => false,
    isFIFO: () => false,
    isSocket: () => false,
    isCharacterDevice: () => false,
    isBlockDevice: () => false,
  } as fs.Stats);
  const owner = ownerName(process.getuid?.() ?? 0);
  return `${type}${bits.slice(1)} ${owner}/${owner} ${String(size).padStart(9)} ${strftime('%Y-%m-%d %H:%M', new Date(mtime * 1000))}`;
}

async function extract(
  tool: Tool,
  entry: Entry,
  folder: string,
  strip: number,
  flags: Set<string>,
  folders: [string, Entry][],
): Promise<void> {
  const parts = entry.name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .slice(strip);
  if (parts.length === 0) return;
  if (parts.includes('..')) throw new UsageError(`${entry.name}: Member name contains '..'`, 2);
  const target = path.join(folder, ...parts);
  if (flags.has('O')) {
    await tool.stdout.write(entry.body);
    return;
  }
  if (entry.kind === '5') {
    fs.mkdirSync(target, { recursive: true });
    fs.chmodSync(target, entry.mode & 0o7777);
    folders.push([target, entry]);
    return;
  }
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (fs.lstatSync(target, { throwIfNoEntry: false })) {
    if (flags.has('k')) throw new UsageError(`${entry.name}: Cannot open: File exists`, 2);
    fs.rmSync(target, { recursive: true });
  }
  if (entry.kind === '2') fs.symlinkSync(entry.link, target);
  else if (entry.kind === '1') fs.linkSync(path.join(folder, entry.link), target);
  else {
    fs.writeFileSync(target, entry.body);
    fs.chmodSync(target, flags.has('p') ? entry.mode & 0o7777 : entry.mode & 0o777 & ~tool.umask);
    fs.utimesSync(target, entry.mtime, entry.mtime);
  }
}
