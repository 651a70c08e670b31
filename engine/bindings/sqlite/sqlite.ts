// sqlite: node:sqlite over SQLite's own WebAssembly build, in the process's files. Checks and messages are node_sqlite.cc's.
import { unsupported } from '../../process/dump';
import type { Binding } from '../../process/environment';
import { nodeError } from '../node-error';
import { viewBytes } from '../strings';
import { startBackup } from './backup';
import { Connection, SQLITE } from './connection';
import { type UserFunctions, userFunctions } from './functions';
import { loadSqlite, type SqliteLibrary } from './library';
import { connectionLimits, givenLimits } from './limits';
import { Backing, defineGetters, defineMethods } from './objects';
import { changesetApplier, sessionClass } from './session';
import { statementClass } from './statement';
import { tagStoreClass } from './tag-store';
import { invalidState, invalidType, optionReader, sqliteError } from './values';

const OPEN = { readOnly: 0x1, readWrite: 0x2, create: 0x4, uri: 0x40 } as const;
const CONFIG = { foreignKeys: 1002, defensive: 1010, quotedDml: 1013, quotedDdl: 1014 } as const;
/** What Node's own build of SQLite makes a new database with; this one has 8192. */
const PAGE_BYTES = 4096;
const DESERIALIZE_FLAGS = 3;

interface Database {
  readonly object: object;
  readonly connection: Connection;
  readonly location: string;
  readonly settings: {
    readOnly: boolean;
    foreignKeys: boolean;
    quotedStrings: boolean;
    timeout: number;
    defensive: boolean;
    limits: [id: number, value: number][];
  };
  readonly allowExtension: boolean;
  loadsExtensions: boolean;
  limits: object | undefined;
}

