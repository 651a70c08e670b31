// Ratios against real peers, measured in one run on one machine: `npm run bench [-- NAME…]`. JSON on standard output, progress on standard error;
// nothing is asserted. A part that cannot be measured prints why, and no number.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { startSandboxBrowser } from '../sandbox/browser.ts';
import { engineBoot, productBoot } from './boot.ts';
import { type Contest, type Figure, hold, reasonOf } from './contest.ts';
import { pageWeight } from './page-weight.ts';
import { preview } from './preview.ts';
import { files, requireModules, spawns, start } from './programs.ts';
import { globLarge, grep, grepLarge } from './search.ts';
import { createStage, type Stage } from './stage.ts';
import { toolCalls } from './tools.ts';
import { longTranscript } from './transcript.ts';

const measures: Record<string, { title: string; prepare(stage: Stage): Promise<Contest | Figure[]> }> = {
  start: { title: 'start', prepare: start },
  spawn: { title: 'programs in a row', prepare: spawns },
  files: { title: '5,000 files', prepare: files },
  require: { title: '1,000 modules', prepare: requireModules },
  grep: { title: 'grep over 5,000 files', prepare: grep },
  grep20k: { title: 'grep over 20,000 files', prepare: grepLarge },
  glob20k: { title: 'glob over 20,000 files', prepare: globLarge },
  tools: { title: 'our layer around a tool call', prepare: toolCalls },
  preview: { title: 'preview request', prepare: preview },
  boot: { title: 'engine, page to prompt', prepare: engineBoot },
  product: { title: 'IDE, page to prompt', prepare: productBoot },
  transcript: { title: 'conversation of 10,000 parts', prepare: longTranscript },
  weight: { title: 'page weight', prepare: pageWeight },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(measures, name));
if (unknown.length > 0) {
  console.error(
    `bench: there is no measure called ${unknown.join(', ')}; there are ${Object.keys(measures).join(', ')}`,
  );
  process.exit(2);
}

const scratch = mkdtempSync(path.join(tmpdir(), 'bench-'));
const browser = await startSandboxBrowser();
const { stage, release } = createStage(browser, path.join(scratch, 'work'));
const figures: Figure[] = [];
try {
  for (const [name, { title, prepare }] of Object.entries(measures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`bench: ${name} …`);
    mkdirSync(stage.folder, { recursive: true });
    try {
      const prepared = await prepare(stage);
      figures.push(...(Array.isArray(prepared) ? prepared : await hold(title, prepared)));
    } catch (error) {
      figures.push({ name: title, unit: 'ms', failed: reasonOf(error) });
    } finally {
      await stage.endMeasure();
      rmSync(stage.folder, { recursive: true, force: true });
    }
  }
} finally {
  await release();
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
const machine = {
  cores: cpus().length,
  model: cpus()[0]?.model,
  chromium: browser.page.context().browser()?.version(),
  /** Above the number of cores, others were at work and absolute times say little. */
  load: loadavg().map((value) => Math.round(value * 10) / 10),
};
console.log(JSON.stringify({ machine, figures }, null, 2));
