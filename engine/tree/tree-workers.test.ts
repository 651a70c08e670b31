// Several workers change one tree and are terminated at random moments: whatever they were doing, the tree is whole afterwards,
// and no reader has ever seen bytes of another file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedMemory } from '../memory/memory';
import { checkTree } from './check';
import { formatTree, openTree } from './tree';

const WORKERS = 4;
const KILLS = 25;

let folder: string;
let fixture: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tree-workers-'));
  fixture = path.join(folder, 'fixture.cjs');
  buildSync({
    entryPoints: [path.join(import.meta.dirname, 'tree.worker-fixture.ts')],
    outfile: fixture,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

let seed = 1;

/** Starts a worker; resolves when it is at work. What it complains of goes to `complaints`. */
function start(
  memory: WebAssembly.Memory,
  owner: number,
  role: 'everything' | 'swap' | 'watch',
  complaints: string[],
): Promise<Worker> {
  const worker = new Worker(fixture, { workerData: { memory, owner, seed: seed++ * 7919, role } });
  return new Promise((resolve, reject) => {
    worker.on('message', (text: string) => {
      if (text === 'started') resolve(worker);
      else complaints.push(text);
    });
    worker.on('error', reject);
  });
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('workers that are terminated at any moment leave a whole tree', async () => {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory, 1);
  tree.mkdir('/shared', 0o755);
  const complaints: string[] = [];
  const owners = Array.from({ length: WORKERS }, (_, index) => index + 2);
  const workers = await Promise.all(owners.map((owner) => start(memory, owner, 'everything', complaints)));
  let locked = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const index = kill % WORKERS;
    await sleep(Math.random() * 15);
    await workers[index].terminate();
    if (tree.recover(owners[index])) locked++;
    expect(checkTree(memory)).toEqual([]);
    workers[index] = await start(memory, owners[index], 'everything', complaints);
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  for (const owner of owners) tree.recover(owner);
  expect(checkTree(memory)).toEqual([]);
  expect(complaints).toEqual([]);
  // Some must have died inside a transaction, else this test has shown nothing.
  expect(locked).toBeGreaterThan(KILLS / 10);
}, 60_000);

test('a reader without the lock never gets bytes of another file', async () => {
  const memory = createSharedMemory();
  formatTree(memory);
  const complaints: string[] = [];
  const workers = await Promise.all([
    start(memory, 2, 'swap', complaints),
    start(memory, 3, 'watch', complaints),
    start(memory, 4, 'watch', complaints),
  ]);
  await sleep(1500);
  await Promise.all(workers.map((worker) => worker.terminate()));
  expect(complaints).toEqual([]);
}, 30_000);