export const sqlite: Binding = (environment) => {
  let loaded: { library: SqliteLibrary; functions: UserFunctions; apply: ReturnType<typeof changesetApplier> };
  const load = (): typeof loaded => {
    if (!loaded) {
      const library = loadSqlite(environment);
      loaded = { library, functions: userFunctions(library), apply: changesetApplier(library) };
    }
    return loaded;
  };
  const backing = new Backing<Database>();
  const statements = statementClass();
  const sessions = sessionClass();
  const makeTagStore = tagStoreClass(statements);

  const open = (database: Database): void => {
    const { connection, location, settings } = database;
    if (connection.db !== 0) throw invalidState('database is already open');
    const { c, memory, scratch, withStrings } = connection.library;
    const flags = OPEN.uri | (settings.readOnly ? OPEN.readOnly : OPEN.readWrite | OPEN.create);
    const result = withStrings([location, 'unix'], (at, vfs) => c.sqlite3_open_v2(at, scratch, flags, vfs));
    const db = memory.u32(scratch);
    if (result !== SQLITE.ok) {
      const error = sqliteError(connection.library, db);
      c.sqlite3_close_v2(db);
      throw error;
    }
    connection.db = db;
    const configure = (name: number, on: boolean): void =>
      connection.check(c.sqlite3__wasm_db_config_ip(db, name, on ? 1 : 0, 0));
    configure(CONFIG.quotedDml, settings.quotedStrings);
    configure(CONFIG.quotedDdl, settings.quotedStrings);
    configure(CONFIG.foreignKeys, settings.foreignKeys);
    configure(CONFIG.defensive, settings.defensive);
    for (const [id, value] of settings.limits) c.sqlite3_limit(db, id, value);
    withoutSharedLog(connection);
    const page = `PRAGMA page_size = ${PAGE_BYTES}`;
    if (isNew(connection)) withStrings([page], (at) => c.sqlite3_exec(db, at, 0, 0, 0));
    c.sqlite3_busy_timeout(db, settings.timeout);
  };

  /** Whether nothing has been written to the database yet. */
  const isNew = ({ db, library }: Connection): boolean => {
    const path = library.withStrings(['main'], (at) => library.text(library.c.sqlite3_db_filename(db, at)));
    if (!path) return true;
    const ino = environment.tree.lookup(path);
    return ino < 0 || environment.tree.sizeOf(ino) === 0;
  };

  function DatabaseSync(this: object, ...args: unknown[]): void {
    if (!new.target) throw nodeError(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
    const location = pathOf(args[0]);
    if (args.length > 1 && (typeof args[1] !== 'object' || args[1] === null))
      throw invalidType('The "options" argument must be an object.');
    const options = optionReader(args[1]);
    const opens = options.boolean('open', true);
    const readOnly = options.boolean('readOnly', false);
    const foreignKeys = options.boolean('enableForeignKeyConstraints', true);
    const quotedStrings = options.boolean('enableDoubleQuotedStringLiterals', false);
    const allowExtension = options.boolean('allowExtension', false);
    const timeout = options.integer('timeout', 0);
    const defaults = {
      readBigInts: options.boolean('readBigInts', false),
      returnArrays: options.boolean('returnArrays', false),
      allowBareNamedParameters: options.boolean('allowBareNamedParameters', true),
      allowUnknownNamedParameters: options.boolean('allowUnknownNamedParameters', false),
    };
    const defensive = options.boolean('defensive', false);
    const limits = givenLimits((args[1] as { limits?: unknown } | undefined)?.limits);
    const database: Database = {
      object: this,
      connection: new Connection(load().library, defaults),
      location,
      settings: { readOnly, foreignKeys, quotedStrings, timeout, defensive, limits },
      allowExtension,
      loadsExtensions: allowExtension,
      limits: undefined,
    };
    const { connection } = database;
    backing.set(this, database);
    defineGetters(this, {
      isOpen: () => connection.db !== 0,
      isTransaction: () => connection.library.c.sqlite3_get_autocommit(connection.opened()) === 0,
      limits() {
        connection.opened();
        return (database.limits ??= connectionLimits(connection));
      },
    });
    (this as any)[Symbol.for('sqlite-type')] = 'node:sqlite';
    if (opens) open(database);
  }

  const text = (value: unknown, name: string): string => {
    if (typeof value !== 'string') throw invalidType(`The "${name}" argument must be a string.`);
    return value;
  };
  const isTrue = (value: unknown, name: string): boolean => {
    if (typeof value !== 'boolean') throw invalidType(`The "${name}" argument must be a boolean.`);
    return value;
  };
  defineMethods<Database>(DatabaseSync.prototype, backing, {
    open,
    close: ({ connection }) => connection.close(),
    prepare({ connection }, sql, given) {
      connection.opened();
      const source = text(sql, 'sql');
      const options = optionReader(given);
      const { defaults } = connection;
      return statements.prepare(connection, source, {
        readBigInts: options.boolean('readBigInts', defaults.readBigInts),
        returnArrays: options.boolean('returnArrays', defaults.returnArrays),
        allowBareNamedParameters: options.boolean('allowBareNamedParameters', defaults.allowBareNamedParameters),
        allowUnknownNamedParameters: options.boolean(
          'allowUnknownNamedParameters',
          defaults.allowUnknownNamedParameters,
        ),
      });
    },
    exec({ connection }, sql) {
      const db = connection.opened();
      const { c, withStrings } = connection.library;
      connection.check(withStrings([text(sql, 'sql')], (at) => c.sqlite3_exec(db, at, 0, 0, 0)));
    },
    function: ({ connection }, ...args) => load().functions.define(connection, args[0], ...args.slice(1)),
    createTagStore: ({ connection, object }, capacity) => makeTagStore(connection, object, capacity),
    location({ connection }, ...args) {
      const db = connection.opened();
      const name = args.length > 0 ? text(args[0], 'dbName') : 'main';
      const { c, withStrings, text: read } = connection.library;
      return withStrings([name], (at) => read(c.sqlite3_db_filename(db, at))) || null;
    },
    aggregate: ({ connection }, name, options) => load().functions.aggregate(connection, name, options),
    createSession: ({ connection }, options) => sessions.create(connection, options),
    applyChangeset: ({ connection }, changeset, options) => load().apply(connection, changeset, options),
    enableLoadExtension(database, allow) {
      const allows = isTrue(allow, 'allow');
      if (allows && !database.allowExtension)
        throw invalidState('Cannot enable extension loading because it was disabled at database creation.');
      database.loadsExtensions = allows;
    },
    enableDefensive({ connection }, active) {
      const db = connection.opened();
      const on = isTrue(active, 'active') ? 1 : 0;
      connection.check(connection.library.c.sqlite3__wasm_db_config_ip(db, CONFIG.defensive, on, 0));
    },
    loadExtension(database, path) {
      database.connection.opened();
      if (!database.loadsExtensions) throw invalidState('extension loading is not allowed');
      throw unsupported(`sqlite: the extension ${text(path, 'path')}`);
    },
    serialize({ connection }, ...args) {
      const db = connection.opened();
      const name = args[0] === undefined ? 'main' : text(args[0], 'dbName');
      const { library } = connection;
      const { c, memory, scratch } = library;
      const at = library.withStrings([name], (address) => c.sqlite3_serialize(db, address, scratch, 0));
      const length = Number(memory.u64(scratch));
      if (at === 0) {
        if (length === 0) return new Uint8Array(0);
        throw sqliteError(library, db);
      }
      const bytes = memory.bytes(at, length).slice();
      c.sqlite3_free(at);
      return bytes;
    },
    deserialize({ connection }, buffer, given) {
      const db = connection.opened();
      if (!(buffer instanceof Uint8Array)) throw invalidType('The "buffer" argument must be a Uint8Array.');
      const bytes = viewBytes(buffer);
      if (bytes.length === 0)
        throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'The "buffer" argument must not be empty.');
      const name = optionReader(given).string('dbName') ?? 'main';
      const { c, memory, withStrings } = connection.library;
      for (const end of [...connection.dependents]) end();
      // SQLite owns it from now on, and frees it.
      const at = c.sqlite3_malloc64(BigInt(bytes.length));
      memory.bytes(at, bytes.length).set(bytes);
      const length = BigInt(bytes.length);
      const result = withStrings([name], (address) =>
        c.sqlite3_deserialize(db, address, at, length, length, DESERIALIZE_FLAGS),
      );
      connection.check(result);
    },
    setAuthorizer: ({ connection }, callback) => load().functions.setAuthorizer(connection, callback),
  });
  Object.defineProperty(DatabaseSync.prototype, Symbol.dispose, {
    value(this: unknown) {
      const { connection } = backing.of(this);
      if (connection.db !== 0) connection.close();
    },
    configurable: true,
    writable: true,
  });

  return Object.assign(environment.dumped('sqlite'), {
    DatabaseSync,
    StatementSync: statements.StatementSync,
    Session: sessions.Session,
    backup(source: unknown, ...rest: [unknown, unknown?]) {
      if (typeof source !== 'object' || source === null)
        throw invalidType('The "sourceDb" argument must be an object.');
      const { connection } = backing.of(source);
      connection.opened();
      const path = pathOf(rest[0]);
      if (rest[1] !== undefined && (typeof rest[1] !== 'object' || rest[1] === null))
        throw invalidType('The "options" argument must be an object.');
      return startBackup(environment, load().library, connection, path, rest[1]);
    },
  });
};

/** What a path argument names, as SQLite takes it: a file: URL stays one. */
function pathOf(path: unknown): string {
  const invalid = (): Error =>
    invalidType('The "path" argument must be a string, Uint8Array, or URL without null bytes.');
  let text: unknown = path;
  if (path instanceof Uint8Array) text = (globalThis as any).Buffer.from(path).toString();
  else if (typeof path === 'object' && path !== null) {
    text = (path as { href?: unknown }).href;
    if (typeof text === 'string' && !text.startsWith('file:'))
      throw nodeError(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file:');
  }
  if (typeof text !== 'string' || text.includes('\0')) throw invalid();
  return text;
}

const FILE_POINTER = 7;

/** A write-ahead log wants memory that processes share through a file, which is not to be had: its methods say so, and SQLite keeps its rollback journal. */
function withoutSharedLog({ db, library }: Connection): void {
  const { c, memory, scratch, withStrings } = library;
  memory.setU32(scratch, 0);
  withStrings(['main'], (at) => c.sqlite3_file_control(db, at, FILE_POINTER, scratch));
  const methods = memory.u32(scratch) === 0 ? 0 : memory.u32(memory.u32(scratch));
  if (methods !== 0) memory.setU32(methods, 1);
}
