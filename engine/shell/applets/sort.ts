// sort, comm, join, tr: ordering and translating.
import fs from 'node:fs';
import { byteText, compareText, encodeText } from '../io/text';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, eachInput, readText, resolvePath, type Tool, UsageError } from './tool';

interface Key {
  fromField: number;
  fromCharacter: number;
  toField: number | undefined;
  toCharacter: number;
  options: Set<string>;
}

const KINDS = 'bdfghiMnrRV';

function parseKey(text: string): Key {
  const match = text.match(/^(\d+)(?:\.(\d+))?([A-Za-z]*)(?:,(\d+)(?:\.(\d+))?([A-Za-z]*))?$/);
  if (!match || match[1] === '0')
    throw new UsageError(`invalid number at field start: invalid count at start of ‘${text}’`, 2);
  const letters = `${match[3] ?? ''}${match[6] ?? ''}`;
  for (const letter of letters)
    if (!KINDS.includes(letter))
      throw new UsageError(`stray character in field spec: invalid field specification ‘${text}’`, 2);
  return {
    fromField: Number(match[1]),
    fromCharacter: Number(match[2] ?? 1),
    toField: match[4] === undefined ? undefined : Number(match[4]),
    toCharacter: Number(match[5] ?? 0),
    options: new Set(letters),
  };
}

