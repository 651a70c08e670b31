// expand and unexpand: tabs to blanks and back.
import { columnsOf } from '../interactive/cells';
import { parseOptions } from './options';
import { type Applet, eachInput, UsageError } from './tool';

/** The next stop behind a column; undefined past the last one of a list. */
type Stops = (column: number) => number | undefined;

function stopsOf(lists: readonly string[]): Stops {
  const words = lists.flatMap((list) => list.split(/[,\s]+/)).filter((word) => word !== '');
  for (const word of words) {
    if (/[^\d]/.test(word.replace(/^[/+]/, '')))
      throw new UsageError(`tab size contains invalid character(s): ‘${word.replace(/^\d*/, '')}’`);
    if (Number(word.replace(/^[/+]/, '')) === 0) throw new UsageError('tab size cannot be 0');
  }
  const repeated = /^[/+]/.test(words.at(-1) ?? '') ? words.pop()! : undefined;
  const numbers = words.map(Number);
  if (numbers.some((number, at) => at > 0 && number <= numbers[at - 1]!))
    throw new UsageError('tab sizes must be ascending');
  const size = Number(repeated?.slice(1) ?? 0);
  if (numbers.length === 1 && size === 0) return (column) => (Math.floor(column / numbers[0]!) + 1) * numbers[0]!;
  const last = numbers.at(-1) ?? 0;
  const start = repeated?.startsWith('+') ? last : 0;
  return (column) => {
    const listed = numbers.find((number) => number > column);
    if (listed !== undefined) return listed;
    return size > 0
      ? start + (Math.floor((column - start) / size) + 1) * size
      : numbers.length === 0
        ? (Math.floor(column / 8) + 1) * 8
        : undefined;
  };
}

/** expand [-i] [-t list] [files]. */
export const expand: Applet = async (tool) => {
  const parsed = parseOptions(shorthand(tool.args), 'it:', { initial: 'i', 'tabs=': 't' });
  const stops = stopsOf(parsed.values.get('t') ?? []);
  const onlyInitial = parsed.flags.has('i');
  return eachInput(tool, parsed.operands, async (input) => {
    for await (const { lines, ended } of input.batches())
      for (const [at, line] of lines.entries())
        await tool.stdout.write(`${expandLine(line, stops, onlyInitial)}${ended || at < lines.length - 1 ? '\n' : ''}`);
  });
};

function expandLine(line: string, stops: Stops, onlyInitial: boolean): string {
  let out = '';
  let column = 0;
  let isInitial = true;
  for (const character of line) {
    if (character === '\t' && (isInitial || !onlyInitial)) {
      const to = stops(column) ?? column + 1;
      out += ' '.repeat(to - column);
      column = to;
      continue;
    }
    if (character !== ' ' && character !== '\t') isInitial = false;
    column = character === '\b' ? Math.max(0, column - 1) : column + Buffer.byteLength(character);
    out += character;
  }
  return out;
}

/** `-4` and `-4,8` are old forms of `-t`. */
function shorthand(args: readonly string[]): string[] {
  return args.map((word) => (/^-\d[\d,]*$/.test(word) ? `-t${word.slice(1)}` : word));
}

/** unexpand [-a] [--first-only] [-t list] [files]. */
export const unexpand: Applet = async (tool) => {
  const parsed = parseOptions(shorthand(tool.args), 'at:', { all: 'a', 'first-only': 'first', 'tabs=': 't' });
  const stops = stopsOf(parsed.values.get('t') ?? []);
  const isEverywhere = (parsed.flags.has('a') || parsed.values.has('t')) && !parsed.flags.has('first');
  return eachInput(tool, parsed.operands, async (input) => {
    for await (const { lines, ended } of input.batches())
      for (const [at, line] of lines.entries())
        await tool.stdout.write(
          `${unexpandLine(line, stops, isEverywhere)}${ended || at < lines.length - 1 ? '\n' : ''}`,
        );
  });
};

function unexpandLine(line: string, stops: Stops, isEverywhere: boolean): string {
  let column = 0;
  let out = '';
  for (const { 0: part, index } of line.matchAll(/[ \t]+|[^ \t]+/g)) {
    if (!/^[ \t]/.test(part)) {
      if (!isEverywhere) return out + line.slice(index);
      out += part;
      column += columnsOf(part);
      continue;
    }
    let end = column;
    for (const blank of part) end = blank === '\t' ? (stops(end) ?? end + 1) : end + 1;
    let stop = stops(column);
    // One blank before a stop, with no other behind it, stays one.
    while (stop !== undefined && stop <= end && !(stop === column + 1 && stop === end && part === ' ')) {
      out += '\t';
      column = stop;
      stop = stops(column);
    }
    out += ' '.repeat(end - column);
    column = end;
  }
  return out;
}
