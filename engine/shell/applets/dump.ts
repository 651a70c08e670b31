// od and xxd: bytes to read.
import { lastValue, parseOptions } from './options';
import { readBytes } from './read-bytes';
import { type Applet, eachInput, UsageError } from './tool';

const NAMES = [
  'nul',
  'soh',
  'stx',
  'etx',
  'eot',
  'enq',
  'ack',
  'bel',
  'bs',
  'ht',
  'nl',
  'vt',
  'ff',
  'cr',
  'so',
  'si',
  'dle',
  'dc1',
  'dc2',
  'dc3',
  'dc4',
  'nak',
  'syn',
  'etb',
  'can',
  'em',
  'sub',
  'esc',
  'fs',
  'gs',
  'rs',
  'us',
  'sp',
];

/** How od and hexdump write the bytes that C has an escape for. */
export const ESCAPES: Record<number, string> = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};

interface Shape {
  size: number;
  width: number;
  show(value: number, bytes: Buffer): string;
}

function shapeOf(type: string): Shape {
  const match = type.match(/^([acdoux])(\d?)z?$/);
  if (!match) throw new UsageError(`invalid type string ‘${type}’`);
  const [, kind, digits] = match as unknown as [string, string, string];
  if (kind === 'c')
    return {
      size: 1,
      width: 4,
      show: (value) =>
        (
          ESCAPES[value] ??
          (value < 32 || value > 126 ? value.toString(8).padStart(3, '0') : String.fromCharCode(value))
        ).padStart(4),
    };
  if (kind === 'a')
    return {
      size: 1,
      width: 4,
      show: (value) =>
        (NAMES[value & 127] ?? ((value & 127) === 127 ? 'del' : String.fromCharCode(value & 127))).padStart(4),
    };
  const size = Number(digits || (kind === 'o' ? 2 : 4));
  if (![1, 2, 4].includes(size))
    throw new UsageError(`invalid type string ‘${type}’: this system doesn't provide a ${size}-byte integral type`);
  const bits = 8 * size;
  if (kind === 'x')
    return { size, width: 1 + 2 * size, show: (value) => ` ${value.toString(16).padStart(2 * size, '0')}` };
  if (kind === 'o')
    return {
      size,
      width: 1 + Math.ceil(bits / 3),
      show: (value) => ` ${value.toString(8).padStart(Math.ceil(bits / 3), '0')}`,
    };
  const width = { 1: kind === 'd' ? 5 : 4, 2: kind === 'd' ? 7 : 6, 4: kind === 'd' ? 12 : 11 }[size]!;
  return {
    size,
    width,
    show: (value) => String(kind === 'd' && value >= 2 ** (bits - 1) ? value - 2 ** bits : value).padStart(width),
  };
}

/** od [-A base] [-t type] [-N count] [-j skip] [-v] [-bcdox]. */
export const od: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'A:t:N:j:vbcdoxw?', {
    'address-radix=': 'A',
    'format=': 't',
    'read-bytes=': 'N',
    'skip-bytes=': 'j',
    'output-duplicates': 'v',
  });
  const shapes = parsed.order.flatMap(([name, value]) =>
    name === 't'
      ? value!.match(/[acdoux]\d?/g)!.map(shapeOf)
      : ({ b: [shapeOf('o1')], c: [shapeOf('c')], d: [shapeOf('u2')], o: [shapeOf('o2')], x: [shapeOf('x2')] }[name] ??
        []),
  );
  if (shapes.length === 0) shapes.push(shapeOf('o2'));
  const parts: Buffer[] = [];
  const status = await eachInput(tool, parsed.operands, async (input) => void parts.push(await input.bytes()));
  const skip = Number(lastValue(parsed, 'j') ?? 0);
  const all = Buffer.concat(parts).subarray(skip);
  const bytes = parsed.values.has('N') ? all.subarray(0, Number(lastValue(parsed, 'N'))) : all;
  const base = lastValue(parsed, 'A') ?? 'o';
  const address = (at: number) =>
    base === 'n' ? '' : (at + skip).toString({ o: 8, d: 10, x: 16 }[base] ?? 8).padStart(base === 'x' ? 6 : 7, '0');
  const widest = Math.max(...shapes.map((shape) => shape.width / shape.size));
  let before = '';
  let starred = false;
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    const text = row.toString('latin1');
    if (text === before && row.length === 16 && at + 16 < bytes.length && !parsed.flags.has('v')) {
      if (!starred) await tool.stdout.write('*\n');
      starred = true;
      continue;
    }
    before = text;
    starred = false;
    for (const [position, shape] of shapes.entries()) {
      const padded = Buffer.concat([row, Buffer.alloc(shape.size)]);
      let line = position === 0 ? address(at) : ' '.repeat(address(at).length);
      for (let i = 0; i < row.length; i += shape.size) {
        const value =
          shape.size === 1 ? padded[i]! : shape.size === 2 ? padded.readUInt16LE(i) : padded.readUInt32LE(i);
        line += shape.show(value, padded).padStart(Math.round(widest * shape.size));
      }
      await tool.stdout.write(`${line}\n`);
    }
  }
  if (base !== 'n') await tool.stdout.write(`${address(bytes.length)}\n`);
  return status;
};

