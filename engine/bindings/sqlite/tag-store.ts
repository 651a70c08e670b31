// SQLTagStore: statements of template literals, kept by their text; the ones that were used longest ago go first.
import { nodeError } from '../node-error';
import type { Connection } from './connection';
import { Backing, closedClass, defineGetters, defineMethods } from './objects';
import type { Statements } from './statement';
import { invalidType } from './values';

interface Store {
  readonly connection: Connection;
  readonly capacity: number;
  readonly statements: Map<string, object>;
}

/** Makes stores for databases whose statements are `statements`. */
export function tagStoreClass(statements: Statements) {
  const backing = new Backing<Store>();
  const SQLTagStore = closedClass('SQLTagStore', () =>
    nodeError(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'),
  );
  const statementOf = ({ connection, capacity, statements: kept }: Store, strings: unknown): object => {
    connection.opened();
    if (!Array.isArray(strings) || strings.some((part) => typeof part !== 'string'))
      throw invalidType('First argument must be an array of strings (template literal).');
    const sql = strings.join('?');
    let statement = kept.get(sql);
    if (statement && statements.stateOf(statement).address === 0) statement = undefined;
    statement ??= statements.prepare(connection, sql);
    kept.delete(sql);
    kept.set(sql, statement);
    if (kept.size > capacity) kept.delete(kept.keys().next().value as string);
    return statement;
  };
  const { calls } = statements;
  const by =
    (call: 'get' | 'all' | 'iterate' | 'run') =>
    (store: Store, strings: unknown, ...values: unknown[]) =>
      // An empty object first: the values are never names.
      calls[call](statements.stateOf(statementOf(store, strings)), {}, ...values);
  defineMethods<Store>(SQLTagStore.prototype, backing, {
    get: by('get'),
    all: by('all'),
    iterate: by('iterate'),
    run: by('run'),
    clear: (store) => store.statements.clear(),
  });
  return (connection: Connection, database: object, capacity: unknown): object => {
    connection.opened();
    if (capacity !== undefined && typeof capacity !== 'number')
      throw invalidType('The "maxSize" argument must be a positive integer.');
    if (capacity !== undefined && !(Number.isInteger(capacity) && capacity > 0))
      throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'The "maxSize" argument must be a positive integer.');
    const store: Store = { connection, capacity: capacity ?? DEFAULT_CAPACITY, statements: new Map() };
    const object = Object.create(SQLTagStore.prototype);
    backing.set(object, store);
    defineGetters(object, {
      capacity: () => store.capacity,
      db: () => database,
      size: () => store.statements.size,
    });
    return object;
  };
}

const DEFAULT_CAPACITY = 1000;
