// jq: the interpreter. Filters are generators of values; assignments work on paths.

import { BUILTIN_DEFINITIONS, callNative, type JqHost } from './jq-builtins';
import { type Filter, type Pattern, parseDefinitions, parseFilter } from './jq-parser';
import { deletePaths, getIndex, getPath, setPath } from './jq-paths';
import {
  brief,
  compareValues,
  JqError,
  type JsonObject,
  operate,
  type PrintStyle,
  print,
  truthy,
  typeOf,
} from './jq-values';
import { lastValue } from './options';
import { type Applet, complain, fileError, readText, type Tool, UsageError } from './tool';

/** A value with the path that leads to it (undefined when paths are not asked for). */
interface Item {
  value: unknown;
  path: unknown[] | undefined;
}

interface Closure {
  parameters: string[];
  body: Filter;
  scope: Scope;
}

interface Scope {
  variables: Map<string, unknown>;
  functions: Map<string, Closure>;
  parent: Scope | undefined;
}

class Break {
  readonly label: object;
  constructor(label: object) {
    this.label = label;
  }
}

const child = (parent: Scope): Scope => ({ variables: new Map(), functions: new Map(), parent });

function findFunction(scope: Scope | undefined, key: string): Closure | undefined {
  for (let at = scope; at; at = at.parent) if (at.functions.has(key)) return at.functions.get(key);
  return undefined;
}

function findVariable(scope: Scope | undefined, name: string): unknown {
  for (let at = scope; at; at = at.parent) if (at.variables.has(name)) return at.variables.get(name);
  throw new UsageError(`error: $${name} is not defined at <top-level>\njq: 1 compile error`, 3);
}

class Interpreter implements JqHost {
  inputs: JqHost['inputs'];
  readonly environment: Record<string, string>;
  readonly debug: (text: string) => void;

  constructor(inputs: JqHost['inputs'], environment: Record<string, string>, debug: (text: string) => void) {
    this.inputs = inputs;
    this.environment = environment;
    this.debug = debug;
  }

  *run(filter: Filter, value: unknown, scope: unknown): Generator<unknown> {
    for (const item of this.evaluate(filter, { value, path: undefined }, scope as Scope)) yield item.value;
  }

  *paths(filter: Filter, value: unknown, scope: unknown): Generator<unknown[]> {
    for (const item of this.evaluate(filter, { value, path: [] }, scope as Scope)) {
      if (!item.path)
        throw new JqError(`Invalid path expression with result ${brief(item.value).replace(/^\w+ \(|\)$/g, '')}`);
      yield item.path;
    }
  }

