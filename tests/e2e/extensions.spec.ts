// Journey: a project's own tools and plugins. Nothing of them runs before the person's yes; then the agent uses the tools, the plugin has its say,
// a broken one is named, and what changes is asked about again.
import { type Page, test } from '@playwright/test';
import { fixtureFiles } from '../../lib/config/testing';
import { agent, allow, lastAnswer, question, say, toolCall, untilIdle } from './agent';
import { expect, untilReady } from './ide';
import { shell } from './terminal';
import { zipFile } from './zip-files';

async function openProject(page: Page, files: Record<string, string>): Promise<void> {
  await page.goto('/');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Open a zip/ }).click();
  await (await chooser).setFiles(zipFile('project.zip', files));
  await untilReady(page);
}

async function trust(page: Page): Promise<void> {
  const notice = agent(page).getByRole('region', { name: 'What this project brings' });
  await notice.getByRole('button', { name: 'Look…' }).click();
  const sheet = page.getByRole('dialog', { name: 'What this project brings' });
  // What runs is never ticked for the person.
  for (const box of await sheet.getByRole('checkbox', { name: /\.opencode\/(tool|plugin)\// }).all()) await box.check();
  await sheet.getByRole('button', { name: 'Use what is ticked' }).click();
  await expect(notice).toHaveCount(0);
}

const running = (page: Page) => shell(page, 'ps aux | grep -c "[n]ode -e"');

test('tools and a plugin of a project made for OpenCode: asked for, run in the sandbox, guarded, asked again', async ({
  page,
}) => {
  await openProject(page, { ...fixtureFiles(), 'secret.txt': 'the key' });
  const notice = agent(page).getByRole('region', { name: 'What this project brings' });
  await expect(notice).toContainText('3 tools, 1 plugin');
  expect((await running(page)).output.trim()).toBe('0');
  await say(page, 'call math_add with {"a": 2, "b": 3}');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('I would need math_add');

  await trust(page);
  const broken = agent(page).getByRole('region', { name: 'Programs of this project that are not in use' });
  await expect(broken).toContainText("Cannot find package 'a-package-that-is-not-there'");
  await broken.getByRole('button', { name: 'Close' }).click();
  // Told once, not in each conversation.
  await agent(page).getByRole('button', { name: 'New conversation' }).click();
  await expect(agent(page).getByRole('region', { name: 'Examples' })).toBeVisible();
  await expect(broken).toHaveCount(0);

  await say(page, 'call math_add with {"a": 2, "b": 3}');
  // The plugin has changed the arguments before anybody is asked.
  await expect(await question(page, 'Run the tool math_add of this project')).toContainText('{"a":2,"b":30}');
  await allow(page, 'Run the tool math_add of this project');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('32 (guarded)');

  await say(page, 'call wordcount with {"file": "AGENTS.md", "least": "3"}');
  await allow(page, 'Run the tool wordcount of this project');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText(/\d+ words/);

  await say(page, 'read secret.txt');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('Secrets are not read here.');
  await expect(lastAnswer(page)).not.toContainText('the key');

  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'What the model sees…' }).click();
  const sees = page.getByRole('dialog', { name: 'What the model sees' });
  await expect(sees.locator('summary', { hasText: 'math_multiply' })).toContainText('.opencode/tool/math.js');
  await expect(sees.locator('li', { hasText: 'broken' })).toContainText('Not loaded: Cannot find package');
  await page.keyboard.press('Escape');

  await shell(page, "sed -i 's/a + b/a - b/' .opencode/tool/math.js");
  await say(page, 'call math_add with {"a": 2, "b": 3}');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('I would need math_add');
  await expect(notice).toContainText('New or changed since you looked: 1 tool');
  await trust(page);
  // A command that the plugin's `config` hook has added.
  await say(page, '/add 50');
  await allow(page, 'Run the tool math_add of this project');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('20 (guarded)');
});

test('a tool that ends its process is named and can be tried again; one that is stopped is ended', async ({ page }) => {
  await openProject(page, {
    'package.json': '{}',
    '.opencode/tool/bad.js': `export const crash = { description: 'd', execute: () => process.exit(7) }
export const loop = { description: 'd', execute: () => { for (;;); } }
export const fine = { description: 'd', execute: () => 'all is ' + typeof window }`,
  });
  await trust(page);
  await say(page, 'call bad_crash with {}');
  await allow(page, 'Run the tool bad_crash of this project');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('its process ended with exit code 7');
  const broken = agent(page).getByRole('region', { name: 'Programs of this project that are not in use' });
  await broken.getByRole('button', { name: 'Try again' }).click();
  await expect(broken).toHaveCount(0);

  await say(page, 'call bad_loop with {}');
  await allow(page, 'Run the tool bad_loop of this project');
  await expect(toolCall(page, 'bad_loop')).toHaveAttribute('data-tone', 'working');
  await agent(page).getByRole('button', { name: 'Stop' }).click();
  await untilIdle(page);
  await say(page, 'call bad_fine with {}');
  await allow(page, 'Run the tool bad_fine of this project');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('all is undefined');
  expect((await running(page)).output.trim()).toBe('1');
});
