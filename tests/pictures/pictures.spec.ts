// What the README shows: a server that runs, a change that the agent made and the preview that followed it; the start page; the same on a phone.
import { type Page, test } from '@playwright/test';
import { agent, allow, say, untilIdle } from '../e2e/agent';
import { expect, runButton, untilReady } from '../e2e/ide';
import { previewFrame } from '../e2e/preview';

const templates = ['node', 'web-page', 'typescript', 'http-server'];
const request = 'replace "It runs" by "It runs in this tab" in server.js';

/** Light ones have the plain name. */
const picture = (name: string) => {
  const isDark = test.info().project.name === 'dark';
  return `docs/pictures/${name}${isDark ? '-dark' : ''}.png`;
};

async function take(page: Page, name: string): Promise<void> {
  // Nothing that comes and goes: notices, tips, what the pointer is on.
  await page.mouse.move(0, 0);
  await expect(page.locator('.toast')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: picture(name), animations: 'disabled', caret: 'hide' });
}

async function changed(page: Page): Promise<void> {
  await expect(previewFrame(page).getByRole('heading', { name: 'It runs in this tab' })).toBeVisible();
  await expect(previewFrame(page).locator('#time')).toContainText(/\d/);
}

test('the workbench, then the start page with what was made', async ({ page }) => {
  for (const template of templates) {
    await page.goto(`/new/${template}`);
    await untilReady(page);
  }
  await runButton(page).click();
  await expect(previewFrame(page).getByRole('heading', { name: 'It runs' })).toBeVisible();
  await say(page, request);
  await allow(page, 'Edit server.js');
  await untilIdle(page);
  await changed(page);
  await take(page, 'workbench');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'HTTP server', exact: true })).toBeVisible();
  await take(page, 'start');
});

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('one panel at a time', async ({ page }) => {
    const show = (name: string) => page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name }).tap();
    await page.goto('/');
    await take(page, 'phone-start');
    await page.goto('/new/http-server');
    await show('Terminal');
    await untilReady(page);
    await show('Code');
    await take(page, 'phone-code');
    await runButton(page).tap();
    await expect(previewFrame(page).getByRole('heading', { name: 'It runs' })).toBeVisible();
    await show('Agent');
    await say(page, request);
    await allow(page, 'Edit server.js');
    await untilIdle(page);
    await expect(agent(page)).toContainText('Done');
    await take(page, 'phone-agent');
    await show('Preview');
    await changed(page);
    await take(page, 'phone-preview');
  });
});
