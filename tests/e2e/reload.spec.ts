// Journey: the tab is loaded again, or killed and opened again, in the middle of things; everything that was on screen comes back.
// (A reload in the middle of a run: long-run.spec.ts.)
import { type Page, test } from '@playwright/test';
import { agent } from './agent';
import { editor, expect, expectEditor, fileTab, openFile, reload, startProject, untilReady, untilSaved } from './ide';
import { screenRows, shell, terminal, typeInTerminal } from './terminal';

/** A desk in use: three tabs, two named terminals, typed text that is saved and a message that is not sent. */
async function useDesk(page: Page): Promise<void> {
  await openFile(page, 'package.json');
  await shell(page, 'mkdir notes; echo one > notes/a.md');
  await page.locator('[role="treeitem"]').filter({ hasText: 'notes' }).click();
  await openFile(page, 'notes/a.md');
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('typed ');
  await untilSaved(page);
  await openFile(page, 'package.json');
  await agent(page).getByLabel('Message to the agent').fill('a thought that is\nnot sent yet');
  await terminal(page).getByRole('button', { name: 'New terminal' }).click();
  await terminal(page).getByRole('tab', { name: 'bash 2' }).dblclick();
  await terminal(page).getByLabel('Name of the terminal').fill('the second');
  await page.keyboard.press('Enter');
  await typeInTerminal(page, 'pwd\n');
  await expect.poll(() => screenRows(page)).toContain('/home/project');
  await typeInTerminal(page, 'sleep 5000\n');
  // What is over in a moment is not remembered as running.
  await expect(page.locator('.status-bar')).toContainText('1 at work');
}

async function expectDesk(page: Page): Promise<void> {
  await expect(fileTab(page, /./)).toHaveText(['index.js', 'package.json', 'a.md']);
  await expect(fileTab(page, 'package.json')).toHaveAttribute('aria-selected', 'true');
  await expectEditor(page, '"scripts"');
  await expect(agent(page).getByLabel('Message to the agent')).toHaveValue('a thought that is\nnot sent yet');
  await expect(terminal(page).getByRole('tab')).toHaveText(['bash 1', 'the second']);
  await expect(terminal(page).getByRole('tab', { name: 'the second' })).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => screenRows(page)).toContain('sleep 5000 ended when the page was closed or reloaded.');
  expect((await shell(page, 'cat notes/a.md')).output).toBe('typed one');
  await fileTab(page, 'a.md').click();
  await expectEditor(page, 'typed one');
  await expect(editor(page).getByRole('alert')).toHaveCount(0);
}

test('F5: tabs, terminals and their names, what was typed, the message that was not sent', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await useDesk(page);
  await reload(page);
  await expectDesk(page);
});

test('the tab is killed and another one opens the project: the same', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await useDesk(page);
  const address = page.url();
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => {});
  await crashed;
  const next = await page.context().newPage();
  await page.close();
  await next.goto(address);
  await untilReady(next);
  await expectDesk(next);
});
