// npm in the sandbox, in real Chromium, on a registry of this test: what it does about packages that are machine code (docs/decisions/0019).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { type RunResult, type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';

interface Package {
  name: string;
  version: string;
  files?: Record<string, string>;
  [field: string]: unknown;
}

const MACHINE_CODE = 'throw new Error("machine code");';
const says = (what: string): Record<string, string> => ({ 'index.js': `module.exports = ${JSON.stringify(what)};` });

const PACKAGES: Package[] = [
  // Lists a WebAssembly build of its own.
  { name: 'tool', version: '1.0.0', files: { 'index.js': 'module.exports = require("@tool/binding-wasm32-wasi");' } },
  { name: '@tool/binding-linux-x64-gnu', version: '1.0.0', os: ['linux'], cpu: ['x64'] },
  { name: '@tool/binding-wasm32-wasi', version: '1.0.0', cpu: ['wasm32'], files: says('tool in WebAssembly') },
  // Has one under another name, with a dependency of its own on board.
  {
    name: 'lightningcss',
    version: '1.2.0',
    dependencies: { 'detect-libc': '^1.0.0' },
    files: { 'index.js': MACHINE_CODE },
  },
  { name: 'detect-libc', version: '1.0.0', files: says('libc') },
  {
    name: 'lightningcss-wasm',
    version: '1.2.0',
    dependencies: { 'napi-wasm': '^1.0.0' },
    bundledDependencies: ['napi-wasm'],
    files: {
      'index.js': 'module.exports = "css with " + require("napi-wasm");',
      'node_modules/napi-wasm/package.json': '{"name":"napi-wasm","version":"1.0.0"}',
      'node_modules/napi-wasm/index.js': 'module.exports = "napi";',
    },
  },
  // The build lags behind, its command lies elsewhere, and it needs something from the registry.
  {
    name: 'rollup',
    version: '4.2.0',
    bin: { rollup: 'bin/rollup' },
    scripts: { install: 'node missing.js' },
    files: { 'index.js': MACHINE_CODE, 'bin/rollup': MACHINE_CODE },
  },
  {
    name: '@rollup/wasm-node',
    version: '4.1.0',
    bin: { rollup: 'dist/cli.js' },
    dependencies: { dependency: '^1.0.0' },
    files: {
      'index.js': 'module.exports = "rollup with " + require("dependency");',
      'dist/cli.js': '#!/usr/bin/env node\nconsole.log("rollup as a command");',
    },
  },
  { name: 'dependency', version: '1.0.0', files: says('a dependency') },
  // Falls back to a build that it does not list.
  {
    name: 'unrs-resolver',
    version: '1.3.0',
    scripts: { postinstall: 'node missing.js' },
    files: { 'index.js': 'module.exports = require("@unrs/resolver-binding-wasm32-wasi");' },
  },
  {
    name: '@unrs/resolver-binding-wasm32-wasi',
    version: '1.2.0',
    cpu: ['wasm32'],
    dependencies: { dependency: '^1.0.0' },
    files: { 'index.js': 'module.exports = "resolver with " + require("dependency");' },
  },
  // Looks for its build in a folder of its own, which its versions have not all got.
  {
    name: 'next',
    version: '16.4.0',
    files: { 'index.js': 'module.exports = require("./wasm/@next/swc-wasm-nodejs/wasm.js");' },
  },
  { name: '@next/swc-wasm-nodejs', version: '16.3.0', files: { 'wasm.js': 'module.exports = "next in WebAssembly";' } },
  // Only old versions are JavaScript.
  {
    name: 'typescript',
    version: '6.5.0',
    bin: { tsc: 'bin/tsc' },
    files: { ...says('TypeScript in JavaScript'), 'bin/tsc': '' },
  },
  { name: 'typescript', version: '7.0.2', bin: { tsc: 'bin/tsc' }, files: { 'index.js': MACHINE_CODE } },
  // There is none.
  { name: 'oxlint', version: '1.0.0', bin: { oxlint: 'bin/oxlint' }, files: { 'bin/oxlint': MACHINE_CODE } },
  { name: 'better-sqlite3', version: '12.0.0', scripts: { install: 'node-gyp rebuild' } },
  { name: 'addon', version: '1.0.0', scripts: { install: 'node-gyp rebuild' }, files: { 'binding.gyp': '{}' } },
];
(PACKAGES[0] as Package).optionalDependencies = {
  '@tool/binding-linux-x64-gnu': '1.0.0',
  '@tool/binding-wasm32-wasi': '1.0.0',
};

