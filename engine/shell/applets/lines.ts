// head, tail, wc, uniq, cut, paste, fold, column: tools that work line by line.
import fs from 'node:fs';
import { lastValue, parseOptions } from './options';
import {
  type Applet,
  complain,
  eachInput,
  fileError,
  openInput,
  pause,
  resolvePath,
  type Tool,
  UsageError,
} from './tool';

/** `10`, `2K`, `1M` as a number; the sign is kept apart. */
function amount(text: string, what: string): { sign: string; count: number } {
  const match = text.match(/^([-+]?)(\d+)(b|[kKMG]B?)?$/);
  if (!match) throw new UsageError(`invalid number of ${what}: ‘${text}’`);
  const factor = { b: 512, k: 1024, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[(match[3] ?? '')[0] ?? ''] ?? 1;
  return { sign: match[1]!, count: Number(match[2]) * factor };
}

/** `-5` as `-n 5`. */
function oldStyle(args: string[]): string[] {
  return args.map((word, position) => (position === 0 && /^-\d+$/.test(word) ? `-n${word.slice(1)}` : word));
}

/** head [-n N] [-c N] [-q] [-v]. */
export const head: Applet = async (tool) => {
  const parsed = parseOptions(oldStyle(tool.args), 'n:c:qvz', {
    'lines=': 'n',
    'bytes=': 'c',
    quiet: 'q',
    silent: 'q',
    verbose: 'v',
    'zero-terminated': 'z',
  });
  const bytes = lastValue(parsed, 'c');
  const { sign, count } = amount(bytes ?? lastValue(parsed, 'n') ?? '10', bytes === undefined ? 'lines' : 'bytes');
  const titled = (parsed.operands.length > 1 && !parsed.flags.has('q')) || parsed.flags.has('v');
  const separator = parsed.flags.has('z') ? '\0' : '\n';
  let first = true;
  return eachInput(tool, parsed.operands, async (input, name) => {
    if (titled) await tool.stdout.write(`${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
    first = false;
    if (sign === '-') {
      const all = await input.bytes();
      if (bytes !== undefined) return tool.stdout.write(all.subarray(0, Math.max(0, all.length - count)));
      const lines = all.toString('utf8').split(/(?<=\n)/);
      return tool.stdout.write(lines.slice(0, Math.max(0, lines.length - count)).join(''));
    }
    let left = count;
    while (left > 0) {
      const chunk = await input.chunk();
      if (!chunk) return;
      let end = 0;
      if (bytes !== undefined) {
        end = Math.min(left, chunk.length);
        left -= end;
      } else {
        const mark = separator.charCodeAt(0);
        while (left > 0 && end < chunk.length) {
          const at = chunk.indexOf(mark, end);
          if (at < 0) end = chunk.length;
          else {
            end = at + 1;
            left--;
          }
        }
      }
      await tool.stdout.write(chunk.subarray(0, end));
    }
  });
};

/** tail [-n [+]N] [-c [+]N] [-f] [-q] [-v]. */
export const tail: Applet = async (tool) => {
  const parsed = parseOptions(oldStyle(tool.args), 'n:c:fFqvs:', {
    'lines=': 'n',
    'bytes=': 'c',
    follow: 'f',
    'follow=': 'f',
    quiet: 'q',
    verbose: 'v',
    'sleep-interval=': 's',
    'pid=': 'pid',
    retry: 'F',
  });
  const bytes = lastValue(parsed, 'c');
  const { sign, count } = amount(bytes ?? lastValue(parsed, 'n') ?? '10', bytes === undefined ? 'lines' : 'bytes');
  const titled = (parsed.operands.length > 1 && !parsed.flags.has('q')) || parsed.flags.has('v');
  let first = true;
  const title = (name: string) => `${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`;
  const status = await eachInput(tool, parsed.operands, async (input, name) => {
    if (titled) await tool.stdout.write(title(name));
    first = false;
    const all = await input.bytes();
    await tool.stdout.write(
      bytes === undefined
        ? lastLines(all, sign, count)
        : sign === '+'
          ? all.subarray(Math.max(0, count - 1))
          : all.subarray(Math.max(0, all.length - count)),
    );
  });
  if (parsed.flags.has('f') || parsed.flags.has('F') || parsed.values.has('f'))
    await follow(tool, parsed.operands, titled, title);
  return status;
};

function lastLines(all: Buffer, sign: string, count: number): Buffer {
  if (sign === '+') {
    let at = 0;
    for (let line = 1; line < count; line++) {
      at = all.indexOf(10, at) + 1;
      if (at === 0) return all.subarray(all.length);
    }
    return all.subarray(at);
  }
  if (count === 0) return all.subarray(all.length);
  let at = all.length - (all.at(-1) === 10 ? 1 : 0);
  for (let line = 0; line < count; line++) {
    at = at <= 0 ? -1 : all.lastIndexOf(10, at - 1);
    if (at < 0) return all;
  }
  return all.subarray(at + 1);
}

/** Prints what is appended to the files, for ever. A truncated or replaced file starts anew. */
async function follow(tool: Tool, names: string[], titled: boolean, title: (name: string) => string): Promise<void> {
  const files = names
    .filter((name) => name !== '-')
    .map((name) => ({
      name,
      path: resolvePath(tool, name),
      size: fs.statSync(resolvePath(tool, name), { throwIfNoEntry: false })?.size ?? 0,
    }));
  let shown = files.at(-1)?.name;
  for (;;) {
    await tool.stdout.flush();
    await pause(tool, 100);
    for (const file of files) {
      const size = fs.statSync(file.path, { throwIfNoEntry: false })?.size ?? 0;
      if (size < file.size) file.size = 0;
      if (size === file.size) continue;
      const buffer = Buffer.alloc(size - file.size);
      const fd = fs.openSync(file.path, 'r');
      const count = fs.readSync(fd, buffer, 0, buffer.length, file.size);
      fs.closeSync(fd);
      if (titled && shown !== file.name) await tool.stdout.write(title(file.name));
      shown = file.name;
      file.size += count;
      await tool.stdout.write(buffer.subarray(0, count));
    }
  }
}

/** wc [-lwcmL]. */
export const wc: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'lwcmL', {
    lines: 'l',
    words: 'w',
    bytes: 'c',
    chars: 'm',
    'max-line-length': 'L',
  });
  const wanted = [...'lwmcL'].filter((letter) => (flags.size === 0 ? 'lwc'.includes(letter) : flags.has(letter)));
  const rows: { counts: number[]; name: string }[] = [];
  const status = await eachInput(tool, operands, async (input, name) => {
    const counts: Record<string, number> = { l: 0, w: 0, m: 0, c: 0, L: 0 };
    let inWord = false;
    let width = 0;
    for await (const chunk of input.chunks()) {
      counts.c! += chunk.length;
      for (const byte of chunk) {
        if (byte === 10) counts.l!++;
        const blank = byte === 32 || (byte >= 9 && byte <= 13);
        if (!blank && !inWord) counts.w!++;
        inWord = !blank;
        if ((byte & 0xc0) !== 0x80) {
          counts.m!++;
          if (byte === 10) width = 0;
          else counts.L = Math.max(counts.L!, ++width);
        }
      }
    }
    rows.push({ counts: wanted.map((letter) => counts[letter]!), name });
  });
  if (operands.length > 1)
    rows.push({
      counts: wanted.map((_, column) => rows.reduce((sum, row) => sum + row.counts[column]!, 0)),
      name: 'total',
    });
  const piped = operands.length === 0 || operands.includes('-');
  const digits = Math.max(...rows.flatMap((row) => row.counts).map((count) => String(count).length), 1);
  const total = operands.length > 0 ? rows.reduce((sum, row) => sum + row.counts.at(-1)!, 0) : 0;
  const width =
    wanted.length === 1 && rows.length === 1
      ? 1
      : piped
        ? 7
        : Math.max(digits, operands.length > 0 ? String(fileSizes(tool, operands) || total).length : 1);
  for (const row of rows)
    await tool.stdout.write(
      `${row.counts.map((count) => String(count).padStart(width)).join(' ')}${operands.length > 0 ? ` ${row.name}` : ''}\n`,
    );
  return status;
};

function fileSizes(tool: Tool, names: string[]): number {
  return names.reduce(
    (sum, name) => sum + (fs.statSync(resolvePath(tool, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** uniq [-cduiz] [-f N] [-s N] [-w N] [input [output]]. */
export const uniq: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'cdDuif:s:w:', {
    count: 'c',
    repeated: 'd',
    unique: 'u',
    'ignore-case': 'i',
    'skip-fields=': 'f',
    'skip-chars=': 's',
    'check-chars=': 'w',
  });
  const { flags, operands } = parsed;
  const key = (line: string) => {
    let text = line;
    for (let field = Number(lastValue(parsed, 'f') ?? 0); field > 0; field--) text = text.replace(/^[ \t]*[^ \t]*/, '');
    text = text.slice(Number(lastValue(parsed, 's') ?? 0));
    const width = lastValue(parsed, 'w');
    if (width !== undefined) text = text.slice(0, Number(width));
    return flags.has('i') ? text.toLowerCase() : text;
  };
  const output = operands[1] === undefined ? undefined : fs.openSync(resolvePath(tool, operands[1]), 'w');
  const write = async (text: string) =>
    output === undefined ? tool.stdout.write(text) : void fs.writeSync(output, text);
  let group: string[] = [];
  const finish = async () => {
    if (
      group.length === 0 ||
      (flags.has('u') && group.length > 1) ||
      ((flags.has('d') || flags.has('D')) && group.length === 1)
    )
      return;
    if (flags.has('D')) for (const line of group) await write(`${line}\n`);
    else await write(`${flags.has('c') ? `${String(group.length).padStart(7)} ` : ''}${group[0]}\n`);
  };
  const status = await eachInput(tool, operands.slice(0, 1), async (input) => {
    for await (const { lines } of input.batches()) {
      for (const line of lines) {
        if (group.length > 0 && key(group[0]!) === key(line)) group.push(line);
        else {
          await finish();
          group = [line];
        }
      }
    }
  });
  await finish();
  if (output !== undefined) fs.closeSync(output);
  return status;
};

/** `1,3-5,7-` as a test of a position (from 1). */
function ranges(list: string, what: string): (position: number) => boolean {
  const parts = list.split(',').map((part) => {
    const match = part.match(/^(\d*)(-?)(\d*)$/);
    if (!match || part === '' || part === '-') throw new UsageError(`invalid ${what}: ‘${part}’`);
    const from = match[1] === '' ? 1 : Number(match[1]);
    const to = match[2] === '' ? from : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (from === 0)
      throw new UsageError(`${what === 'field value' ? 'fields' : 'byte/character positions'} are numbered from 1`);
    if (to < from) throw new UsageError('invalid decreasing range');
    return { from, to };
  });
  return (position) => parts.some(({ from, to }) => position >= from && position <= to);
}

/** cut -f|-c|-b list [-d x] [-s] [--complement] [--output-delimiter=x]. */
export const cut: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'f:c:b:d:sn', {
    'fields=': 'f',
    'characters=': 'c',
    'bytes=': 'b',
    'delimiter=': 'd',
    'only-delimited': 's',
    complement: 'complement',
    'output-delimiter=': 'output',
  });
  const fields = lastValue(parsed, 'f');
  const characters = lastValue(parsed, 'c') ?? lastValue(parsed, 'b');
  if ((fields === undefined) === (characters === undefined))
    throw new UsageError(
      fields === undefined
        ? 'you must specify a list of bytes, characters, or fields'
        : 'only one list may be specified',
    );
  const delimiter = lastValue(parsed, 'd') ?? '\t';
  if ([...delimiter].length !== 1) throw new UsageError('the delimiter must be a single character');
  const inside = ranges(fields ?? characters!, fields === undefined ? 'byte or character range' : 'field value');
  const chosen = parsed.flags.has('complement') ? (position: number) => !inside(position) : inside;
  const joint = lastValue(parsed, 'output') ?? (fields === undefined ? '' : delimiter);
  return eachInput(tool, parsed.operands, async (input) => {
    for await (const { lines } of input.batches()) {
      for (const line of lines) {
        if (fields === undefined) {
          await tool.stdout.write(`${[...line].filter((_, position) => chosen(position + 1)).join(joint)}\n`);
          continue;
        }
        const parts = line.split(delimiter);
        if (parts.length === 1) {
          if (!parsed.flags.has('s')) await tool.stdout.write(`${line}\n`);
        } else await tool.stdout.write(`${parts.filter((_, position) => chosen(position + 1)).join(joint)}\n`);
      }
    }
  });
};

/** paste [-d list] [-s] files. */
export const paste: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'd:s', { 'delimiters=': 'd', serial: 's' });
  const names = parsed.operands.length > 0 ? parsed.operands : ['-'];
  const delimiters = [
    ...(lastValue(parsed, 'd') ?? '\t').replace(
      /\\([nt0\\])/g,
      (_, letter: string) => ({ n: '\n', t: '\t', 0: '', '\\': '\\' })[letter]!,
    ),
  ];
  const columns: string[][] = [];
  let shared: string[] | undefined;
  const inputs = names.filter((name) => name === '-').length;
  for (const name of names) {
    if (name === '-' && inputs > 1 && !parsed.flags.has('s')) {
      shared ??= await tool.stdin.lines();
      columns.push(shared);
      continue;
    }
    try {
      const { input, close } = openInput(tool, name);
      columns.push(await input.lines());
      close();
    } catch (error) {
      await complain(tool, fileError(name, error));
      return 1;
    }
  }
  const join = (cells: string[]) =>
    cells
      .map(
        (cell, position) =>
          cell + (position < cells.length - 1 ? (delimiters[position % delimiters.length] ?? '') : ''),
      )
      .join('');
  if (parsed.flags.has('s')) {
    for (const column of columns) await tool.stdout.write(`${join(column)}\n`);
    return 0;
  }
  const positions = new Map<string[], number>();
  for (;;) {
    let some = false;
    const cells = columns.map((column) => {
      const at = positions.get(column) ?? 0;
      positions.set(column, at + 1);
      if (at < column.length) some = true;
      return column[at] ?? '';
    });
    if (!some) return 0;
    await tool.stdout.write(`${join(cells)}\n`);
  }
};

/** fold [-w N] [-s] [-b]. */
export const fold: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'w:sb', { 'width=': 'w', spaces: 's', bytes: 'b' });
  const width = Number(lastValue(parsed, 'w') ?? 80);
  return eachInput(tool, parsed.operands, async (input) => {
    for await (const { lines, ended } of input.batches()) {
      for (const line of lines) {
        let rest = line;
        while (rest.length > width) {
          const space = parsed.flags.has('s') ? rest.lastIndexOf(' ', width - 1) : -1;
          const end = space > 0 ? space + 1 : width;
          await tool.stdout.write(`${rest.slice(0, end)}\n`);
          rest = rest.slice(end);
        }
        await tool.stdout.write(rest + (ended ? '\n' : ''));
      }
    }
  });
};

/** column [-t] [-s sep] [-o sep]. */
export const column: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'ts:o:c:x', {
    table: 't',
    'separator=': 's',
    'output-separator=': 'o',
    'output-width=': 'c',
  });
  const lines: string[] = [];
  const status = await eachInput(tool, parsed.operands, async (input) => {
    for (const line of await input.lines()) if (line.trim() !== '') lines.push(line);
  });
  if (parsed.flags.has('t')) {
    const separators = lastValue(parsed, 's');
    const rows = lines.map((line) =>
      separators === undefined
        ? line.trim().split(/[ \t]+/)
        : line.split(new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]`)),
    );
    const widths: number[] = [];
    for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
    const joint = lastValue(parsed, 'o') ?? '  ';
    for (const row of rows)
      await tool.stdout.write(
        `${row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!))).join(joint)}\n`,
      );
    return status;
  }
  const widest = (Math.floor(Math.max(0, ...lines.map((line) => line.length)) / 8) + 1) * 8;
  const perRow = Math.max(1, Math.floor(Number(lastValue(parsed, 'c') ?? tool.environment.COLUMNS ?? 80) / widest));
  const height = Math.ceil(lines.length / perRow);
  for (let row = 0; row < height; row++) {
    let text = '';
    for (let at = row; at < lines.length; at += height)
      text +=
        at + height < lines.length
          ? lines[at]!.padEnd(text.length % 8 ? widest : widest).replace(/ +$/, (spaces) =>
              '\t'.repeat(Math.ceil(spaces.length / 8)),
            )
          : lines[at];
    await tool.stdout.write(`${text}\n`);
  }
  return status;
};
