// Journey: a project brings MCP servers; nothing starts before the person says so; then the agent works with them. The published servers run in
// the sandbox from node_modules, bundled into one file each.
import { createRequire } from 'node:module';
import { type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { agent, allow, lastAnswer, question, say, toolCall, untilIdle } from './agent';
import { expect, untilReady } from './ide';
import { shell } from './terminal';
import { type ChosenFile, zipFile } from './zip-files';

const resolve = createRequire(import.meta.url).resolve;

async function bundled(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(`@modelcontextprotocol/${name}/dist/index.js`)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);" },
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

async function projectWith(servers: Record<string, unknown>, files: Record<string, string>): Promise<ChosenFile> {
  return zipFile('servers.zip', {
    'package.json': '{"name":"servers"}',
    'notes.txt': 'the answer is 42\n',
    '.mcp.json': JSON.stringify({ mcpServers: servers }),
    ...files,
  });
}

async function openZip(page: Page, zip: ChosenFile): Promise<void> {
  await page.goto('/');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Open a zip/ }).click();
  await (await chooser).setFiles(zip);
  await untilReady(page);
}

test('a project’s server starts after a yes, reads and writes through the agent, and is stopped again', async ({
  page,
}) => {
  const zip = await projectWith(
    { files: { command: 'node', args: ['servers/filesystem.mjs', '/home/project'] } },
    { 'servers/filesystem.mjs': await bundled('server-filesystem') },
  );
  await openZip(page, zip);
  const notice = agent(page).getByRole('region', { name: 'MCP servers of this project' });
  await expect(notice).toContainText('node servers/filesystem.mjs /home/project');
  expect((await shell(page, 'ps aux | grep -c "[f]ilesystem.mjs"')).output.trim()).toBe('0');
  await say(page, 'call files_read_text_file with {"path": "/home/project/notes.txt"}');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('I would need files_read_text_file');

  await notice.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(notice).toHaveCount(0);
  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'MCP servers…' }).click();
  const sheet = page.getByRole('dialog', { name: 'MCP servers' });
  await expect(sheet.getByRole('region', { name: 'files' })).toContainText(/connected, \d+ tools/);
  await page.keyboard.press('Escape');

  await say(page, 'call files_read_text_file with {"path": "/home/project/notes.txt"}');
  await expect(await question(page, 'Call read_text_file of the MCP server files')).toContainText('notes.txt');
  await allow(page, 'Call read_text_file of the MCP server files');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('the answer is 42');
  await say(page, 'call files_write_file with {"path": "/home/project/made.txt", "content": "by a server"}');
  await allow(page, 'Call write_file of the MCP server files');
  await untilIdle(page);
  expect((await shell(page, 'cat made.txt')).output).toContain('by a server');
  await expect(toolCall(page, 'files_write_file')).toBeVisible();

  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'MCP servers…' }).click();
  await sheet.getByRole('button', { name: 'Stop and ignore' }).click();
  await expect(sheet.getByRole('region', { name: 'files' })).toContainText('ignored');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await shell(page, 'ps aux | grep -c "[f]ilesystem.mjs"')).output.trim()).toBe('0');
});

test('a server that the person adds: everything’s tools, its progress, its form', async ({ page }) => {
  const zip = await projectWith({}, { 'servers/everything.mjs': await bundled('server-everything') });
  await openZip(page, zip);
  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'MCP servers…' }).click();
  const sheet = page.getByRole('dialog', { name: 'MCP servers' });
  await sheet.getByLabel('Name').fill('all');
  await sheet.getByLabel('Command or URL').fill('node servers/everything.mjs stdio');
  await sheet.getByRole('button', { name: 'Add' }).click();
  await expect(sheet.getByRole('region', { name: 'all' })).toContainText(/connected, \d+ tools/);
  await page.keyboard.press('Escape');
  await say(page, 'call all_get-sum with {"a": 20, "b": 22}');
  await allow(page, 'Call get-sum of the MCP server all');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('42');
  await say(page, 'call all_trigger-long-running-operation with {"duration": 1, "steps": 2}');
  await allow(page, 'Call trigger-long-running-operation of the MCP server all');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('Long running operation completed');
});