function keyText(line: string, key: Key, separator: string | undefined): string {
  const fields = separator === undefined ? (line.match(/[ \t]*[^ \t]+|[ \t]+$/g) ?? []) : line.split(separator);
  const joint = separator ?? '';
  let first = fields[key.fromField - 1] ?? '';
  if (key.options.has('b')) first = first.replace(/^[ \t]+/, '');
  if (key.toField === undefined)
    return [first.slice(key.fromCharacter - 1), ...fields.slice(key.fromField)].join(joint);
  if (key.toField < key.fromField) return '';
  if (key.toField === key.fromField) return first.slice(key.fromCharacter - 1, key.toCharacter || undefined);
  const last = fields[key.toField - 1] ?? '';
  return [
    first.slice(key.fromCharacter - 1),
    ...fields.slice(key.fromField, key.toField - 1),
    key.toCharacter ? last.slice(0, key.toCharacter) : last,
  ].join(joint);
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

function numberOf(text: string): number {
  return Number(text.match(/^[ \t]*(-?\d*\.?\d*)/)![1]) || 0;
}

function humanOf(text: string): number {
  return Number(text.match(/^[ \t]*(-?\d*\.?\d*)/)![1]) || 0;
}

/** By sign and unit first, whatever the numbers: 3000 comes before 2K. */
function compareHuman(a: string, b: string): number {
  const order = (text: string) => {
    const unit = text.match(/^[ \t]*-?\d*\.?\d*([kKMGTPEZY]?)/)![1]!.toUpperCase();
    return (unit === '' ? 0 : 'KMGTPEZY'.indexOf(unit) + 1) * (/^[ \t]*-/.test(text) ? -1 : 1);
  };
  return order(a) - order(b) || humanOf(a) - humanOf(b);
}

/** Texts that are no number come first, then NaN, then the numbers. */
function compareGeneral(a: string, b: string): number {
  const value = (text: string): [number, number] => {
    const match = text.match(
      /^[ \t]*([-+]?)(?:(inf(?:inity)?)|(nan)|(0x[0-9a-f]+)|((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))/i,
    );
    if (!match) return [0, 0];
    if (match[3]) return [1, 0];
    const size = match[2] ? Number.POSITIVE_INFINITY : Number(match[4] ?? match[5]);
    return [2, match[1] === '-' ? -size : size];
  };
  const [[kind, first], [other, second]] = [value(a), value(b)];
  return kind - other || (first < second ? -1 : first > second ? 1 : 0);
}

/** Version order of `sort -V` and `ls -v`. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => text.match(/\d+|\D+/g) ?? []);
  for (let i = 0; i < Math.max(first!.length, second!.length); i++) {
    const [x, y] = [first![i] ?? '', second![i] ?? ''];
    const order = /^\d/.test(x) && /^\d/.test(y) ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
    if (order !== 0) return order;
  }
  return 0;
}

function compareBy(a: string, b: string, options: Set<string>): number {
  let order: number;
  if (options.has('n')) order = numberOf(a) - numberOf(b);
  else if (options.has('g')) order = compareGeneral(a, b);
  else if (options.has('h')) order = compareHuman(a, b);
  else if (options.has('M'))
    order = MONTHS.indexOf(a.trim().slice(0, 3).toUpperCase()) - MONTHS.indexOf(b.trim().slice(0, 3).toUpperCase());
  else if (options.has('V')) order = compareVersions(a, b);
  else {
    const prepare = (text: string) => {
      let result = options.has('b') ? text.replace(/^[ \t]+/, '') : text;
      if (options.has('d')) result = result.replace(/[^\p{L}\p{N} \t]/gu, '');
      return options.has('f') ? result.toUpperCase() : result;
    };
    const [x, y] = [prepare(a), prepare(b)];
    order = compareText(x, y);
  }
  return options.has('r') ? -order : order;
}

/** sort [-bdfghMnrRVuscmz] [-k key] [-t x] [-o file]. */
export const sort: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'bdfghiMnrRVk:t:uo:scCmzS:T:',
    {
      'ignore-leading-blanks': 'b',
      'dictionary-order': 'd',
      'ignore-case': 'f',
      'general-numeric-sort': 'g',
      'human-numeric-sort': 'h',
      'month-sort': 'M',
      'numeric-sort': 'n',
      reverse: 'r',
      'random-sort': 'R',
      'version-sort': 'V',
      'key=': 'k',
      'field-separator=': 't',
      unique: 'u',
      'output=': 'o',
      stable: 's',
      check: 'c',
      merge: 'm',
      'zero-terminated': 'z',
    },
    { status: 2 },
  );
  const { flags } = parsed;
  const global = new Set([...flags].filter((letter) => KINDS.includes(letter)));
  let separator = lastValue(parsed, 't');
  if (separator === '\\0') separator = '\0';
  if (separator !== undefined && [...separator].length !== 1)
    throw new UsageError(`multi-character tab ‘${separator}’`, 2);
  const keys = (parsed.values.get('k') ?? []).map(parseKey);
  for (const key of keys)
    if (key.options.size === 0 || (key.options.size === 1 && key.options.has('b')))
      for (const letter of global) key.options.add(letter);
  const ending = flags.has('z') ? '\0' : '\n';
  const lines: string[] = [];
  const status = await eachInput(
    tool,
    parsed.operands,
    async (input) => {
      for (const line of await input.lines(ending)) lines.push(line);
    },
    2,
  );
  if (status !== 0) return status;
  const byKeys = (a: string, b: string) => {
    if (keys.length === 0) return compareBy(a, b, global);
    for (const key of keys) {
      const order = compareBy(keyText(a, key, separator), keyText(b, key, separator), key.options);
      if (order !== 0) return order;
    }
    return 0;
  };
  const compare = (a: string, b: string) => {
    const order = byKeys(a, b);
    if (order !== 0 || flags.has('s') || flags.has('u')) return order;
    const plain = compareText(a, b);
    return flags.has('r') ? -plain : plain;
  };
  if (flags.has('c') || flags.has('C')) {
    for (let i = 1; i < lines.length; i++) {
      if (compare(lines[i - 1]!, lines[i]!) <= (flags.has('u') ? -1 : 0)) continue;
      if (flags.has('c')) await complain(tool, `${parsed.operands[0] ?? '-'}:${i + 1}: disorder: ${lines[i]}`);
      return 1;
    }
    return 0;
  }
  if (flags.has('R'))
    for (let i = lines.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [lines[i], lines[j]] = [lines[j]!, lines[i]!];
    }
  else lines.sort(compare);
  const result = flags.has('u')
    ? lines.filter((line, position) => position === 0 || byKeys(lines[position - 1]!, line) !== 0)
    : lines;
  const text = result.map((line) => line + ending).join('');
  const target = lastValue(parsed, 'o');
  if (target === undefined) await tool.stdout.write(text);
  else fs.writeFileSync(resolvePath(tool, target), encodeText(text));
  return 0;
};

