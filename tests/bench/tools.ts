// What our layer costs per tool call: the offer of a step (rules, schemas, sorting), and around a tool that does nothing: input, permission,
// bounds. Measured in Node on the memory sandbox: the tool itself takes microseconds.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Contest } from './contest.ts';
import type { Stage } from './stage.ts';

const calls = 500;

/** Milliseconds per call, `offer` and `call`. */
export async function toolCalls({ folder }: Stage): Promise<Contest> {
  const outfile = path.join(folder, 'tool-layer.mjs');
  mkdirSync(folder, { recursive: true });
  const entryPoints = [fileURLToPath(new URL('./tool-layer.ts', import.meta.url))];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  const layer = (await import(pathToFileURL(outfile).href)) as typeof import('./tool-layer');
  const { offer, guarded } = await layer.prepareToolLayer();
  const perCall = async (work: () => unknown): Promise<number> => {
    const started = performance.now();
    for (let at = 0; at < calls; at++) await work();
    return (performance.now() - started) / calls;
  };
  return {
    contestants: {
      cloche: async () => ({ offer: await perCall(offer), call: await perCall(guarded) }),
    },
    rounds: 9,
    warmUps: 2,
    targets: { call: { most: 1 }, offer: { most: 10 } },
    notes: {
      call: 'a tool that returns one line, allowed by a rule',
      offer: 'all of the tools that Cloche ships with',
    },
  };
}
