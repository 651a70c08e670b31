// WASI: the calls of preview1, driven from JavaScript over a module that has nothing but a memory.
const { WASI } = require('node:wasi');
const fs = require('node:fs');
const path = require('node:path');
process.removeAllListeners('warning');

const box = path.resolve('wasi-box');
fs.rmSync(box, { recursive: true, force: true });
fs.mkdirSync(path.join(box, 'inner'), { recursive: true });
fs.writeFileSync(path.join(box, 'a.txt'), 'hello wasi');
fs.symlinkSync('a.txt', path.join(box, 'link'));

const wasi = new WASI({ version: 'preview1', args: ['prog', 'ünï'], env: { A: '1', B: 'zwei' }, preopens: { '/box': box }, returnOnExit: true });
const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 2, 7, 24, 2, 6, 109, 101, 109, 111, 114, 121, 2, 0, 11, 95, 105, 110, 105, 116, 105, 97, 108, 105, 122, 101, 0, 0, 10, 4, 1, 2, 0, 11);
const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), wasi.getImportObject());
try { wasi.wasiImport.sched_yield(); } catch (error) { console.log(error.code); }
wasi.initialize(instance);
const memory = new Uint8Array(instance.exports.memory.buffer);
const view = new DataView(memory.buffer);
const call = wasi.wasiImport;
const put = (at, text) => { const encoded = new TextEncoder().encode(text); memory.set(encoded, at); return encoded.length; };
const text = (at, length) => new TextDecoder().decode(memory.slice(at, at + length));
const u32 = (at) => view.getUint32(at, true);
const vector = (at, address, length) => { view.setUint32(at, address, true); view.setUint32(at + 4, length, true); };
const named = (name, ...rest) => { const length = put(5000, name); return [5000, length, ...rest]; };
const say = (...values) => console.log(...values);

