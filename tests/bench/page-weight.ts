// How much JavaScript a page loads at first, as it came over the wire: every script of the built product until the network is quiet.
import { setTimeout } from 'node:timers/promises';
import type { CDPSession } from '@playwright/test';
import { type Figure, judge, reasonOf } from './contest.ts';
import { type Stage, withFreshProfile, withPage } from './stage.ts';

const kilobytes = (bytes: number): number => Math.round(bytes / 102.4) / 10;

/** A server leaves what is smaller as it is: gzip would make it longer. 1 kB of script and its headers. */
const SMALL_BYTES = 2048;

/** The start page and a project's page. */
export async function pageWeight(stage: Stage): Promise<Figure[]> {
  const start: Figure = { name: 'first-load JS of /', unit: 'kB gz' };
  const ide: Figure = { name: 'first-load JS of the IDE page', unit: 'kB gz' };
  try {
    const origin = await stage.product();
    const { all } = await weigh(`${origin}/`, 500);
    start.cloche = kilobytes(all);
    Object.assign(start, judge(kilobytes(all), start.unit, { most: 160 }));
    const page = await weigh(`${origin}/new/node`, 3000);
    ide.cloche = kilobytes(page.inHtml);
    ide.note = `scripts that the HTML names; with everything that follows until the network is quiet (editor, terminal, workers): ${kilobytes(page.all)} kB`;
  } catch (error) {
    for (const figure of [start, ide]) if (figure.cloche === undefined) figure.failed = reasonOf(error);
  }
  return [start, ide];
}

/** `quietMs`: without a request for so long the page has come; what it prepares for later (other origins, offline) begins then. */
function weigh(url: string, quietMs: number): Promise<{ all: number; inHtml: number }> {
  return withFreshProfile((context) =>
    withPage(context, async (page) => {
      const session = await context.newCDPSession(page);
      const { scripts, untilQuiet } = await recordScripts(session);
      const html = (await (await page.goto(url, { waitUntil: 'commit' }))?.text()) ?? '';
      await untilQuiet(quietMs);
      let all = 0;
      let inHtml = 0;
      for (const [script, { bytes, encoding }] of scripts) {
        if (encoding !== 'gzip' && encoding !== 'br' && bytes > SMALL_BYTES)
          throw new Error(`${script} came without compression`);
        all += bytes;
        if (html.includes(new URL(script).pathname)) inHtml += bytes;
      }
      if (inHtml === 0) throw new Error(`the HTML of ${url} names no script that was loaded`);
      return { all, inHtml };
    }),
  );
}

interface RecordedScripts {
  scripts: ReadonlyMap<string, { bytes: number; encoding: string | undefined }>;
  /** Until nothing has come for a while. Playwright's own word for it never comes where a frame of another origin stays. */
  untilQuiet(quietMs: number): Promise<void>;
}

async function recordScripts(session: CDPSession): Promise<RecordedScripts> {
  const scripts = new Map<string, { bytes: number; encoding: string | undefined }>();
  const urls = new Map<string, { url: string; encoding: string | undefined }>();
  let lastAtMs = performance.now();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    lastAtMs = performance.now();
    if (type !== 'Script') return;
    const encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    urls.set(requestId, { url: response.url, encoding });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    lastAtMs = performance.now();
    const found = urls.get(requestId);
    if (found) scripts.set(found.url, { bytes: encodedDataLength, encoding: found.encoding });
  });
  await session.send('Network.enable');
  const untilQuiet = async (quietMs: number) => {
    while (performance.now() - lastAtMs < quietMs) await setTimeout(50);
  };
  return { scripts, untilQuiet };
}