  *evaluate(filter: Filter, input: Item, scope: Scope): Generator<Item> {
    const plain = (value: unknown): Item => ({ value, path: undefined });
    switch (filter.type) {
      case 'identity':
        yield input;
        return;
      case 'empty':
        return;
      case 'recurse':
        yield* this.#recurse(input);
        return;
      case 'literal':
        yield plain(filter.value);
        return;
      case 'field':
        for (const source of this.evaluate(filter.source, input, scope))
          for (const name of this.run(filter.name, input.value, scope))
            yield { value: getIndex(source.value, name), path: source.path && [...source.path, name] };
        return;
      case 'slice':
        for (const source of this.evaluate(filter.source, input, scope)) {
          for (const to of filter.to ? this.run(filter.to, input.value, scope) : [null]) {
            for (const from of filter.from ? this.run(filter.from, input.value, scope) : [null]) {
              const key = { start: from, end: to };
              yield { value: getIndex(source.value, key), path: source.path && [...source.path, key] };
            }
          }
        }
        return;
      case 'iterate':
        for (const source of this.evaluate(filter.source, input, scope)) yield* iterate(source);
        return;
      case 'try':
        try {
          yield* this.evaluate(filter.body, input, scope);
        } catch (error) {
          if (!(error instanceof JqError)) throw error;
          if (typeOf(error.value) === 'object' && (error.value as JsonObject).__jq === 'break') return;
          if (filter.handler) yield* this.evaluate(filter.handler, plain(error.value), scope);
        }
        return;
      case 'text':
        for (const text of this.#texts(filter.parts, 0, '', filter.format, input.value, scope)) yield plain(text);
        return;
      case 'format':
        yield plain(
          callNative(this, 'format', [{ type: 'literal', value: filter.name.slice(1) }], input.value, scope)!.next()
            .value,
        );
        return;
      case 'array':
        yield plain(filter.body ? [...this.run(filter.body, input.value, scope)] : []);
        return;
      case 'object':
        for (const value of this.#objects(filter.entries, 0, {}, input.value, scope)) yield plain(value);
        return;
      case 'negate':
        for (const value of this.run(filter.body, input.value, scope)) {
          if (typeof value !== 'number') throw new JqError(`${brief(value)} cannot be negated`);
          yield plain(-value);
        }
        return;
      case 'pipe':
        for (const left of this.evaluate(filter.left, input, scope)) yield* this.evaluate(filter.right, left, scope);
        return;
      case 'comma':
        yield* this.evaluate(filter.left, input, scope);
        yield* this.evaluate(filter.right, input, scope);
        return;
      case 'and':
      case 'or':
        for (const left of this.run(filter.left, input.value, scope)) {
          if (truthy(left) === (filter.type === 'or')) yield plain(filter.type === 'or');
          else for (const right of this.run(filter.right, input.value, scope)) yield plain(truthy(right));
        }
        return;
      case 'alternative': {
        let some = false;
        try {
          for (const left of this.evaluate(filter.left, input, scope)) {
            if (!truthy(left.value)) continue;
            some = true;
            yield left;
          }
        } catch (error) {
          if (!(error instanceof JqError)) throw error;
        }
        if (!some) yield* this.evaluate(filter.right, input, scope);
        return;
      }
      case 'binary':
        for (const right of this.run(filter.right, input.value, scope))
          for (const left of this.run(filter.left, input.value, scope))
            yield plain(compareOrOperate(filter.operator, left, right));
        return;
      case 'update':
        for (const value of this.#update(filter.operator, filter.left, filter.right, input.value, scope))
          yield plain(value);
        return;
      case 'if':
        for (const test of this.run(filter.test, input.value, scope)) {
          if (truthy(test)) yield* this.evaluate(filter.yes, input, scope);
          else if (filter.no) yield* this.evaluate(filter.no, input, scope);
          else yield input;
        }
        return;
      case 'reduce': {
        for (const start of this.run(filter.start, input.value, scope)) {
          let state: unknown = start;
          for (const value of this.run(filter.source, input.value, scope)) {
            for (const bound of this.#bind(filter.pattern, value, scope)) {
              let last: unknown = null;
              for (const next of this.run(filter.step, state, bound)) last = next;
              state = last;
            }
          }
          yield plain(state);
        }
        return;
      }
      case 'foreach':
        for (const start of this.run(filter.start, input.value, scope)) {
          let state: unknown = start;
          for (const value of this.run(filter.source, input.value, scope)) {
            for (const bound of this.#bind(filter.pattern, value, scope)) {
              for (const next of this.run(filter.step, state, bound)) {
                state = next;
                if (filter.extract) yield* this.evaluate(filter.extract, plain(next), bound);
                else yield plain(next);
              }
            }
          }
        }
        return;
      case 'bind':
        for (const value of this.run(filter.source, input.value, scope))
          yield* this.#tryPatterns(filter.patterns, value, filter.body, input, scope);
        return;
      case 'define': {
        const inner = child(scope);
        inner.functions.set(`${filter.name}/${filter.parameters.length}`, {
          parameters: filter.parameters,
          body: filter.body,
          scope: inner,
        });
        yield* this.evaluate(filter.rest, input, inner);
        return;
      }
      case 'variable':
        if (filter.name === 'ENV') yield plain(this.environment);
        else if (filter.name === '__loc__') yield plain({ file: '<top-level>', line: 1 });
        else yield plain(findVariable(scope, filter.name));
        return;
      case 'label': {
        const label = {};
        const inner = child(scope);
        inner.variables.set(`*${filter.name}`, label);
        try {
          yield* this.evaluate(filter.body, input, inner);
        } catch (error) {
          if (!(error instanceof Break) || error.label !== label) throw error;
        }
        return;
      }
      case 'break':
        throw new Break(findVariable(scope, `*${filter.name}`) as object);
      case 'call':
        yield* this.#call(filter.name, filter.args, input, scope);
        return;
      default:
        filter satisfies never;
    }
  }

  *#recurse(input: Item): Generator<Item> {
    yield input;
    if (typeof input.value === 'object' && input.value !== null)
      for (const item of iterate(input)) yield* this.#recurse(item);
  }

  *#texts(
    parts: (string | Filter)[],
    at: number,
    done: string,
    format: string | undefined,
    value: unknown,
    scope: Scope,
  ): Generator<string> {
    if (at === parts.length) {
      yield done;
      return;
    }
    const part = parts[at]!;
    if (typeof part === 'string') {
      yield* this.#texts(parts, at + 1, done + part, format, value, scope);
      return;
    }
    for (const inner of this.run(part, value, scope)) {
      const text = callNative(
        this,
        'format',
        [{ type: 'literal', value: format?.slice(1) ?? 'text' }],
        inner,
        scope,
      )!.next().value as string;
      yield* this.#texts(parts, at + 1, done + text, format, value, scope);
    }
  }

  *#objects(
    entries: { key: Filter; value: Filter }[],
    at: number,
    done: JsonObject,
    input: unknown,
    scope: Scope,
  ): Generator<JsonObject> {
    if (at === entries.length) {
      yield done;
      return;
    }
    for (const key of this.run(entries[at]!.key, input, scope)) {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings`);
      for (const value of this.run(entries[at]!.value, input, scope))
        yield* this.#objects(entries, at + 1, { ...done, [key]: value }, input, scope);
    }
  }

  *#bind(pattern: Pattern, value: unknown, scope: Scope): Generator<Scope> {
    if (pattern.type === 'name') {
      const inner = child(scope);
      inner.variables.set(pattern.name, value);
      yield inner;
      return;
    }
    const parts: { key: Filter; name: string | undefined; value: Pattern | undefined }[] =
      pattern.type === 'array'
        ? pattern.items.map((item, position) => ({
            key: { type: 'literal', value: position },
            name: undefined,
            value: item,
          }))
        : pattern.entries;
    if (pattern.type === 'array' && value !== null && !Array.isArray(value))
      throw new JqError(`Cannot index ${typeOf(value)} with number`);
    const self = this;
    function* step(at: number, inner: Scope): Generator<Scope> {
      if (at === parts.length) {
        yield inner;
        return;
      }
      const part = parts[at]!;
      for (const key of self.run(part.key, value, inner)) {
        const found = getIndex(value, key);
        let next = inner;
        if (part.name !== undefined) {
          next = child(inner);
          next.variables.set(part.name, found);
        }
        if (!part.value) yield* step(at + 1, next);
        else for (const bound of self.#bind(part.value, found, next)) yield* step(at + 1, bound);
      }
    }
    yield* step(0, scope);
  }

  *#tryPatterns(patterns: Pattern[], value: unknown, body: Filter, input: Item, scope: Scope): Generator<Item> {
    for (const [position, pattern] of patterns.entries()) {
      try {
        for (const bound of this.#bind(pattern, value, patterns.length > 1 ? withNames(patterns, scope) : scope))
          yield* this.evaluate(body, input, bound);
        return;
      } catch (error) {
        if (!(error instanceof JqError) || position === patterns.length - 1) throw error;
      }
    }
  }

  *#update(operator: string, left: Filter, right: Filter, input: unknown, scope: Scope): Generator<unknown> {
    if (operator === '|=') {
      let result = input;
      const removed: unknown[][] = [];
      for (const path of [...this.paths(left, input, scope)]) {
        const next = this.run(right, getPath(result, path), scope).next();
        if (next.done) removed.push(path);
        else result = setPath(result, path, next.value);
      }
      yield deletePaths(result, removed);
      return;
    }
    for (const value of this.run(right, input, scope)) {
      let result = input;
      for (const path of this.paths(left, input, scope)) {
        const before = getPath(result, path);
        if (operator === '=') result = setPath(result, path, value);
        else if (operator === '//=') result = truthy(before) ? result : setPath(result, path, value);
        else result = setPath(result, path, operate(operator.slice(0, -1), before, value));
      }
      yield result;
    }
  }

  *#call(name: string, args: Filter[], input: Item, scope: Scope): Generator<Item> {
    const closure = findFunction(scope, `${name}/${args.length}`);
    if (closure) {
      yield* this.#callClosure(closure, args, input, scope);
      return;
    }
    // Functions that keep paths.
    switch (`${name}/${args.length}`) {
      case 'select/1':
        for (const test of this.run(args[0]!, input.value, scope)) if (truthy(test)) yield input;
        return;
      case 'first/1':
        for (const item of this.evaluate(args[0]!, input, scope)) {
          yield item;
          return;
        }
        return;
      case 'last/1': {
        let last: Item | undefined;
        for (const item of this.evaluate(args[0]!, input, scope)) last = item;
        if (last) yield last;
        return;
      }
      case 'limit/2':
        for (const count of this.run(args[0]!, input.value, scope)) {
          let left = count as number;
          if (left <= 0) continue;
          for (const item of this.evaluate(args[1]!, input, scope)) {
            yield item;
            if (--left <= 0) break;
          }
        }
        return;
      case 'getpath/1':
        for (const path of this.run(args[0]!, input.value, scope))
          yield {
            value: getPath(input.value, path as unknown[]),
            path: input.path && [...input.path, ...(path as unknown[])],
          };
        return;
      case 'recurse/0':
        yield* this.#recurse(input);
        return;
      case 'error/0':
        throw new JqError(input.value);
    }
    const native = callNative(this, name, args, input.value, scope);
    if (!native)
      throw new UsageError(
        `error: ${name}/${args.length} is not defined at <top-level>, line 1:\njq: 1 compile error`,
        3,
      );
    for (const value of native) yield { value, path: undefined };
  }

  *#callClosure(closure: Closure, args: Filter[], input: Item, scope: Scope): Generator<Item> {
    const inner = child(closure.scope);
    const self = this;
    function* bind(at: number, current: Scope): Generator<Item> {
      if (at === args.length) {
        yield* self.evaluate(closure.body, input, current);
        return;
      }
      const parameter = closure.parameters[at]!;
      const arg = args[at]!;
      if (parameter.startsWith('$')) {
        for (const value of self.run(arg, input.value, scope)) {
          const next = child(current);
          next.variables.set(parameter.slice(1), value);
          next.functions.set(`${parameter.slice(1)}/0`, {
            parameters: [],
            body: { type: 'literal', value },
            scope: next,
          });
          yield* bind(at + 1, next);
        }
        return;
      }
      current.functions.set(`${parameter}/0`, { parameters: [], body: arg, scope });
      yield* bind(at + 1, current);
    }
    yield* bind(0, inner);
  }
}

function withNames(patterns: Pattern[], scope: Scope): Scope {
  const inner = child(scope);
  const visit = (pattern: Pattern): void => {
    if (pattern.type === 'name') inner.variables.set(pattern.name, null);
    else if (pattern.type === 'array') for (const item of pattern.items) visit(item);
    else
      for (const entry of pattern.entries) {
        if (entry.name !== undefined) inner.variables.set(entry.name, null);
        if (entry.value) visit(entry.value);
      }
  };
  for (const pattern of patterns) visit(pattern);
  return inner;
}

function* iterate({ value, path }: Item): Generator<Item> {
  if (Array.isArray(value))
    for (const [position, item] of value.entries()) yield { value: item, path: path && [...path, position] };
  else if (typeOf(value) === 'object')
    for (const [key, item] of Object.entries(value as JsonObject)) yield { value: item, path: path && [...path, key] };
  else throw new JqError(`Cannot iterate over ${value === null ? 'null' : brief(value)}`);
}

function compareOrOperate(operator: string, a: unknown, b: unknown): unknown {
  switch (operator) {
    case '==':
      return compareValues(a, b) === 0;
    case '!=':
      return compareValues(a, b) !== 0;
    case '<':
      return compareValues(a, b) < 0;
    case '<=':
      return compareValues(a, b) <= 0;
    case '>':
      return compareValues(a, b) > 0;
    case '>=':
      return compareValues(a, b) >= 0;
    default:
      return operate(operator, a, b);
  }
}

interface Options {
  flags: Set<string>;
  values: Map<string, string[]>;
  filter: string | undefined;
  files: string[];
  named: JsonObject;
  positional: unknown[];
  indent: string;
}

async function parseCommand(tool: Tool): Promise<Options> {
  const options: Options = {
    flags: new Set(),
    values: new Map(),
    filter: undefined,
    files: [],
    named: {},
    positional: [],
    indent: '  ',
  };
  const long: Record<string, string> = {
    'raw-output': 'r',
    'join-output': 'j',
    'compact-output': 'c',
    slurp: 's',
    'null-input': 'n',
    'exit-status': 'e',
    'raw-input': 'R',
    'sort-keys': 'S',
    'color-output': 'C',
    'monochrome-output': 'M',
    'ascii-output': 'a',
    tab: 'tab',
    'raw-output0': 'raw0',
    unbuffered: 'u',
  };
  let rest: 'files' | 'args' | 'jsonargs' = 'files';
  const args = [...tool.args];
  const next = (name: string) => args.shift() ?? failUsage(`Unknown arguments: ${name} needs a value`);
  while (args.length > 0) {
    const word = args.shift()!;
    if (word === '--') {
      for (const operand of args.splice(0)) operand_(operand);
    } else if (word === '--arg') {
      const name = next(word);
      options.named[name] = next(word);
    } else if (word === '--argjson') {
      const name = next(word);
      const text = next(word);
      try {
        options.named[name] = JSON.parse(text);
      } catch {
        failUsage(`Invalid JSON text passed to --argjson`);
      }
    } else if (word === '--slurpfile' || word === '--rawfile') {
      const name = next(word);
      const text = await readText(tool, next(word));
      options.named[name] = word === '--rawfile' ? text : [...parseJson(text)];
    } else if (word === '--args' || word === '--jsonargs') rest = word.slice(2) as 'args';
    else if (word === '--indent') options.indent = ' '.repeat(Number(next(word)));
    else if (word === '-f' || word === '--from-file') options.values.set('f', [next(word)]);
    else if (word.startsWith('--'))
      options.flags.add(
        long[word.slice(2)] ??
          failUsage(
            `Unknown arguments\nUse jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://jqlang.github.io/jq (${word})`,
          ),
      );
    else if (/^-[A-Za-z]+$/.test(word)) {
      for (const letter of word.slice(1))
        options.flags.add(
          'rjcsneRSCMahV'.includes(letter)
            ? letter
            : failUsage(`Unknown arguments (-${letter})\nUse jq --help for help with command-line options`),
        );
    } else operand_(word);
  }
  function operand_(word: string): void {
    if (options.filter === undefined && !options.values.has('f')) options.filter = word;
    else if (rest === 'files') options.files.push(word);
    else options.positional.push(rest === 'args' ? word : JSON.parse(word));
  }
  if (options.values.has('f'))
    options.filter = await readText(tool, lastValue({ ...options, operands: [], order: [] }, 'f')!);
  if (options.flags.has('tab')) options.indent = '\t';
  if (options.flags.has('c')) options.indent = '';
  return options;
}

