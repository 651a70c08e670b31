// node:sqlite: values, statements, the person's own functions, two connections and two processes at one file, sessions, backup.
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { backup, constants, DatabaseSync } = require('node:sqlite');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite-'));
const file = path.join(folder, 'books.db');
const show = (name, run) => {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.message, error.code, error.errcode, error.errstr);
  }
};

const db = new DatabaseSync(file);
db.exec('CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, price REAL, cover BLOB)');
const insert = db.prepare('INSERT INTO book (title, price, cover) VALUES ($title, :price, ?)');
show('run', () => insert.run({ title: 'Émile\0☃', ':price': 9.5 }, new Uint8Array([1, 2, 255])));
show('again', () => insert.run({ title: 'Émile\0☃', ':price': 1 }, null));
show('wrong', () => insert.run({ title: {} }));
show('all', () => db.prepare('SELECT *, length(cover) AS n FROM book').all());
show('columns', () => db.prepare('SELECT title AS t, price + 1 FROM book').columns());
show('sql', () => [insert.sourceSQL, insert.expandedSQL]);
show('big', () => db.prepare('SELECT 9007199254740993 AS a').get());
show('bigints', () => db.prepare('SELECT 9007199254740993 AS a, 1.5 AS b', { readBigInts: true }).get());
show('arrays', () => db.prepare('SELECT 1 AS a, 2 AS a', { returnArrays: true }).get());
show('syntax', () => db.exec('SELEC 1'));
show('database', () => [db, db.isTransaction, db.location() === file]);
const rows = db.prepare('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT i FROM n');
show('iterate', () => rows.iterate().take(2).toArray());
show('for of', () => {
  const found = [];
  for (const { i } of rows.iterate()) if (found.push(i) === 3) break;
  return found;
});

db.function('shout', { deterministic: true }, (text, n) => text.toUpperCase() + '!'.repeat(n));
db.function('fails', () => {
  throw new RangeError('from JavaScript');
});
db.aggregate('product', { start: 1, step: (sum, value) => sum * value, inverse: (sum, value) => sum / value });
show('function', () => db.prepare("SELECT shout('hé', 3) AS a").get());
show('throws', () => db.exec('SELECT fails()'));
show('aggregate', () => db.prepare('SELECT product(value) AS p FROM json_each(?)').get('[2,3,7]'));
show('window', () =>
  db
    .prepare('SELECT product(value) OVER (ORDER BY value ROWS 1 PRECEDING) AS p FROM json_each(?)')
    .all('[2,3,7]')
    .map(({ p }) => p),
);
db.setAuthorizer((action) => (action === constants.SQLITE_DROP_TABLE ? constants.SQLITE_DENY : constants.SQLITE_OK));
show('authorizer', () => db.exec('DROP TABLE book'));
db.setAuthorizer(null);

const other = new DatabaseSync(file, { timeout: 1 });
db.exec('BEGIN IMMEDIATE');
db.exec("INSERT INTO book (title) VALUES ('second')");
show('reader', () => other.prepare('SELECT count(*) AS n FROM book').get());
show('writer', () => other.exec('DELETE FROM book'));
const child = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 1 });
  try {
    db.exec("INSERT INTO book (title) VALUES ('child')");
    console.log('written');
  } catch (error) {
    console.log(error.message);
  }`;
const run = () => execFileSync(process.execPath, ['--no-warnings', '-e', child]).toString().trim();
show('process', run);
db.exec('COMMIT');
show('process', run);
show('titles', () => other.prepare('SELECT title FROM book ORDER BY id').all().map(({ title }) => title));
other.close();
show('closed', () => other.exec('SELECT 1'));
show('read only', () => new DatabaseSync(file, { readOnly: true }).exec('DELETE FROM book'));
show('nowhere', () => new DatabaseSync(path.join(folder, 'no/such.db')));

const copy = new DatabaseSync(':memory:');
copy.exec('CREATE TABLE pair (key INTEGER PRIMARY KEY, value TEXT)');
const session = copy.createSession();
const sql = copy.createTagStore();
show('tags', () => sql.run`INSERT INTO pair VALUES (${1}, ${'one'})`);
show('tags', () => [sql.get`SELECT * FROM pair WHERE key = ${1}`, sql.size]);
const changes = session.changeset();
show('changeset', () => Buffer.from(changes).toString('hex'));
copy.exec('DELETE FROM pair');
show('apply', () => [copy.applyChangeset(changes), copy.prepare('SELECT * FROM pair').all()]);
show('conflict', () => copy.applyChangeset(changes, { onConflict: (kind) => (console.log(kind), 0) }));
show('bytes', () => Buffer.from(copy.serialize().subarray(0, 16)).toString());

backup(db, path.join(folder, 'copy.db'), { rate: 1, progress: (step) => console.log(step) }).then((pages) => {
  console.log('backup', pages, new DatabaseSync(path.join(folder, 'copy.db')).prepare('PRAGMA integrity_check').get());
  console.log(fs.readFileSync(file).subarray(0, 24).toString('latin1') === fs.readFileSync(path.join(folder, 'copy.db')).subarray(0, 24).toString('latin1'));
  db.close();
  console.log(fs.readdirSync(folder));
  fs.rmSync(folder, { recursive: true });
});
