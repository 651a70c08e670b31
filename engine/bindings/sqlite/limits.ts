// The limits of a connection: an object whose properties are SQLite's run-time limits.
import { nodeError } from '../node-error';
import type { Connection } from './connection';
import { invalidType, isInt32 } from './values';

/** Node's names in the order of SQLite's ids. */
const NAMES = [
  'length',
  'sqlLength',
  'column',
  'exprDepth',
  'compoundSelect',
  'vdbeOp',
  'functionArg',
  'attach',
  'likePatternLength',
  'variableNumber',
  'triggerDepth',
];
const MOST = 0x7fffffff;

/** The constructor's `limits`, as ids and values; throws for what is no limit. */
export function givenLimits(limits: unknown): [id: number, value: number][] {
  if (limits === undefined) return [];
  if (typeof limits !== 'object' || limits === null)
    throw invalidType('The "options.limits" argument must be an object.');
  const found: [number, number][] = [];
  NAMES.forEach((name, id) => {
    const value = (limits as Record<string, unknown>)[name];
    if (value === undefined) return;
    if (!isInt32(value)) throw invalidType(`The "options.limits.${name}" argument must be an integer.`);
    if (value < 0)
      throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', `The "options.limits.${name}" argument must be non-negative.`);
    found.push([id, value]);
  });
  return found;
}

/** The object behind `database.limits`. */
export function connectionLimits(connection: Connection): object {
  const { c } = connection.library;
  const limitOf = (id: number): number => c.sqlite3_limit(connection.opened(), id, -1);
  const idOf = (name: string | symbol): number => (typeof name === 'string' ? NAMES.indexOf(name) : -1);
  // Data properties that are read from SQLite each time, as V8's named interceptors show them.
  const target: Record<string, number> = {};
  for (const name of NAMES) target[name] = 0;
  for (const name of NAMES) Object.defineProperty(target, name, { configurable: false });
  const fresh = (name: string | symbol): number => {
    const id = idOf(name);
    if (id >= 0) target[name as string] = limitOf(id);
    return id;
  };
  return new Proxy(target, {
    get(_, name) {
      fresh(name);
      return (target as any)[name];
    },
    getOwnPropertyDescriptor(_, name) {
      fresh(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    set(_, name, value) {
      const id = idOf(name);
      if (id < 0) return Reflect.set(target, name, value);
      if (value !== Infinity && !isInt32(value))
        throw invalidType('Limit value must be a non-negative integer or Infinity.');
      if (value < 0) throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'Limit value must be non-negative.');
      c.sqlite3_limit(connection.opened(), id, value === Infinity ? MOST : value);
      return true;
    },
  });
}
