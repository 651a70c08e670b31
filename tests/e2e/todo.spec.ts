// Journey: the list of what is to do belongs to both; the person words it anew, adds, ticks and takes off, with the keyboard alone.
import AxeBuilder from '@axe-core/playwright';
import { test } from '@playwright/test';
import { agent, lastAnswer, say, untilIdle } from './agent';
import { expect, reload, startProject } from './ide';

test('the person changes the agent’s list; the agent sees it, also after a reload', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await say(
    page,
    'call todo with {"todos":[{"content":"Write a test","status":"in_progress"},{"content":"Write docs","status":"pending"}]}',
  );
  await untilIdle(page);
  const list = agent(page).getByRole('region', { name: 'What is to do' });
  await list.getByRole('button', { name: /Write a test/ }).press('Enter');
  await list.getByRole('button', { name: 'Change: Write docs' }).press('Enter');
  const field = list.getByRole('textbox', { name: 'New words for: Write docs' });
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list.getByRole('listitem').filter({ hasText: 'Write docs' })).toBeVisible();
  await expect(list.getByRole('button', { name: 'Change: Write docs' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Write the README');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('button', { name: 'Change: Write the README' })).toBeFocused();
  await list.getByRole('textbox', { name: 'Add something to do' }).fill('Ask Ada');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Send it');
  await page.keyboard.press('Enter');
  await list.getByRole('checkbox', { name: 'Write a test' }).press('Space');
  await list.getByRole('button', { name: 'Remove: Send it' }).press('Enter');
  const { violations } = await new AxeBuilder({ page }).include('[aria-label="What is to do"]').analyze();
  expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);

  await reload(page);
  await say(page, 'call todo with {}');
  await untilIdle(page);
  for (const line of ['[x] Write a test', '[ ] Write the README', '[ ] Ask Ada'])
    await expect(lastAnswer(page)).toContainText(line);
  await expect(lastAnswer(page)).not.toContainText('Send it');
});
