// Journey: one click on the start page, type at once, run it in the terminal and with Run, and something else changes the file meanwhile.
import { test } from '@playwright/test';
import {
  editor,
  expect,
  expectEditor,
  replaceEditorText,
  runButton,
  startProject,
  stopButton,
  untilSaved,
  untilTypable,
} from './ide';
import { expectTerminal, shell, terminal, typeInTerminal } from './terminal';

test('what is typed without a click is saved by itself and runs', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await untilTypable(page);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('console.log(6 * 7, "typed")');
  await untilSaved(page);
  expect(await shell(page, 'node index.js')).toEqual({ output: '42 typed', code: 0 });

  // A file with a line that a program printed leads there.
  await typeInTerminal(page, 'clear; echo none.js:1:2; echo index.js:1:9\n');
  await expectTerminal(page, /index\.js:1:9\s+\S+ #$/);
  const printed = terminal(page)
    .locator('.xterm-rows > div')
    .filter({ hasText: /^index\.js:1:9/ });
  await expect(async () => {
    const { x, y, height } = (await printed.boundingBox())!;
    await page.mouse.move(x + 12, y + height / 2);
    await page.mouse.move(x + 20, y + height / 2);
    await expect(terminal(page).locator('.xterm-cursor-pointer')).toBeAttached({ timeout: 2000 });
    await page.mouse.down();
    await page.mouse.up();
    await expect(page.locator('.status-bar')).toContainText('Ln 1, Col 9', { timeout: 2000 });
  }).toPass();
  await untilTypable(page);
});

test('Run does what package.json says, and Stop ends it', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await untilTypable(page);
  await replaceEditorText(page, 'console.log("begins"); setInterval(() => {}, 1000);');
  // Not saved yet: Run must not run what was there before.
  await runButton(page).click();
  await expectTerminal(page, /> node index\.js\s+begins/);
  await expect(terminal(page).getByRole('tab', { name: 'npm start' })).toBeVisible();
  await stopButton(page).click();
  await expect(runButton(page)).toBeVisible();
  await expectTerminal(page, 'Press Enter to start again');
});

test('what a program writes into the open file joins what is being typed', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await untilTypable(page);
  await replaceEditorText(page, '// first\n\n\n\n// last\n');
  await untilSaved(page);
  // The program waits for the typing to have begun, then writes at once; the text in between is not saved at that moment.
  await typeInTerminal(page, 'clear; sleep 2; sed -i "s/last/last, changed outside/" index.js; echo wro""te\n');
  await editor(page).locator('.view-line').first().click();
  await page.keyboard.press('End');
  for (let count = 1; count <= 40; count++) await page.keyboard.type(` word${count}`, { delay: 15 });
  await expectTerminal(page, 'wrote');
  await expectEditor(page, '// last, changed outside');
  await expectEditor(page, 'word40');
  await untilSaved(page);
  const { output } = await shell(page, 'tail -1 index.js; grep -o "word" index.js | wc -l');
  expect(output).toMatch(/last, changed outside\s+40$/);
});

test('both changed the same line: nothing is lost, the person decides', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await untilTypable(page);
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('checkbox', { name: 'Save while typing' }).uncheck();
  await page.keyboard.press('Escape');
  await replaceEditorText(page, 'mine\n');
  await shell(page, 'echo theirs > index.js');
  await expect(editor(page).getByRole('alert')).toContainText('Something else changed the lines');
  await expectEditor(page, 'mine');
  expect((await shell(page, 'cat index.js')).output).toBe('theirs');
  await editor(page).getByRole('button', { name: 'Keep mine' }).click();
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+S');
  await untilSaved(page);
  expect((await shell(page, 'cat index.js')).output).toBe('mine');
});
