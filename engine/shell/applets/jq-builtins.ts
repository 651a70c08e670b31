// jq's functions: those that are defined in jq itself, and those of the host.

import type { Filter } from './jq-parser';
import { deletePaths, setPath } from './jq-paths';
import { brief, compareValues, JqError, type JsonObject, operate, print, truthy, typeOf } from './jq-values';
import { strftime } from './strftime';

/** What natives may ask of the interpreter. */
export interface JqHost {
  run(filter: Filter, value: unknown, scope: unknown): Generator<unknown>;
  paths(filter: Filter, value: unknown, scope: unknown): Generator<unknown[]>;
  inputs: { next(): unknown; left(): boolean };
  environment: Record<string, string>;
  debug(text: string): void;
}

/** Definitions in jq; what takes a filter and needs nothing else. */
export const BUILTIN_DEFINITIONS = `
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse(f): def r: ., (f | r); r;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({}; . + {($x | if type == "object" then (if has("key") then .key elif has("k") then .k elif has("name") then .name elif has("Name") then .Name elif has("Key") then .Key elif has("K") then .K else null end) else . end | if type == "string" then . elif type == "null" then "null" else tojson end): ($x | if type == "object" then (if has("value") then .value elif has("v") then .v elif has("Value") then .Value elif has("V") then .V else null end) else null end)});
def with_entries(f): to_entries | map(f) | from_entries;
def del(f): delpaths([path(f)]);
def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def any: reduce .[] as $x (false; . or $x);
def all: reduce .[] as $x (true; . and $x);
def any(f): reduce (.[] | f) as $x (false; . or $x);
def all(f): reduce (.[] | f) as $x (true; . and $x);
def any(g; c): isempty(first(g | c | select(.))) | not;
def all(g; c): isempty(first(g | c | select(. | not)));
def isvalid(f): try (f | true) catch false;
def in(o): . as $k | o | has($k);
def inside(o): . as $x | o | contains($x);
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): last(limit($n + 1; f));
def until(cond; next): def u: if cond then . else (next | u) end; u;
def while(cond; next): def w: if cond then ., (next | w) else empty end; w;
def repeat(f): def r: ., (f | r); r;
def range($n): range(0; $n);
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations($n): . as $d | [range($n)] | map($d) | combinations;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def env: $ENV;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def todateiso8601: todate;
def ascii: [.] | implode;
def add(f): reduce f as $x (null; . + $x);
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def pick(f): . as $in | reduce path(f) as $p (null; setpath($p; $in | getpath($p)));
def abs: if type == "number" and . < 0 then -. else . end;
def toarray: if type == "array" then . else [.] end;
def input_line_number: 0;
def halt_error: halt_error(5);
def match(re): match(re; null);
def test(re): test(re; null);
def capture(re; flags): match(re; flags) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def capture(re): capture(re; null);
def scan(re; flags): match(re; "g" + flags) | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def scan(re): scan(re; null);
def splits(re; flags): split(re; flags) | .[];
def splits(re): splits(re; null);
def sub(re; str; $flags): . as $in | (reduce (match(re; $flags)) as $m ({at: 0, out: [""]}; ($m.captures | map(select(.name != null) | {key: .name, value: .string}) | from_entries) as $c | .out = [.out[] as $o | $o + $in[.at:$m.offset] + ($c | str)] | .at = $m.offset + $m.length)) | .out[] + $in[.at:];
def sub(re; str): sub(re; str; "");
def gsub(re; str): sub(re; str; "g");
def gsub(re; str; flags): sub(re; str; flags + "g");
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init; if .e then $init else . end | if $i | length == 2 then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1]) else setpath(["e"]; $i[0] | length == 1) end; if .e then .x else empty end);
def inputs: repeat_inputs;
def min_by(f): min_by_keys([.[] | [f]]);
def max_by(f): max_by_keys([.[] | [f]]);
def sort_by(f): sort_by_keys([.[] | [f]]);
def group_by(f): group_by_keys([.[] | [f]]);
def unique_by(f): group_by(f) | map(.[0]);
def debug(f): (f | debug | empty), .;
def skip($n; f): foreach f as $x (-1; . + 1; if . >= $n then $x else empty end);
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1];
`;

type Native = (host: JqHost, input: any, args: any[]) => unknown;

const text = (value: unknown): string =>
  typeof value === 'string' ? value : print(value, { indent: '', sortKeys: false, color: false, ascii: false });

function need(kind: string, value: unknown, what: string): void {
  if (typeOf(value) !== kind) throw new JqError(`${brief(value)} ${what}`);
}

function keysOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, position) => position);
  if (typeOf(value) === 'object') return Object.keys(value as object);
  throw new JqError(`${brief(value)} has no keys`);
}

