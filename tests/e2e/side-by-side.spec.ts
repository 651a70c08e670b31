// Two files beside each other: by the keyboard, by dragging, remembered, and not on a phone.
import { type Locator, type Page, test } from '@playwright/test';
import {
  editor,
  expect,
  expectEditor,
  fileTab,
  openFile,
  startProject,
  treeRow,
  untilReady,
  untilTypable,
} from './ide';

const mod = process.platform === 'darwin' ? 'Meta' : 'Control';
const side = (page: Page, at: number): Locator => editor(page).locator(`[data-side="${at}"]`);
const tab = (page: Page, at: number, name: string): Locator => side(page, at).getByRole('tab', { name, exact: true });
const focusedSide = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-side]')?.dataset.side);

test('split by a key: both sides show what is typed, each has its own tabs, and a reload brings both back', async ({
  page,
}) => {
  test.slow();
  await startProject(page, 'HTTP server');
  await untilTypable(page);
  await page.keyboard.press(`${mod}+\\`);
  await expect(side(page, 1).locator('.view-line').first()).toBeVisible();
  await expect.poll(() => focusedSide(page)).toBe('1');
  await page.keyboard.type('// both\n');
  for (const at of [0, 1]) await expect(side(page, at).locator('.view-line').first()).toContainText('// both');

  // What is opened appears where the person works; the other side stays.
  await page.keyboard.press(`${mod}+P`);
  await page.keyboard.type('package');
  await expect(page.getByRole('option', { selected: true })).toContainText('package.json');
  await page.keyboard.press('Enter');
  await expect(tab(page, 1, 'package.json')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, 0, 'server.js')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, 0, 'package.json')).toHaveCount(0);

  // F6 goes from side to side.
  await expect.poll(() => focusedSide(page)).toBe('1');
  await page.keyboard.press('Shift+F6');
  await expect.poll(() => focusedSide(page)).toBe('0');

  // The line between them moves by keys.
  const line = page.getByRole('separator', { name: 'Resize the two sides of the editor' });
  const before = (await side(page, 0).boundingBox())!.width;
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => Math.round(before - (await side(page, 0).boundingBox())!.width)).toBe(16);

  await page.reload();
  await untilReady(page);
  await expect(tab(page, 1, 'package.json')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, 0, 'server.js')).toHaveAttribute('aria-selected', 'true');
  expect(Math.round(before - (await side(page, 0).boundingBox())!.width)).toBe(16);

  // The last tab of a side takes the side along.
  await tab(page, 1, 'package.json').focus();
  await page.keyboard.press('Delete');
  await expect(tab(page, 1, 'server.js')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(side(page, 1)).toHaveCount(0);
  await expectEditor(page, '// both');
});

test('a tab and a file are dragged to the other side', async ({ page }) => {
  test.slow();
  await startProject(page, 'HTTP server');
  await untilTypable(page);
  await openFile(page, 'package.json');
  await fileTab(page, 'package.json').dragTo(editor(page).locator('.editor-body'), {
    targetPosition: { x: 500, y: 200 },
  });
  await expect(tab(page, 1, 'package.json')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, 0, 'server.js')).toHaveAttribute('aria-selected', 'true');
  await treeRow(page, 'server.js').dragTo(side(page, 1).locator('.editor-body'));
  await expect(tab(page, 1, 'server.js')).toHaveAttribute('aria-selected', 'true');
  // Back again, by the menu of the tab: then there is one side.
  for (const name of ['server.js', 'package.json']) {
    await tab(page, 1, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to the other side' }).click();
  }
  await expect(side(page, 1)).toHaveCount(0);
  await expect(editor(page).getByRole('tab')).toHaveCount(2);
});

test('a narrow window shows one side with the tabs of both, and does not offer to split', async ({ page }) => {
  await startProject(page, 'HTTP server');
  await untilTypable(page);
  await page.keyboard.press(`${mod}+\\`);
  await expect(side(page, 1).locator('.view-line').first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(side(page, 0)).toBeHidden();
  await expect(side(page, 1).getByRole('tab')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Show on the other side too' })).toHaveCount(0);
  await side(page, 1).getByRole('tab').first().click();
  await expect(side(page, 0)).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const at of [0, 1]) await expect(side(page, at)).toBeVisible();
});
