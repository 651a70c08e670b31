// Names in jq: variables and functions by scope; items with their paths; what patterns bind.
import type { Filter, Pattern } from './jq-tree';
import { brief, compareValues, JqError, type JsonObject, operate, typeOf } from './jq-values';
import { UsageError } from './tool';

/** A value with the path that leads to it (undefined when paths are not asked for). */
export interface Item {
  value: unknown;
  path: unknown[] | undefined;
}

export interface Closure {
  parameters: string[];
  body: Filter;
  scope: Scope;
}

export interface Scope {
  variables: Map<string, unknown>;
  functions: Map<string, Closure>;
  parent: Scope | undefined;
}

export class Break {
  readonly label: object;
  constructor(label: object) {
    this.label = label;
  }
}

export const child = (parent: Scope): Scope => ({ variables: new Map(), functions: new Map(), parent });

export function findFunction(scope: Scope | undefined, key: string): Closure | undefined {
  for (let at = scope; at; at = at.parent) if (at.functions.has(key)) return at.functions.get(key);
  return undefined;
}

export function findVariable(scope: Scope | undefined, name: string): unknown {
  for (let at = scope; at; at = at.parent) if (at.variables.has(name)) return at.variables.get(name);
  throw new UsageError(`error: $${name} is not defined at <top-level>\njq: 1 compile error`, 3);
}

export function withNames(patterns: Pattern[], scope: Scope): Scope {
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

export function* iterate({ value, path }: Item): Generator<Item> {
  if (Array.isArray(value))
    for (const [position, item] of value.entries()) yield { value: item, path: path && [...path, position] };
  else if (typeOf(value) === 'object')
    for (const [key, item] of Object.entries(value as JsonObject)) yield { value: item, path: path && [...path, key] };
  else throw new JqError(`Cannot iterate over ${value === null ? 'null' : brief(value)}`);
}

export function compareOrOperate(operator: string, a: unknown, b: unknown): unknown {
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

/** `..`: the value and all values in it. */
export function* recurse(input: Item): Generator<Item> {
  yield input;
  if (typeof input.value === 'object' && input.value !== null) for (const item of iterate(input)) yield* recurse(item);
}
