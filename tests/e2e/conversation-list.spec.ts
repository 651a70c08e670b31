// The list of conversations: found by name and by what was said, renamed and deleted by keyboard, and what was deleted comes back with Undo.
import AxeBuilder from '@axe-core/playwright';
import { type Locator, type Page, test } from '@playwright/test';
import { agent, say, untilIdle } from './agent';
import { expect, startProject, untilReady } from './ide';

/** A conversation of its own about this, with this name. */
async function talk(page: Page, said: string, name: string): Promise<void> {
  await agent(page).getByRole('button', { name: 'New conversation', exact: true }).last().click();
  await expect(agent(page).locator('.chat-title')).toHaveText('New conversation');
  await say(page, said);
  await untilIdle(page);
  await agent(page).locator('.chat-title').press('F2');
  const field = agent(page).getByLabel('Name of the conversation');
  await field.fill(name);
  await field.press('Enter');
  await expect(agent(page).locator('.chat-title')).toHaveText(name);
  await expect(agent(page).locator('.chat-title')).toBeFocused();
}

async function openList(page: Page): Promise<Locator> {
  await page.keyboard.press('F1');
  await page.getByRole('combobox').fill('Agent: conversations');
  await page.keyboard.press('Enter');
  const list = page.getByRole('dialog', { name: 'Conversations' });
  await expect(list.getByLabel('Search conversations')).toBeFocused();
  return list;
}

const names = (list: Locator) => list.locator('.sheet-row strong');

test('conversations are found, renamed, deleted and brought back, all by keyboard', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await talk(page, 'read package.json', 'About packages');
  await talk(page, 'read index.js', 'The entry');
  await talk(page, 'tell me of giraffes', 'Animals');

  const list = await openList(page);
  await expect(names(list)).toHaveText(['Animals', 'The entry', 'About packages']);
  await expect(list.getByRole('button', { name: /^Animals/ })).toHaveAttribute('aria-current', 'true');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).include('.dialog').analyze()).violations).toEqual([]);
  }
  // By name, then by what was said.
  await page.keyboard.type('entry');
  await expect(names(list)).toHaveText(['The entry']);
  await list.getByLabel('Search conversations').fill('giraffes');
  await expect(names(list)).toHaveText(['Animals']);
  await expect(list.locator('.sheet-row small').first()).toContainText('giraffes');
  await list.getByLabel('Search conversations').fill('hippopotamus');
  await expect(list.getByRole('status')).toContainText('No conversation has all these words');
  // The first Esc empties the field.
  await page.keyboard.press('Escape');
  await expect(names(list)).toHaveCount(3);

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('button', { name: /^The entry/ })).toBeFocused();
  await page.keyboard.press('F2');
  await page.keyboard.type('never');
  await page.keyboard.press('Escape');
  await expect(names(list)).toHaveText(['Animals', 'The entry', 'About packages']);
  await expect(list.getByRole('button', { name: /^The entry/ })).toBeFocused();
  await page.keyboard.press('F2');
  await page.keyboard.type('The first file');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('button', { name: /^The first file/ })).toBeFocused();

  await page.keyboard.press('Delete');
  const undo = list.getByRole('button', { name: 'Undo: bring “The first file” back' });
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list.getByRole('button', { name: /^The first file/ })).toBeFocused();
  await expect(names(list)).toHaveCount(3);
  await page.keyboard.press('Delete');
  await expect(undo).toBeVisible();
  await list.getByLabel('Search conversations').fill('packages');
  await page.keyboard.press('Enter');
  await expect(list).toHaveCount(0);
  await expect(agent(page).locator('.chat-title')).toHaveText('About packages');
  await page.reload();
  await untilReady(page);
  await expect(names(await openList(page))).toHaveText(['Animals', 'About packages']);
});

test('the conversation on screen is deleted at once, and Undo shows it again whole', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await talk(page, 'tell me of giraffes', 'Animals');
  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  await expect(agent(page).getByRole('log')).not.toContainText('giraffes');
  const notice = page.locator('.toast').filter({ hasText: 'Deleted “Animals”' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect(agent(page).locator('.chat-title')).toHaveText('Animals');
  await expect(agent(page).getByRole('log')).toContainText('giraffes');
  await say(page, 'and of zebras');
  await untilIdle(page);
  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await untilReady(page);
  await agent(page).locator('.chat-title').click();
  await expect(page.getByRole('menuitemcheckbox', { name: /New conversation/ }).first()).toBeVisible();
  await expect(page.getByRole('menuitemcheckbox', { name: /Animals/ })).toHaveCount(0);
});
