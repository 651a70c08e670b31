// The engine in a real headless Chromium, driven from Node: what the CLI, the conformance runs, the benchmarks and the browser tests share.

import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build } from 'esbuild';
import type { RunEnd } from '../../engine/kernel/page-protocol.ts';
import { encodeSnapshot, type SnapshotEntry } from '../../engine/tree/snapshot-entries.ts';
import { startServer, type TestServer } from './server.ts';

/** Chromium's flags: Playwright's own list breaks service workers in cross-site frames, and the last --disable-features wins. */
export const CHROMIUM_ARGS = [
  '--disable-features=Translate,MediaRouter,DialMediaRouteProvider,OptimizationHints',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-quic',
];

export const CHROMIUM_PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export interface RunOptions {
  stdin?: string | Uint8Array | Readable;
  /** Default /home/project. */
  cwd?: string;
  /** Added to the default environment. */
  env?: Record<string, string>;
  /** Written before the run, by path (relative ones below cwd). */
  files?: Record<string, string | Uint8Array>;
  /** Default 60 s; then the process is killed. */
  timeoutMs?: number;
  terminal?: { columns: number; rows: number };
  /** Collect what changes below this directory. */
  watch?: string;
  onOutput?(channel: 'output' | 'stderr', bytes: Buffer): void;
}

export interface RunResult {
  /** Exit code, or 128 + number for a signal, 134 for a crash, 124 after the time limit. */
  code: number;
  /** Name of the signal that ended it. */
  signal: string | undefined;
  end: RunEnd;
  stdout: Buffer;
  stderr: Buffer;
  timedOut: boolean;
  durationMs: number;
  changedFiles: string[];
}

/** The tab was lost during a run, with everything in it; the next run has a new one. */
export class TabLost extends Error {
  readonly how: 'crashed' | 'silent';

  constructor(how: 'crashed' | 'silent') {
    super(
      how === 'crashed'
        ? 'the tab crashed: most likely the program took more memory than a tab may have'
        : 'the time is over, and the tab does not answer either: it was closed',
    );
    this.how = how;
  }
}

/** What a tab gets to end a process whose time is over before it counts as lost. */
const SILENCE_MS = 15_000;

export interface SandboxBrowser {
  /** Another one after `TabLost`. */
  readonly page: Page;
  readonly server: TestServer;
  /** *Throws* TabLost. */
  run(command: string, args: string[], options?: RunOptions): Promise<RunResult>;
  /** Writes entries below `path`; `replace` empties the directory first. */
  mount(entries: Iterable<SnapshotEntry>, path: string, replace?: boolean): Promise<void>;
  /** Throws the engine away and boots a new one. */
  reboot(): Promise<void>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** Folder served as /engine/; default public/engine. */
  assets?: string;
  /** Where the browser's console and faults go; default: standard error for faults only. */
  onConsole?(text: string): void;
  /** Skip booting; the test does it. */
  boot?: boolean;
}

const PROJECT = '/home/project';

/** Bundles the page's script. */
async function bundlePage(): Promise<string> {
  const entry = fileURLToPath(new URL('./page.ts', import.meta.url));
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

/** Starts server, browser, page and engine. */
export async function startSandboxBrowser(options: BrowserOptions = {}): Promise<SandboxBrowser> {
  const server = await startServer(await bundlePage(), options.assets);
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: CHROMIUM_PATH,
      args: CHROMIUM_ARGS,
      ignoreDefaultArgs: ['--disable-field-trial-config'],
    });
    const launched = browser;
    const openPage = async (): Promise<Page> => {
      const page = await launched.newPage();
      page.on('console', (message) => options.onConsole?.(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => options.onConsole?.(`page error: ${error.message}`));
      await page.goto(server.ideOrigin);
      return page;
    };
    const sandbox = drive(await openPage(), openPage, server, async () => {
      await launched.close();
      await server.stop();
    });
    if (options.boot !== false) await sandbox.reboot();
    return sandbox;
  } catch (error) {
    await browser?.close();
    await server.stop();
    throw error;
  }
}

function drive(
  first: Page,
  openPage: () => Promise<Page>,
  server: TestServer,
  close: () => Promise<void>,
): SandboxBrowser {
  let page = first;
  const reboot = () =>
    page.evaluate((url) => window.cloche.boot(url, 30_000), `${server.sandboxOrigin}/engine/host.html`);
  const replacePage = async (): Promise<void> => {
    // A tab that does not answer is closed all the same, only nobody hears of it.
    void page.close().catch(() => {});
    page = await openPage();
    await reboot();
  };

  const mount: SandboxBrowser['mount'] = async (entries, path, replace = false) => {
    const channel = server.open({ blob: encodeSnapshot(entries) });
    try {
      await page.evaluate(([id, to, whole]) => window.cloche.mount(id, to, whole), [channel, path, replace] as const);
    } finally {
      server.close(channel);
    }
  };

  const run: SandboxBrowser['run'] = async (command, args, options = {}) => {
    const cwd = options.cwd ?? PROJECT;
    if (options.files) await mount(snapshotOf(options.files, cwd), '/');
    const collected = { output: [] as Buffer[], stderr: [] as Buffer[] };
    const { stdin } = options;
    const channel = server.open({
      stdin:
        stdin === undefined
          ? undefined
          : stdin instanceof Readable
            ? stdin
            : Readable.from([Buffer.from(stdin as Uint8Array)]),
      onChunk(name, bytes) {
        if (options.onOutput) options.onOutput(name, bytes);
        else collected[name].push(bytes);
      },
    });
    const timeoutMs = options.timeoutMs ?? 60_000;
    let silence: NodeJS.Timeout | undefined;
    try {
      const running = page.evaluate((request) => window.cloche.run(request), {
        channel,
        command,
        args,
        cwd,
        env: options.env ?? {},
        terminal: options.terminal,
        timeoutMs,
        hasStdin: stdin !== undefined,
        watch: options.watch,
      });
      const silent = new Promise<never>((_, reject) => {
        silence = setTimeout(() => reject(new TabLost('silent')), timeoutMs + SILENCE_MS);
      });
      const result = await Promise.race([running, silent]).catch(async (error: Error) => {
        const lost = /Target crashed/i.test(error.message) ? new TabLost('crashed') : error;
        if (lost instanceof TabLost) await replacePage();
        throw lost;
      });
      return {
        ...result,
        code: result.timedOut ? 124 : exitCodeOf(result.end),
        signal: result.end.kind === 'signalled' ? result.end.signal : undefined,
        stdout: Buffer.concat(collected.output),
        stderr: Buffer.concat(collected.stderr),
      };
    } finally {
      clearTimeout(silence);
      server.close(channel);
    }
  };

  return {
    get page() {
      return page;
    },
    server,
    run,
    mount,
    reboot,
    close,
  };
}

/** The shell's number for how a process ended. */
export function exitCodeOf(end: RunEnd): number {
  switch (end.kind) {
    case 'exited':
      return end.code;
    case 'signalled':
      return 128 + (constants.signals[end.signal as NodeJS.Signals] ?? 0);
    case 'crashed':
      return 134;
  }
}

function* snapshotOf(files: Record<string, string | Uint8Array>, cwd: string): Generator<SnapshotEntry> {
  for (const [name, contents] of Object.entries(files)) {
    const absolute = name.startsWith('/') ? name : `${cwd}/${name}`;
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    yield { kind: 'file', path: absolute.slice(1), mode: 0o644, mtimeMs: Date.now(), contents: bytes };
  }
}
