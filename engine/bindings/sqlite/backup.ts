// backup(): copies a database page by page, some pages to a turn of the event loop. Node copies on a thread of its pool; the steps are the same.
import type { ProcessEnvironment } from '../../process/environment';
import { type Connection, SQLITE } from './connection';
import type { SqliteLibrary } from './library';
import { optionReader, sqliteCodeError, sqliteError } from './values';

const OPEN = 0x2 | 0x4 | 0x40;
const BUSY = 5;
const LOCKED = 6;
const DEFAULT_RATE = 100;

/** Starts a backup; the promise has the number of pages. Throws for bad options, rejects for what SQLite says. */
export function startBackup(
  environment: ProcessEnvironment,
  library: SqliteLibrary,
  connection: Connection,
  path: string,
  given: unknown,
): Promise<number> {
  const options = optionReader(given);
  const rate = options.integer('rate', DEFAULT_RATE);
  const source = options.string('source') ?? 'main';
  const target = options.string('target') ?? 'main';
  const progress = options.callback('progress');
  const { c, memory, scratch, withStrings } = library;
  const { loop } = environment;

  const open = (): { db: number; backup: number } => {
    const opened = withStrings([path, 'unix'], (at, vfs) => c.sqlite3_open_v2(at, scratch, OPEN, vfs));
    const db = memory.u32(scratch);
    const fail = (): never => {
      const error = sqliteError(library, db);
      c.sqlite3_close_v2(db);
      throw error;
    };
    if (opened !== SQLITE.ok) return fail();
    const backup = withStrings([target, source], (to, from) =>
      c.sqlite3_backup_init(db, to, connection.opened(), from),
    );
    return backup === 0 ? fail() : { db, backup };
  };
  return new Promise((resolve, reject) => {
    loop.enqueue(() => {
      let job: { db: number; backup: number } | undefined;
      const finish = (): number => {
        if (!job) return SQLITE.ok;
        const result = c.sqlite3_backup_finish(job.backup);
        c.sqlite3_close_v2(job.db);
        job = undefined;
        return result;
      };
      const step = (): void => {
        try {
          job ??= open();
          const result = c.sqlite3_backup_step(job.backup, rate);
          if (![SQLITE.ok, SQLITE.done, BUSY, LOCKED].includes(result)) throw sqliteCodeError(library, result);
          const totalPages = c.sqlite3_backup_pagecount(job.backup);
          const remainingPages = c.sqlite3_backup_remaining(job.backup);
          if (result !== SQLITE.done) {
            if (remainingPages !== 0) progress?.({ totalPages, remainingPages });
            loop.enqueue(step);
            return;
          }
          const finished = finish();
          if (finished !== SQLITE.ok) throw sqliteCodeError(library, finished);
          resolve(totalPages);
        } catch (error) {
          finish();
          reject(error);
        }
      };
      step();
    });
  });
}
