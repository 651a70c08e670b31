// factor: the primes of whole numbers, by division, so that numbers with large primes are refused, not waited for.
import { parseOptions } from './options';
import { type Applet, complain, type Tool, UsageError } from './tool';

const MOST_STEPS = 20_000_000n;

async function print(tool: Tool, text: string): Promise<boolean> {
  if (!/^\+?\d+$/.test(text)) {
    await complain(tool, `‘${text}’ is not a valid positive integer`);
    return false;
  }
  let rest = BigInt(text.replace('+', ''));
  const factors: bigint[] = [];
  for (let by = 2n; by * by <= rest; by += by === 2n ? 1n : 2n) {
    if (by > MOST_STEPS) throw new UsageError(`${text}: its primes are too large to be found here`);
    for (; rest % by === 0n; rest /= by) factors.push(by);
  }
  if (rest > 1n) factors.push(rest);
  await tool.stdout.write(`${BigInt(text.replace('+', ''))}:${factors.map((factor) => ` ${factor}`).join('')}\n`);
  return true;
}

/** factor [numbers], or the words of the standard input. */
export const factor: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, '');
  const words = operands.length > 0 ? operands : (await tool.stdin.text()).split(/\s+/).filter((word) => word !== '');
  let status = 0;
  for (const word of words) if (!(await print(tool, word))) status = 1;
  return status;
};
