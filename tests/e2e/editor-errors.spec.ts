// What the language service knows of other files: where a name is declared (F12), all its uses (F2). And what the editor marks red: what is wrong, and not what it merely cannot see (packages, Node's own names).
import { test } from '@playwright/test';
import { editor, expect, expectEditor, fileTab, replaceEditorText, startProject, untilTypable } from './ide';
import { shell } from './terminal';

test('F12 and F2 reach files that are not open; a relative import that leads nowhere and a name that nobody declared are errors; packages and Node are not', async ({
  page,
}) => {
  await startProject(page, 'TypeScript with tests');
  await untilTypable(page);
  await page.keyboard.press('ControlOrMeta+P');
  await page.getByRole('combobox').fill('main.ts');
  await page.keyboard.press('Enter');
  await expectEditor(page, "from './duration.ts'");
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+Home');
  for (let at = 0; at < 12; at++) await page.keyboard.press('ArrowRight');
  // Asked again until the service has read the project.
  await expect(async () => {
    await page.keyboard.press('F12');
    await expect(fileTab(page, 'duration.ts')).toHaveAttribute('aria-selected', 'true', { timeout: 2000 });
  }).toPass();
  const named = async (name: string) => (await shell(page, `grep -rc ${name} src | sort`)).output;
  const before = await named('formatDuration');
  await fileTab(page, 'main.ts').click();
  await untilTypable(page);
  await page.keyboard.press('F2');
  const field = page.locator('.rename-box .rename-input');
  await expect(field).toHaveValue('formatDuration');
  await expect(field).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('showDuration');
  await page.keyboard.press('Enter');
  const told = page.locator('.toast').filter({ hasText: 'Renamed in 3 files' });
  await expect(told).toBeVisible();
  // One of the three was never open.
  await expect.poll(() => named('showDuration')).toBe(before);
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => named('formatDuration')).toBe(before);
  await fileTab(page, 'duration.ts').click();
  const errors = editor(page).locator('.squiggly-error');
  const fine = `import express, { type Request } from 'express';
import { readFile } from 'node:fs/promises';
import './main.ts';
export const used: unknown[] = [express, readFile, process.argv, Buffer.from('a'), {} as Request];
`;
  await replaceEditorText(page, `${fine}import { nothing } from './nowhere.ts';\nused.push(nothing, undeclared);\n`);
  await expect(errors).toHaveCount(2);
  await replaceEditorText(page, fine);
  await expect(errors).toHaveCount(0);
});