/** `xxd -i`: the bytes as an array of C, named after the file where there is one. */
function asInclude(bytes: Buffer, name: string | undefined, width: number, upper: boolean): string {
  const cell = (byte: number) =>
    upper ? `0X${byte.toString(16).padStart(2, '0').toUpperCase()}` : `0x${byte.toString(16).padStart(2, '0')}`;
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += width)
    rows.push(`  ${[...bytes.subarray(at, at + width)].map(cell).join(', ')}`);
  const body = rows.length > 0 ? `${rows.join(',\n')}\n` : '';
  if (name === undefined || name === '-') return body;
  const identifier = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '__');
  return `unsigned char ${identifier}[] = {\n${body}};\nunsigned int ${identifier}_len = ${bytes.length};\n`;
}

/** xxd [-p] [-r] [-i] [-c N] [-g N] [-l N] [-s N] [-o N] [-u]. */
export const xxd: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args.map((word) => (word === '-ps' || word === '-plain' ? '-p' : word)),
    'prc:l:ug:s:io:',
  );
  const bytes = await readBytes(tool, parsed.operands[0] ?? '-');
  if (parsed.flags.has('r')) {
    const text = bytes.toString('latin1');
    const hex = parsed.flags.has('p')
      ? text
      : text
          .split('\n')
          .map((line) => line.replace(/^\s*[0-9a-f]+(?::| ) ?/i, '').split('  ')[0])
          .join('');
    await tool.stdout.write(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
    return 0;
  }
  const skip = Number(lastValue(parsed, 's') ?? 0);
  const shown = bytes.subarray(skip, skip + Number(lastValue(parsed, 'l') ?? bytes.length));
  const usual = parsed.flags.has('p') ? 30 : parsed.flags.has('i') ? 12 : 16;
  const plain = parsed.flags.has('p') && lastValue(parsed, 'c') === '0';
  const width = plain ? Math.max(1, shown.length) : Number(lastValue(parsed, 'c') ?? usual) || usual;
  if (parsed.flags.has('i')) {
    await tool.stdout.write(asInclude(shown, parsed.operands[0], width, parsed.flags.has('u')));
    return 0;
  }
  const shift = Number(lastValue(parsed, 'o') ?? 0);
  const group = Number(lastValue(parsed, 'g') ?? 2);
  for (let at = 0; at < shown.length; at += width) {
    const row = shown.subarray(at, at + width);
    const hex = parsed.flags.has('u') ? row.toString('hex').toUpperCase() : row.toString('hex');
    if (parsed.flags.has('p')) {
      await tool.stdout.write(`${hex}\n`);
      continue;
    }
    const cells = (hex.match(new RegExp(`.{1,${2 * group}}`, 'g')) ?? [])
      .join(' ')
      .padEnd(2 * width + Math.ceil(width / group) - 1);
    await tool.stdout.write(
      `${(at + skip + shift).toString(16).padStart(8, '0')}: ${cells}  ${row.toString('latin1').replace(/[^\x20-\x7e]/g, '.')}\n`,
    );
  }
  return 0;
};
