// Ratios against real peers, measured in one run on one machine: `npm run bench [-- NAME…]`. JSON on standard output; nothing is asserted.
// Node is the pinned binary, grep's peer is ripgrep (skipped, and said so, when it is not installed).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser.ts';
import { readEntries } from '../sandbox/entries.ts';

interface Figure {
  name: string;
  /** Milliseconds in the sandbox (median), and of the peer. */
  sandboxMs?: number;
  peerMs?: number;
  peer?: string;
  ratio?: number;
  kilobytesGz?: number;
  note?: string;
}

const NODE = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const PROJECT = '/home/project';

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function compare(name: string, sandboxMs: number, peerMs: number, peer: string): Figure {
  return { name, sandboxMs: round(sandboxMs), peerMs: round(peerMs), peer, ratio: round(sandboxMs / peerMs) };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Runs `source` in both Nodes, several times in turn; the program prints its own milliseconds as JSON. */
async function program(
  browser: SandboxBrowser,
  source: string,
  folder: string,
  runs = 5,
): Promise<Record<string, [number, number]>> {
  writeFileSync(path.join(folder, 'bench-program.cjs'), source);
  await browser.mount(readEntries(folder), PROJECT, true);
  const sandbox: Record<string, number[]> = {};
  const native: Record<string, number[]> = {};
  for (let run = 0; run < runs; run++) {
    const inside = await browser.run('node', ['bench-program.cjs']);
    const outside = execFileSync(NODE, ['bench-program.cjs'], { cwd: folder, encoding: 'utf8' });
    for (const [into, text] of [
      [sandbox, inside.stdout.toString()],
      [native, outside],
    ] as const) {
      for (const [key, ms] of Object.entries(JSON.parse(text) as Record<string, number>)) {
        into[key] ??= [];
        into[key].push(ms);
      }
    }
  }
  return Object.fromEntries(Object.keys(sandbox).map((key) => [key, [median(sandbox[key]), median(native[key])]]));
}

const FILES_PROGRAM = `const fs=require('fs'),p=require('path');const d=p.join(process.cwd(),'many');fs.mkdirSync(d,{recursive:true});
const t=()=>performance.now();let a=t();for(let i=0;i<5000;i++)fs.writeFileSync(p.join(d,'f'+i),'hello '+i);const write=t()-a;
a=t();for(let i=0;i<5000;i++)fs.readFileSync(p.join(d,'f'+i),'utf8');const read=t()-a;
a=t();for(let i=0;i<5000;i++)fs.statSync(p.join(d,'f'+i));const stat=t()-a;fs.rmSync(d,{recursive:true});
console.log(JSON.stringify({write,read,stat}))`;
const REQUIRE_PROGRAM =
  "const a=performance.now();require('./modules/all.js');console.log(JSON.stringify({require:performance.now()-a}))";

async function files(browser: SandboxBrowser, folder: string): Promise<Figure[]> {
  const result = await program(browser, FILES_PROGRAM, folder);
  return Object.entries(result).map(([key, [sandbox, native]]) =>
    compare(`5,000 files: ${key}`, sandbox, native, 'node'),
  );
}

async function requireModules(browser: SandboxBrowser, folder: string): Promise<Figure[]> {
  const modules = path.join(folder, 'modules');
  mkdirSync(modules);
  for (let index = 0; index < 1000; index++) {
    writeFileSync(
      path.join(modules, `m${index}.js`),
      `'use strict';\nfunction value() { return ${index}; }\nmodule.exports = { value };\n`,
    );
  }
  const all = Array.from({ length: 1000 }, (_, index) => `require('./m${index}.js');`).join('\n');
  writeFileSync(path.join(modules, 'all.js'), all);
  const {
    require: [sandbox, native],
  } = await program(browser, REQUIRE_PROGRAM, folder);
  return [compare('require of 1,000 modules', sandbox, native, 'node')];
}

async function start(browser: SandboxBrowser): Promise<Figure[]> {
  const inside: number[] = [];
  const outside: number[] = [];
  for (let run = 0; run < 9; run++) {
    await new Promise((resolve) => setTimeout(resolve, 600));
    inside.push((await browser.run('node', ['-e', '1'])).durationMs);
    const started = performance.now();
    execFileSync(NODE, ['-e', '1']);
    outside.push(performance.now() - started);
  }
  return [compare('node -e 1, warm', median(inside), median(outside), 'node')];
}

async function grep(browser: SandboxBrowser, folder: string): Promise<Figure[]> {
  const tree = path.join(folder, 'sources');
  for (let index = 0; index < 5000; index++) {
    const directory = path.join(tree, `d${index % 50}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      path.join(directory, `f${index}.ts`),
      `${'const filler = 1; // nothing to see\n'.repeat(40)}${index % 100 === 0 ? 'const needle = 42;\n' : ''}`,
    );
  }
  await browser.mount(readEntries(folder), PROJECT, true);
  const inside: number[] = [];
  const outside: number[] = [];
  const hasRipgrep = spawnSync('rg', ['--version']).status === 0;
  for (let run = 0; run < 5; run++) {
    inside.push(
      await browser.page.evaluate(async (root) => {
        const started = performance.now();
        const { matches } = await (window as any).cloche.engine.searchText({
          path: root,
          pattern: { source: 'needle', flags: 'g' },
          multiline: false,
          respectIgnore: true,
          maxResults: 1000,
        });
        if (matches.length !== 50) throw new Error(`found ${matches.length} instead of 50`);
        return performance.now() - started;
      }, `${PROJECT}/sources`),
    );
    if (!hasRipgrep) continue;
    const started = performance.now();
    execFileSync('rg', ['-n', 'needle', tree]);
    outside.push(performance.now() - started);
  }
  if (!hasRipgrep)
    return [
      { name: 'grep over 5,000 files', sandboxMs: round(median(inside)), note: 'ripgrep is not installed: no ratio' },
    ];
  return [compare('grep over 5,000 files', median(inside), median(outside), 'ripgrep')];
}

async function boot(browser: SandboxBrowser): Promise<Figure[]> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    const started = performance.now();
    await browser.reboot();
    await browser.run('node', ['-e', '1']);
    times.push(performance.now() - started);
  }
  return [{ name: 'boot to the end of a first program, assets cached', sandboxMs: round(median(times)) }];
}

/** JavaScript of the start page, as its HTML names it; needs a production build. */
function pageWeight(): Figure[] {
  const chunks = fileURLToPath(new URL('../../.next/static/chunks', import.meta.url));
  const html = fileURLToPath(new URL('../../.next/server/app/page_client-reference-manifest.js', import.meta.url));
  try {
    const names = new Set(
      [...readFileSync(html, 'utf8').matchAll(/static\/chunks\/([\w.~/-]+\.js)/g)].map((match) => match[1]),
    );
    let bytes = 0;
    for (const name of readdirSync(chunks, { recursive: true, encoding: 'utf8' })) {
      if (names.has(name) && statSync(path.join(chunks, name)).isFile())
        bytes += gzipSync(readFileSync(path.join(chunks, name))).length;
    }
    return [{ name: 'client components of /', kilobytesGz: round(bytes / 1024), note: 'without the framework' }];
  } catch {
    return [{ name: 'client components of /', note: 'no production build: run npm run build first' }];
  }
}

const measures: Record<string, (browser: SandboxBrowser, folder: string) => Promise<Figure[]> | Figure[]> = {
  start,
  files,
  require: requireModules,
  grep,
  boot,
  page: pageWeight,
};
const wanted = process.argv.slice(2);
const browser = await startSandboxBrowser();
const figures: Figure[] = [];
try {
  for (const [name, measure] of Object.entries(measures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
    try {
      figures.push(...(await measure(browser, folder)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify({ machine: { cores: cpus().length, model: cpus()[0]?.model }, figures }, null, 2));
