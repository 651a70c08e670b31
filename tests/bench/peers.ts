// Other Node-like runtimes for the browser, each in a page of the same Chromium. They are no dependency of ours: npm puts them into a
// temporary folder for this run, and where that fails the bench says so instead of a number.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { build, type Plugin } from 'esbuild';
import type { SandboxBrowser } from '../sandbox/browser.ts';
import { reasonOf } from './contest.ts';

/** Whole run of one program; a page that does not come back is given up. */
const RUN_TIMEOUT_MS = 60_000;
const INSTALL_TIMEOUT_MS = 180_000;

/** A runtime that can run one CommonJS program. */
export interface Peer {
  name: string;
  /** Runs `source` over `files` (by absolute path) in a fresh computer of theirs: what it printed. Throws the reason when it cannot be had. */
  runNode(source: string, files: Record<string, string>): Promise<string>;
}

type RunInPage = (source: string, files: Record<string, string>) => Promise<string>;
declare global {
  interface Window {
    runPeer: RunInPage;
  }
}

/** Packages with the script of their page: it defines `runPeer`. */
const PEERS: Record<string, string> = {
  almostnode: `import { createContainer } from 'almostnode';
globalThis.runPeer = async (source, files) => {
  let output = '';
  const container = createContainer({ onConsole: (_, words) => { output += words.join(' ') + '\\n'; } });
  for (const [name, text] of Object.entries(files)) {
    container.vfs.mkdirSync(name.slice(0, name.lastIndexOf('/')), { recursive: true });
    container.vfs.writeFileSync(name, text);
  }
  container.vfs.mkdirSync('/bench', { recursive: true });
  container.execute(source, '/bench/program.cjs');
  return output;
};`,
  '@lifo-sh/core': `import { Sandbox } from '@lifo-sh/core';
globalThis.runPeer = async (source, files) => {
  const sandbox = await Sandbox.create();
  for (const folder of new Set(['/bench', ...Object.keys(files).map((name) => name.slice(0, name.lastIndexOf('/')))]))
    await sandbox.fs.mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await sandbox.fs.writeFile(name, text);
  await sandbox.fs.writeFile('/bench/program.cjs', source);
  const { stdout, stderr } = await sandbox.commands.run('node /bench/program.cjs', { cwd: '/bench' });
  sandbox.destroy();
  return stdout + stderr;
};`,
};

/** What the packages import and their browser pages never call: Node's modules, and lifo's terminal. */
const absentModules: Plugin = {
  name: 'absent modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:|^@lifo-sh\/ui$/ }, ({ path: name }) => ({ path: name, namespace: 'absent' }));
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Installs the peers and gives each a page. What goes wrong with one is thrown when it is asked to run. */
export async function installPeers(browser: SandboxBrowser): Promise<{ list: Peer[]; release(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-peers-'));
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const pages: Page[] = [];
  const list: Peer[] = [];
  for (const [name, script] of Object.entries(PEERS)) {
    let version = '';
    let page: Promise<Page> | undefined;
    try {
      version = await install(folder, name);
      page = openPage(browser, folder, name, script);
      pages.push(await page);
    } catch (error) {
      page = Promise.reject(error);
      page.catch(() => {});
    }
    list.push({
      name: `${name} ${version}`.trim(),
      async runNode(source, files) {
        const ready = await page;
        return within(
          RUN_TIMEOUT_MS,
          ready.evaluate(([text, given]) => window.runPeer(text, given), [source, files] as const),
        );
      },
    });
  }
  return {
    list,
    async release() {
      // A page that hangs does not close by itself; the browser's end takes it along.
      await Promise.all(pages.map((page) => within(2000, page.context().close()).catch(() => {})));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function install(folder: string, name: string): Promise<string> {
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', name];
  try {
    await promisify(execFile)('npm', args, { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr || reasonOf(error));
    throw new Error(`npm could not install ${name}: ${said.trim().split('\n')[0]}`);
  }
  return JSON.parse(readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

async function openPage(browser: SandboxBrowser, folder: string, name: string, script: string): Promise<Page> {
  const bundled = await build({
    stdin: { contents: script, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    plugins: [absentModules],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const place = `/peer/${name.replace(/\W+/g, '-')}`;
  browser.server.routes.set(place, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><meta charset="utf-8"><script type="module" src="${place}.js"></script>`);
  });
  browser.server.routes.set(`${place}.js`, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
    response.end(bundled.outputFiles[0].text);
  });
  const context = await browser.page.context().browser()!.newContext();
  const page = await context.newPage();
  const broken = new Promise<never>((_, reject) => page.once('pageerror', reject));
  await page.goto(browser.server.ideOrigin + place);
  await Promise.race([page.waitForFunction(() => 'runPeer' in window, undefined, { timeout: 20_000 }), broken]);
  return page;
}

/** Rejects when `work` takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
