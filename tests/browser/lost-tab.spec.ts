// What a command costs that takes the whole tab with it: its own run, told as what it was, and none after it.
import { expect, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';
import { performRun } from '../sandbox/perform';
import { buildTinyEngine } from './tiny-engine';

let sandbox: SandboxBrowser;

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser({ assets: await buildTinyEngine() });
});

test.afterAll(() => sandbox?.close());

async function perform(command: string[], timeoutMs: number, onOutput?: () => void) {
  const said: string[] = [];
  const order = { command, mount: undefined, cwd: '/home/project', timeoutMs, hasStdin: false, watch: false };
  const outcome = await performRun(sandbox, order, undefined, (_, bytes) => {
    said.push(bytes.toString());
    onOutput?.();
  });
  return { ...outcome, said: said.join('') };
}

test('a tab that crashes is a crash of the command, and the next command has a new tab', async () => {
  const devtools = await sandbox.page.context().newCDPSession(sandbox.page);
  const outcome = await perform(['node', 'loop'], 60_000, () => void devtools.send('Page.crash').catch(() => {}));
  expect(outcome).toMatchObject({ code: 134, timedOut: false, said: expect.stringContaining('the tab crashed') });
  expect(await perform(['node', 'say', 'x', '3'], 10_000)).toMatchObject({ code: 3, timedOut: false });
});

test('a tab that no longer answers ends with the time limit', async () => {
  await sandbox.page.evaluate('void setTimeout(() => { for (;;); }, 100)');
  const outcome = await perform(['node', 'loop'], 500);
  expect(outcome).toMatchObject({ code: 124, timedOut: true, said: expect.stringContaining('does not answer') });
  expect(await perform(['node', 'say', 'x', '3'], 10_000)).toMatchObject({ code: 3, timedOut: false });
});
