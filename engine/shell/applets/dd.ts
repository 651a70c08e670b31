// dd: blocks from here to there.
import fs from 'node:fs';
import { errorText } from '../execute/control';
import { parseOptions } from './options';
import { type Applet, openInput, resolvePath, type Tool, UsageError } from './tool';

const HINT = "\nTry 'dd --help' for more information.";
const CONVERSIONS = ['notrunc', 'ucase', 'lcase', 'sync', 'noerror', 'fsync', 'fdatasync', 'excl', 'nocreat', 'swab'];
const UNITS: Record<string, number> = {
  c: 1,
  w: 2,
  b: 512,
  kB: 1e3,
  K: 1024,
  KiB: 1024,
  k: 1024,
  MB: 1e6,
  M: 1048576,
  MiB: 1048576,
  GB: 1e9,
  G: 1073741824,
  GiB: 1073741824,
};

/** `2k`, `1M`, `3x512` in bytes. Throws UsageError. */
function amount(text: string): number {
  let product = 1;
  for (const part of text.split('x')) {
    const match = /^(\d+)(.*)$/.exec(part);
    const unit = match?.[2] === '' ? 1 : UNITS[match?.[2] ?? '-'];
    if (!match || unit === undefined) throw new UsageError(`invalid number: ‘${text}’`);
    product *= Number(match[1]) * unit;
  }
  return product;
}

interface Plan {
  input: string | undefined;
  output: string | undefined;
  inputSize: number;
  outputSize: number;
  isJoint: boolean;
  count: number;
  skip: number;
  seek: number;
  conversions: Set<string>;
  isFull: boolean;
  isAppended: boolean;
  status: string;
}

function planOf(words: readonly string[]): Plan {
  const values = new Map<string, string>();
  const flags = { conv: new Set<string>(), iflag: new Set<string>(), oflag: new Set<string>() };
  const known = {
    conv: CONVERSIONS,
    iflag: ['fullblock', 'count_bytes', 'skip_bytes'],
    oflag: ['append', 'seek_bytes'],
  };
  for (const word of words) {
    const [, name = '', value = ''] = /^(\w+)=([\s\S]*)$/.exec(word) ?? [];
    if (name === 'conv' || name === 'iflag' || name === 'oflag') {
      for (const flag of value.split(',')) {
        if (!known[name].includes(flag))
          throw new UsageError(
            `invalid ${name === 'conv' ? 'conversion' : name === 'iflag' ? 'input flag' : 'output flag'}: ‘${flag}’${HINT}`,
          );
        flags[name].add(flag);
      }
    } else if (/^(if|of|bs|ibs|obs|count|skip|iseek|seek|oseek|status)$/.test(name)) values.set(name, value);
    else throw new UsageError(`unrecognized operand ‘${word}’${HINT}`);
  }
  const size = (name: string) => {
    const text = values.get(name);
    if (text === undefined) return undefined;
    const bytes = amount(text);
    if (bytes === 0) throw new UsageError(`invalid number: ‘${text}’`);
    return bytes;
  };
  const both = size('bs');
  const [inputSize, outputSize] = [both ?? size('ibs') ?? 512, both ?? size('obs') ?? 512];
  const blocks = (text: string | undefined, block: number, isBytes: boolean, missing: number) => {
    if (text === undefined) return missing;
    return text.endsWith('B') && !/[kMGi]B$/.test(text)
      ? amount(text.slice(0, -1))
      : amount(text) * (isBytes ? 1 : block);
  };
  const status = values.get('status') ?? 'xfer';
  if (!['xfer', 'none', 'noxfer', 'progress'].includes(status))
    throw new UsageError(`invalid status level: ‘${status}’${HINT}`);
  return {
    input: values.get('if'),
    output: values.get('of'),
    inputSize,
    outputSize,
    isJoint: both !== undefined && flags.conv.size === 0,
    count: blocks(values.get('count'), inputSize, flags.iflag.has('count_bytes'), Number.POSITIVE_INFINITY),
    skip: blocks(values.get('skip') ?? values.get('iseek'), inputSize, flags.iflag.has('skip_bytes'), 0),
    seek: blocks(values.get('seek') ?? values.get('oseek'), outputSize, flags.oflag.has('seek_bytes'), 0),
    conversions: flags.conv,
    isFull: flags.iflag.has('fullblock'),
    isAppended: flags.oflag.has('append'),
    status,
  };
}

/** Where the blocks go: a file from `seek` on, or the standard output. */
function openOutput(tool: Tool, plan: Plan): { write(bytes: Uint8Array): void | Promise<void>; close(): void } {
  if (plan.output === undefined) return { write: (bytes) => tool.stdout.write(bytes), close() {} };
  const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants;
  const create = plan.conversions.has('nocreat') ? 0 : O_CREAT;
  let fd: number;
  try {
    fd = fs.openSync(resolvePath(tool, plan.output), O_WRONLY | create | (plan.conversions.has('excl') ? O_EXCL : 0));
    const isFile = fs.fstatSync(fd).isFile();
    if (isFile && !plan.conversions.has('notrunc') && !plan.isAppended) fs.ftruncateSync(fd, plan.seek);
    let at = plan.isAppended ? fs.fstatSync(fd).size : plan.seek;
    return {
      write(bytes) {
        fs.writeSync(fd, bytes, 0, bytes.length, isFile ? at : null);
        at += bytes.length;
      },
      close: () => fs.closeSync(fd),
    };
  } catch (error) {
    throw new UsageError(`failed to open '${plan.output}': ${errorText(error)}`);
  }
}

