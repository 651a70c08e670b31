// Journey: the agent works on what is typed in the editor and not saved.
import { test } from '@playwright/test';
import { allow, say, toolCall, untilIdle } from './agent';
import { editor, expect, expectEditor, fileTab, openFile, replaceEditorText, startProject, untilReady } from './ide';
import { shell } from './terminal';

test('reads and edits unsaved text; one undo takes the edit back and leaves the typing', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await page.evaluate(() => localStorage.setItem('cloche:settings', JSON.stringify({ autosave: false })));
  await page.reload();
  await untilReady(page);
  await openFile(page, 'index.js');
  await expectEditor(page, 'Hello');
  await replaceEditorText(page, 'console.log("typed, not saved");\n');
  await expect(fileTab(page, /not saved/)).toBeVisible();

  await say(page, 'read index.js');
  await untilIdle(page);
  await toolCall(page, 'read').getByRole('button').first().click();
  await expect(toolCall(page, 'read')).toContainText('typed, not saved');
  expect((await shell(page, 'cat index.js')).output).not.toContain('typed');

  await say(page, 'replace "not saved" by "edited" in index.js');
  await allow(page, 'Edit index.js');
  await untilIdle(page);
  await expect(toolCall(page, 'edit')).toContainText('index.js');
  await expectEditor(page, 'typed, edited');
  expect((await shell(page, 'node index.js')).output).toContain('typed, edited');

  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+Z');
  await expectEditor(page, 'typed, not saved');
});
