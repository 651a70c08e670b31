// The interpreter of jq: filters are generators of values; assignments work on paths.
import { callNative } from './jq-builtins';
import type { JqHost } from './jq-host';
import { getIndex, getPath } from './jq-paths';
import {
  Break,
  type Closure,
  child,
  compareOrOperate,
  findFunction,
  findVariable,
  type Item,
  iterate,
  recurse,
  type Scope,
  withNames,
} from './jq-scope';
import type { Filter, Pattern } from './jq-tree';
import { update } from './jq-update';
import { brief, JqError, type JsonObject, truthy, typeOf } from './jq-values';
import { UsageError } from './tool';

export class Interpreter implements JqHost {
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
        yield* recurse(input);
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
        for (const value of update(this, filter.operator, filter.left, filter.right, input.value, scope))
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
        yield* recurse(input);
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
