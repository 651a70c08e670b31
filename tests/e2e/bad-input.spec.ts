// Journey: files that are too large, not text, half text, gone, or that can't be written; nothing is damaged and nothing is silent.
import { test } from '@playwright/test';
import {
  editor,
  expect,
  expectEditor,
  fileTab,
  openFile,
  reload,
  replaceEditorText,
  startProject,
  treeRow,
  untilSaved,
} from './ide';
import { fingerprint, shell } from './terminal';

test('a file of 200 MB, a binary and text that is not UTF-8 are shown as what they are, and not touched', async ({
  page,
}) => {
  await startProject(page, 'Blank Node');
  await shell(
    page,
    'truncate -s 200M large.txt; head -c 3000 /dev/urandom > binary.dat; echo Y2Fm6SA9IDE7Cg== | base64 -d > latin1.js',
  );
  const before = await fingerprint(page, 'latin1.js');
  await openFile(page, 'large.txt');
  await expect(editor(page)).toContainText(/large\.txt has 2\d\d MB: too large to be shown here\./);
  await openFile(page, 'binary.dat');
  await expect(editor(page)).toContainText(/kB, not text/);
  await openFile(page, 'latin1.js');
  await expect(editor(page)).toContainText('not text: it is not valid UTF-8');
  await page.keyboard.type('must not be typed');
  await page.keyboard.press('ControlOrMeta+S');
  expect(await fingerprint(page, 'latin1.js')).toBe(before);
  // A page of text after that works as ever.
  await openFile(page, 'index.js');
  await expectEditor(page, 'Hello from Node');
});

test('CRLF, a byte order mark and a missing last line end are kept', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await shell(page, 'printf "\\357\\273\\277one\\r\\ntwo\\r\\nthree" > windows.txt');
  await openFile(page, 'windows.txt');
  await expect(page.locator('.status-bar')).toContainText('CRLF');
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await page.keyboard.press('Enter');
  await untilSaved(page);
  expect((await shell(page, 'od -An -c windows.txt | tr -s " "')).output.replaceAll('\n', '')).toBe(
    ' 357 273 277 o n e ! \\r \\n \\r \\n t w o \\r \\n t h r e e',
  );
});

test('a file that becomes something else under what was typed is not written over', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('checkbox', { name: 'Save while typing' }).uncheck();
  await page.keyboard.press('Escape');
  await replaceEditorText(page, 'typed\n');
  await shell(page, 'printf "\\377\\000\\001" > index.js');
  const outside = await fingerprint(page, 'index.js');
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+S');
  await expect(editor(page).getByRole('alert')).toContainText(
    'something else wrote to it, and now it contains NUL bytes',
  );
  expect(await fingerprint(page, 'index.js')).toBe(outside);
  await expectEditor(page, 'typed');
});

test('deleted while it is open and being typed in: said, kept, and written again only when asked', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await replaceEditorText(page, 'one\n');
  await untilSaved(page);
  await shell(page, 'rm index.js');
  await expect(editor(page)).toContainText('This file was deleted. Your text is still here.');
  await expect(treeRow(page, 'index.js')).toHaveCount(0);
  await editor(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('two');
  await expect(fileTab(page, 'index.js, deleted')).toBeVisible();
  // Going elsewhere saves what is dirty; a file that somebody deleted must not come back by that.
  await openFile(page, 'package.json');
  expect((await shell(page, 'ls')).output).not.toContain('index.js');
  await fileTab(page, 'index.js, deleted').click();
  await editor(page).getByRole('button', { name: 'Write it again' }).click();
  await untilSaved(page);
  expect((await shell(page, 'cat index.js')).output).toBe('one\ntwo');
});

test('the disk is full: said at once, what was typed stays, and it is kept as soon as there is room', async ({
  page,
}) => {
  await startProject(page, 'Blank Node');
  await untilSaved(page);
  const client = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await shell(page, 'head -c 3000000 /dev/urandom > noise.bin');
  await replaceEditorText(page, 'typed on a full disk\n');
  const notice = page.getByRole('alert').filter({ hasText: 'The browser has no room left' });
  await expect(notice).toBeVisible();
  await expectEditor(page, 'typed on a full disk');
  await client.send('Storage.overrideQuotaForOrigin', { origin });
  await expect(notice).toHaveCount(0);
  await untilSaved(page);
  const noise = await fingerprint(page, 'noise.bin');
  await reload(page);
  await expectEditor(page, 'typed on a full disk');
  expect(await fingerprint(page, 'noise.bin')).toBe(noise);
});
