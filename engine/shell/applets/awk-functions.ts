// The functions of awk.
import { printf } from '../builtins/printf';
import type { Memory } from './awk-memory';
import type { Streams } from './awk-streams';
import type { Expression } from './awk-tree';
import { fromInput, toBoolean, toNumber, type Value } from './awk-values';
import { strftime } from './strftime';
import { UsageError } from './tool';

/** What a function needs of the interpreter. */
export interface Evaluator extends Memory {
  readonly streams: Streams;
  /** State of rand(). */
  seed: number;
  random: number;
  value(expression: Expression): Promise<Value>;
  regex(pattern: Expression): Promise<RegExp>;
  store(target: Expression, value: Value): Promise<Value>;
}

/** Calls a function of the language. */
export async function callBuiltin(host: Evaluator, name: string, args: Expression[]): Promise<Value> {
  if (name === 'length' && args[0]?.type === 'name') {
    const frame = host.frames.at(-1);
    const known = frame?.has(args[0].name) ? frame.get(args[0].name) : host.globals.get(args[0].name);
    if (known instanceof Map) return known.size;
  }
  if (name === 'split') return splitInto(host, args);
  if (name === 'sub' || name === 'gsub') return substitute(host, name === 'gsub', args);
  if (name === 'match') return match(host, args);
  if (name === 'asort' || name === 'asorti') {
    const table = host.table((args[0] as { name: string }).name);
    const items = (name === 'asort' ? [...table.values()] : [...table.keys()]).sort((a, b) =>
      typeof a === 'string' || typeof b === 'string'
        ? host.text(a) < host.text(b)
          ? -1
          : 1
        : toNumber(a) - toNumber(b),
    );
    const into = args[1] ? host.table((args[1] as { name: string }).name) : table;
    into.clear();
    for (const [position, item] of items.entries()) into.set(String(position + 1), item);
    return items.length;
  }
  if (name === 'gensub') {
    const regex = await host.regex(args[0]!);
    const replacement = host.text(await host.value(args[1]!));
    const how = host.text(await host.value(args[2]!));
    const text = args[3] ? host.text(await host.value(args[3])) : host.wholeRecord();
    let count = 0;
    return text.replace(regex, (...groups) =>
      ++count === Number(how) || /^[gG]/.test(how)
        ? replacement.replace(/\\(\d|\\|&)|&/g, (whole, letter?: string) =>
            letter === undefined
              ? groups[0]
              : /\d/.test(letter)
                ? (groups[Number(letter)] ?? '')
                : letter === '&'
                  ? '&'
                  : whole.slice(1),
          )
        : groups[0],
    );
  }
  const values: Value[] = [];
  for (const arg of args) values.push(await host.value(arg));
  const text = (at: number) => host.text(values[at]);
  const number = (at: number) => toNumber(values[at]);
  switch (name) {
    case 'length':
      return args.length === 0 ? [...host.wholeRecord()].length : [...text(0)].length;
    case 'substr': {
      const characters = [...text(0)];
      const from = Math.round(number(1));
      const to = args.length > 2 ? from + Math.round(number(2)) : Number.POSITIVE_INFINITY;
      return characters.slice(Math.max(0, from - 1), Math.max(0, to - 1)).join('');
    }
    case 'index':
      return text(0).indexOf(text(1)) + 1;
    case 'sprintf':
      return printf(
        text(0),
        values.slice(1).map((value) => host.text(value)),
      ).text;
    case 'tolower':
      return text(0).toLowerCase();
    case 'toupper':
      return text(0).toUpperCase();
    case 'sin':
      return Math.sin(number(0));
    case 'cos':
      return Math.cos(number(0));
    case 'atan2':
      return Math.atan2(number(0), number(1));
    case 'exp':
      return Math.exp(number(0));
    case 'log':
      return Math.log(number(0));
    case 'sqrt':
      return Math.sqrt(number(0));
    case 'int':
      return Math.trunc(number(0));
    case 'rand':
      host.random = (host.random * 48271) % 2147483647;
      return host.random / 2147483647;
    case 'srand': {
      const before = host.seed;
      host.seed = args.length > 0 ? number(0) : Math.floor(Date.now() / 1000);
      host.random = (Math.abs(host.seed) % 2147483646) + 1;
      return before;
    }
    case 'and':
      return Number(BigInt(number(0)) & BigInt(number(1)));
    case 'or':
      return Number(BigInt(number(0)) | BigInt(number(1)));
    case 'xor':
      return Number(BigInt(number(0)) ^ BigInt(number(1)));
    case 'lshift':
      return number(0) * 2 ** number(1);
    case 'rshift':
      return Math.floor(number(0) / 2 ** number(1));
    case 'systime':
      return Math.floor(Date.now() / 1000);
    case 'strftime':
      return strftime(
        args.length > 0 ? text(0) : '%a %b %e %H:%M:%S %Z %Y',
        args.length > 1 ? new Date(number(1) * 1000) : new Date(),
        args.length > 2 && toBoolean(values[2]),
      );
    case 'mktime': {
      const [year, month, day, hour, minute, second] = text(0).split(/\s+/).map(Number);
      return Math.floor(new Date(year!, month! - 1, day, hour, minute, second).getTime() / 1000);
    }
    case 'system':
      await host.streams.flush();
      return host.tool.run(['sh', '-c', text(0)]);
    case 'close':
      return host.streams.close(text(0));
    case 'fflush':
      await host.streams.flush();
      return 0;
    default:
      throw new UsageError(`function ${name} is not supported`, 2);
  }
}

