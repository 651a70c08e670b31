// What measures share in one run of the bench: the browser with the engine, a scratch folder, the peers, and the product's own server.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, CHROMIUM_PATH, type SandboxBrowser } from '../sandbox/browser.ts';
import { installPeers, type Peer } from './peers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Stage {
  browser: SandboxBrowser;
  /** Emptied before every measure. */
  folder: string;
  /** Other browser runtimes in pages of the same browser; one that cannot be had fails with its reason when it is used. */
  peers(): Promise<Peer[]>;
  /** Origin of the built product's server; throws when there is no build. */
  product(): Promise<string>;
  /** Ends something that a measure has started, when the measure is over. */
  atEnd(end: () => Promise<void>): void;
  /** Runs what atEnd was given, last first. */
  endMeasure(): Promise<void>;
}

/** Keeps what was started, to end it. */
export interface Resources {
  stage: Stage;
  release(): Promise<void>;
}

/** A stage over `browser`; nothing is started before it is asked for. */
export function createStage(browser: SandboxBrowser, folder: string): Resources {
  let peers: Promise<{ list: Peer[]; release(): Promise<void> }> | undefined;
  let server: Promise<{ origin: string; child: ChildProcess }> | undefined;
  const ends: (() => Promise<void>)[] = [];
  return {
    stage: {
      browser,
      atEnd: (end) => void ends.push(end),
      async endMeasure() {
        for (const end of ends.splice(0).reverse()) await end().catch(() => {});
      },
      folder,
      async peers() {
        peers ??= installPeers(browser);
        return (await peers).list;
      },
      async product() {
        server ??= startProduct();
        return (await server).origin;
      },
    },
    async release() {
      await peers?.then(({ release }) => release());
      await server?.then(
        ({ child }) => void child.kill('SIGTERM'),
        () => {},
      );
    },
  };
}

async function startProduct(): Promise<{ origin: string; child: ChildProcess }> {
  if (!existsSync(`${root}.next/BUILD_ID`)) throw new Error('there is no production build: run "npm run build" first');
  const port = await freePort();
  const child = spawn(`${root}node_modules/.bin/next`, ['start', '-p', String(port)], { cwd: root, stdio: 'ignore' });
  const deadline = Date.now() + 30_000;
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (isUp) return { origin: `http://cloche.localhost:${port}`, child };
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill();
      throw new Error('"next start" did not answer within 30 s');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * A person's profile that has seen nothing: caches empty, no storage. A browser of its own that is up and drawing, because Chromium keeps no compiled code in
 * what Playwright calls a new context (it is a private window). Ends with `use`.
 */
export async function withFreshProfile<T>(use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-profile-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: CHROMIUM_PATH,
    args: CHROMIUM_ARGS,
    ignoreDefaultArgs: ['--disable-field-trial-config'],
  });
  try {
    await withPage(context, (page) => page.goto('data:text/html,up'));
    return await use(context);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A page in a profile, closed after `use`. */
export async function withPage<T>(context: BrowserContext, use: (page: Page) => Promise<T>): Promise<T> {
  const page = await context.newPage();
  try {
    return await use(page);
  } finally {
    await page.close();
  }
}
