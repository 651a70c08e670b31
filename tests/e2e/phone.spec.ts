// A phone: everything that is touched is large enough, a finger scrolls the terminal, and what one types in stands above the keyboard.
import { type Locator, type Page, test } from '@playwright/test';
import { agent, say, untilIdle } from './agent';
import { expect, expectEditor, treeRow } from './ide';
import { expectTerminal, screenRows, terminal, typeInTerminal } from './terminal';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const show = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name }).tap();
const height = async (element: Locator) => (await element.boundingBox())!.height;

test('rows, tabs, keys and menus can be hit with a thumb, and nothing is wider than the screen', async ({ page }) => {
  test.slow();
  await page.goto('/new/http-server');
  await expectEditor(page, 'createServer');
  await show(page, 'Files');
  expect(await height(treeRow(page, 'server.js'))).toBeGreaterThanOrEqual(44);
  await treeRow(page, 'server.js').click({ button: 'right' });
  const entry = page.getByRole('menuitem', { name: 'Rename' });
  await expect(entry).toBeVisible();
  expect(await height(entry)).toBeGreaterThanOrEqual(44);
  await expect(entry.getByText('F2'), 'a key that a phone does not have').toBeHidden();
  const { x, width } = (await page.locator('.menu').boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(390);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Search, run, open' }).tap();
  const option = page.getByRole('option', { name: 'package.json' });
  expect(await height(option)).toBeGreaterThanOrEqual(44);
  await expect(page.getByRole('option', { name: 'Layout: Build' })).toHaveCount(0);
  await option.tap();
  await expectEditor(page, '"scripts"');
  await show(page, 'Search');
  await page.getByLabel('Search for').fill('createServer');
  await expect(page.locator('.search-hit').first()).toBeVisible();
  // Replaced in all files, through the open editor, and taken back.
  await page.getByRole('button', { name: 'Replace', exact: true }).tap();
  await page.getByLabel('Replace with').fill('makeServer');
  await expect(page.locator('.search-hit ins').first()).toHaveText('makeServer');
  const replaceAll = page.getByRole('button', { name: 'Replace all' });
  expect(await height(replaceAll)).toBeGreaterThanOrEqual(44);
  await replaceAll.tap();
  const told = page.locator('.toast').filter({ hasText: 'Replaced 2 in 1 file' });
  await expect(told).toBeVisible();
  await expect(page.locator('.search-summary')).toContainText('Nothing in');
  await told.getByRole('button', { name: 'Undo' }).tap();
  await expect(page.locator('.search-summary')).toContainText('2 in 1 file');
  await page.locator('.search-hit').first().tap();
  await expectEditor(page, 'createServer');
  await show(page, 'Terminal');
  const keys = terminal(page).getByRole('toolbar', { name: 'Keys' }).getByRole('button');
  for (const key of await keys.all()) expect(await height(key)).toBeGreaterThanOrEqual(44);
  await show(page, 'Agent');
  await say(page, 'call todo with {"todos":[{"content":"One thing","status":"in_progress"}]}');
  await untilIdle(page);
  // A strip above the composer is a line, not half of the panel.
  const strip = agent(page).getByRole('region', { name: 'What is to do' });
  await expect(strip).toBeVisible();
  expect(await height(strip)).toBeLessThan(60);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  // On its side (or a laptop's window at twice its size): one panel at a time too, and the bar takes no height.
  await page.setViewportSize({ width: 844, height: 390 });
  const bar = page.getByRole('navigation', { name: 'Panels' });
  await expect.poll(async () => Math.round((await bar.boundingBox())!.width)).toBe(64);
  expect((await bar.boundingBox())!.height).toBeGreaterThan(300);
  await expect(agent(page).getByLabel('Message to the agent')).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(844);
});

test('the terminal: keys that the keyboard lacks, scrolling by a finger, room above the keyboard', async ({ page }) => {
  test.slow();
  await page.goto('/new/node');
  await expectEditor(page, 'import');
  await show(page, 'Terminal');
  await expectTerminal(page, /[#$]$/);
  await typeInTerminal(page, 'seq 1 200\n');
  await expectTerminal(page, /\n200\n.*[#$]$/);
  const key = (name: string) => terminal(page).getByRole('button', { name, exact: true });
  await key('Up').tap();
  await expectTerminal(page, /[#$] seq 1 200$/);
  await key('Control C: interrupt').tap();
  await key('|').tap();
  await expectTerminal(page, /[#$] \|$/);

  const before = Number((await screenRows(page))[0]);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: 150, y }] });
  await touch('touchStart', 300);
  for (let y = 320; y <= 600; y += 20) await touch('touchMove', y);
  await touch('touchEnd', 600);
  await expect.poll(async () => Number((await screenRows(page))[0])).toBeLessThan(before - 5);

  // A keyboard that covers the page (iOS): what is seen is the upper part.
  await page.evaluate(() => {
    const seen = window.visualViewport!;
    Object.defineProperty(seen, 'height', { value: 480, configurable: true });
    seen.dispatchEvent(new Event('resize'));
  });
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeHidden();
  const keyRow = terminal(page).getByRole('toolbar', { name: 'Keys' });
  const end = async () => {
    const { y, height: tall } = (await keyRow.boundingBox())!;
    return Math.round(y + tall);
  };
  // Panels get their places a moment after the page got its size.
  await expect.poll(end).toBe(480);
});

test('the tab of a file that was opened from another panel is in sight', async ({ page }) => {
  await page.goto('/new/node');
  await expectEditor(page, 'import');
  await show(page, 'Terminal');
  await typeInTerminal(page, 'touch a-first-long-name.txt b-second-long-name.txt c-third-long-name.txt\n');
  for (const name of ['a-first', 'b-second', 'c-third']) {
    await show(page, 'Files');
    await treeRow(page, `${name}-long-name.txt`).tap();
    const tab = page.getByRole('tab', { name: `${name}-long-name.txt` });
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(tab).toBeInViewport({ ratio: 0.9 });
  }
});