say('strings', call.args_sizes_get(0, 4), u32(0), u32(4), call.args_get(16, 100), text(100, u32(4)).split('\0'));
say('env', call.environ_sizes_get(0, 4), u32(0), u32(4), call.environ_get(16, 200), text(200, u32(4)).split('\0'));
say('prestat', call.fd_prestat_get(3, 0), u32(0), u32(4), call.fd_prestat_dir_name(3, 300, u32(4)), text(300, u32(4)), call.fd_prestat_get(4, 0), call.fd_prestat_get(0, 0) !== 0);
const RW = (1n << 1n) | (1n << 6n) | (1n << 2n) | (1n << 5n) | (1n << 21n) | (1n << 22n) | (1n << 8n) | (1n << 23n);
const open = (name, { flags = 1, create = 0, rights = RW, fdflags = 0 } = {}) => {
  const error = call.path_open(3, flags, ...named(name), create, rights, rights, fdflags, 0);
  return error === 0 ? u32(0) : -error;
};
const read = open('a.txt', { rights: (1n << 1n) | (1n << 2n) | (1n << 5n) | (1n << 21n) });
vector(400, 1000, 5); vector(408, 1100, 100);
say('read', read > 3, call.fd_read(read, 400, 2, 0), u32(0), text(1000, 5), text(1100, 5), call.fd_read(read, 400, 2, 0), u32(0));
say('seek', call.fd_seek(read, 2n, 0, 0), view.getBigUint64(0, true), call.fd_tell(read, 8), view.getBigUint64(8, true), call.fd_seek(read, -3n, 2, 0), view.getBigUint64(0, true), call.fd_seek(read, -99n, 0, 0));
say('pread', call.fd_pread(read, 400, 1, 6n, 0), u32(0), text(1000, 4));
say('stat', call.fd_filestat_get(read, 2000), memory[2016], view.getBigUint64(2024, true), view.getBigUint64(2032, true), view.getBigUint64(2048, true) > 0n);
say('fdstat', call.fd_fdstat_get(read, 2000), memory[2000]);
const write = open('new.txt', { create: 1 });
put(1000, 'written!');
vector(400, 1000, 7);
say('write', write > 3, call.fd_write(write, 400, 1, 0), u32(0), call.fd_pwrite(write, 400, 1, 20n, 0), u32(0), call.fd_filestat_set_size(write, 24n), fs.readFileSync(path.join(box, 'new.txt'), 'latin1'));
say('close', call.fd_close(write), call.fd_close(write), call.fd_close(99));
const append = open('a.txt', { fdflags: 1 });
say('append', call.fd_write(append, 400, 1, 0), call.fd_close(append), fs.readFileSync(path.join(box, 'a.txt'), 'utf8'));
say('missing', open('nothing'), open('nothing/deep', { create: 1 }), open('a.txt', { create: 2 }), open('new.txt', { create: 5 }));
say('escape', open('../outside.txt'), open('inner/../../x'));
say('directories', call.path_create_directory(3, ...named('made')), call.path_create_directory(3, ...named('made')), call.path_remove_directory(3, ...named('a.txt')), call.path_unlink_file(3, ...named('made')) !== 0, call.path_remove_directory(3, ...named('made')), call.path_remove_directory(3, ...named('made')));
say('link', call.path_readlink(3, ...named('link', 600, 100, 0)), text(600, u32(0)), call.path_readlink(3, ...named('link', 600, 3, 0)) === 0 ? text(600, u32(0)) : 'error');
say('lstat', call.path_filestat_get(3, 0, ...named('link', 2000)), memory[2016], call.path_filestat_get(3, 1, ...named('link', 2000)), memory[2016], call.path_filestat_get(3, 1, ...named('nope', 2000)));
say('times', call.path_filestat_set_times(3, 1, ...named('a.txt', 1_000_000_000n, 2_000_000_000n, 5)), fs.statSync(path.join(box, 'a.txt')).mtimeMs, fs.statSync(path.join(box, 'a.txt')).atimeMs);
const directory = open('inner', { create: 2, rights: 1n << 14n });
fs.writeFileSync(path.join(box, 'inner', 'one'), '1');
fs.mkdirSync(path.join(box, 'inner', 'two'));
say('readdir', call.fd_readdir(directory, 3000, 500, 0n, 0), u32(0));
const entries = [];
for (let at = 3000; at < 3000 + u32(0); ) { const length = view.getUint32(at + 16, true); entries.push([text(at + 24, length), memory[at + 20]]); at += 24 + length; }
say(entries.sort().join(' '));
say('cut', call.fd_readdir(directory, 3000, 30, 0n, 0), u32(0));
say('renamed', call.path_rename(3, ...named('new.txt'), 3, 6000, put(6000, 'inner/moved.txt')));
say('symlink', call.path_symlink(6000, put(6000, 'one'), 3, ...named('inner/made-link')));
say('rename', fs.readdirSync(path.join(box, 'inner')), fs.readlinkSync(path.join(box, 'inner/made-link')));
say('clock', call.clock_time_get(0, 1n, 0), Math.abs(Number(view.getBigUint64(0, true) / 1_000_000n) - Date.now()) < 5000, call.clock_time_get(1, 1n, 8), view.getBigUint64(8, true) > 0n, call.clock_time_get(9, 1n, 0));
memory.fill(0, 7000, 7100);
say('random', call.random_get(7000, 64), memory.slice(7000, 7064).some((byte) => byte !== 0));
memory.fill(0, 8000, 8048);
view.setBigUint64(8000, 77n, true); memory[8008] = 0; view.setUint32(8016, 1, true); view.setBigUint64(8024, 20_000_000n, true);
const before = performance.now();
say('poll', call.poll_oneoff(8000, 8100, 1, 0), u32(0), view.getBigUint64(8100, true), memory[8110], performance.now() - before > 15);
say('outside', call.fd_read(read, 400, 1, 131072 + 5), call.args_get(131070, 131070), call.random_get(131000, 5000));
vector(400, 1000, put(1000, 'through the standard output\n'));
say('standard', call.fd_write(1, 400, 1, 0), u32(0), call.fd_renumber(read, 20), call.fd_tell(20, 0), call.fd_tell(read, 0));
for (const bad of [() => new WASI({ version: 'preview1', preopens: { '/x': path.join(box, 'missing') } }), () => new WASI({}), () => wasi.initialize(instance)]) {
  try { bad(); say('no error'); } catch (error) { say(error.name, error.code, error.errno, error.syscall, error.message.replace(box, '.')); }
}
fs.rmSync(box, { recursive: true });
