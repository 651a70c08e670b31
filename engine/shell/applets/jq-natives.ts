// The functions of jq that take plain values.

import type { JqHost } from './jq-host';
import { deletePaths, setPath } from './jq-paths';
import { brokenDown, format, matches, need, text } from './jq-text';
import { brief, compareValues, JqError, type JsonObject, operate, truthy, typeOf } from './jq-values';
import { strftime } from './strftime';

type Native = (host: JqHost, input: any, args: any[]) => unknown;

function keysOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, position) => position);
  if (typeOf(value) === 'object') return Object.keys(value as object);
  throw new JqError(`${brief(value)} has no keys`);
}

export function contains(a: unknown, b: unknown): boolean {
  if (typeOf(a) !== typeOf(b)) throw new JqError(`${brief(a)} and ${brief(b)} cannot have their containment checked`);
  if (typeof a === 'string') return a.includes(b as string);
  if (Array.isArray(a))
    return (b as unknown[]).every((item) => a.some((other) => typeOf(other) === typeOf(item) && contains(other, item)));
  if (typeOf(a) === 'object')
    return Object.entries(b as JsonObject).every(
      ([key, item]) =>
        Object.hasOwn(a as object, key) &&
        typeOf((a as JsonObject)[key]) === typeOf(item) &&
        contains((a as JsonObject)[key], item),
    );
  return compareValues(a, b) === 0;
}

function flatten(value: unknown[], depth: number): unknown[] {
  return value.flatMap((item) => (Array.isArray(item) && depth > 0 ? flatten(item, depth - 1) : [item]));
}

function byKeys(input: unknown[], keys: unknown[]): [unknown, unknown][] {
  return input
    .map((item, position): [unknown, unknown] => [keys[position], item])
    .sort((a, b) => compareValues(a[0], b[0]));
}

function toNumber(input: unknown): number {
  if (typeof input === 'number') return input;
  if (typeof input === 'string' && input.trim() !== '' && !Number.isNaN(Number(input))) return Number(input);
  throw new JqError(`${brief(input)} cannot be parsed as a number`);
}

const math =
  (
    name:
      | 'floor'
      | 'ceil'
      | 'sqrt'
      | 'round'
      | 'trunc'
      | 'exp'
      | 'log'
      | 'log2'
      | 'log10'
      | 'sin'
      | 'cos'
      | 'tan'
      | 'asin'
      | 'acos'
      | 'atan'
      | 'cbrt'
      | 'fabs',
  ): Native =>
  (_, input) => {
    need('number', input, 'number required');
    return name === 'fabs'
      ? Math.abs(input)
      : name === 'round'
        ? Math.sign(input) * Math.round(Math.abs(input))
        : Math[name](input);
  };

