// A hostile model or repository writes text that looks like other text: what a person is asked about is shown with every hidden character by its number.
import { test } from '@playwright/test';
import { agent, say, untilIdle } from './agent';
import { expect, fileTab, startProject, treeRow } from './ide';
import { preview } from './preview';
import { expectTerminal, terminal, typeInTerminal } from './terminal';

test('a command that is turned around or padded with nothing is shown as it is', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await say(page, 'run echo harmless \u202e#tset mpn\u202c\u200b; echo\u3164evil');
  const card = agent(page).getByRole('region', { name: 'The agent asks: Run' });
  await expect(card.getByRole('heading')).toHaveText(
    'Run echo harmless ⟨U+202E⟩#tset mpn⟨U+202C⟩⟨U+200B⟩; echo⟨U+3164⟩evil?',
  );
  await card.getByRole('button', { name: 'No' }).click();
  await card.getByRole('button', { name: 'Stop' }).click();
  await untilIdle(page);
});

test('a file that is named to look like another one is named in full, in the tree and in its tab', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await typeInTerminal(page, `node -e 'fs.writeFileSync("invoice\\u202Egpj.js", "1")'\n`);
  await treeRow(page, 'invoice\u202egpj.js').click();
  await expect(treeRow(page, 'invoice\u202egpj.js')).toContainText('invoice⟨U+202E⟩gpj.js');
  await expect(fileTab(page, /^invoice⟨U\+202E⟩gpj\.js/)).toBeVisible();
});

test('what a program prints reaches no clipboard, opens nothing, and names its tab by plain text', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await startProject(page, 'Blank Node');
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  const codes = [
    // The clipboard, set and asked for.
    `\\x1b]52;c;${Buffer.from('stolen').toString('base64')}\\x07`,
    '\\x1b]52;c;?\\x07',
    // Links: one that runs a script, one that reads as another, one to a server of this computer. A title that turns around and is long; the title
    // sent back as if typed.
    '\\x1b]8;;javascript:document.title=1\\x1b\\\\click\\x1b]8;;\\x1b\\\\',
    ' \\x1b]8;;https://evil.example/x\\x1b\\\\https://bank.example\\x1b]8;;\\x1b\\\\',
    ' \\x1b]8;;http://localhost:4321/here\\x1b\\\\local\\x1b]8;;\\x1b\\\\',
    `\\x1b]0;\\u202e${'t'.repeat(500)}\\x07`,
    '\\x1b[21t',
  ].join('');
  await typeInTerminal(
    page,
    `node -e 'process.stdout.write("${codes}\\n"); process.stdin.on("data", (d) => /go/.test(d) && process.exit(console.log("the", "end")))'\n`,
  );
  await expect(terminal(page).getByRole('tab', { name: /^t{20,}/ })).toBeVisible();
  await typeInTerminal(page, 'go\n');
  await expectTerminal(page, 'the end');
  // xterm has a layer of its own above the text.
  await terminal(page).getByText('click').last().click({ force: true });
  await terminal(page).getByText('https://bank.example').last().click({ force: true });
  await expect(page.getByText('This link leads to https://evil.example/x')).toBeVisible();
  await terminal(page).getByText('local', { exact: true }).last().click({ force: true });
  await expect(preview(page)).toContainText('Nothing is listening on port 4321');
  expect(asked).toEqual([]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
  expect(await page.title()).toBe('Blank Node – Cloche');
  expect(context.pages()).toHaveLength(1);
  expect(new URL(page.url()).pathname).toMatch(/^\/p\//);
});
