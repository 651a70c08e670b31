// The trace of a conversation: what it shows, saves and keeps over a reload.
import AxeBuilder from '@axe-core/playwright';
import { type Page, test } from '@playwright/test';
import { agent, allow, say, untilIdle } from './agent';
import { expect, startProject } from './ide';

async function openTrace(page: Page) {
  await agent(page)
    .getByRole('button', { name: /^Conversation/ })
    .or(agent(page).locator('.chat-title'))
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Trace…' }).click();
  return page.getByRole('dialog', { name: 'Trace' });
}

test('the trace shows each call, who decided, and is saved as OTLP', async ({ page }) => {
  await startProject(page, 'Blank');
  await say(page, 'create b.txt with hello');
  await allow(page, 'Create b.txt');
  await untilIdle(page);
  const trace = await openTrace(page);
  const call = trace.getByRole('row').filter({ hasText: 'write' });
  await expect(call).toContainText('allowed by you');
  await expect(call).toContainText(/\d+ bytes/);
  await expect(trace.getByRole('row').filter({ hasText: 'build' })).toHaveCount(1);
  const { violations } = await new AxeBuilder({ page }).include('.dialog').analyze();
  expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
  const download = page.waitForEvent('download');
  await trace.getByRole('button', { name: 'Save as OTLP' }).click();
  const path = await (await download).path();
  const { readFileSync } = await import('node:fs');
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const names = file.resourceSpans[0].scopeSpans[0].spans.map((span: { name: string }) => span.name);
  expect(names).toContain('execute_tool write');
  await page.keyboard.press('Escape');
  await expect(trace).toBeHidden();
  // The entry that opened it is gone; its menu's button has the focus.
  await expect(agent(page).locator('.chat-title')).toBeFocused();
  await page.reload();
  await expect(agent(page)).toBeVisible();
  // By the palette too, and what the model sees beside it.
  for (const [typed, dialog] of [
    ['agent: trace', 'Trace'],
    ['what the model sees', 'What the model sees'],
  ] as const) {
    await page.keyboard.press('F1');
    await page.getByRole('combobox').fill(typed);
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: dialog });
    await expect(sheet.getByRole('row').or(sheet.getByRole('listitem')).first()).toBeVisible();
    if (dialog === 'Trace')
      await expect(trace.getByRole('row').filter({ hasText: 'write' })).toContainText('allowed by you');
    await page.keyboard.press('Escape');
  }
});
