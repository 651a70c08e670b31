// Programs that talk: the tab says what runs, Node's REPL works as at home, a window that changes its size is noticed.
import { test } from '@playwright/test';
import { expect, startProject, untilReady } from './ide';
import { expectTerminal, screenRows, terminal, typeInTerminal } from './terminal';

test('the tab and the status bar say what runs, and the REPL remembers, completes and takes several lines', async ({
  page,
}) => {
  test.slow();
  await startProject(page, 'Blank Node');
  const tab = terminal(page).getByRole('tab');
  await expect(tab).toHaveText('bash 1');
  await typeInTerminal(page, 'node\n');
  await expectTerminal(page, /for more information\.\n>$/);
  await expect(tab).toHaveText('node');
  await expect(page.locator('.status-bar')).toContainText('1 terminal, 1 at work');
  await typeInTerminal(page, 'const answer = { large: 6 * 7 }\n');
  await expectTerminal(page, /undefined\n>$/);
  await typeInTerminal(page, 'answer\n');
  await expectTerminal(page, '{ large: 42 }');
  await typeInTerminal(page, 'answer.la');
  await page.keyboard.press('Tab');
  await expectTerminal(page, /> answer\.large$/m);
  await page.keyboard.press('Enter');
  await expectTerminal(page, /\n42\n>$/);
  await typeInTerminal(page, 'function twice(n) {\nreturn n * 2\n}\ntwice(4)\n');
  await expectTerminal(page, /\n8\n>$/);
  await page.keyboard.press('ArrowUp');
  await expectTerminal(page, /> twice\(4\)$/);
  await page.keyboard.press('Control+C');
  await page.keyboard.press('Control+D');
  await expect(tab).toHaveText('bash 1');
});

test('a program in raw mode gets every key and hears of a new size; its own screen goes with it', async ({ page }) => {
  test.slow();
  await page.goto('/new/node');
  await untilReady(page);
  const menu = `process.stdin.setRawMode(true);
process.stdout.write('\\x1b]0;a menu\\x07\\x1b[?1049h\\x1b[?25l');
let at = 0;
const draw = () => process.stdout.write('\\x1b[2J\\x1b[H' + ['one', 'two', 'three'].map((t, i) => (i === at ? '> ' : '  ') + t).join('\\r\\n') + '\\r\\n' + process.stdout.columns);
draw();
process.stdout.on('resize', draw);
process.stdin.on('data', (keys) => {
  if (keys + '' === '\\x1b[B') at++;
  if (keys + '' === '\\r') { process.stdout.write('\\x1b[?1049l\\x1b[?25h'); console.log('chosen', at); process.exit(); }
  draw();
});`;
  await typeInTerminal(page, `echo ${Buffer.from(menu).toString('base64')} | base64 -d > menu.js; node menu.js\n`);
  await expectTerminal(page, /^> one\n {2}two/);
  await expect(terminal(page).getByRole('tab')).toHaveText('a menu');
  const columns = async () => Number((await screenRows(page))[3]);
  const before = await columns();
  await page.keyboard.press('ArrowDown');
  await expectTerminal(page, /^one\n> two/);
  await page.setViewportSize({ width: 1100, height: 900 });
  await expect.poll(columns).toBeLessThan(before);
  await page.keyboard.press('Enter');
  await expectTerminal(page, /chosen 1\n.*[#$]$/);
});
