// node --run, against what Node 24 said for the same folders.
import { expect, test } from 'vitest';
import { scriptRun } from './run-script';

const FILES: Record<string, string> = {
  '/p/package.json': '{"scripts":{"hi":"echo hello","build":"vite build"}}',
  '/bad/package.json': '{',
  '/none/package.json': '{}',
};
const run = (name: string, cwd: string, ...words: string[]) =>
  scriptRun(name, words, cwd, '/bin', (path) => FILES[path]);

test('runs the script of the nearest package.json with the words behind it', () => {
  expect(run('hi', '/p/src', 'a b', '-x')).toEqual({
    argv: ['sh', '-c', '/bin/sh -c "$0" || exit 1', "echo hello 'a b' -x"],
    env: {
      PATH: '/p/src/node_modules/.bin:/p/node_modules/.bin:/bin',
      NODE_RUN_SCRIPT_NAME: 'hi',
      NODE_RUN_PACKAGE_JSON_PATH: '/p/package.json',
    },
  });
});

test.each([
  ['/p', 'Missing script: "x" for /p/package.json\n\nAvailable scripts are:\n  hi: echo hello\n  build: vite build\n'],
  ['/elsewhere', "Can't find package.json for directory /elsewhere\n"],
  ['/bad', "Can't parse /bad/package.json\n"],
  ['/none', 'Can\'t find "scripts" field in /none/package.json\n'],
])('says why there is nothing to run in %s', (cwd, problem) => {
  expect(run('x', cwd)).toEqual({ problem });
});
