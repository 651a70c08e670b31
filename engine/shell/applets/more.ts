// cmp, shuf, unlink, uptime, link: rarely used, and small.
import fs from 'node:fs';
import { errorText } from '../execute/control';
import { lastValue, parseOptions } from './options';
import { readBytes } from './read-bytes';
import { strftime } from './strftime';
import { type Applet, complain, eachInput, fileError, resolvePath, UsageError } from './tool';

/** cmp [-s] [-l] a b. Status 0 same, 1 different, 2 trouble. */
export const cmp: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'slb', { silent: 's', quiet: 's', verbose: 'l' }, { status: 2 });
  const [first, second = '-'] = operands;
  if (first === undefined) throw new UsageError("missing operand after 'cmp'", 2);
  const sides: Buffer[] = [];
  for (const name of [first, second]) {
    try {
      sides.push(await readBytes(tool, name));
    } catch (error) {
      await complain(tool, fileError(name, error));
      return 2;
    }
  }
  const [a, b] = sides as [Buffer, Buffer];
  const shared = Math.min(a.length, b.length);
  let differ = false;
  for (let at = 0; at < shared; at++) {
    if (a[at] === b[at]) continue;
    differ = true;
    if (flags.has('s')) return 1;
    if (!flags.has('l')) {
      const line = a.subarray(0, at).reduce((count, byte) => count + (byte === 10 ? 1 : 0), 1);
      await tool.stdout.write(`${first} ${second} differ: byte ${at + 1}, line ${line}\n`);
      return 1;
    }
    const octal = (byte: number) => byte.toString(8).padStart(3);
    await tool.stdout.write(`${String(at + 1).padStart(String(shared).length)} ${octal(a[at]!)} ${octal(b[at]!)}\n`);
  }
  if (a.length === b.length) return differ ? 1 : 0;
  if (!flags.has('s')) await complain(tool, `EOF on ${a.length < b.length ? first : second} after byte ${shared}`);
  return 1;
};

/** shuf [-n N] [-e words] [-i low-high] [file]. */
export const shuf: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'n:ei:rz', {
    'head-count=': 'n',
    echo: 'e',
    'input-range=': 'i',
    repeat: 'r',
  });
  const range = lastValue(parsed, 'i')?.match(/^(\d+)-(\d+)$/);
  let lines: string[] = [];
  let status = 0;
  if (parsed.values.has('i')) {
    if (!range) throw new UsageError(`invalid input range: ‘${lastValue(parsed, 'i')}’`);
    for (let value = Number(range[1]); value <= Number(range[2]); value++) lines.push(String(value));
  } else if (parsed.flags.has('e')) lines = [...parsed.operands];
  else status = await eachInput(tool, parsed.operands.slice(0, 1), async (input) => void (lines = await input.lines()));
  const most = Number(lastValue(parsed, 'n') ?? (parsed.flags.has('r') ? Number.POSITIVE_INFINITY : lines.length));
  for (let count = 0; count < most && lines.length > 0; count++) {
    const at = Math.floor(Math.random() * lines.length);
    await tool.stdout.write(`${lines[at]}\n`);
    if (!parsed.flags.has('r')) lines.splice(at, 1);
  }
  return status;
};

/** unlink file. */
export const unlink: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, '');
  if (operands.length !== 1)
    throw new UsageError(operands.length === 0 ? 'missing operand' : `extra operand ‘${operands[1]}’`);
  try {
    fs.unlinkSync(resolvePath(tool, operands[0]!));
    return 0;
  } catch (error) {
    await complain(tool, `cannot unlink '${operands[0]}': ${errorText(error)}`);
    return 1;
  }
};

/** uptime: since the oldest process that is seen. */
export const uptime: Applet = async (tool) => {
  const oldest = Math.min(Date.now(), ...tool.os.processes().map((row) => row.startedAt));
  const minutes = Math.floor((Date.now() - oldest) / 60_000);
  await tool.stdout.write(
    ` ${strftime('%H:%M:%S', new Date())} up ${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}\n`,
  );
  return 0;
};
