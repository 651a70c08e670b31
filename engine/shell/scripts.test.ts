// Every script of the tables runs in the machine's own bash and in ours: output, errors and exit status must be the same.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildNativeShell } from './build-native';
import { BYTES } from './cases/bytes';
import { EXPANSION } from './cases/expansion';
import { LANGUAGE } from './cases/language';
import { SCRIPTS } from './cases/scripts';
import { TOOLS } from './cases/tools';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'cloche-scripts-'));
const node = path.resolve('node_modules/.bin/node');
let bundle = '';

beforeAll(() => {
  bundle = buildNativeShell(root);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

interface Outcome {
  stdout: string;
  stderr: string;
  status: number | null;
}

function run(command: string, args: string[], name: string): Promise<Outcome> {
  const base = fs.mkdtempSync(path.join(root, `${name}-`));
  const cwd = path.join(base, 'work');
  fs.mkdirSync(cwd);
  return new Promise((resolve, reject) => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
    const child = spawn(command, args, {
      cwd,
      env: env as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const clock = setTimeout(() => child.kill('SIGKILL'), 15_000);
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => {
      clearTimeout(clock);
      const text = (parts: Buffer[]) => Buffer.concat(parts).toString('latin1').replaceAll(base, '<base>');
      resolve({ stdout: text(out), stderr: text(err), status });
    });
  });
}

describe.each([
  ['expansion', EXPANSION],
  ['language', LANGUAGE],
  ['scripts', SCRIPTS],
  ['tools', TOOLS],
  ['bytes', BYTES],
] as const)('%s', (_, scripts) => {
  test.concurrent.each(scripts.map((script) => [script]))('%s', async (script) => {
    const real = await run('bash', ['-c', script], 'real');
    const ours = await run(node, [bundle, 'bash', '-c', script], 'ours');
    expect(ours).toEqual(real);
  });
});