async function splitInto(host: Evaluator, args: Expression[]): Promise<Value> {
  const text = host.text(await host.value(args[0]!));
  const table = host.table((args[1] as { name: string }).name);
  const separator = args[2];
  let parts: string[];
  if (separator?.type === 'regex')
    parts =
      text === ''
        ? []
        : host.split(
            text,
            separator.regex.source === ' '
              ? '[ ]'
              : separator.regex.source.length === 1
                ? `(?:${separator.regex.source})`
                : separator.regex.source,
          );
  else
    parts = host.split(
      text,
      separator ? host.text(await host.value(separator)) : host.text(host.globals.get('FS') as Value),
    );
  table.clear();
  for (const [position, part] of parts.entries()) table.set(String(position + 1), fromInput(part));
  return parts.length;
}

async function substitute(host: Evaluator, all: boolean, args: Expression[]): Promise<Value> {
  const source = await host.regex(args[0]!);
  const replacement = host.text(await host.value(args[1]!));
  const target: Expression = args[2] ?? { type: 'field', index: { type: 'number', value: 0 } };
  const text = host.text(await host.value(target));
  const fill = (match: string) =>
    replacement.replace(/\\\\|\\&|&/g, (part) => (part === '&' ? match : part === '\\&' ? '&' : '\\'));
  let count = 0;
  const regex = all ? source : new RegExp(source.source, source.flags.replace('g', ''));
  let last = -1;
  const result = text.replace(regex, (...groups) => {
    const match = groups[0] as string;
    const at = groups.at(typeof groups.at(-1) === 'object' ? -3 : -2) as number;
    // An empty match right after another match does not count.
    if (match === '' && at === last) return '';
    last = at + match.length;
    count++;
    return fill(match);
  });
  if (count > 0) await host.store(target, result);
  return count;
}

async function match(host: Evaluator, args: Expression[]): Promise<Value> {
  const text = host.text(await host.value(args[0]!));
  const match = (await host.regex(args[1]!)).exec(text);
  host.globals.set('RSTART', match ? match.index + 1 : 0);
  host.globals.set('RLENGTH', match ? match[0].length : -1);
  if (args[2]) {
    const table = host.table((args[2] as { name: string }).name);
    table.clear();
    if (match)
      for (const [position, group] of match.entries())
        if (group !== undefined) table.set(String(position), fromInput(group));
  }
  return match ? match.index + 1 : 0;
}
