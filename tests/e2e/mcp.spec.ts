// Journey: a project brings MCP servers; nothing starts before the person says so; then the agent works with them. The published servers run in
// the sandbox from node_modules, bundled into one file each.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import { type Locator, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { agent, allow, lastAnswer, question, say, toolCall, untilIdle } from './agent';
import { WEB_SERVER_PORT } from './hosts';
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

/** Who was at the end sees the buttons of what came, and is not called to it. */
async function expectFollowed(page: Page, button: Locator): Promise<void> {
  await expect(button).toBeInViewport({ ratio: 1 });
  await expect(agent(page).locator('.to-end')).toHaveCount(0);
}

/** From the palette, as from anywhere. */
async function openServers(page: Page): Promise<Locator> {
  await page.keyboard.press('F1');
  await page.getByRole('combobox').fill('MCP servers');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'MCP servers' });
  await expect(sheet).toBeVisible();
  return sheet;
}

test('a project’s server starts after a yes, reads and writes through the agent, and is stopped again', async ({
  page,
}) => {
  const zip = await projectWith(
    { files: { command: 'node', args: ['servers/filesystem.mjs', '/home/project'] } },
    { 'servers/filesystem.mjs': await bundled('server-filesystem') },
  );
  await openZip(page, zip);
  const notice = agent(page).getByRole('region', { name: 'What this project brings' });
  await expect(notice).toContainText('1 MCP server');
  expect((await shell(page, 'ps aux | grep -c "[f]ilesystem.mjs"')).output.trim()).toBe('0');
  await say(page, 'call files_read_text_file with {"path": "/home/project/notes.txt"}');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('I would need files_read_text_file');

  await notice.getByRole('button', { name: 'Look…' }).click();
  const brought = page.getByRole('dialog', { name: 'What this project brings' });
  await expect(brought).toContainText('node servers/filesystem.mjs /home/project');
  const { violations } = await new AxeBuilder({ page }).include('.dialog').analyze();
  expect(violations.map((one) => one.id)).toEqual([]);
  // What runs is never ticked for the person.
  await expect(brought.getByRole('checkbox', { name: 'files' })).not.toBeChecked();
  await brought.getByRole('checkbox', { name: 'files' }).check();
  await brought.getByRole('button', { name: 'Use what is ticked' }).click();
  await expect(notice).toHaveCount(0);
  const sheet = await openServers(page);
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
  const sheet = await openServers(page);
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
  await say(page, 'call all_get-tiny-image with {}');
  await allow(page, 'Call get-tiny-image of the MCP server all');
  await untilIdle(page);
  await expect(agent(page).getByRole('img', { name: 'image 2' })).toBeVisible();

  // A form of the server, while its call runs.
  await say(page, 'call all_trigger-elicitation-request with {}');
  await allow(page, 'Call trigger-elicitation-request of the MCP server all');
  const form = agent(page).getByRole('form', { name: /^The MCP server all asks/ });
  // It came while its call ran, and the end was followed.
  await expectFollowed(page, form.getByRole('button', { name: /Send/ }));
  await form.getByLabel('String: in your own words', { exact: true }).fill('Ada');
  await form.getByLabel('String with email format: in your own words').fill('nobody');
  await form.getByRole('button', { name: /Send/ }).click();
  await expect(form).toContainText('must be an e-mail address');
  await expect(form.getByLabel('String: in your own words', { exact: true })).toHaveValue('Ada');
  await form.getByLabel('String with email format: in your own words').fill('ada@example.org');
  await form.getByRole('button', { name: /Send/ }).click();
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('Email: ada@example.org');

  // It asks the model: the person sees its words, and says yes to this one question.
  await say(page, 'call all_trigger-sampling-request with {"prompt": "What is a bee?", "maxTokens": 50}');
  await allow(page, 'Call trigger-sampling-request of the MCP server all');
  const asks = await question(page, 'Let the MCP server all ask practice');
  await expect(asks).toContainText('What is a bee?');
  await expect(asks).toContainText('at most 50 tokens');
  await expectFollowed(page, asks.getByRole('button', { name: /^Allow once/ }));
  await expect(asks.getByRole('button', { name: /^Always/ })).toHaveCount(0);
  await allow(page, 'Let the MCP server all ask practice');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('LLM sampling result');
  await say(page, 'call all_trigger-sampling-request with {"prompt": "And a wasp?"}');
  await allow(page, 'Call trigger-sampling-request of the MCP server all');
  const second = await question(page, 'Let the MCP server all ask practice');
  await second.getByRole('button', { name: /^No/ }).click();
  await second.getByLabel('What should the agent do instead?').fill('Not now.');
  await page.keyboard.press('Enter');
  await untilIdle(page);
  await expect(toolCall(page, 'all_trigger-sampling-request', 1)).toContainText('The person said no. Not now.');

  // It wants a page to be visited: only the person's click opens it.
  await say(page, 'call all_trigger-url-elicitation with {"url": "https://sign-in.example/start?for=all"}');
  await allow(page, 'Call trigger-url-elicitation of the MCP server all');
  const visit = agent(page).getByRole('region', { name: 'The MCP server all wants you to visit sign-in.example' });
  await expect(visit).toContainText('https://sign-in.example/start?for=all');
  await expectFollowed(page, visit.getByRole('link', { name: /^Open/ }));
  expect((await new AxeBuilder({ page }).include('[data-question]').analyze()).violations).toEqual([]);
  const link = visit.getByRole('link', { name: /^Open sign-in\.example/ });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await page.context().route('https://sign-in.example/**', (route) => route.fulfill({ body: 'hello' }));
  const opened = page.context().waitForEvent('page');
  await link.click();
  expect(await (await opened).evaluate(() => globalThis.opener)).toBeNull();
  await (await opened).close();
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('accept');

  // Its prompts are commands; what one wants to know is asked for.
  const field = agent(page).getByLabel('Message to the agent');
  await field.pressSequentially('/all:args');
  await expect(agent(page).getByRole('option', { name: /\/all:args-prompt/ })).toBeVisible();
  await field.press('Tab');
  await field.press('Enter');
  const asked = page.getByRole('dialog', { name: '/all:args-prompt' });
  await asked.getByLabel(/^city/).fill('Paris');
  await asked.getByRole('button', { name: 'Send' }).click();
  await untilIdle(page);
  await expect(agent(page).getByRole('article', { name: 'You' }).last()).toContainText('weather in Paris');

  // The server proposes values, the second by the first.
  await field.fill('/all:completable-prompt');
  await field.press('Tab');
  await field.press('Enter');
  const team = page.getByRole('dialog', { name: '/all:completable-prompt' });
  await expect(team.getByLabel(/^department/)).toBeFocused();
  await page.keyboard.type('S');
  await expect(team.locator('option')).toHaveCount(2);
  await team.getByLabel(/^department/).fill('Sales');
  await team.getByLabel(/^name/).focus();
  await expect(team.locator('option[value="David"]')).toHaveCount(1);
  await page.keyboard.type('David');
  await page.keyboard.press('Enter');
  await untilIdle(page);
  await expect(agent(page).getByRole('article', { name: 'You' }).last()).toContainText('promote David');
});

