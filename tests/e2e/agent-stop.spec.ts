// Journey: stop whatever the agent is doing, at any moment, and go on.
import { type Page, test } from '@playwright/test';
import { agent, lastAnswer, question, say, toolCall, untilIdle } from './agent';
import { expect, startProject } from './ide';
import { fingerprint, shell } from './terminal';

async function expectGoesOn(page: Page): Promise<void> {
  await say(page, 'find console in index.js');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('That is where "console" occurs.');
}

test('stop while it asks: the question goes, nothing was done', async ({ page }) => {
  await startProject(page, 'Blank Node');
  const before = await fingerprint(page, 'index.js');
  await say(page, 'replace "Hello" by "Goodbye" in index.js');
  const card = await question(page, 'Edit index.js');
  await agent(page).getByRole('button', { name: 'Stop' }).click();
  await expect(card).toHaveCount(0);
  await untilIdle(page);
  await expect(toolCall(page, 'edit')).toContainText('interrupted');
  await expect(lastAnswer(page)).toContainText('Stopped.');
  expect(await fingerprint(page, 'index.js')).toBe(before);
  // The model is told what became of its call, and takes it from there.
  await agent(page).getByRole('button', { name: 'Go on' }).click();
  await expect(lastAnswer(page)).toContainText('The call was stopped before it ended.');
  await untilIdle(page);
  await expectGoesOn(page);
});

test('Esc while a command runs: its processes are gone, what it printed stays', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await say(page, 'run echo started; sleep 100 | cat');
  await expect(toolCall(page, 'bash')).toContainText('started');
  const running = async () => (await shell(page, 'ps aux | grep -c "[s]leep 100"')).output.trim();
  expect(await running()).not.toBe('0');
  await agent(page).getByLabel('Message to the agent').press('Escape');
  await untilIdle(page);
  await expect(toolCall(page, 'bash')).toContainText('interrupted');
  expect(await running()).toBe('0');
  await toolCall(page, 'bash').getByRole('button', { name: /Run/ }).first().click();
  await expect(toolCall(page, 'bash').locator('pre').last()).toContainText('started');
  await expectGoesOn(page);
});
