// base64, md5sum and kin, od, xxd, gzip, gunzip, zcat, split: bytes and their forms.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import zlib from 'node:zlib';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, eachInput, fileError, openInput, resolvePath, type Tool, UsageError } from './tool';

async function readBytes(tool: Tool, name: string): Promise<Buffer> {
  const { input, close } = openInput(tool, name);
  try {
    return await input.bytes();
  } finally {
    close();
  }
}

/** base64 [-d] [-w N] [file]. */
export const base64: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'dw:i', { decode: 'd', 'wrap=': 'w', 'ignore-garbage': 'i' });
  return eachInput(tool, parsed.operands.slice(0, 1), async (input) => {
    const bytes = await input.bytes();
    if (parsed.flags.has('d')) {
      const text = bytes.toString('latin1').replace(/\s/g, '');
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) && !parsed.flags.has('i')) {
        await tool.stdout.write(Buffer.from(text.match(/^[A-Za-z0-9+/]*/)![0], 'base64'));
        throw new UsageError('invalid input');
      }
      return tool.stdout.write(Buffer.from(text, 'base64'));
    }
    const width = Number(lastValue(parsed, 'w') ?? 76);
    const text = bytes.toString('base64');
    await tool.stdout.write(width === 0 ? text : text.replace(new RegExp(`.{1,${width}}`, 'g'), '$&\n'));
  });
};

/** md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum [-bct] [files]. */
export const hashSum: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'bctwz', {
    check: 'c',
    binary: 'b',
    text: 't',
    quiet: 'quiet',
    status: 'status',
  });
  const algorithm = tool.name.replace(/^.*\//, '').replace(/sum$/, '');
  const digest = (bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex');
  if (!flags.has('c')) {
    return eachInput(tool, operands, async (input, name) =>
      tool.stdout.write(`${digest(await input.bytes())} ${flags.has('b') ? '*' : ' '}${name}\n`),
    );
  }
  let failed = 0;
  const status = await eachInput(tool, operands, async (input) => {
    for (const line of await input.lines()) {
      const match = line.match(/^([0-9a-f]+) [ *](.*)$/);
      if (!match) continue;
      let ok = false;
      try {
        ok = digest(await readBytes(tool, match[2]!)) === match[1];
      } catch (error) {
        await complain(tool, fileError(match[2]!, error));
      }
      if (!ok) failed++;
      if (!flags.has('status') && !(ok && flags.has('quiet')))
        await tool.stdout.write(`${match[2]}: ${ok ? 'OK' : 'FAILED'}\n`);
    }
  });
  if (failed > 0 && !flags.has('status'))
    await complain(tool, `WARNING: ${failed} computed checksum${failed === 1 ? '' : 's'} did NOT match`);
  return failed > 0 ? 1 : status;
};

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
const ESCAPES: Record<number, string> = {
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

/** xxd [-p] [-r] [-c N] [-l N] [-u]. */
export const xxd: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args.map((word) => (word === '-ps' || word === '-plain' ? '-p' : word)),
    'prc:l:ug:s:',
  );
  const bytes = await readBytes(tool, parsed.operands[0] ?? '-');
  if (parsed.flags.has('r')) {
    const text = bytes.toString('latin1');
    const hex = parsed.flags.has('p')
      ? text
      : text
          .split('\n')
          .map((line) => line.replace(/^[0-9a-f]+: ?/i, '').split('  ')[0])
          .join('');
    await tool.stdout.write(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
    return 0;
  }
  const skip = Number(lastValue(parsed, 's') ?? 0);
  const shown = bytes.subarray(skip, skip + Number(lastValue(parsed, 'l') ?? bytes.length));
  const width = Number(lastValue(parsed, 'c') ?? (parsed.flags.has('p') ? 30 : 16));
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
      `${(at + skip).toString(16).padStart(8, '0')}: ${cells}  ${row.toString('latin1').replace(/[^\x20-\x7e]/g, '.')}\n`,
    );
  }
  return 0;
};