function pack({ files, ...manifest }: Package): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'cloche-pack-'));
  try {
    for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
      const file = path.join(folder, 'package', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    execFileSync('tar', ['czf', 'out.tgz', 'package'], { cwd: folder });
    return readFileSync(path.join(folder, 'out.tgz'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const integrityOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
const tarballs = new Map(PACKAGES.map((each) => [`${each.name}@${each.version}`, pack(each)]));

/** Answers for the packages above in the place of the site's registry proxy. */
function serveRegistry({ server }: SandboxBrowser): void {
  for (const name of new Set(PACKAGES.map((each) => each.name))) {
    const own = PACKAGES.filter((each) => each.name === name);
    const versions = own.map(({ files, ...manifest }) => {
      const file = `${name}/-/${path.basename(name)}-${manifest.version}.tgz`;
      const bytes = tarballs.get(`${name}@${manifest.version}`) as Buffer;
      server.routes.set(`/api/npm/${file}`, (_, response) => void response.end(bytes));
      const dist = { tarball: `https://registry.npmjs.org/${file}`, integrity: integrityOf(bytes) };
      const hasInstallScript = manifest.scripts !== undefined || undefined;
      return [manifest.version, { ...manifest, hasInstallScript, dist }] as const;
    });
    const latest = own.at(-1)?.version;
    const document = JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) });
    server.routes.set(`/api/npm/${name.replace('/', '%2f')}`, (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(document);
    });
  }
}

/** What can be had in one way or another. */
const NAMES = ['tool', 'lightningcss', 'rollup', 'typescript', 'unrs-resolver', 'next'];

/** npm starts a few times in each. */
test.describe.configure({ timeout: 180_000 });

let sandbox: SandboxBrowser;
test.beforeAll(async () => {
  sandbox = await startSandboxBrowser();
  serveRegistry(sandbox);
});
test.afterAll(() => sandbox?.close());

const shell = (line: string): Promise<RunResult> => sandbox.run('bash', ['-c', line]);

/** A project with these dependencies; what the install printed, in one text. */
async function install(names: string[]): Promise<string> {
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']));
  await shell('rm -rf * .npmrc');
  const { stdout, stderr } = await sandbox.run('npm', ['install'], {
    files: { 'package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies }) },
  });
  return `${stdout}${stderr}`;
}

test('builds in WebAssembly take the place of machine code, and npm says so', async () => {
  const printed = await install(NAMES);
  expect(printed).toContain('lightningcss@1.2.0 is machine code: lightningcss-wasm@1.2.0 runs in its place');
  expect(printed).toContain('rollup@4.2.0 is machine code: @rollup/wasm-node@4.1.0 runs in its place');
  expect(printed).toContain('typescript@7.0.2 is machine code: typescript@6.5.0 runs in its place');
  expect(printed).toContain('The lock file keeps rollup@4.2.0.');
  expect(printed).toContain('next dev --webpack');
  expect(printed).not.toContain('tool@');

  const { stdout } = await shell(
    `node -p 'JSON.stringify(${JSON.stringify(NAMES)}.map((name) => [require(name), require(name + "/package.json").version]))'; npx rollup`,
  );
  const [loaded, command] = stdout.toString().trim().split('\n');
  expect(JSON.parse(loaded)).toEqual([
    ['tool in WebAssembly', '1.0.0'],
    ['css with napi', '1.2.0'],
    ['rollup with a dependency', '4.2.0'],
    ['TypeScript in JavaScript', '7.0.2'],
    ['resolver with a dependency', '1.3.0'],
    ['next in WebAssembly', '16.4.0'],
  ]);
  expect(command).toBe('rollup as a command');
});

test('the lock file is the one of any other machine, and installs from one', async () => {
  await install(NAMES);
  const lock = JSON.parse((await shell('cat package-lock.json')).stdout.toString()).packages;
  expect(Object.keys(lock).sort()).toEqual([
    '',
    'node_modules/@tool/binding-linux-x64-gnu',
    'node_modules/@tool/binding-wasm32-wasi',
    'node_modules/detect-libc',
    'node_modules/lightningcss',
    'node_modules/next',
    'node_modules/rollup',
    'node_modules/tool',
    'node_modules/typescript',
    'node_modules/unrs-resolver',
  ]);
  for (const name of ['lightningcss', 'rollup', 'typescript']) {
    const entry = lock[`node_modules/${name}`];
    expect(entry.resolved).toBe(`https://registry.npmjs.org/${name}/-/${name}-${entry.version}.tgz`);
    expect(entry.integrity).toBe(integrityOf(tarballs.get(`${name}@${entry.version}`) as Buffer));
  }
  expect(lock['node_modules/rollup'].hasInstallScript).toBe(true);

  const again = await shell(
    'npm install; npm ls --all; rm -rf node_modules; npm ci --loglevel=error; node -p "require(\'lightningcss\')"; npm ls',
  );
  expect(again.stderr.toString()).not.toContain('npm error');
  expect(again.stdout.toString()).toContain('up to date');
  expect(again.stdout.toString()).toContain('css with napi');
  expect(again.stdout.toString()).not.toMatch(/extraneous|missing|invalid/);
});

test('what cannot run is told: when it is installed, and when its command is used', async () => {
  expect(await install(['oxlint'])).toContain('oxlint@1.0.0 is machine code');
  const command = await shell('npx oxlint');
  expect(command.code).toBe(1);
  expect(command.stderr.toString()).toContain('oxlint@1.0.0 is machine code');

  expect(await install(['better-sqlite3'])).toContain('better-sqlite3@12.0.0 is machine code and has no build');
  expect(await install(['addon'])).toContain('addon compiles C or C++ while it is installed');
});
