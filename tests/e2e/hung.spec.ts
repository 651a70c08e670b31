// Journey: programs that never end, too many of them, and programs that make programs; the page lives and says what happened.
import { test } from '@playwright/test';
import { editor, expect, expectEditor, startProject, untilSaved } from './ide';
import { expectTerminal, shell, typeInTerminal } from './terminal';

test('an endless loop: the page is alive, Ctrl+C ends it', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await typeInTerminal(page, `clear; node -e 'console.log("lo" + "ops"); while (true) {}'\n`);
  await expectTerminal(page, 'loops');
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('// alive ');
  await expectEditor(page, '// alive');
  await untilSaved(page);
  await typeInTerminal(page, '\u0003');
  await expectTerminal(page, /\^C\s[\s\S]*[#$] *$/);
  expect(await shell(page, 'echo $((6 * 7)); ps aux | grep -c "[w]hile (true)"')).toMatchObject({ output: '42\n0' });
});

test('twenty programs at once all end', async ({ page }) => {
  await startProject(page, 'Blank Node');
  const { output } = await shell(
    page,
    `(for i in $(seq 20); do node -e 'console.log("one")' & done; wait) | sort | uniq -c`,
  );
  expect(output.trim()).toBe('20 one');
});

test('a program that starts itself twice, for ever: an error, and the shell still works', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await shell(page, `printf 'b() { b | b & }; b\\n' > bomb.sh`);
  await typeInTerminal(page, 'clear; sh bomb.sh\n');
  await expectTerminal(page, /Resource temporarily unavailable|Too many open files|Cannot fork/);
  await page.getByRole('button', { name: 'New terminal' }).click();
  await expectTerminal(page, /[#$] *$/);
  await typeInTerminal(page, 'pkill -9 -f bomb.sh; while pgrep -f bomb.sh; do sleep 1; done; echo en""ded\n');
  await expectTerminal(page, /^ended$/m);
  expect((await shell(page, 'pgrep -c -f "b . b"')).output).toBe('0');
  expect((await shell(page, 'echo $((6 * 7))')).output).toBe('42');
});
