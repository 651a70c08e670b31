// cut, paste, column: tools that see lines as columns.
import { decodeText, encodeText, joinBytes } from '../io/text';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, eachInput, fileError, openInput, UsageError } from './tool';

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
          await tool.stdout.write(
            `${joinBytes(
              bytesOf(line)
                .filter((_, position) => chosen(position + 1))
                .join(joint),
            )}\n`,
          );
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

/** The bytes of a line as texts; letters of ASCII are themselves. */
function bytesOf(line: string): string[] {
  return [...encodeText(line)].map((byte) => decodeText(Uint8Array.of(byte)));
}

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