function contains(a: unknown, b: unknown): boolean {
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

function regexOf(source: unknown, flags: unknown): RegExp {
  if (typeof source !== 'string') throw new JqError(`${brief(source)} cannot be matched, as it is not a string`);
  const letters = typeof flags === 'string' ? flags : '';
  for (const letter of letters)
    if (!'gimnxslp'.includes(letter)) throw new JqError(`${letters} is not a valid modifier string`);
  const body = letters.includes('x')
    ? source.replace(/\\.|\[[^\]]*\]|\s+|#.*$/gm, (part) => (/^\s|^#/.test(part) ? '' : part))
    : source;
  try {
    return new RegExp(
      body,
      `du${letters.includes('g') ? 'g' : ''}${letters.includes('i') ? 'i' : ''}${letters.includes('s') || letters.includes('p') ? 's' : ''}`,
    );
  } catch {
    try {
      return new RegExp(body, `d${letters.includes('g') ? 'g' : ''}${letters.includes('i') ? 'i' : ''}`);
    } catch (error) {
      throw new JqError(`${source} (at offset 0) is not a valid regex: ${(error as Error).message}`);
    }
  }
}

function matches(input: unknown, re: unknown, flags: unknown): JsonObject[] {
  if (Array.isArray(re)) return matches(input, re[0], re[1] ?? flags);
  if (typeof input !== 'string') throw new JqError(`${brief(input)} cannot be matched, as it is not a string`);
  const regex = regexOf(re, flags);
  const found = regex.global ? [...input.matchAll(regex)] : [regex.exec(input)].filter((match) => match !== null);
  const points = (end: number) => [...input.slice(0, end)].length;
  return found.map((match) => {
    const names = new Map(Object.keys(match.groups ?? {}).map((name) => [match.groups![name], name]));
    const order = [...regex.source.matchAll(/\((?!\?)|\(\?<([A-Za-z_]\w*)>/g)].map((group) => group[1] ?? null);
    const captures = match.slice(1).map((string, position) => {
      const span = match.indices![position + 1];
      return {
        offset: span ? points(span[0]) : -1,
        length: string === undefined ? 0 : [...string].length,
        string: string ?? null,
        name: order[position] ?? names.get(string) ?? null,
      };
    });
    return { offset: points(match.index), length: [...match[0]].length, string: match[0], captures };
  });
}

function format(name: string, value: unknown): string {
  const cell = (item: unknown, quote: (string: string) => string) => {
    if (typeof item === 'string') return quote(item);
    if (typeof item === 'object' && item !== null) throw new JqError(`${brief(item)} is not valid in a csv row`);
    return item === null ? '' : text(item);
  };
  switch (name) {
    case 'text':
      return text(value);
    case 'json':
      return print(value, { indent: '', sortKeys: false, color: false, ascii: false });
    case 'csv':
      need('array', value, 'cannot be csv-formatted, only an array can be');
      return (value as unknown[]).map((item) => cell(item, (string) => `"${string.replaceAll('"', '""')}"`)).join(',');
    case 'tsv':
      need('array', value, 'cannot be tsv-formatted, only an array can be');
      return (value as unknown[])
        .map((item) =>
          cell(item, (string) =>
            string.replace(
              /[\\\t\n\r]/g,
              (character) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[character]!,
            ),
          ),
        )
        .join('\t');
    case 'html':
      return text(value).replace(
        /[<>&'"]/g,
        (character) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&#39;', '"': '&quot;' })[character]!,
      );
    case 'uri':
      return encodeURIComponent(text(value)).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    case 'sh':
      return (Array.isArray(value) ? value : [value])
        .map((item) => (typeof item === 'string' ? `'${item.replaceAll("'", "'\\''")}'` : text(item)))
        .join(' ');
    case 'base64':
      return Buffer.from(text(value)).toString('base64');
    case 'base64d':
      return Buffer.from(text(value), 'base64').toString('utf8');
    default:
      throw new JqError(`${name} is not a valid format`);
  }
}

function brokenDown(value: unknown): Date {
  if (typeof value === 'number') return new Date(value * 1000);
  if (Array.isArray(value)) {
    const [year, month, day, hour, minute, second] = value as number[];
    return new Date(Date.UTC(year!, month, day, hour, minute, Math.floor(second!), (second! % 1) * 1000));
  }
  throw new JqError('strftime/1 requires parsed datetime inputs');
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
const NATIVES: Record<string, Native> = {
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

/** Calls a native; undefined when there is none of that name and number of arguments. */
export function callNative(
  host: JqHost,
  name: string,
  args: Filter[],
  input: unknown,
  scope: unknown,
): Generator<unknown> | undefined {
  switch (`${name}/${args.length}`) {
    case 'path/1':
      return host.paths(args[0]!, input, scope);
    case 'range/2':
    case 'range/3':
      return range(host, args, input, scope);
    case 'isempty/1':
      return once(() => host.run(args[0]!, input, scope).next().done === true);
    case 'match/2':
      return matchAll(host, args, input, scope);
    case 'repeat_inputs/0':
      return allInputs(host);
    case 'input_line_number/0':
      return once(() => 0);
  }
  const native = NATIVES[`${name}/${args.length}`];
  return native && product(host, args, input, scope, (values) => native(host, input, values));
}

function* once(make: () => unknown): Generator<unknown> {
  yield make();
}

function* allInputs(host: JqHost): Generator<unknown> {
  while (host.inputs.left()) yield host.inputs.next();
}

function* matchAll(host: JqHost, args: Filter[], input: unknown, scope: unknown): Generator<unknown> {
  for (const re of host.run(args[0]!, input, scope))
    for (const flags of host.run(args[1]!, input, scope)) yield* matches(input, re, flags);
}

function* range(host: JqHost, args: Filter[], input: unknown, scope: unknown): Generator<unknown> {
  for (const from of host.run(args[0]!, input, scope) as Generator<number>) {
    for (const to of host.run(args[1]!, input, scope) as Generator<number>) {
      for (const by of (args[2] ? host.run(args[2], input, scope) : [1]) as Iterable<number>) {
        if (by > 0) for (let value = from; value < to; value += by) yield value;
        else if (by < 0) for (let value = from; value > to; value += by) yield value;
      }
    }
  }
}

/** All combinations of the arguments' values, the last argument outermost, as jq does. */
function* product(
  host: JqHost,
  args: Filter[],
  input: unknown,
  scope: unknown,
  make: (values: unknown[]) => unknown,
  values: unknown[] = [],
): Generator<unknown> {
  if (args.length === 0) {
    yield make(values);
    return;
  }
  for (const value of host.run(args.at(-1)!, input, scope))
    yield* product(host, args.slice(0, -1), input, scope, make, [value, ...values]);
}
