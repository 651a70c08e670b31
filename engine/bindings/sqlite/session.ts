// Sessions: what changed in a database as bytes, and applying such bytes to another.
import { nodeError } from '../node-error';
import { viewBytes } from '../strings';
import { type Connection, SQLITE } from './connection';
import type { SqliteLibrary } from './library';
import { Backing, closedClass, defineMethods } from './objects';
import { invalidState, invalidType, optionReader, sqliteCodeError } from './values';

interface Session {
  readonly connection: Connection;
  /** The `sqlite3_session*`, or 0 when closed. */
  address: number;
}

/** The Session class and the two methods of DatabaseSync around it. */
export function sessionClass() {
  const backing = new Backing<Session>();
  const Session = closedClass('Session', () => nodeError(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'));
  const open = (session: Session): number => {
    session.connection.opened();
    if (session.address === 0) throw invalidState('session is not open');
    return session.address;
  };
  const bytesBy = (name: string) => (session: Session) => {
    const address = open(session);
    const { c, memory, scratch } = session.connection.library;
    session.connection.check(c[name](address, scratch, scratch + 4));
    const [length, at] = [memory.u32(scratch), memory.u32(scratch + 4)];
    const bytes = memory.bytes(at, length).slice();
    c.sqlite3_free(at);
    return bytes;
  };
  const end = (session: Session): void => {
    if (session.address !== 0) session.connection.library.c.sqlite3session_delete(session.address);
    session.address = 0;
  };
  defineMethods<Session>(Session.prototype, backing, {
    changeset: bytesBy('sqlite3session_changeset'),
    patchset: bytesBy('sqlite3session_patchset'),
    close(session) {
      open(session);
      end(session);
    },
  });
  Object.defineProperty(Session.prototype, Symbol.dispose, {
    value(this: unknown) {
      end(backing.of(this));
    },
    configurable: true,
    writable: true,
  });

  return {
    Session,
    create(connection: Connection, given: unknown): object {
      const db = connection.opened();
      const options = optionReader(given);
      const table = options.string('table');
      const schema = options.string('db') ?? 'main';
      const { c, memory, scratch, withStrings } = connection.library;
      const session: Session = { connection, address: 0 };
      withStrings([schema, table], (schemaAt, tableAt) => {
        connection.check(c.sqlite3session_create(db, schemaAt, scratch));
        session.address = memory.u32(scratch);
        connection.check(c.sqlite3session_attach(session.address, tableAt));
      });
      connection.dependents.add(() => end(session));
      const object = Object.create(Session.prototype);
      backing.set(object, session);
      return object;
    },
  };
}

interface Applying {
  connection: Connection;
  filter: Function | undefined;
  onConflict: Function | undefined;
}

/** applyChangeset over one library. */
export function changesetApplier(library: SqliteLibrary) {
  const { c, text, copy, pointerTo } = library;
  /** One at a time may run inside of another's callback: the innermost is the last. */
  const running: Applying[] = [];
  const current = (): Applying => running[running.length - 1];
  const filter = pointerTo(
    (_context, table) => {
      const { connection, filter } = current();
      return connection.guard(
        () => (filter?.(text(table)) ? 1 : 0),
        () => 0,
      );
    },
    2,
    true,
  );
  const conflict = pointerTo(
    (_context, kind) => {
      const { connection, onConflict } = current();
      if (!onConflict) return CHANGESET_ABORT;
      return connection.guard(
        () => {
          const answer = onConflict(kind);
          return typeof answer === 'number' && Number.isInteger(answer) ? answer : -1;
        },
        () => CHANGESET_ABORT,
      );
    },
    3,
    true,
  );
  return (connection: Connection, changeset: unknown, given: unknown): boolean => {
    const db = connection.opened();
    if (!(changeset instanceof Uint8Array)) throw invalidType('The "changeset" argument must be a Uint8Array.');
    const options = optionReader(given);
    const onConflict = options.callback('onConflict');
    const filtering = options.callback('filter');
    running.push({ connection, filter: filtering, onConflict });
    const bytes = viewBytes(changeset);
    const at = copy(bytes);
    let result: number;
    try {
      result = c.sqlite3changeset_apply(db, bytes.length, at, filtering ? filter : 0, conflict, 0);
    } finally {
      c.free(at);
      running.pop();
    }
    connection.check(SQLITE.ok);
    if (result === SQLITE.ok) return true;
    if (result === SQLITE.abort) return false;
    throw sqliteCodeError(library, result);
  };
}

const CHANGESET_ABORT = 2;
