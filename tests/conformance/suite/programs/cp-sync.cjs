// fs.cpSync (and cp) case by case: what it refuses and in which words, and what it leaves behind.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cp-')));
const shorten = (text) => String(text).replaceAll(base, '');

function tree(folder, prefix = '') {
  return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) return [`${prefix}${entry.name}->${shorten(fs.readlinkSync(at))}`];
    if (entry.isDirectory()) return [`${prefix}${entry.name}/${(fs.statSync(at).mode & 0o777).toString(8)}`, ...tree(at, `${prefix}${entry.name}/`)];
    return [`${prefix}${entry.name}${(fs.statSync(at).mode & 0o777).toString(8)}=${fs.readFileSync(at)}`];
  });
}
function prepare() {
  process.chdir('/');
  fs.rmSync(base, { recursive: true, force: true });
  fs.mkdirSync(`${base}/src/sub`, { recursive: true });
  process.chdir(base);
  fs.writeFileSync('src/a', 'A');
  fs.writeFileSync('src/sub/b', 'B');
  fs.writeFileSync('file', 'F');
  fs.mkdirSync('full/sub', { recursive: true });
  fs.writeFileSync('full/a', 'old');
  fs.symlinkSync('file', 'link');
  fs.symlinkSync('src', 'dirlink');
  fs.symlinkSync('nothing', 'broken');
}
const cases = [
  ['a file', 'file', 'new'], ['into a missing folder', 'file', 'x/y/new'], ['onto itself', 'file', 'file'], ['folder onto itself', 'src', 'src', { recursive: true }],
  ['no recursive', 'src', 'new'], ['folder', 'src', 'new', { recursive: true }], ['folder over file', 'src', 'file', { recursive: true }], ['file over folder', 'file', 'src'],
  ['into itself', 'src', 'src/new', { recursive: true }], ['into itself, deep', 'src', 'src/sub/new/x', { recursive: true }],
  ['missing', 'none', 'new'], ['missing, dereference', 'none', 'new', { dereference: true }], ['merge', 'src', 'full', { recursive: true }],
  ['merge, no force', 'src', 'full', { recursive: true, force: false }], ['merge, errorOnExist', 'src', 'full', { recursive: true, force: false, errorOnExist: true }],
  ['file, errorOnExist', 'file', 'full/a', { force: false, errorOnExist: true }], ['file, no force', 'file', 'full/a', { force: false }],
  ['link', 'link', 'new'], ['link, dereference', 'link', 'new', { dereference: true }], ['link, verbatim', 'link', 'new', { verbatimSymlinks: true }],
  ['folder link', 'dirlink', 'new'], ['folder link, recursive', 'dirlink', 'new', { recursive: true }], ['folder link, dereference', 'dirlink', 'new', { recursive: true, dereference: true }],
  ['folder link, dereference alone', 'dirlink', 'new', { dereference: true }], ['broken link', 'broken', 'new'], ['broken link, dereference', 'broken', 'new', { dereference: true }],
  ['file over link', 'file', 'link'], ['other over link', 'full/a', 'link'], ['link over link', 'link', 'broken'], ['link over file', 'link', 'full/a'], ['link over its target', 'link', 'file'],
  ['empty source', '', 'new'], ['empty target', 'file', ''], ['trailing slash', 'src/', 'new/', { recursive: true }], ['dot', './src/.', './new/.', { recursive: true }],
  ['no mode', 'file', 'new', { mode: 9 }], ['exclusive mode', 'file', 'full/a', { mode: 1 }], ['times', 'src', 'new', { recursive: true, preserveTimestamps: true }],
  ['parent of itself', 'src/sub', 'src', { recursive: true }], ['below a file', 'file', 'file/x'], ['filter', 'src', 'new', { recursive: true, filter: (from) => !from.endsWith('b') }],
  ['folder over link to file', 'src', 'link', { recursive: true }], ['folder over link to folder', 'full', 'dirlink', { recursive: true }],
];
const inner = {
  'relative link': () => fs.symlinkSync('a', 'src/l'),
  'absolute link': () => fs.symlinkSync(`${base}/file`, 'src/l'),
  'folder link inside': () => fs.symlinkSync('sub', 'src/l'),
  'broken link inside': () => fs.symlinkSync('gone', 'src/l'),
  'link over a file': () => { fs.symlinkSync('a', 'src/l'); fs.writeFileSync('full/l', 'x'); },
  'link over a link': () => { fs.symlinkSync('a', 'src/l'); fs.symlinkSync('a', 'full/l'); },
  'link over a folder': () => { fs.symlinkSync('a', 'src/l'); fs.mkdirSync('full/l'); },
  'link below what is linked': () => { fs.symlinkSync(`${base}/src/sub`, 'src/l'); fs.symlinkSync(`${base}/src`, 'full/l'); },
  'link above what is linked': () => { fs.symlinkSync(`${base}/src`, 'src/l'); fs.symlinkSync(`${base}/src/sub`, 'full/l'); },
  'file over a folder inside': () => fs.mkdirSync('full/b', { recursive: true }) || fs.writeFileSync('src/b', 'x'),
  'file over a link inside': () => { fs.rmSync('full/a'); fs.symlinkSync('../file', 'full/a'); },
  'modes': () => { fs.chmodSync('src/a', 0o640); fs.chmodSync('src/sub', 0o750); },
};
const tell = (error) => (error ? `${error.name} ${error.code} ${error.errno} ${error.syscall} ${shorten(error.path)} | ${shorten(error.message)}` : 'done');
// What was copied before a refusal depends on the order of the folder.
const after = (failed) => (failed ? '' : `\n   ${tree('.').join(' ')}`);
(async () => {
  const asked = [];
  for (const [name, from, to, options] of cases) asked.push([name, () => {}, from, to, options]);
  for (const [name, make] of Object.entries(inner))
    for (const [kind, options] of Object.entries({ plain: {}, dereference: { dereference: true }, verbatim: { verbatimSymlinks: true }, 'no force': { force: false }, errorOnExist: { force: false, errorOnExist: true } }))
      for (const target of kind === 'errorOnExist' && name.startsWith('link') ? ['new'] : ['new', 'full']) asked.push([`${name}, ${kind}, ${target}`, make, 'src', target, { recursive: true, ...options }]);
  for (const [name, make, from, to, options] of asked) {
    for (const isAbsolute of [false, true]) {
      prepare();
      make();
      let failed;
      const full = (part) => (isAbsolute ? `${base}/${part}` : part);
      try { fs.cpSync(full(from), full(to), options); } catch (error) { failed = error; }
      console.log(`${name}${isAbsolute ? ' (absolute)' : ''}: ${tell(failed)}${after(failed)}`);
    }
    prepare();
    make();
    const failed = await fs.promises.cp(from, to, options).catch((error) => error);
    console.log(`${name} (promise): ${tell(failed)}${after(failed)}`);
  }
  process.chdir('/');
  fs.rmSync(base, { recursive: true });
})();
