// A yes to a program is a yes to what it imports, wherever in the project that lies: a change of any of it is asked about again.
import { afterEach, describe, expect, test } from 'vitest';
import { closeExtensions, loadedExtensions } from '../extensions/testing';
import { commandFiles, importClosure } from './import-closure';
import { customsOf } from './testing';

afterEach(closeExtensions);

const tool = '.opencode/tool/a.ts';
const files = {
  [tool]: `import { x } from '../../src/x.js';\nconst later = () => import("../../lib/late");\nexport { later, x };\nimport z from 'zod';`,
  'src/x.ts': `export * from './deep/y.mjs'; const data = require('../data.json');`,
  'src/deep/y.mjs': `new Worker(new URL('./worker.js', import.meta.url));`,
  'src/deep/worker.js': '1',
  'lib/late/index.ts': '2',
  'data.json': '{}',
  'node_modules/zod/package.json': '{"version":"1.0.0"}',
  'src/other.ts': 'not imported',
};

describe('the hash of a tool', () => {
  test.each([
    ...['src/x.ts', 'src/deep/y.mjs', 'src/deep/worker.js', 'lib/late/index.ts', 'data.json'],
    ...['node_modules/zod/package.json', tool],
    // What Node would find before what is there now.
    ...['src/x.js', 'lib/late.ts'],
  ])('a change of %s asks again', async (path) => {
    const { sandbox, customs, trustAll } = await customsOf(files);
    await trustAll();
    expect(customs.state().open).toEqual([]);
    await sandbox.fs.write(`${sandbox.workdir}/${path}`, 'changed');
    await customs.look();
    expect(customs.state().open.map((file) => file.path)).toEqual([tool]);
    expect(customs.state().used).toEqual([]);
  });
  test('what is not imported changes nothing, and a circle ends', async () => {
    const { sandbox, customs, trustAll } = await customsOf({
      ...files,
      'src/deep/worker.js': `import '../x.ts'`,
    });
    await trustAll();
    await sandbox.fs.write(`${sandbox.workdir}/src/other.ts`, 'changed');
    await customs.look();
    expect(customs.state().open).toEqual([]);
  });
  test('nothing outside of the project is read', async () => {
    const { sandbox } = await customsOf({ 'a.ts': `import '../../../etc/x.js'; import '/etc/y.js';` });
    expect((await importClosure(sandbox.fs, sandbox.workdir, ['a.ts'])).split('\0')).toHaveLength(3);
  });
});

test('a command starts the files that it names, and what a package manager runs', () => {
  expect(commandFiles(['node', '--flag', './mcp/server.js', '/etc/x'], '.')).toEqual(['node', 'mcp/server.js']);
  expect(commandFiles(['npm', 'run', 'mcp'], 'tools')).toContain('tools/package.json');
});

test('a program that was changed between the look and its start is not started, or not used', async () => {
  const text = `export default { description: 'x', args: {}, execute: () => 'ran' };`;
  let answers: boolean[] = [];
  const isUnchanged = async () => answers.shift() ?? false;
  for (const [first, second] of [[false], [true, false]] as [boolean, boolean?][]) {
    answers = [first, ...(second === undefined ? [] : [second])];
    const { extensions } = await loadedExtensions({ '.opencode/tool/t.js': text }, { isUnchanged });
    expect(extensions.states()[0]!.status).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('was changed since you said yes'),
    });
  }
  const { extensions } = await loadedExtensions({ '.opencode/tool/t.js': text }, { isUnchanged: async () => true });
  expect(extensions.states()[0]!.status.kind).toBe('running');
});