test('a server of the web, over streamable HTTP through this site’s server, found in the settings', async ({
  page,
}) => {
  const port = WEB_SERVER_PORT;
  const child = spawn(
    process.execPath,
    [resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'streamableHttp'],
    {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    },
  );
  try {
    await openZip(page, await projectWith({}, {}));
    await page.keyboard.press('ControlOrMeta+,');
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'MCP servers' }).click();
    const sheet = page.getByRole('dialog', { name: 'MCP servers' });
    await sheet.getByLabel('Name').fill('web');
    await sheet.getByLabel('Command or URL').fill(`http://127.0.0.1:${port}/mcp`);
    await sheet.getByRole('button', { name: 'Add' }).click();
    await expect(sheet.getByRole('region', { name: 'web' })).toContainText(/connected, \d+ tools/);
    // Nobody else of this machine can be reached.
    await sheet.getByLabel('Name').fill('other');
    await sheet.getByLabel('Command or URL').fill('http://127.0.0.1:9/mcp');
    await sheet.getByRole('button', { name: 'Add' }).click();
    await expect(sheet.getByRole('region', { name: 'other' })).toContainText(
      'Only https servers of the public internet',
    );
    await page.keyboard.press('Escape');
    await say(page, 'call web_get-sum with {"a": 19, "b": 23}');
    await allow(page, 'Call get-sum of the MCP server web');
    await untilIdle(page);
    await expect(lastAnswer(page)).toContainText('42');

    // Its resources can be mentioned: read first, after a question.
    const field = agent(page).getByLabel('Message to the agent');
    await field.pressSequentially('What is in @web:');
    await agent(page).getByRole('option', { name: /@web:/ }).first().click();
    await field.press('Enter');
    await agent(page)
      .getByRole('button', { name: /^Allow once/ })
      .click();
    await untilIdle(page);
    await expect(toolCall(page, 'read_mcp_resource')).toBeVisible();
  } finally {
    child.kill('SIGKILL');
  }
});
