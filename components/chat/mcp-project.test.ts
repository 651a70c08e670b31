import { expect, test } from 'vitest';
import { storedTrust } from '../../lib/config/trust';
import { memoryStorage } from '../../lib/registry/mcp/testing';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { type BroughtServer, createProjectMcp } from './mcp-project';

const list = (command: string) => JSON.stringify({ mcpServers: { tools: { command, disabled: false } } });

async function project(files: Record<string, string>, storage = memoryStorage(), config = '') {
  const sandbox = await createMemorySandbox({ files });
  const mcp = createProjectMcp({
    sandbox,
    projectId: 'p1',
    trust: storedTrust('p1', storage),
    storage,
    personConfig: () => config,
  });
  await mcp.look();
  const brought = () => mcp.list.get().listed.filter((one): one is BroughtServer => one.kind === 'brought');
  return { sandbox, mcp, brought, storage };
}

test('a yes is for this very command: kept over a reload, asked again for a changed one', async () => {
  const { mcp, brought, storage } = await project({ '.mcp.json': list('one') });
  expect(brought().map((one) => one.use)).toEqual([undefined]);
  expect(mcp.servers.states()[0]!.status.kind).toBe('untrusted');
  mcp.decide([{ server: brought()[0]!, use: true }]);
  expect(brought()[0]!.use).toBe(true);
  expect(mcp.servers.states()[0]!.status.kind).not.toBe('untrusted');
  await mcp.dispose();

  const again = await project({ '.mcp.json': list('one') }, storage);
  expect(again.brought()[0]!.use).toBe(true);
  await again.sandbox.fs.write(`${again.sandbox.workdir}/.mcp.json`, list('two'));
  await again.mcp.look();
  expect(again.brought()[0]!.use).toBeUndefined();
  expect(again.mcp.servers.states()[0]!.status.kind).toBe('untrusted');
  await again.mcp.dispose();
});

test('a word on one file or server is none on another, and one’s own server wins the name', async () => {
  const { mcp, brought } = await project({
    'opencode.json': JSON.stringify({
      mcp: { a: { type: 'local', command: ['x'] }, b: { type: 'remote', url: 'https://example.org/mcp' } },
    }),
  });
  mcp.decide([{ server: brought()[0]!, use: false }]);
  expect(brought().map((one) => one.use)).toEqual([false, undefined]);
  mcp.add('b', { type: 'local', command: ['mine'], enabled: false });
  expect(mcp.list.get().listed.map((one) => [one.kind, one.config.name])).toEqual([
    ['own', 'b'],
    ['brought', 'a'],
  ]);
  await mcp.dispose();
});

test('servers of the person’s own configuration need no yes, and what is wrong there is said', async () => {
  const config =
    '{ "mcp": { "mine": { "type": "local", "command": ["x"], "enabled": false }, "bad": { "type": "local" } } }';
  const { mcp } = await project({ '.mcp.json': list('one') }, memoryStorage(), config);
  expect(mcp.list.get().listed.map((one) => [one.kind, one.config.name])).toEqual([
    ['own', 'mine'],
    ['brought', 'tools'],
  ]);
  expect(mcp.list.get().problems).toEqual([expect.stringMatching(/mcp\.bad: /)]);
  await mcp.dispose();
});

test('a server whose files were changed after the yes does not start, and is asked about again', async () => {
  const config = JSON.stringify({ mcpServers: { tools: { command: 'node', args: ['mcp/server.js'] } } });
  const { sandbox, mcp, brought } = await project({
    '.mcp.json': config,
    'mcp/server.js': `import './part.js';`,
    'mcp/part.js': '1',
  });
  const server = brought()[0]!;
  await sandbox.fs.write(`${sandbox.workdir}/mcp/part.js`, '2');
  mcp.decide([{ server, use: true }]);
  await expect.poll(() => brought()[0]!.use, { timeout: 10_000 }).toBeUndefined();
  expect(brought()[0]!.hash).not.toBe(server.hash);
  expect(mcp.servers.states()[0]!.status.kind).toBe('untrusted');
  await mcp.dispose();
});
