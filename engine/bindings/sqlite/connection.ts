// One connection to a database: what DatabaseSync, its statements and its sessions share.
import type { SqliteLibrary } from './library';
import { invalidState, sqliteError } from './values';

export const SQLITE = { ok: 0, abort: 4, row: 100, done: 101 } as const;

export interface ConnectionDefaults {
  readBigInts: boolean;
  returnArrays: boolean;
  allowBareNamedParameters: boolean;
  allowUnknownNamedParameters: boolean;
}

export class Connection {
  readonly library: SqliteLibrary;
  readonly defaults: ConnectionDefaults;
  /** The `sqlite3*`, or 0 while closed. */
  db = 0;
  /** Ends statements and sessions before the connection closes. */
  readonly dependents = new Set<() => void>();
  /** What a user's function threw: SQLite knows only that the call failed. */
  private thrown: { error: unknown } | undefined;

  constructor(library: SqliteLibrary, defaults: ConnectionDefaults) {
    this.library = library;
    this.defaults = defaults;
  }

  /** The `sqlite3*`; throws ERR_INVALID_STATE while closed. */
  opened(): number {
    if (this.db === 0) throw invalidState('database is not open');
    return this.db;
  }

  /** Runs a user's function inside of SQLite: what it throws is kept until SQLite's call returns. */
  guard<Result>(run: () => Result, failed: () => Result): Result {
    try {
      return run();
    } catch (error) {
      this.thrown ??= { error };
      return failed();
    }
  }

  /** Throws what a user's function threw, or else the connection's error, unless `result` is `expected`. */
  check(result: number, expected: number = SQLITE.ok): void {
    if (this.thrown) {
      const { error } = this.thrown;
      this.thrown = undefined;
      throw error;
    }
    if (result !== expected) throw sqliteError(this.library, this.db);
  }

  close(): void {
    for (const end of [...this.dependents]) end();
    this.dependents.clear();
    this.check(this.library.c.sqlite3_close_v2(this.opened()));
    this.db = 0;
  }
}
