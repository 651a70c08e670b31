// Builds public/engine/: Node's lib (extracted from the pinned binary) as two texts, the workers and pages as bundles, and a manifest
// with the content-hashed names. Nothing is rebuilt whose inputs have not changed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import type { LibFile } from '../kernel/manifest.ts';
import { LIB_TEXTS, type LibTextName } from '../kernel/protocol.ts';
import { blankComments } from './blank-comments.ts';
import { digestCode } from './digest-code.ts';
import { buildNotices } from './notices.ts';
import { buildOffline, buildPreview, buildProgramPage } from './pages.ts';
import { patchSource } from './patches.ts';

/** The version of Node that the engine is. */
export const NODE_VERSION = '24.21.0';

const root = fileURLToPath(new URL('../..', import.meta.url));
const generatedDir = path.join(root, 'engine/generated');
const finalDir = path.join(root, 'public/engine');
/** Everything is built aside and moved into place at the end: a failed build leaves the last one. */
const outDir = `${finalDir}.building`;

/** Path of a Node binary of exactly NODE_VERSION: the optional dependency's, or this process's own. */
function pinnedNode(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const folder = path.dirname(require.resolve(`${name}/package.json`));
    const binary = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(binary) && execFileSync(binary, ['-v'], { encoding: 'utf8' }).trim() === `v${NODE_VERSION}`)
      return binary;
  } catch {
    // No package for this platform: the running Node may do.
  }
  if (process.version === `v${NODE_VERSION}`) return process.execPath;
  throw new Error(
    `The engine is built from Node ${NODE_VERSION}, and there is no such binary here: the optional package ${name}@${NODE_VERSION} is not installed ` +
      `and this is Node ${process.version}. Run the build with Node ${NODE_VERSION}, or install that package with "npm install --no-save ${name}@${NODE_VERSION}".`,
  );
}

interface Lib {
  sources: Record<string, string>;
  coreIds: string[];
  /** Those of `coreIds` that a start needs. */
  start: string[];
  preload: string[];
}

function extractLib(): Lib {
  const libFile = path.join(generatedDir, 'lib.json');
  const stampFile = path.join(generatedDir, 'stamp');
  const script = path.join(root, 'engine/build/extract.cts');
  const stamp = createHash('sha256').update(NODE_VERSION).update(readFileSync(script)).digest('hex');
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    execFileSync(pinnedNode(), ['--expose-internals', '--no-warnings', script, generatedDir], { stdio: 'inherit' });
    writeFileSync(stampFile, stamp);
  }
  return JSON.parse(readFileSync(libFile, 'utf8'));
}

/** What keep-frames.ts makes of a source. */
type KeepFrames = (id: string, source: string) => { text: string; insertions: number[] };

/** Large, and no part of what programs are written in. */
const RARE = /^internal\/(?:deps|quic|debugger|test_runner|v8_prof_polyfill|cloche)/;

/** Not what Node itself has bundled, nor V8's tools, which are ES modules. */
const isPlainLib = (id: string): boolean => !/^internal\/(?:deps|cloche)\//.test(id);

/** Joins sources into one text; the index gives `[start, end, ...insertions]`: bytes of the text's UTF-8, and UTF-16 code units within the source. */
function pack(
  ids: string[],
  sources: Record<string, string>,
  keepFrames: KeepFrames,
): { text: string; index: Record<string, number[]> } {
  let text = '';
  let at = 0;
  const index: Record<string, number[]> = {};
  for (const id of ids) {
    const patched = patchSource(id, sources[id]);
    const kept = keepFrames(id, isPlainLib(id) ? blankComments(patched) : patched);
    const end = at + Buffer.byteLength(kept.text);
    index[id] = [at, end, ...kept.insertions];
    text += `${kept.text}\n`;
    at = end + 1;
  }
  return { text, index };
}

/** Writes a file under a name that carries its content's hash; returns the name. */
function emit(name: string, content: string | Uint8Array): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const extension = path.extname(name);
  const hashed = `${name.slice(0, -extension.length)}.${hash}${extension}`;
  writeFileSync(path.join(outDir, hashed), content);
  return hashed;
}

