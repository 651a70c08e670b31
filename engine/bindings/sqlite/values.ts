// Values between JavaScript and SQLite, and the errors of node_sqlite.cc.
import { nodeError } from '../node-error';
import { viewBytes } from '../strings';
import { type SqliteLibrary, TRANSIENT } from './library';

const COLUMN = { integer: 1, float: 2, text: 3, blob: 4, null: 5 } as const;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export const invalidType = (message: string): Error => nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', message);
export const invalidState = (message: string): Error => nodeError(Error, 'ERR_INVALID_STATE', message);

/** The error of a connection's last call. */
export function sqliteError({ c, text }: SqliteLibrary, db: number): Error {
  const errcode = c.sqlite3_extended_errcode(db);
  const errstr = text(c.sqlite3_errstr(errcode));
  return nodeError(Error, 'ERR_SQLITE_ERROR', text(c.sqlite3_errmsg(db)) ?? '', { errcode, errstr });
}

/** The error of a result code without a connection. */
export function sqliteCodeError({ c, text }: SqliteLibrary, errcode: number): Error {
  return nodeError(Error, 'ERR_SQLITE_ERROR', text(c.sqlite3_errstr(errcode)) ?? '', { errcode });
}

/** Where a value is read: a column of a statement's row, or an argument of a function. */
export interface ValueSource {
  type: number;
  integer(): bigint;
  double(): number;
  textAt(): number;
  blobAt(): number;
  bytes(): number;
}

/** Column `index` of the row that `statement` is at. */
export function columnSource({ c }: SqliteLibrary, statement: number, index: number): ValueSource {
  return {
    type: c.sqlite3_column_type(statement, index),
    integer: () => c.sqlite3_column_int64(statement, index),
    double: () => c.sqlite3_column_double(statement, index),
    textAt: () => c.sqlite3_column_text(statement, index),
    blobAt: () => c.sqlite3_column_blob(statement, index),
    bytes: () => c.sqlite3_column_bytes(statement, index),
  };
}

/** A `sqlite3_value`. */
export function argumentSource({ c }: SqliteLibrary, value: number): ValueSource {
  return {
    type: c.sqlite3_value_type(value),
    integer: () => c.sqlite3_value_int64(value),
    double: () => c.sqlite3_value_double(value),
    textAt: () => c.sqlite3_value_text(value),
    blobAt: () => c.sqlite3_value_blob(value),
    bytes: () => c.sqlite3_value_bytes(value),
  };
}

/** The JavaScript value; throws ERR_OUT_OF_RANGE for an integer that a number can't hold, unless `asBigInt`. */
export function readValue(library: SqliteLibrary, source: ValueSource, asBigInt: boolean): unknown {
  switch (source.type) {
    case COLUMN.integer: {
      const value = source.integer();
      if (asBigInt) return value;
      if (value >= -MAX_SAFE && value <= MAX_SAFE) return Number(value);
      const message = `Value is too large to be represented as a JavaScript number: ${value}`;
      throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', message);
    }
    case COLUMN.float:
      return source.double();
    case COLUMN.text: {
      // The pointer first: the length is that of the text which it makes.
      const address = source.textAt();
      return library.text(address, source.bytes());
    }
    case COLUMN.blob: {
      const address = source.blobAt();
      return library.memory.bytes(address, source.bytes()).slice();
    }
    default:
      return null;
  }
}

/** Binds `value` to parameter `index`; SQLite's result code. Throws for what SQLite has no type for. */
export function bindValue(
  { c, copy, string }: SqliteLibrary,
  statement: number,
  index: number,
  value: unknown,
): number {
  const bindCopied = (address: number, bind: (address: number) => number): number => {
    try {
      return bind(address);
    } finally {
      c.free(address);
    }
  };
  if (typeof value === 'number') return c.sqlite3_bind_double(statement, index, value);
  if (typeof value === 'boolean') return c.sqlite3_bind_int(statement, index, value ? 1 : 0);
  if (value === null) return c.sqlite3_bind_null(statement, index);
  if (typeof value === 'string') {
    const bytes = viewBytes((globalThis as any).Buffer.from(value));
    return bindCopied(string(bytes), (at) => c.sqlite3_bind_text(statement, index, at, bytes.length, TRANSIENT));
  }
  if (ArrayBuffer.isView(value)) {
    const bytes = viewBytes(value);
    return bindCopied(copy(bytes), (at) => c.sqlite3_bind_blob(statement, index, at, bytes.length, TRANSIENT));
  }
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) !== value)
      throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'BigInt value is too large to bind.');
    return c.sqlite3_bind_int64(statement, index, value);
  }
  throw invalidType(`Provided value cannot be bound to SQLite parameter ${index}.`);
}

/** Gives `value` as the result of the user's function whose call `context` is. */
export function setResult({ c, copy, string, withStrings }: SqliteLibrary, context: number, value: unknown): void {
  const fail = (message: string): void =>
    withStrings([message], (address) => c.sqlite3_result_error(context, address, -1));
  const giveCopied = (address: number, give: (address: number) => void): void => {
    give(address);
    c.free(address);
  };
  if (value === undefined || value === null) c.sqlite3_result_null(context);
  else if (typeof value === 'number') c.sqlite3_result_double(context, value);
  else if (typeof value === 'string') {
    const bytes = viewBytes((globalThis as any).Buffer.from(value));
    giveCopied(string(bytes), (at) => c.sqlite3_result_text(context, at, bytes.length, TRANSIENT));
  } else if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) c.sqlite3_result_int64(context, value);
    else fail('BigInt value is too large for SQLite');
  } else if (ArrayBuffer.isView(value)) {
    const bytes = viewBytes(value);
    giveCopied(copy(bytes), (at) => c.sqlite3_result_blob(context, at, bytes.length, TRANSIENT));
  } else if (value instanceof Promise) fail('Asynchronous user-defined functions are not supported');
  else fail('Returned JavaScript value cannot be converted to a SQLite value');
}

/** Reads named members of an options object, each checked as node_sqlite.cc does; throws invalidType. */
export function optionReader(options: unknown): {
  boolean(name: string, otherwise: boolean): boolean;
  string(name: string): string | undefined;
  integer(name: string, otherwise: number): number;
  callback(name: string): Function | undefined;
} {
  if (options !== undefined && (options === null || !['object', 'function'].includes(typeof options)))
    throw invalidType('The "options" argument must be an object.');
  const get = (name: string): unknown => (options as Record<string, unknown> | undefined)?.[name];
  const read = <Value>(name: string, is: (value: any) => boolean, kind: string, otherwise: Value): Value => {
    const value = get(name);
    if (value === undefined) return otherwise;
    if (!is(value)) throw invalidType(`The "options.${name}" argument must be ${kind}.`);
    return value as Value;
  };
  return {
    boolean: (name, otherwise) => read(name, (value) => typeof value === 'boolean', 'a boolean', otherwise),
    string: (name) => read<string | undefined>(name, (value) => typeof value === 'string', 'a string', undefined),
    integer: (name, otherwise) => read(name, isInt32, 'an integer', otherwise),
    callback: (name) =>
      read<Function | undefined>(name, (value) => typeof value === 'function', 'a function', undefined),
  };
}

/** V8's IsInt32. */
export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}
