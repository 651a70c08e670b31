// StatementSync and the iterator over its rows.
import { nodeError } from '../node-error';
import { type Connection, SQLITE } from './connection';
import { Backing, closedClass, defineGetters, defineMethods } from './objects';
import { bindValue, columnSource, invalidState, invalidType, readValue } from './values';

interface Statement {
  readonly connection: Connection;
  /** The `sqlite3_stmt*`, or 0 when finalized. */
  address: number;
  readBigInts: boolean;
  returnArrays: boolean;
  allowBare: boolean;
  allowUnknown: boolean;
  /** Full names by their bare ones. */
  bare: Map<string, string> | undefined;
  /** Counts resets: an iterator from before one is invalid. */
  generation: number;
}

interface Rows {
  readonly statement: Statement;
  readonly generation: number;
  done: boolean;
}

/** The statement class, and how the engine makes and runs statements. */
export function statementClass() {
  const backing = new Backing<Statement>();
  const rowsBacking = new Backing<Rows>();
  const StatementSync = closedClass('StatementSync', () =>
    nodeError(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'),
  );
  const StatementSyncIterator = closedClass('StatementSyncIterator', () =>
    nodeError(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'),
  );
  Object.setPrototypeOf(StatementSyncIterator.prototype, (globalThis as any).Iterator.prototype);
  // A statement that nobody has any more is finalized; one that is open keeps its tables' locks.
  const forgotten = new FinalizationRegistry<() => void>((end) => end());

  const live = (statement: Statement): Statement => {
    if (statement.address === 0) throw invalidState('statement has been finalized');
    return statement;
  };
  const reset = (statement: Statement): number => {
    statement.generation++;
    return statement.connection.library.c.sqlite3_reset(statement.address);
  };

  const bareNames = (statement: Statement): Map<string, string> => {
    if (statement.bare) return statement.bare;
    const { c, text } = statement.connection.library;
    const names = new Map<string, string>();
    const count = c.sqlite3_bind_parameter_count(statement.address);
    for (let index = 1; index <= count; index++) {
      const full = text(c.sqlite3_bind_parameter_name(statement.address, index));
      if (full === null) continue;
      const name = full.slice(1);
      const other = names.get(name);
      if (other !== undefined && other !== full)
        throw invalidState(
          `Cannot create bare named parameter '${name}' because of conflicting names '${other}' and '${full}'.`,
        );
      names.set(name, full);
    }
    return (statement.bare = names);
  };

  const bind = (statement: Statement, args: unknown[]): void => {
    const { connection, address } = statement;
    const { c, withStrings } = connection.library;
    connection.check(c.sqlite3_clear_bindings(address));
    const indexOf = (name: string): number => withStrings([name], (at) => c.sqlite3_bind_parameter_index(address, at));
    let first = 0;
    const named = args[0];
    if (((typeof named === 'object' && named !== null) || typeof named === 'function') && !ArrayBuffer.isView(named)) {
      const bare = statement.allowBare ? bareNames(statement) : undefined;
      for (const key of Object.keys(named)) {
        let index = indexOf(key);
        const full = index === 0 ? bare?.get(key) : undefined;
        if (full !== undefined) index = indexOf(full);
        if (index === 0) {
          if (statement.allowUnknown) continue;
          throw invalidState(`Unknown named parameter '${key}'`);
        }
        connection.check(bindValue(connection.library, address, index, (named as Record<string, unknown>)[key]));
      }
      first = 1;
    }
    let index = 1;
    for (const value of args.slice(first)) {
      while (c.sqlite3_bind_parameter_name(address, index) !== 0) index++;
      connection.check(bindValue(connection.library, address, index, value));
      index++;
    }
  };

  const begin = (statement: Statement, args: unknown[]): Statement => {
    live(statement);
    statement.connection.check(reset(statement));
    bind(statement, args);
    return statement;
  };
  const step = ({ connection, address }: Statement): boolean => {
    const result = connection.library.c.sqlite3_step(address);
    if (result === SQLITE.row) return true;
    connection.check(result, SQLITE.done);
    return false;
  };
  const names = ({ connection, address }: Statement): string[] => {
    const { c, text } = connection.library;
    return Array.from({ length: c.sqlite3_column_count(address) }, (_, index) =>
      String(text(c.sqlite3_column_name(address, index))),
    );
  };
  const rowOf = (statement: Statement, columns: string[]): unknown => {
    const { library } = statement.connection;
    const values = columns.map((_, index) =>
      readValue(library, columnSource(library, statement.address, index), statement.readBigInts),
    );
    if (statement.returnArrays) return values;
    const row = Object.create(null);
    columns.forEach((name, index) => void (row[name] = values[index]));
    return row;
  };
  const finishing = <Result>(statement: Statement, run: () => Result): Result => {
    try {
      return run();
    } finally {
      if (statement.address !== 0) reset(statement);
    }
  };

  const calls = {
    all(statement: Statement, ...args: unknown[]): unknown[] {
      begin(statement, args);
      return finishing(statement, () => {
        const columns = names(statement);
        const rows: unknown[] = [];
        while (step(statement)) rows.push(rowOf(statement, columns));
        return rows;
      });
    },
    get(statement: Statement, ...args: unknown[]): unknown {
      begin(statement, args);
      return finishing(statement, () => {
        if (!step(statement)) return undefined;
        const columns = names(statement);
        return columns.length === 0 ? undefined : rowOf(statement, columns);
      });
    },
    run(statement: Statement, ...args: unknown[]): unknown {
      begin(statement, args);
      const { connection, address, readBigInts } = statement;
      const { c } = connection.library;
      c.sqlite3_step(address);
      connection.check(reset(statement));
      const number = (value: bigint): number | bigint => (readBigInts ? value : Number(value));
      return {
        changes: number(c.sqlite3_changes64(connection.db)),
        lastInsertRowid: number(c.sqlite3_last_insert_rowid(connection.db)),
      };
    },
    iterate(statement: Statement, ...args: unknown[]): unknown {
      begin(statement, args);
      const rows = Object.create(StatementSyncIterator.prototype);
      rowsBacking.set(rows, { statement, generation: statement.generation, done: false });
      return rows;
    },
  };

  const finished = (): unknown => Object.assign(Object.create(null), { done: true, value: null });
  defineMethods<Rows>(StatementSyncIterator.prototype, rowsBacking, {
    next(rows) {
      const { statement } = rows;
      live(statement);
      if (rows.done) return finished();
      if (rows.generation !== statement.generation) throw invalidState('iterator was invalidated');
      if (step(statement)) {
        return Object.assign(Object.create(null), { done: false, value: rowOf(statement, names(statement)) });
      }
      rows.done = true;
      reset(statement);
      return finished();
    },
    return(rows) {
      live(rows.statement);
      rows.done = true;
      reset(rows.statement);
      return finished();
    },
  });

  const setter =
    (name: string, set: (statement: Statement, value: boolean) => void) => (statement: Statement, value: unknown) => {
      live(statement);
      if (typeof value !== 'boolean') throw invalidType(`The "${name}" argument must be a boolean.`);
      set(statement, value);
    };
  defineMethods<Statement>(StatementSync.prototype, backing, {
    iterate: calls.iterate,
    all: calls.all,
    get: calls.get,
    run: calls.run,
    columns(statement) {
      const { c, text } = live(statement).connection.library;
      const { address } = statement;
      return Array.from({ length: c.sqlite3_column_count(address) }, (_, index) =>
        Object.assign(Object.create(null), {
          column: text(c.sqlite3_column_origin_name(address, index)),
          database: text(c.sqlite3_column_database_name(address, index)),
          name: text(c.sqlite3_column_name(address, index)),
          table: text(c.sqlite3_column_table_name(address, index)),
          type: text(c.sqlite3_column_decltype(address, index)),
        }),
      );
    },
    setAllowBareNamedParameters: setter('allowBareNamedParameters', (statement, value) => {
      statement.allowBare = value;
    }),
    setAllowUnknownNamedParameters: setter('enabled', (statement, value) => {
      statement.allowUnknown = value;
    }),
    setReadBigInts: setter('readBigInts', (statement, value) => {
      statement.readBigInts = value;
    }),
    setReturnArrays: setter('returnArrays', (statement, value) => {
      statement.returnArrays = value;
    }),
  });

  return {
    StatementSync,
    calls,
    stateOf: (object: unknown): Statement => backing.of(object),
    /** A statement of the first command in `sql`; throws SQLite's error. `options` are those of the connection, changed by the call's. */
    prepare(connection: Connection, sql: string, options = connection.defaults): object {
      const { library } = connection;
      const { c, memory, scratch } = library;
      const db = connection.opened();
      const result = library.withStrings([sql], (at) => c.sqlite3_prepare_v2(db, at, -1, scratch, 0));
      connection.check(result);
      const statement: Statement = {
        connection,
        address: memory.u32(scratch),
        readBigInts: options.readBigInts,
        returnArrays: options.returnArrays,
        allowBare: options.allowBareNamedParameters,
        allowUnknown: options.allowUnknownNamedParameters,
        bare: undefined,
        generation: 0,
      };
      if (statement.address === 0)
        throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'The SQL query contains no statements.');
      const object = Object.create(StatementSync.prototype);
      const end = (): void => {
        if (statement.address !== 0) c.sqlite3_finalize(statement.address);
        statement.address = 0;
        connection.dependents.delete(end);
      };
      connection.dependents.add(end);
      forgotten.register(object, end);
      backing.set(object, statement);
      defineGetters(object, {
        sourceSQL: () => library.text(c.sqlite3_sql(live(statement).address)),
        expandedSQL() {
          const address = c.sqlite3_expanded_sql(live(statement).address);
          const text = library.text(address);
          c.sqlite3_free(address);
          return text;
        },
      });
      return object;
    },
  };
}

export type Statements = ReturnType<typeof statementClass>;
