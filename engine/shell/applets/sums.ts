// cksum, sum, base32: old sums, and bytes in five bits.
import { lastValue, parseOptions } from './options';
import { type Applet, eachInput, UsageError } from './tool';

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value >>> 0;
});

function posixSum(bytes: Uint8Array): number {
  let sum = 0;
  const add = (byte: number) => {
    sum = ((sum << 8) ^ TABLE[((sum >>> 24) ^ byte) & 255]!) >>> 0;
  };
  for (const byte of bytes) add(byte);
  for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 255);
  return ~sum >>> 0;
}

/** cksum [files]: POSIX's cyclic sum. */
export const cksum: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, '');
  return eachInput(tool, operands, async (input, name) => {
    const bytes = await input.bytes();
    await tool.stdout.write(`${posixSum(bytes)} ${bytes.length}${operands.length === 0 ? '' : ` ${name}`}\n`);
  });
};

/** sum [-rs] [files]. */
export const sum: Applet = async (tool) => {
  const { operands, order } = parseOptions(tool.args, 'rs', { sysv: 's' });
  const isSystemV = order.at(-1)?.[0] === 's';
  return eachInput(tool, operands, async (input, name) => {
    const bytes = await input.bytes();
    let value = 0;
    for (const byte of bytes) value = isSystemV ? value + byte : ((value >> 1) + ((value & 1) << 15) + byte) & 0xffff;
    const folded = (value & 0xffff) + Math.floor((value % 2 ** 32) / 65536);
    const shown = isSystemV ? String((folded & 0xffff) + (folded >> 16)) : String(value).padStart(5, '0');
    const blocks = String(Math.ceil(bytes.length / (isSystemV ? 512 : 1024)));
    await tool.stdout.write(
      `${shown} ${isSystemV ? blocks : blocks.padStart(5)}${operands.length === 0 ? '' : ` ${name}`}\n`,
    );
  });
};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** base32 [-di] [-w columns] [file]. */
export const base32: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'dw:i', { decode: 'd', 'wrap=': 'w', 'ignore-garbage': 'i' });
  if (parsed.operands.length > 1) throw new UsageError(`extra operand ‘${parsed.operands[1]}’`);
  return eachInput(tool, parsed.operands, async (input) => {
    const bytes = await input.bytes();
    if (parsed.flags.has('d')) return decode(tool.stdout, bytes.toString('latin1'), parsed.flags.has('i'));
    const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const letters = (bits.match(/.{1,5}/g) ?? [])
      .map((five) => LETTERS[Number.parseInt(five.padEnd(5, '0'), 2)])
      .join('');
    const text = letters.padEnd(Math.ceil(letters.length / 8) * 8, '=');
    const width = Number(lastValue(parsed, 'w') ?? 76);
    await tool.stdout.write(width === 0 ? text : text.replace(new RegExp(`.{1,${width}}`, 'g'), '$&\n'));
  });
};

async function decode(
  stdout: { write(part: Uint8Array): void | Promise<void> },
  given: string,
  isLenient: boolean,
): Promise<void> {
  const text = isLenient ? given.replace(/[^A-Z2-7=]/g, '') : given.replace(/\n/g, '');
  const good = /^(?:[A-Z2-7]{8})*(?:[A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=)?/.exec(text)![0];
  const bits = [...good.replace(/=/g, '')]
    .map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  await stdout.write(Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))));
  if (good.length < text.length) throw new UsageError('invalid input');
}
