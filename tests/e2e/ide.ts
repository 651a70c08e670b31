// Driving the product as a person does: start page, editor, files. Everything waits for what is on screen; nothing reaches behind it.
import { type Locator, type Page, expect as playwrightExpect } from '@playwright/test';

/** What takes a second alone may take many on a busy machine. */
export const patienceMs = 45_000;

/** Playwright's `expect`, with that patience. */
export const expect = playwrightExpect.configure({ timeout: patienceMs });

/** Start page, one click on the template's title, until the computer has a prompt. The cursor is wherever the product put it. */
export async function startProject(page: Page, template: string, site = ''): Promise<void> {
  await page.goto(`${site}/`);
  await page.locator('a.template').filter({ hasText: template }).click();
  await untilReady(page);
}

/** Until the project's shell prompts, after a start or a reload. */
export async function untilReady(page: Page): Promise<void> {
  await expect(page.locator('[data-panel="terminal"] .xterm-rows')).toContainText(/[#$] *$/);
}

/** The whole page again, as with F5. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await untilReady(page);
}

/** The editor's panel. */
export function editor(page: Page): Locator {
  return page.locator('[data-panel="editor"]');
}

/** The lines that the editor shows, top to bottom. *Only what is scrolled into view is there.* */
export function editorText(page: Page): Promise<string> {
  return editor(page)
    .locator('.view-lines')
    .evaluate((lines) =>
      [...lines.querySelectorAll<HTMLElement>('.view-line')]
        .sort((a, b) => Number.parseFloat(a.style.top) - Number.parseFloat(b.style.top))
        .map((line) => line.textContent)
        .join('\n')
        .replaceAll('\u00a0', ' '),
    );
}

/** Waits until the editor shows this text somewhere. */
export async function expectEditor(page: Page, text: string): Promise<void> {
  await expect.poll(() => editorText(page)).toContain(text);
}

/** Until the cursor is in the editor without anybody having clicked. */
export async function untilTypable(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.monaco-editor') != null)).toBe(true);
}

/** Puts the cursor into the editor and replaces everything by `text`, typed in one go (no automatic brackets). */
export async function replaceEditorText(page: Page, text: string): Promise<void> {
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

/** Until the status bar says that everything is written. */
export async function untilSaved(page: Page): Promise<void> {
  await expect(page.locator('.status-bar').getByText('saved', { exact: true })).toBeVisible();
}

/** A row of the file tree by its path below the project. */
export function treeRow(page: Page, path: string): Locator {
  return page.locator(`[role="treeitem"][data-path="/home/project/${path}"]`);
}

/** Opens a file of the project by a click on its row; its folders must be open. */
export async function openFile(page: Page, path: string): Promise<void> {
  await treeRow(page, path).click();
  await expect(page.getByRole('tabpanel', { name: path.split('/').at(-1), exact: true })).toBeVisible();
}

/** The tab of an open file; its name says `, not saved` and the like. */
export function fileTab(page: Page, name: string | RegExp): Locator {
  return page.getByRole('tablist', { name: 'Open files' }).getByRole('tab', { name });
}

/** *Run* of the top bar; while something runs, it is *Stop*. */
export function runButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: 'Run', exact: true });
}

/** *Stop* of the top bar. */
export function stopButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: 'Stop', exact: true });
}