function failUsage(message: string): never {
  throw new UsageError(message, 2);
}

/** All JSON values of a text, one after another. Throws JqError with jq's words. */
function* parseJson(text: string): Generator<unknown> {
  let rest = text.trimStart();
  const whole = tryJson(rest);
  if (whole) {
    yield whole.value;
    return;
  }
  while (rest !== '') {
    const end = valueEnd(rest);
    const found = tryJson(rest.slice(0, end));
    if (!found) {
      const line = text.slice(0, text.length - rest.length + end).split('\n');
      throw new JqError(`parse error: Invalid JSON at line ${line.length}, column ${line.at(-1)!.length}`);
    }
    yield found.value;
    rest = rest.slice(end).trimStart();
  }
}

function tryJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return /^NaN$|^nan$/.test(text) ? { value: Number.NaN } : undefined;
  }
}

/** Where the value at the start of the text ends. */
function valueEnd(text: string): number {
  if (text[0] !== '{' && text[0] !== '[' && text[0] !== '"') return text.match(/^[^\s,:[\]{}"]+/)?.[0].length ?? 1;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
      if (depth === 0) return i + 1;
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return i + 1;
  }
  return text.length;
}

/** jq [-rjcsneRSCMa] [--arg name value] [--argjson …] [--args …] filter [files]. */
export const jq: Applet = async (tool) => {
  const options = await parseCommand(tool);
  const { flags } = options;
  if (options.filter === undefined) throw new UsageError('Usage:\tjq [OPTIONS] FILTER [FILES...]', 2);
  const filter = parseDefinitions(BUILTIN_DEFINITIONS, parseFilter(options.filter));
  let status = 0;
  const texts: string[] = [];
  if (options.files.length === 0 && !flags.has('n')) texts.push(await tool.stdin.text());
  for (const name of options.files) {
    try {
      texts.push(await readText(tool, name));
    } catch (error) {
      await complain(tool, `error: Could not open ${fileError(name, error)}`);
      status = 2;
    }
  }
  const values = inputValues(texts, flags);
  let ahead: IteratorResult<unknown> | undefined;
  const peek = () => (ahead ??= values.next());
  const inputs = {
    left: () => !peek().done,
    next() {
      const result = peek();
      ahead = undefined;
      if (result.done) throw new JqError('No more inputs');
      return result.value;
    },
  };
  const style: PrintStyle = {
    indent: options.indent,
    sortKeys: flags.has('S'),
    color: flags.has('C') || (tool.stdout.isTerminal && !flags.has('M')),
    ascii: flags.has('a'),
  };
  const interpreter = new Interpreter(inputs, tool.environment, (text) => void tool.stderr.write(text));
  const scope: Scope = {
    variables: new Map([
      ...Object.entries(options.named),
      ['named', null],
      ['__prog_args', options.positional],
      ['ARGS', { positional: options.positional, named: options.named }],
    ]),
    functions: new Map(),
    parent: undefined,
  };
  let last: unknown;
  let printed = false;
  const runOn = async (value: unknown) => {
    for (const result of interpreter.run(filter, value, scope)) {
      last = result;
      printed = true;
      const raw = typeof result === 'string' && (flags.has('r') || flags.has('j') || flags.has('raw0'));
      await tool.stdout.write(
        (raw ? (result as string) : print(result, style)) + (flags.has('j') ? '' : flags.has('raw0') ? '\0' : '\n'),
      );
    }
  };
  try {
    if (flags.has('n')) status = (await guarded(tool, () => runOn(null))) || status;
    else while (inputs.left()) status = (await guarded(tool, () => runOn(inputs.next()))) || status;
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    await complain(tool, String(error.value));
    return 2;
  }
  if (flags.has('e') && status === 0) return !printed ? 4 : truthy(last) ? 0 : 1;
  return status;
};

async function guarded(tool: Tool, run: () => Promise<void>): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    if (typeOf(error.value) === 'object' && (error.value as JsonObject).__halt !== undefined) {
      const { __halt: code, text } = error.value as { __halt: number; text?: string };
      await tool.stdout.flush();
      if (text !== undefined) await tool.stderr.write(text);
      throw new UsageError('', code);
    }
    if (typeof error.value === 'string' && error.value.startsWith('parse error')) throw error;
    const text =
      typeof error.value === 'string'
        ? error.value
        : `${print(error.value, { indent: '', sortKeys: false, color: false, ascii: false })} (not a string)`;
    await complain(tool, `error (at <stdin>:0): ${text}`);
    return 5;
  }
}

function* inputValues(texts: string[], flags: Set<string>): Generator<unknown> {
  if (flags.has('R')) {
    if (flags.has('s')) yield texts.join('');
    else for (const text of texts) yield* text === '' ? [] : text.replace(/\n$/, '').split('\n');
  } else if (flags.has('s')) yield texts.flatMap((text) => [...parseJson(text)]);
  else for (const text of texts) yield* parseJson(text);
}