/** The characters of a `tr` set. */
function expandSet(text: string): string[] {
  const result: string[] = [];
  const classes: Record<string, string> = {
    digit: '0123456789',
    lower: 'abcdefghijklmnopqrstuvwxyz',
    upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    space: '\t\n\v\f\r ',
    blank: '\t ',
    xdigit: '0123456789ABCDEFabcdef',
    punct: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    cntrl: `${Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('')}\x7f`,
  };
  classes.alpha = classes.upper! + classes.lower!;
  classes.alnum = classes.digit! + classes.alpha;
  classes.graph = Array.from({ length: 94 }, (_, code) => String.fromCharCode(code + 33)).join('');
  classes.print = ` ${classes.graph}`;
  const units: string[] = [];
  const escaped: boolean[] = [];
  for (const match of text.matchAll(/\\([0-7]{1,3}|[\s\S])|[\s\S]/gu)) {
    const letter = match[1];
    units.push(
      letter === undefined
        ? match[0]
        : /^[0-7]/.test(letter)
          ? String.fromCharCode(Number.parseInt(letter, 8))
          : ({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }[letter] ?? letter),
    );
    escaped.push(letter !== undefined);
  }
  for (let i = 0; i < units.length; i++) {
    const named =
      units[i] === '[' && !escaped[i]
        ? units
            .slice(i)
            .join('')
            .match(/^\[:(\w+):\]/)
        : null;
    const repeated =
      units[i] === '[' && !escaped[i]
        ? units
            .slice(i)
            .join('')
            .match(/^\[(.)\*(\d*)\]/s)
        : null;
    if (named) {
      if (!classes[named[1]!]) throw new UsageError(`invalid character class ‘${named[1]}’`);
      result.push(...classes[named[1]!]!);
      i += named[0].length - 1;
    } else if (repeated) {
      result.push(...Array<string>(Number(repeated[2]) || 1000).fill(repeated[1]!));
      i += repeated[0].length - 1;
    } else if (units[i + 1] === '-' && !escaped[i + 1] && i + 2 < units.length) {
      const [from, to] = [units[i]!.codePointAt(0)!, units[i + 2]!.codePointAt(0)!];
      if (from > to)
        throw new UsageError(
          `range-endpoints of '${units[i]}-${units[i + 2]}' are in reverse collating sequence order`,
        );
      for (let code = from; code <= to; code++) result.push(String.fromCodePoint(code));
      i += 2;
    } else result.push(units[i]!);
  }
  return result;
}

/** tr [-cdst] set1 [set2]. */
export const tr: Applet = async (tool) => {
  const { flags, operands } = parseOptions(
    tool.args,
    'cCdst',
    { complement: 'c', delete: 'd', 'squeeze-repeats': 's', 'truncate-set1': 't' },
    { permute: false },
  );
  const [first, second] = operands;
  if (first === undefined) throw new UsageError("missing operand\nTry 'tr --help' for more information.");
  if (second === undefined && !flags.has('d') && !flags.has('s'))
    throw new UsageError(
      `missing operand after ‘${first}’\nTwo strings must be given when translating.\nTry 'tr --help' for more information.`,
    );
  if (operands.length > 2 || (second !== undefined && flags.has('d') && !flags.has('s')))
    throw new UsageError(`extra operand ‘${operands[flags.has('d') && !flags.has('s') ? 1 : 2]}’`);
  const from = expandSet(byteText(first));
  const to = second === undefined ? [] : expandSet(byteText(second));
  const members = new Set(from);
  const complement = flags.has('c') || flags.has('C');
  const inside = (character: string) => members.has(character) !== complement;
  const map = new Map<string, string>();
  if (second !== undefined && !flags.has('d'))
    for (const [position, character] of from.entries())
      if (!map.has(character) || !complement) map.set(character, to[Math.min(position, to.length - 1)]!);
  const squeezed = flags.has('s') ? (second !== undefined ? new Set(to) : undefined) : null;
  const squeezes = (character: string) => squeezed !== null && (squeezed ? squeezed.has(character) : inside(character));
  let last = '';
  const translate = (chunk: Uint8Array): Buffer => {
    let result = '';
    for (const character of Buffer.from(chunk).toString('latin1')) {
      if (flags.has('d') && inside(character)) continue;
      let mapped = character;
      if (second !== undefined && !flags.has('d'))
        mapped = complement ? (inside(character) ? to.at(-1)! : character) : (map.get(character) ?? character);
      if (squeezes(mapped) && last === mapped) continue;
      last = mapped;
      result += mapped;
    }
    return Buffer.from(result, 'latin1');
  };
  for await (const chunk of tool.stdin.chunks()) await tool.stdout.write(translate(chunk));
  return 0;
};