function convert(block: Uint8Array, { conversions, inputSize }: Plan): Uint8Array {
  let bytes = block;
  if (conversions.has('sync') && bytes.length < inputSize) {
    bytes = new Uint8Array(inputSize);
    bytes.set(block);
  }
  if (conversions.has('swab'))
    for (let at = 0; at + 1 < bytes.length; at += 2) [bytes[at], bytes[at + 1]] = [bytes[at + 1]!, bytes[at]!];
  const [from, to] = conversions.has('ucase') ? [97, 122] : conversions.has('lcase') ? [65, 90] : [1, 0];
  return from > to ? bytes : bytes.map((byte) => (byte >= from && byte <= to ? byte ^ 32 : byte));
}

function rate(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = bytes;
  for (; value >= 1000 && at < units.length - 1; at++) value /= 1000;
  return `${value < 10 && at > 0 ? (Math.round(value * 10) / 10).toFixed(1) : String(Math.round(value))} ${units[at]}`;
}

function binary(bytes: number): string {
  return rate(bytes * (1000 / 1024) ** Math.floor(Math.log(bytes) / Math.log(1024))).replace(
    /([kMGT])B/,
    (_, unit: string) => `${unit === 'k' ? 'K' : unit}iB`,
  );
}

/** dd [if=] [of=] [bs=] [ibs=] [obs=] [count=] [skip=] [seek=] [conv=] [iflag=] [oflag=] [status=]. */
export const dd: Applet = async (tool) => {
  const plan = planOf(parseOptions(tool.args, '').operands);
  const start = performance.now();
  let opened: ReturnType<typeof openInput>;
  try {
    opened = plan.input === undefined ? { input: tool.stdin, close() {} } : openInput(tool, plan.input);
  } catch (error) {
    throw new UsageError(`failed to open '${plan.input}': ${errorText(error)}`);
  }
  const counts = { inFull: 0, inPart: 0, outFull: 0, outPart: 0, bytes: 0 };
  try {
    const output = openOutput(tool, plan);
    let waiting: Uint8Array = new Uint8Array(0);
    const put = async (bytes: Uint8Array) => {
      if (bytes.length === plan.outputSize) counts.outFull++;
      else counts.outPart++;
      counts.bytes += bytes.length;
      await output.write(bytes);
    };
    try {
      for await (const block of blocksOf(opened.input, plan)) {
        if (block.length === plan.inputSize) counts.inFull++;
        else counts.inPart++;
        const bytes = convert(block, plan);
        if (plan.isJoint) {
          await put(bytes);
          continue;
        }
        waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
        for (; waiting.length >= plan.outputSize; waiting = waiting.subarray(plan.outputSize))
          await put(waiting.slice(0, plan.outputSize));
      }
      if (waiting.length > 0) await put(waiting);
    } finally {
      output.close();
    }
  } finally {
    opened.close();
  }
  await tool.stdout.flush();
  if (plan.status !== 'none') await tool.stderr.write(summary(counts, plan.status, (performance.now() - start) / 1000));
  return 0;
};

function summary(
  counts: { inFull: number; inPart: number; outFull: number; outPart: number; bytes: number },
  status: string,
  seconds: number,
): string {
  const { bytes } = counts;
  const records = `${counts.inFull}+${counts.inPart} records in\n${counts.outFull}+${counts.outPart} records out\n`;
  if (status === 'noxfer') return records;
  const sizes = bytes < 1000 ? '' : bytes < 1024 ? ` (${rate(bytes)})` : ` (${rate(bytes)}, ${binary(bytes)})`;
  const time = `${Number(Math.max(seconds, 1e-6).toPrecision(6))} s`;
  return `${records}${bytes} byte${bytes === 1 ? '' : 's'}${sizes} copied, ${time}, ${rate(bytes / Math.max(seconds, 1e-6))}/s\n`;
}

/** The input in blocks; what comes short (a pipe) stays short, unless `fullblock` asks to wait. */
async function* blocksOf(input: { chunk(): Promise<Uint8Array | undefined> }, plan: Plan): AsyncGenerator<Uint8Array> {
  let toSkip = plan.skip;
  let left = plan.count;
  let rest: Uint8Array = new Uint8Array(0);
  while (left > 0) {
    let wanted = Math.min(plan.inputSize, left);
    if (rest.length < wanted) {
      const chunk = await input.chunk();
      if (chunk) {
        const dropped = Math.min(toSkip, chunk.length);
        toSkip -= dropped;
        rest = rest.length === 0 ? chunk.subarray(dropped) : Buffer.concat([rest, chunk.subarray(dropped)]);
        if (rest.length < wanted) continue;
      } else {
        if (rest.length === 0) return;
        wanted = rest.length;
      }
    }
    yield rest.slice(0, wanted);
    rest = rest.subarray(wanted);
    left -= wanted;
  }
}