/** gzip, gunzip, zcat [-cdfknqtv1-9]. */
export const gzip: Applet = async (tool) => {
  const program = tool.name.replace(/^.*\//, '');
  const { flags, operands } = parseOptions(tool.args, 'cdfknNqtvlrS:123456789', {
    stdout: 'c',
    'to-stdout': 'c',
    decompress: 'd',
    uncompress: 'd',
    force: 'f',
    keep: 'k',
    quiet: 'q',
    verbose: 'v',
    test: 't',
    fast: '1',
    best: '9',
  });
  const expand = program !== 'gzip' || flags.has('d') || flags.has('t');
  const toOutput = program === 'zcat' || flags.has('c') || operands.length === 0;
  const level = Number([...flags].find((flag) => /^\d$/.test(flag)) ?? 6);
  const transform = (bytes: Buffer, name: string) => {
    if (!expand) return zlib.gzipSync(bytes, { level });
    if (bytes.length < 2 || bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new UsageError(`${name}: not in gzip format`);
    return zlib.gunzipSync(bytes);
  };
  if (operands.length === 0) {
    await tool.stdout.write(transform(await tool.stdin.bytes(), 'stdin'));
    return 0;
  }
  let status = 0;
  for (const name of operands) {
    const source =
      expand &&
      name !== '-' &&
      !name.endsWith('.gz') &&
      !name.endsWith('.tgz') &&
      fs.existsSync(resolvePath(tool, `${name}.gz`))
        ? `${name}.gz`
        : name;
    try {
      const result = transform(await readBytes(tool, source), source);
      if (flags.has('t')) continue;
      if (toOutput) {
        await tool.stdout.write(result);
        continue;
      }
      if (expand && !/\.t?gz$/.test(source)) throw new UsageError(`${source}: unknown suffix -- ignored`, 2);
      const target = expand ? source.replace(/\.tgz$/, '.tar').replace(/\.gz$/, '') : `${source}.gz`;
      if (fs.existsSync(resolvePath(tool, target)) && !flags.has('f'))
        throw new UsageError(`${target} already exists;\tnot overwritten`, 2);
      const stat = fs.statSync(resolvePath(tool, source));
      fs.writeFileSync(resolvePath(tool, target), result, { mode: stat.mode });
      fs.utimesSync(resolvePath(tool, target), stat.atime, stat.mtime);
      if (!flags.has('k')) fs.unlinkSync(resolvePath(tool, source));
    } catch (error) {
      await complain(tool, error instanceof UsageError ? error.message : fileError(source, error));
      status = 1;
    }
  }
  return status;
};

/** split [-l N] [-b N] [-d] [-a N] [input [prefix]]. */
export const split: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'l:b:da:', {
    'lines=': 'l',
    'bytes=': 'b',
    'numeric-suffixes': 'd',
    'suffix-length=': 'a',
    'additional-suffix=': 'suffix',
  });
  const [name = '-', prefix = 'x'] = parsed.operands;
  const width = Number(lastValue(parsed, 'a') ?? 2);
  const bytes = await readBytes(tool, name);
  const pieces: Buffer[] = [];
  const size = lastValue(parsed, 'b')?.match(/^(\d+)([KMG]?)$/);
  if (parsed.values.has('b')) {
    if (!size) throw new UsageError(`invalid number of bytes: ‘${lastValue(parsed, 'b')}’`);
    const step = Number(size[1]) * 1024 ** ['', 'K', 'M', 'G'].indexOf(size[2]!);
    for (let at = 0; at < bytes.length; at += step) pieces.push(bytes.subarray(at, at + step));
  } else {
    const lines = bytes.toString('latin1').split(/(?<=\n)/);
    const step = Number(lastValue(parsed, 'l') ?? 1000);
    for (let at = 0; at < lines.length && bytes.length > 0; at += step)
      pieces.push(Buffer.from(lines.slice(at, at + step).join(''), 'latin1'));
  }
  for (const [index, piece] of pieces.entries()) {
    let suffix = '';
    for (
      let digit = 0, rest = index;
      digit < width;
      digit++, rest = Math.floor(rest / (parsed.flags.has('d') ? 10 : 26))
    ) {
      suffix = (parsed.flags.has('d') ? String(rest % 10) : String.fromCharCode(97 + (rest % 26))) + suffix;
    }
    fs.writeFileSync(resolvePath(tool, prefix + suffix + (lastValue(parsed, 'suffix') ?? '')), piece);
  }
  return 0;
};
