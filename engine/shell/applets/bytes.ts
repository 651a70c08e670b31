// base64, md5sum and kin, gzip, gunzip, zcat, split: bytes and their forms.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import zlib from 'node:zlib';
import { lastValue, parseOptions } from './options';
import { readBytes } from './read-bytes';
import { type Applet, complain, eachInput, fileError, resolvePath, UsageError } from './tool';

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
