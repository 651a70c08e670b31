// Journey: the list of projects, and taking one out of the browser and in again.
import { readFile } from 'node:fs/promises';
import { type Locator, type Page, test } from '@playwright/test';
import { dropFiles } from './dropped-files';
import { expect, expectEditor, startProject, treeRow, untilReady } from './ide';
import { shell } from './terminal';
import { bomb, type ChosenFile, flood, zipFile } from './zip-files';

function projectLink(page: Page, name: string): Locator {
  return page.getByRole('link', { name, exact: true });
}

async function chooseZip(page: Page, file: ChosenFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Open a zip/ }).click();
  await (await chooser).setFiles(file);
}

test('rename, duplicate, delete and take that back', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await shell(page, 'echo mine > kept.txt');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /all projects/ })
    .click();
  await page.getByRole('button', { name: 'Rename Blank Node' }).click();
  await page.getByLabel('New name of Blank Node').fill('My first');
  await page.keyboard.press('Enter');
  await expect(projectLink(page, 'My first')).toBeVisible();

  await page.getByRole('button', { name: 'Duplicate My first' }).click();
  await projectLink(page, 'My first copy').click();
  await untilReady(page);
  expect((await shell(page, 'cat kept.txt; echo changed > kept.txt')).output).toBe('mine');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /all projects/ })
    .click();

  await page.getByRole('button', { name: 'Delete My first', exact: true }).click();
  await expect(projectLink(page, 'My first')).toHaveCount(0);
  await page.getByRole('list', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();
  await projectLink(page, 'My first').click();
  await untilReady(page);
  // The copy's change was its own.
  expect((await shell(page, 'cat kept.txt')).output).toBe('mine');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /all projects/ })
    .click();
  await page.getByRole('button', { name: 'Delete My first', exact: true }).click();
  await page.getByRole('list', { name: 'Notices' }).getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await expect(projectLink(page, 'My first copy')).toBeVisible();
  await expect(projectLink(page, 'My first')).toHaveCount(0);
});

test('a zip taken out and opened again holds the same bytes, empty directories and scripts that run', async ({
  page,
}) => {
  await startProject(page, 'Blank Node');
  await shell(
    page,
    "mkdir -p 'empty dir/deeper' sub; head -c 5000 /dev/urandom > sub/noise.bin; printf 'a\\r\\nb' > sub/crlf.txt; touch sub/nothing",
  );
  await shell(page, "printf '#!/bin/sh\\necho runs\\n' > go.sh; chmod +x go.sh");
  const state = () =>
    shell(
      page,
      'find . | sort | sha256sum | cut -c1-64; find . -type f | sort | xargs -d "\\n" sha256sum | sha256sum | cut -c1-64; ./go.sh',
    );
  const before = await state();
  expect(before.output).toContain('runs');
  const downloading = page.waitForEvent('download');
  await page.getByRole('banner').getByRole('button', { name: 'Blank Node' }).click();
  await page.getByRole('menuitem', { name: 'Download as a zip' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Blank Node.zip');
  const buffer = await readFile((await download.path())!);
  await page.goto('/');
  await chooseZip(page, { name: 'come back.zip', mimeType: 'application/zip', buffer });
  await untilReady(page);
  await expect(page.getByRole('banner').getByRole('button', { name: 'come back' })).toBeVisible();
  await expectEditor(page, 'cpus');
  expect(await state()).toEqual(before);
});

test('hostile and broken archives are refused with words, and nothing is made', async ({ page }) => {
  await page.goto('/');
  const good = zipFile('x.zip', { 'a.txt': 'some text that is long enough' }).buffer;
  const refusals: [ChosenFile, RegExp][] = [
    [
      zipFile('up.zip', { 'ok.txt': 'x', '../../etc/passwd': 'x' }),
      /"\.\.\/\.\.\/etc\/passwd" leads out of the archive/,
    ],
    [zipFile('root.zip', { '/etc/passwd': 'x' }), /absolute path/],
    [bomb('bomb.zip', 513 * 2 ** 20), /larger than 512 MB/],
    [flood('flood.zip', 105_000), /more than 100,000 files/],
    [{ name: 'cut.zip', mimeType: 'application/zip', buffer: good.subarray(0, 45) }, /The archive (ends|is damaged)/],
    [{ name: 'no.zip', mimeType: 'application/zip', buffer: Buffer.from('hello') }, /not a zip archive/],
    [zipFile('both.zip', { a: 'x', 'a/b': 'x' }), /a is a file and a folder/],
  ];
  for (const [file, words] of refusals) {
    await chooseZip(page, file);
    await expect(page.getByRole('alert').filter({ hasText: `${file.name} can’t be opened` })).toContainText(words);
  }
  await page.reload();
  await expect(page.getByText('What you start is listed here')).toBeVisible();
});

test('a project that is slow to come says that it opens, then what it waits for, until it does not', async ({
  page,
}) => {
  await page.goto('/');
  // A page that never comes: while one is on its way, a test can't look.
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
  const template = page.locator('a.template').filter({ hasText: 'Blank Node' });
  const says = template.getByRole('status');
  await template.click({ modifiers: ['Shift'] });
  await expect(says).toHaveCount(0);
  await template.click();
  await expect(says).toHaveText('Opening…');
  await expect(says).toHaveText('The server prepares the page…');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow')));
  await expect(says).toHaveCount(0);
});

test('files that are dropped anywhere on the start page become a project', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('What you start is listed here')).toBeVisible();
  await dropFiles(page.getByRole('heading', { level: 1 }), 3);
  await untilReady(page);
  expect((await shell(page, 'cat file-0.txt file-2.txt')).output).toBe('file 0\nfile 2');
});

test('many files dropped on the tree: how far it is, stopped half-way, and taken back', async ({ page }) => {
  await startProject(page, 'Blank Node');
  const notices = page.getByRole('list', { name: 'Notices' });
  await dropFiles(page.locator('.tree'), 8000);
  await expect(notices).toContainText(/Adding files: [\d,]+ of 8,000…/);
  await notices.getByRole('button', { name: 'Stop' }).click();
  await expect(notices).toContainText(/Added [\d,]+ files; [\d,]+ were not/);
  await expect(treeRow(page, 'file-0.txt')).toBeVisible();
  await notices.getByRole('button', { name: 'Undo' }).click();
  await expect(notices).toContainText(/Deleted [\d,]+ items/);
  await expect(treeRow(page, 'file-0.txt')).toHaveCount(0);
  expect((await shell(page, 'ls')).output).toMatch(/^index\.js +package\.json$/);
});
