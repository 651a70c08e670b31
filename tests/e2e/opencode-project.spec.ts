// Journey: a project that was made for OpenCode, unchanged. It says what it brings, and nothing of it counts before the person's yes.
import { test } from '@playwright/test';
import { fixtureFiles } from '../../lib/config/testing';
import { agent, say, toolCall, untilIdle } from './agent';
import { expect, untilReady } from './ide';
import { zipFile } from './zip-files';

test('what it brings is announced, read, allowed; then its commands, agents and instructions work', async ({
  page,
}) => {
  await page.goto('/');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Open a zip/ }).click();
  await (await chooser).setFiles(zipFile('opencode-project.zip', fixtureFiles()));
  await untilReady(page);

  const notice = agent(page).getByRole('region', { name: 'What this project brings' });
  await expect(notice).toContainText('2 agents, 3 commands');
  const field = agent(page).getByLabel('Message to the agent');
  await field.fill('/wh');
  await expect(agent(page).getByRole('option')).toHaveCount(0);
  await field.fill('');

  await notice.getByRole('button', { name: 'Look…' }).click();
  const sheet = page.getByRole('dialog', { name: 'What this project brings' });
  await expect(sheet.getByRole('checkbox', { name: '.opencode/command/where.md' })).toBeChecked();
  await sheet.getByRole('button', { name: 'Use what is ticked' }).click();
  await expect(notice).toHaveCount(0);

  await field.pressSequentially('/wh');
  await expect(agent(page).getByRole('option', { name: /\/where/ })).toBeVisible();
  await field.press('Tab');
  await expect(field).toHaveValue('/where ');
  await say(page, '/where pure');
  await agent(page)
    .getByRole('button', { name: /^Allow once/ })
    .click();
  await untilIdle(page);
  await expect(toolCall(page, 'task')).toContainText('finder');
});