/** Natives with plain arguments: every combination of argument values is one call. */
export const NATIVES: Record<string, Native> = {
  'not/0': (_, input) => !truthy(input),
  'type/0': (_, input) => typeOf(input),
  'length/0': (_, input) => {
    if (input === null) return 0;
    if (typeof input === 'string') return [...input].length;
    if (typeof input === 'number') return Math.abs(input);
    if (typeof input === 'boolean') throw new JqError(`${brief(input)} has no length`);
    return Array.isArray(input) ? input.length : Object.keys(input).length;
  },
  'utf8bytelength/0': (_, input) => Buffer.byteLength(input),
  'keys/0': (_, input) => keysOf(input).sort(compareValues),
  'keys_unsorted/0': (_, input) => keysOf(input),
  'has/1': (_, input, [key]) => {
    if (Array.isArray(input) && typeof key === 'number') return key >= 0 && key < input.length;
    if (typeOf(input) === 'object' && typeof key === 'string') return Object.hasOwn(input, key);
    throw new JqError(`Cannot check whether ${typeOf(input)} has a ${typeOf(key)} key`);
  },
  'contains/1': (_, input, [other]) => contains(input, other),
  'add/0': (_, input) =>
    (Array.isArray(input) ? input : Object.values(input ?? {})).reduce(
      (sum: unknown, item) => operate('+', sum, item),
      null,
    ),
  'sort/0': (_, input) => {
    need('array', input, 'cannot be sorted, as it is not an array');
    return [...input].sort(compareValues);
  },
  'sort_by_keys/1': (_, input, [keys]) => byKeys(input, keys).map(([, item]) => item),
  'group_by_keys/1': (_, input, [keys]) => {
    const groups: unknown[][] = [];
    let last: unknown;
    for (const [key, item] of byKeys(input, keys)) {
      if (groups.length > 0 && compareValues(key, last) === 0) groups.at(-1)!.push(item);
      else groups.push([item]);
      last = key;
    }
    return groups;
  },
  'min_by_keys/1': (_, input, [keys]) => byKeys(input, keys)[0]?.[1] ?? null,
  'max_by_keys/1': (_, input, [keys]) => byKeys(input, keys).at(-1)?.[1] ?? null,
  'unique/0': (_, input) =>
    [...input].sort(compareValues).filter((item, at, all) => at === 0 || compareValues(all[at - 1], item) !== 0),
  'min/0': (_, input) => [...input].sort(compareValues)[0] ?? null,
  'max/0': (_, input) => [...input].sort(compareValues).at(-1) ?? null,
  'reverse/0': (_, input) =>
    typeof input === 'string' ? [...input].reverse().join('') : input === null ? [] : [...input].reverse(),
  'flatten/0': (_, input) => flatten(Array.isArray(input) ? input : Object.values(input), Number.POSITIVE_INFINITY),
  'flatten/1': (_, input, [depth]) => {
    if (depth < 0) throw new JqError('flatten depth must not be negative');
    return flatten(input, depth);
  },
  'tostring/0': (_, input) => text(input),
  'tonumber/0': (_, input) => toNumber(input),
  'tojson/0': (_, input) => format('json', input),
  'fromjson/0': (_, input) => {
    try {
      return JSON.parse(input);
    } catch {
      throw new JqError(`${input} (while parsing '${input}')`);
    }
  },
  'ascii_downcase/0': (_, input) => {
    need('string', input, 'cannot be lowercased');
    return input.replace(/[A-Z]/g, (letter: string) => letter.toLowerCase());
  },
  'ascii_upcase/0': (_, input) => {
    need('string', input, 'cannot be uppercased');
    return input.replace(/[a-z]/g, (letter: string) => letter.toUpperCase());
  },
  'explode/0': (_, input) => [...input].map((character) => character.codePointAt(0)),
  'implode/0': (_, input) => String.fromCodePoint(...input),
  'startswith/1': (_, input, [start]) => {
    if (typeof input !== 'string' || typeof start !== 'string')
      throw new JqError('startswith() requires string inputs');
    return input.startsWith(start);
  },
  'endswith/1': (_, input, [end]) => {
    if (typeof input !== 'string' || typeof end !== 'string') throw new JqError('endswith() requires string inputs');
    return input.endsWith(end);
  },
  'ltrimstr/1': (_, input, [start]) =>
    typeof input === 'string' && typeof start === 'string' && input.startsWith(start)
      ? input.slice(start.length)
      : input,
  'rtrimstr/1': (_, input, [end]) =>
    typeof input === 'string' && typeof end === 'string' && end !== '' && input.endsWith(end)
      ? input.slice(0, -end.length)
      : input,
  'trim/0': (_, input) => input.trim(),
  'ltrim/0': (_, input) => input.trimStart(),
  'rtrim/0': (_, input) => input.trimEnd(),
  'split/1': (_, input, [separator]) => {
    if (typeof input !== 'string' || typeof separator !== 'string')
      throw new JqError('split input and separator must be strings');
    return input === '' ? [] : separator === '' ? [...input] : input.split(separator);
  },
  'split/2': (_, input, [re, flags]) => {
    const found = matches(input, re, `g${flags ?? ''}`);
    const characters = [...input];
    const parts: string[] = [];
    let at = 0;
    for (const match of found) {
      parts.push(characters.slice(at, match.offset as number).join(''));
      at = (match.offset as number) + (match.length as number);
    }
    return [...parts, characters.slice(at).join('')];
  },
  'join/1': (_, input, [joint]) =>
    input
      .map((item: unknown) => (item === null ? '' : typeof item === 'object' ? operate('+', '', item) : text(item)))
      .join(joint),
  'test/2': (_, input, [re, flags]) => matches(input, re, flags).length > 0,
  'indices/1': (_, input, [wanted]) => {
    if (input === null) return null;
    if (typeof input === 'string') {
      const found: number[] = [];
      for (let at = input.indexOf(wanted); at >= 0 && wanted !== ''; at = input.indexOf(wanted, at + 1)) found.push(at);
      return found.length > 0 ? found : wanted === '' ? null : found;
    }
    const list = Array.isArray(wanted) ? wanted : [wanted];
    return input.flatMap((_: unknown, at: number) =>
      at + list.length <= input.length && list.every((item, offset) => compareValues(input[at + offset], item) === 0)
        ? [at]
        : [],
    );
  },
  'transpose/0': (_, input) =>
    Array.from({ length: Math.max(0, ...input.map((row: unknown[]) => row.length)) }, (_item, column) =>
      input.map((row: unknown[]) => row[column] ?? null),
    ),
  'setpath/2': (_, input, [path, value]) => setPath(input, path, value),
  'delpaths/1': (_, input, [paths]) => deletePaths(input, paths),
  'format/1': (_, input, [name]) => format(name, input),
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isinfinite/0': (_, input) => Math.abs(input) === Number.POSITIVE_INFINITY,
  'isnan/0': (_, input) => Number.isNaN(input),
  'isnormal/0': (_, input) => Number.isFinite(input) && input !== 0,
  'now/0': () => Date.now() / 1000,
  'floor/0': math('floor'),
  'ceil/0': math('ceil'),
  'sqrt/0': math('sqrt'),
  'round/0': math('round'),
  'trunc/0': math('trunc'),
  'exp/0': math('exp'),
  'log/0': math('log'),
  'log2/0': math('log2'),
  'log10/0': math('log10'),
  'sin/0': math('sin'),
  'cos/0': math('cos'),
  'tan/0': math('tan'),
  'asin/0': math('asin'),
  'acos/0': math('acos'),
  'atan/0': math('atan'),
  'cbrt/0': math('cbrt'),
  'fabs/0': math('fabs'),
  'exp10/0': (_, input) => 10 ** input,
  'exp2/0': (_, input) => 2 ** input,
  'pow/2': (_, _input, [base, exponent]) => base ** exponent,
  'atan2/2': (_, _input, [y, x]) => Math.atan2(y, x),
  'fmin/2': (_, _input, [a, b]) => Math.min(a, b),
  'fmax/2': (_, _input, [a, b]) => Math.max(a, b),
  'input/0': (host) => host.inputs.next(),
  'debug/0': (host, input) => {
    host.debug(`["DEBUG:",${format('json', input)}]\n`);
    return input;
  },
  'stderr/0': (host, input) => {
    host.debug(format('json', input));
    return input;
  },
  'input_filename/0': () => null,
  'error/1': (_, _input, [value]) => {
    throw new JqError(value);
  },
  'halt/0': () => {
    throw new JqError({ __halt: 0 });
  },
  'halt_error/1': (_, input, [code]) => {
    throw new JqError({ __halt: code, text: typeof input === 'string' ? input : `${format('json', input)}\n` });
  },
  'strftime/1': (_, input, [pattern]) => strftime(pattern, brokenDown(input), true),
  'strflocaltime/1': (_, input, [pattern]) => strftime(pattern, brokenDown(input)),
  'gmtime/0': (_, input) => {
    const date = new Date(input * 1000);
    return [
      date.getUTCFullYear(),
      date.getUTCMonth(),
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds() + (input % 1),
      date.getUTCDay(),
      Math.floor(
        (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
          Date.UTC(date.getUTCFullYear(), 0, 1)) /
          86_400_000,
      ),
    ];
  },
  'mktime/0': (_, input) => Math.floor(brokenDown(input).getTime() / 1000),
  'fromdateiso8601/0': (_, input) => {
    const time = Date.parse(input);
    if (Number.isNaN(time)) throw new JqError(`date "${input}" does not match format "%Y-%m-%dT%H:%M:%SZ"`);
    return Math.floor(time / 1000);
  },
  'builtins/0': () => Object.keys(NATIVES),
  'bsearch/1': (_, input, [wanted]) => {
    let [low, high] = [0, input.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = compareValues(input[middle], wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1 - low;
  },
};