/** The bundle of `entry` (from the repository's root) as one script. */
async function bundle(entry: string, options: BuildOptions = {}): Promise<string> {
  const result = await build({
    entryPoints: [path.join(root, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
    // undici's copy of llhttp wants Buffer only to decode itself.
    alias:
      options.platform === 'node' ? {} : { 'node:buffer': path.join(root, 'engine/bindings/http/base64-buffer.ts') },
    ...options,
  });
  return (result.outputFiles as NonNullable<typeof result.outputFiles>)[0].text;
}

/** Bundles and loads a script of this folder that shares the engine's own modules, which Node cannot load without a bundler. */
async function load(name: string): Promise<any> {
  const file = path.join(generatedDir, `${name}.mjs`);
  writeFileSync(file, await bundle(`engine/build/${name}.ts`, { format: 'esm', platform: 'node', minify: false }));
  return import(pathToFileURL(file).href);
}

const BROTLI = 'node_modules/brotli-wasm/pkg.node';
const SQLITE = 'node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm';

/** brotli-wasm's glue for Node as a builtin: its `require` is given by the binding, and it looks for its module in a folder. */
function brotliGlue(): string {
  return `const __dirname = '';\n${readFileSync(path.join(root, BROTLI, 'brotli_wasm.js'), 'utf8')}`;
}

/** What runs inside the npm CLI; it is given npm's own packages there. */
function npmAddition(): Promise<string> {
  const external = ['pacote', 'proc-log', 'semver'];
  return bundle('engine/npm/install-build.ts', { format: 'cjs', platform: 'node', external, minify: false });
}

/** The program that holds a project's tools and plugins (lib/extensions). Zod's messages come in English alone. */
export function extensionHost(): Promise<string> {
  const english: Plugin = {
    name: 'english-only',
    setup: (setup) => {
      const file = path.join(root, 'node_modules/zod/v4/locales/en.js');
      setup.onResolve({ filter: /locales\/index\.js$/ }, () => ({ path: 'locales', namespace: 'english' }));
      setup.onLoad({ filter: /^locales$/, namespace: 'english' }, () => ({
        contents: `export { default as en } from ${JSON.stringify(file)};`,
        resolveDir: root,
      }));
    },
  };
  return bundle('lib/extensions/guest/host.ts', {
    format: 'cjs',
    platform: 'node',
    keepNames: false,
    plugins: [english],
  });
}

/** The pages that start kernels. Ours has the manifest in its script, whose name is its content's hash: a later visit asks the server for the page alone. */
async function buildHosts(manifest: string): Promise<void> {
  const page = (name: string): string => readFileSync(path.join(root, `engine/host/${name}.html`), 'utf8');
  const script = (name: string, define?: Record<string, string>): Promise<string> =>
    bundle(`engine/host/${name}.ts`, { keepNames: false, define });
  const host = emit('host.js', await script('host', { ENGINE_MANIFEST: manifest }));
  writeFileSync(path.join(outDir, 'host.html'), page('host').replace('host.js', host));
  writeFileSync(path.join(outDir, 'webcontainer-host.js'), await script('webcontainer-host'));
  writeFileSync(path.join(outDir, 'webcontainer-host.html'), page('webcontainer-host'));
}

/** Builds everything that exists; returns the manifest. */
export async function buildEngine(): Promise<Record<string, unknown>> {
  const started = Date.now();
  const { sources, coreIds, start, preload } = extractLib();
  const { keepFrames }: { keepFrames: KeepFrames } = await load('keep-frames');
  sources['internal/cloche/brotli'] = brotliGlue();
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const nameOf = (id: string): LibTextName => {
    if (start.includes(id)) return 'start';
    if (id.startsWith('internal/deps/amaro/')) return 'amaro';
    if (id.startsWith('internal/deps/undici/')) return 'undici';
    return coreIds.includes(id) || !RARE.test(id) ? 'core' : 'rest';
  };
  const libFile = (name: LibTextName): LibFile => {
    const ids = Object.keys(sources).filter((id) => nameOf(id) === name);
    const packed = pack(ids, sources, keepFrames);
    return { file: emit(`${name}.txt`, packed.text), bytes: Buffer.byteLength(packed.text), index: packed.index };
  };
  const manifest: Record<string, unknown> = {
    nodeVersion: NODE_VERSION,
    lib: Object.fromEntries(LIB_TEXTS.map((name) => [name, libFile(name)])),
    dump: emit('dump.json', readFileSync(path.join(generatedDir, 'dump.json'))),
    preload,
    parts: {
      brotli: emit('brotli.bin', readFileSync(path.join(root, BROTLI, 'brotli_wasm_bg.wasm'))),
      sqlite: emit('sqlite.bin', readFileSync(path.join(root, SQLITE))),
      md5: emit('md5.bin', digestCode(root, 'md5')),
      sha1: emit('sha1.bin', digestCode(root, 'sha1')),
      sha256: emit('sha256.bin', digestCode(root, 'sha256')),
      sha512: emit('sha512.bin', digestCode(root, 'sha512')),
    },
    process: emit('process.js', await bundle('engine/process/process.worker.ts')),
    kernel: emit('kernel.js', await bundle('engine/kernel/kernel.worker.ts', { keepNames: false })),
    shell: emit(
      'shell.js',
      await bundle('engine/shell/shell.ts', {
        format: 'cjs',
        platform: 'node',
        conditions: ['browser'],
        keepNames: false,
      }),
    ),
    image: emit('image.bin', await (await load('image')).buildImage(root, await npmAddition())),
  };
  writeFileSync(
    path.join(outDir, 'agent.js'),
    // What runs in somebody else's Node; what it shares with the kernel wants nothing newer.
    await bundle('engine/agent/agent.ts', { format: 'cjs', platform: 'node', target: 'node18', keepNames: false }),
  );
  writeFileSync(path.join(outDir, 'extension-host.js'), await extensionHost());
  const version = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 12);
  const whole = JSON.stringify({ version, ...manifest });
  writeFileSync(path.join(outDir, 'manifest.json'), whole);
  await buildHosts(whole);
  await buildPreview(outDir, bundle);
  await buildProgramPage(outDir, bundle);
  await buildOffline(outDir, bundle);
  rmSync(finalDir, { recursive: true, force: true });
  renameSync(outDir, finalDir);
  console.log(`engine ${version} (Node ${NODE_VERSION}) built in ${Date.now() - started} ms`);
  return manifest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildEngine();
  buildNotices(root);
}
