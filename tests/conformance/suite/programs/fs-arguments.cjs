// What fs refuses before a call begins, in its three forms: descriptors, modes and empty paths (lib leaves them to the binding), and what stat
// and statfs say of what has no name of its own.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'args-')));
process.chdir(base);
fs.writeFileSync('f', 'abc');
const tell = (error) => (error ? `${error.name} ${error.code} ${error.errno ?? ''} ${error.syscall ?? ''} ${error.message}` : 'done');
const odd = { undefined: undefined, null: null, true: true, "''": '', text: "it's", long: 'x'.repeat(40), '-1': -1, '1.5': 1.5, NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, '2**31': 2 ** 31,
  '2**53': 2 ** 53, object: {}, array: [], symbol: Symbol('s'), named() {}, '10n': 10n, map: new Map(), date: new Date(0), nothing: Object.create(null), own: { constructor: class Own {} }, tagged: { [Symbol.toStringTag]: 'Tag' } };
const CALLS = {
  descriptor: { close: [], fsync: [], fdatasync: [], fstat: [], ftruncate: [1], fchmod: [0o644], fchown: [0, 0], futimes: [1, 1], read: [Buffer.alloc(1)], readv: [[Buffer.alloc(1)]], writev: [[Buffer.alloc(1)]] },
  mode: { access: ['f'], copyFile: ['f', 'g'] },
  path: { access: [], stat: [], lstat: [], open: ['r'], readFile: [], writeFile: [''], appendFile: ['x'], chmod: [0o644], mkdir: [], readdir: [], readlink: [], realpath: [], rmdir: [], unlink: [], truncate: [], utimes: [1, 1], opendir: [], mkdtemp: [] },
};
(async () => {
  const each = async (name, label, args) => {
    try {
      const result = fs[`${name}Sync`](...args);
      if (name === 'mkdtemp') fs.rmdirSync(result);
      console.log(`${name}Sync ${label}: done`);
    } catch (error) {
      console.log(`${name}Sync ${label}: ${tell(error)}`);
    }
    try {
      const error = await new Promise((resolve) => fs[name](...args, resolve));
      console.log(`${name} ${label}: called back ${tell(error)}`);
    } catch (error) {
      console.log(`${name} ${label}: thrown ${tell(error)}`);
    }
    if (fs.promises[name]) console.log(`promises.${name} ${label}: ${tell(await fs.promises[name](...args).then(() => undefined, (error) => error))}`);
  };
  for (const [label, value] of Object.entries(odd)) {
    for (const [name, rest] of Object.entries(CALLS.descriptor)) await each(name, label, [value, ...rest]);
    if (value !== null && value !== undefined && typeof value !== 'function') for (const [name, rest] of Object.entries(CALLS.mode)) await each(name, label, [...rest, value]);
  }
  for (const [name, rest] of Object.entries(CALLS.path)) if (name !== 'mkdtemp') await each(name, 'empty', ['', ...rest]);
  for (const name of ['link', 'rename', 'copyFile', 'symlink']) for (const pair of [['', 'x'], ['f', '']]) await each(name, pair.map((part) => `'${part}'`).join(), pair);
  console.log(fs.existsSync(''), fs.readdirSync('.').join());

  const statfs = fs.statfsSync('/');
  console.log(Object.entries(statfs).map(([key, value]) => `${key} ${typeof value}`).join(), statfs.bavail <= statfs.bfree, statfs.bfree <= statfs.blocks, statfs.ffree > 0, statfs.bsize);
  console.log(Object.entries(fs.statfsSync('/', { bigint: true })).map(([key, value]) => `${key} ${typeof value}`).join());
  for (const name of ['statSync', 'lstatSync'])
    for (const file of ['f/x', 'none/x', 'none']) {
      try {
        console.log(name, file, fs[name](file, { throwIfNoEntry: false }));
      } catch (error) {
        console.log(name, file, tell(error));
      }
    }
  // Other names of descriptors.
  const input = fs.statSync('/dev/stdin');
  console.log(input.isFIFO(), fs.fstatSync(0).isFIFO(), fs.existsSync('/dev/stdin'), fs.existsSync('/proc/self/fd/99'), fs.existsSync('/dev/fd/1'));
  fs.accessSync('/dev/stdout', fs.constants.W_OK);
  const fd = fs.openSync('f');
  console.log(fs.statSync(`/proc/self/fd/${fd}`).size, fs.realpathSync(`/proc/self/fd/${fd}`) === path.join(base, 'f'), fs.readlinkSync(`/dev/fd/${fd}`) === path.join(base, 'f'), fs.lstatSync(`/proc/self/fd/${fd}`).isSymbolicLink());
  console.log(/^(pipe:\[\d+\])$/.test(fs.readlinkSync('/proc/self/fd/0')), tell(await fs.promises.stat('/proc/self/fd/99').catch((error) => error)));

  // A missing source comes before a target that is there, and a length is no encoding.
  await each('copyFile', 'missing', ['none', 'f', fs.constants.COPYFILE_EXCL]);
  const handle = await fs.promises.open('f', 'w+');
  console.log((await handle.write('text', 0, 4)).bytesWritten, fs.readFileSync('f', 'utf8'));
  await handle.close();

  // A folder that is gone under the program.
  fs.mkdirSync('gone');
  process.chdir('gone');
  fs.rmdirSync(path.join(base, 'gone'));
  for (const run of [() => fs.mkdirSync('x', { recursive: true }), () => fs.mkdirSync('x'), () => fs.writeFileSync('x', '')]) {
    try {
      run();
      console.log('done');
    } catch (error) {
      console.log(tell(error));
    }
  }
  console.log(fs.existsSync(path.join(base, 'gone')));
  process.chdir('/');
  fs.rmSync(base, { recursive: true });
})();

// What happens at once after a watch began is heard; relative paths come back relative.
{
  const { Resolver } = require('node:dns');
  const zlib = require('node:zlib');
  fs.mkdirSync('at-once');
  const watcher = fs.watch('at-once', (event, name) => {
    console.log('watched', event, name);
    watcher.close();
    console.log('made', fs.mkdirSync('at-once/a/b/c', { recursive: true }), fs.mkdirSync('./at-once/a/d', { recursive: true }), fs.mkdirSync('at-once/a', { recursive: true }));
    fs.rmSync('at-once', { recursive: true });
    fs.openAsBlob('at-once').catch((error) => console.log(error.name, error.code, error.message));
  });
  fs.writeFileSync('at-once/new', '');
  const resolver = new Resolver();
  resolver.setServers(['1.1.1.1', '[::1]:99']);
  console.log(resolver.getServers());
  for (const tail of [[0, 0], [1, 2, 3], [0x1f]]) {
    try { console.log(zlib.gunzipSync(Buffer.concat([zlib.gzipSync('a'), Buffer.from(tail)])).toString()); } catch (error) { console.log(error.code, error.message); }
  }
  console.log(Object.keys(require('node:child_process').spawnSync('nothing-of-this-name')));
}