async function sortedLines(tool: Tool, name: string): Promise<string[]> {
  const text = await readText(tool, name);
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** comm [-123] file1 file2. */
export const comm: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, '123', { 'check-order': 'k', 'nocheck-order': 'K' });
  if (operands.length < 2)
    throw new UsageError(operands.length === 0 ? 'missing operand' : `missing operand after ‘${operands[0]}’`);
  const [a, b] = [await sortedLines(tool, operands[0]!), await sortedLines(tool, operands[1]!)];
  const indent = (column: number) =>
    '\t'.repeat([1, 2].filter((before) => before < column && !flags.has(String(before))).length);
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const order = i >= a.length ? 1 : j >= b.length ? -1 : compareText(a[i]!, b[j]!);
    const column = order < 0 ? 1 : order > 0 ? 2 : 3;
    const line = column === 2 ? b[j]! : a[i]!;
    if (!flags.has(String(column))) await tool.stdout.write(`${indent(column)}${line}\n`);
    if (column !== 2) i++;
    if (column !== 1) j++;
  }
  return 0;
};

/** join [-1 N] [-2 N] [-j N] [-t x] [-a N] [-v N] [-e text] [-o list] file1 file2. */
export const join: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, '1:2:j:t:a:v:e:o:i', { 'ignore-case': 'i' });
  if (parsed.operands.length !== 2) throw new UsageError('missing operand');
  const separator = lastValue(parsed, 't');
  const split = (line: string) => (separator === undefined ? line.trim().split(/[ \t]+/) : line.split(separator));
  const keys = [
    Number(lastValue(parsed, '1') ?? lastValue(parsed, 'j') ?? 1),
    Number(lastValue(parsed, '2') ?? lastValue(parsed, 'j') ?? 1),
  ];
  const [left, right] = [
    (await sortedLines(tool, parsed.operands[0]!)).map(split),
    (await sortedLines(tool, parsed.operands[1]!)).map(split),
  ];
  const joint = separator ?? ' ';
  const empty = lastValue(parsed, 'e') ?? '';
  const order = lastValue(parsed, 'o')?.split(/[, ]/);
  const unpaired = new Set([...(parsed.values.get('a') ?? []), ...(parsed.values.get('v') ?? [])]);
  const keyOf = (row: string[], side: number) =>
    parsed.flags.has('i') ? (row[keys[side]! - 1] ?? '').toLowerCase() : (row[keys[side]! - 1] ?? '');
  const emit = async (a: string[] | undefined, b: string[] | undefined) => {
    const key = (a ? a[keys[0]! - 1] : b![keys[1]! - 1]) ?? '';
    const rest = (row: string[] | undefined, side: number) =>
      row ? row.filter((_, position) => position !== keys[side]! - 1) : [];
    const cells = order
      ? order.map((spec) => (spec === '0' ? key : ((spec[0] === '1' ? a : b)?.[Number(spec.slice(2)) - 1] ?? empty)))
      : [key, ...rest(a, 0), ...rest(b, 1)];
    await tool.stdout.write(`${cells.join(joint)}\n`);
  };
  const matched = new Set<string[]>();
  for (const a of left) {
    const pairs = right.filter((b) => keyOf(b, 1) === keyOf(a, 0));
    for (const b of pairs) {
      matched.add(b);
      if (!parsed.values.has('v')) await emit(a, b);
    }
    if (pairs.length === 0 && unpaired.has('1')) await emit(a, undefined);
  }
  if (unpaired.has('2')) for (const b of right) if (!matched.has(b)) await emit(undefined, b);
  return 0;
};
