// hexdump and hd: bytes in rows of sixteen, as BSD's program prints them.
import { ESCAPES } from './dump';
import { lastValue, parseOptions } from './options';
import { readBytes } from './read-bytes';
import { type Applet, complain, fileError, UsageError } from './tool';

function offset(text: string): number {
  const match = /^(0x[\da-f]+|\d+)([bkm]?)$/i.exec(text);
  if (!match) throw new UsageError(`${text}: bad value`);
  return Number(match[1]) * { '': 1, b: 512, k: 1024, m: 1048576 }[match[2]!.toLowerCase() as ''];
}

/** Two bytes at a time, the first one the lower; a lone last one has no upper half. */
function pairs(row: Buffer): number[] {
  return Array.from({ length: Math.ceil(row.length / 2) }, (_, at) => row[at * 2]! + 256 * (row[at * 2 + 1] ?? 0));
}

const padded = (cells: string[], width: number, count: number) =>
  `${cells.map((cell) => cell.padStart(width)).join('')}${' '.repeat(width * (count - cells.length))}`;

const FORMS: Record<string, (row: Buffer) => string> = {
  plain: (row) =>
    padded(
      pairs(row).map((pair) => pair.toString(16).padStart(4, '0')),
      5,
      8,
    ),
  x: (row) =>
    padded(
      pairs(row).map((pair) => pair.toString(16).padStart(4, '0')),
      8,
      8,
    ),
  d: (row) =>
    padded(
      pairs(row).map((pair) => String(pair).padStart(5, '0')),
      8,
      8,
    ),
  o: (row) =>
    padded(
      pairs(row).map((pair) => pair.toString(8).padStart(6, '0')),
      8,
      8,
    ),
  b: (row) =>
    padded(
      [...row].map((byte) => byte.toString(8).padStart(3, '0')),
      4,
      16,
    ),
  c: (row) =>
    padded(
      [...row].map(
        (byte) =>
          ESCAPES[byte] ?? (byte > 31 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0')),
      ),
      4,
      16,
    ),
  C(row) {
    const cells = [...row].map((byte) => byte.toString(16).padStart(2, '0'));
    const half = (from: number) =>
      cells
        .slice(from, from + 8)
        .join(' ')
        .padEnd(23);
    const text = [...row].map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    return `  ${half(0)}  ${half(8)}  |${text}|`;
  },
};

/** hexdump [-bcCdovx] [-n length] [-s skip] [files]; hd is `hexdump -C`. */
export const hexdump: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'bcCdoxvn:s:e:f:', {
    canonical: 'C',
    'one-byte-octal': 'b',
    'one-byte-char': 'c',
    'two-bytes-decimal': 'd',
    'two-bytes-octal': 'o',
    'two-bytes-hex': 'x',
    'no-squeezing': 'v',
    'length=': 'n',
    'skip=': 's',
  });
  if (parsed.values.has('e') || parsed.values.has('f'))
    throw new UsageError('formats of -e and -f are not known here: -b, -c, -C, -d, -o and -x are, and so is od');
  const isHd = /(^|\/)hd$/.test(tool.name);
  const forms = parsed.order.filter(([name]) => Object.hasOwn(FORMS, name)).map(([name]) => name);
  if (forms.length === 0) forms.push(isHd ? 'C' : 'plain');
  const parts: Buffer[] = [];
  let failed = 0;
  const names = parsed.operands.length > 0 ? parsed.operands : ['-'];
  for (const name of names) {
    try {
      parts.push(await readBytes(tool, name));
    } catch (error) {
      await complain(tool, fileError(name, error));
      failed++;
    }
  }
  if (failed === names.length) throw new UsageError('all input file arguments failed');
  const skip = offset(lastValue(parsed, 's') ?? '0');
  const length = lastValue(parsed, 'n');
  const bytes = Buffer.concat(parts).subarray(skip, length === undefined ? undefined : skip + offset(length));
  const place = (at: number, form: string) => (skip + at).toString(16).padStart(form === 'C' ? 8 : 7, '0');
  let before: Buffer | undefined;
  let isSqueezed = false;
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    if (!parsed.flags.has('v') && before && row.length === 16 && row.equals(before)) {
      if (!isSqueezed) await tool.stdout.write('*\n');
      isSqueezed = true;
      continue;
    }
    isSqueezed = false;
    before = row;
    for (const [index, form] of forms.entries())
      await tool.stdout.write(`${index === 0 || form === 'C' ? place(at, form) : ' '.repeat(7)}${FORMS[form]!(row)}\n`);
  }
  if (bytes.length > 0) await tool.stdout.write(`${place(bytes.length, forms[0]!)}\n`);
  return failed > 0 ? 1 : 0;
};
