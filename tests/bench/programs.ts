// What Node itself is asked to do: the same programs in the sandbox, in the real Node, and in other browser runtimes where they can.
// A program prints its own milliseconds, so that starting it is not part of the figure.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { readEntries } from '../sandbox/entries.ts';
import type { Contest, Sampler } from './contest.ts';
import type { Peer } from './peers.ts';
import type { Stage } from './stage.ts';

export const NODE = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const PROJECT = '/home/project';

/** 5,000 small files written, read and asked for; `AT` is replaced by the folder. */
const FILES_PROGRAM = `const fs = require('fs'), path = require('path');
const folder = path.join('AT', 'many');
fs.mkdirSync(folder, { recursive: true });
const time = (run) => { const started = performance.now(); for (let i = 0; i < 5000; i++) run(i); return performance.now() - started; };
let size = 0;
const out = {
  write: time((i) => fs.writeFileSync(path.join(folder, 'f' + i), 'hello ' + i)),
  read: time((i) => { size += fs.readFileSync(path.join(folder, 'f' + i), 'utf8').length; }),
  stat: time((i) => { size += fs.statSync(path.join(folder, 'f' + i)).size; }),
};
if (size !== 2 * 48890) throw new Error('read and stat saw ' + size + ' bytes');
for (let i = 0; i < 5000; i++) fs.unlinkSync(path.join(folder, 'f' + i));
console.log('RESULT ' + JSON.stringify(out));`;

const REQUIRE_PROGRAM = `const started = performance.now();
const sum = require('AT/modules/all.js');
const ms = performance.now() - started;
if (sum !== 499500) throw new Error('the modules gave ' + sum);
const again = performance.now();
const { last } = require('AT/modules/large.mjs');
const large = performance.now() - again;
if (last !== 5999) throw new Error('the large module gave ' + last);
console.log('RESULT ' + JSON.stringify({ require: ms, 'one of 1 MB': large }));`;

/** Programs one after the other, as build scripts start them. */
const SPAWN_PROGRAM = `const { spawnSync } = require('child_process');
const each = (count, command, args) => {
  const started = performance.now();
  for (let i = 0; i < count; i++) {
    const { status, stdout, error } = spawnSync(command, args);
    if (status !== 0 || String(stdout).trim() !== '7') throw error ?? new Error(command + ' ended with ' + status);
  }
  return (performance.now() - started) / count;
};
const out = { applet: each(20, 'echo', ['7']), shell: each(20, 'sh', ['-c', 'echo 7']), node: each(8, 'node', ['-p', '7']) };
console.log('RESULT ' + JSON.stringify(out));`;

/** The milliseconds that a program printed; throws with what it printed instead. */
export function resultOf(output: string): Record<string, number> {
  const found = /^RESULT (.*)$/m.exec(output);
  if (!found) throw new Error(`the program printed no result but: ${output.trim().slice(0, 200) || 'nothing'}`);
  return JSON.parse(found[1]);
}

function moduleFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let index = 0; index < 1000; index++)
    files[`modules/m${index}.js`] =
      `'use strict';\nfunction value() { return ${index}; }\nmodule.exports = { value };\n`;
  const all = Array.from({ length: 1000 }, (_, index) => `sum += require('./m${index}.js').value();`);
  const functions = Array.from(
    { length: 6000 },
    (_, index) =>
      `async function read${index}(file, options = {}) {\n  const text = await open(file, 'utf8');\n  // ${'a comment of a bundle '.repeat(3)}\n  return await text.split(options.by);\n}\nexport const last${index} = ${index};\n`,
  );
  files['modules/large.mjs'] =
    `import { readFile as open } from 'node:fs/promises';\n${functions.join('')}export const last = last5999;\n`;
  files['modules/all.js'] = `let sum = 0;\n${all.join('\n')}\nmodule.exports = sum;\n`;
  return files;
}

async function contestants(
  stage: Stage,
  source: string,
  files: Record<string, string>,
): Promise<Record<string, Sampler>> {
  const { browser, folder } = stage;
  for (const [name, text] of Object.entries({ ...files, 'program.cjs': source.replaceAll('AT', folder) })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  await browser.mount(readEntries(folder), PROJECT, true);
  const inSandbox = source.replaceAll('AT', PROJECT);
  const theirs =
    (peer: Peer): Sampler =>
    async () =>
      resultOf(await peer.runNode(source.replaceAll('AT', '/bench'), prefixed(files)));
  return {
    cloche: async () => {
      const { stdout, stderr } = await browser.run('node', ['program.cjs'], { files: { 'program.cjs': inSandbox } });
      return resultOf(`${stdout}${stderr}`);
    },
    node: async () => resultOf(execFileSync(NODE, ['program.cjs'], { cwd: folder, encoding: 'utf8' })),
    ...Object.fromEntries((await stage.peers()).map((peer) => [peer.name, theirs(peer)])),
  };
}

const prefixed = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`/bench/${name}`, text]));

/** Synchronous file calls. */
export async function files(stage: Stage): Promise<Contest> {
  const noSlower = { most: 1, timesOf: 'node' };
  return {
    contestants: await contestants(stage, FILES_PROGRAM, {}),
    rounds: 9,
    targets: { write: noSlower, read: noSlower, stat: noSlower },
  };
}

/** CommonJS loading. */
export async function requireModules(stage: Stage): Promise<Contest> {
  return {
    contestants: await contestants(stage, REQUIRE_PROGRAM, moduleFiles()),
    rounds: 9,
    targets: { require: { most: 1.5, timesOf: 'node' } },
  };
}

/** spawnSync in a row, milliseconds for each. */
export async function spawns(stage: Stage): Promise<Contest> {
  return {
    contestants: await contestants(stage, SPAWN_PROGRAM, {}),
    rounds: 5,
    targets: { applet: { most: 10 }, shell: { most: 10 }, node: { most: 4, timesOf: 'node' } },
  };
}

/** `node -e 1` from the order to the end, with a worker ready. */
export async function start(stage: Stage): Promise<Contest> {
  return {
    contestants: {
      cloche: async () => {
        // The pool refills behind the last run.
        await new Promise((resolve) => setTimeout(resolve, 700));
        const { code, durationMs } = await stage.browser.run('node', ['-e', '1']);
        if (code !== 0) throw new Error(`node -e 1 ended with ${code}`);
        return { 'node -e 1, warm': durationMs };
      },
      node: async () => {
        const started = performance.now();
        execFileSync(NODE, ['-e', '1']);
        return { 'node -e 1, warm': performance.now() - started };
      },
    },
    rounds: 11,
    warmUps: 1,
    targets: { 'node -e 1, warm': { most: 25 } },
  };
}
