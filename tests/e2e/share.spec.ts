// Journey: a project goes into a link, and somebody else (a browser that has never been here) opens it.
import { type Browser, type Page, test } from '@playwright/test';
import { expect, startProject, untilReady } from './ide';
import { shell } from './terminal';

/** Every file with its bytes: one line of names and hashes. */
async function allBytes(page: Page): Promise<string> {
  const { output } = await shell(
    page,
    'find . -type f ! -name ".env*" ! -name token.txt | sort | xargs -d "\\n" sha256sum | sha256sum | cut -c1-64',
  );
  return output.trim();
}

async function fileNames(page: Page): Promise<string> {
  return (await shell(page, 'find . -type f | sort')).output;
}

async function stranger(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

const makeFiles = `mkdir -p 'a dir/ünï' && node -e '
const fs = require("fs");
fs.writeFileSync("a dir/ünï/naïve 🚀.txt", "snow ☃\\r\\nand more\\r\\n");
fs.writeFileSync("all bytes.bin", Buffer.from(Array.from({ length: 1024 }, (_, i) => (i * 7) & 255)));
fs.writeFileSync("empty", "");
fs.writeFileSync("token.txt", "key = ghp_" + "a1B2".repeat(9) + "\\n");
fs.writeFileSync(".env", "SECRET=1\\n");
'`.replaceAll('\n', ' ');

test('a fresh profile gets the same bytes, without the secrets; insisting puts one in', async ({ page, browser }) => {
  await startProject(page, 'Blank Node');
  await shell(page, makeFiles);
  await page.getByRole('button', { name: 'Share' }).click();
  const sheet = page.getByRole('dialog', { name: 'Share a copy' });
  await expect(sheet.getByRole('status')).toContainText(/^5 files, .* a link of [\d,]+ characters\.$/);
  await expect(sheet.getByText('What stays out: 2')).toBeVisible();
  await expect(sheet.getByRole('listitem').filter({ hasText: '.env' })).toContainText(
    'environment files usually hold keys',
  );
  await expect(sheet.getByRole('listitem').filter({ hasText: 'token.txt' })).toContainText(
    'line 1 looks like a GitHub token',
  );
  const address = await sheet.getByRole('textbox', { name: 'Link', exact: true }).inputValue();

  await sheet.getByRole('listitem').filter({ hasText: '.env' }).getByLabel('Share it anyway').check();
  await expect(sheet.getByRole('status')).toContainText(/^6 files/);
  await expect.poll(() => sheet.getByRole('textbox', { name: 'Link', exact: true }).inputValue()).not.toBe('');
  const insisted = await sheet.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await sheet.getByRole('button', { name: 'Close' }).click();
  const bytes = await allBytes(page);

  const other = await stranger(browser, address);
  await untilReady(other);
  expect(await allBytes(other)).toBe(bytes);
  expect(await fileNames(other)).not.toMatch(/env|token/);
  // The copy is a project of its own, at its own address.
  expect(new URL(other.url()).pathname).toMatch(/^\/p\//);
  await other.context().close();

  const trusted = await stranger(browser, insisted);
  await untilReady(trusted);
  expect((await shell(trusted, 'cat .env; ls token.txt')).output).toContain('SECRET=1');
  await trusted.context().close();
});

test('too much for a link: the size, the limit and the way out are said, and nothing can be copied', async ({
  page,
}) => {
  await startProject(page, 'Blank Node');
  await shell(page, 'head -c 700000 /dev/urandom > noise.bin');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Search, run, open/ })
    .click();
  await page.getByRole('combobox').fill('share');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Share a copy' });
  await expect(sheet.getByRole('status')).toContainText(
    /the link would have 9\d\d,\d\d\d characters; at most 500,000 fit/,
  );
  await expect(sheet).toContainText('noise.bin (');
  await expect(sheet.getByRole('button', { name: 'Download as a zip' })).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Copy link' })).toBeDisabled();
  await sheet.getByLabel(/noise\.bin/).uncheck();
  await expect(sheet.getByRole('button', { name: 'Copy link' })).toBeEnabled();
  await page.keyboard.press('Escape');
  // Too many files: the same way out, and the zip has them all.
  await shell(page, 'rm noise.bin; mkdir many; cd many; seq 2100 | xargs touch; cd ..');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(sheet.getByRole('alert')).toContainText('more than 2,000 files, the most that a link holds');
  const downloading = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Download as a zip' }).click();
  expect((await downloading).suggestedFilename()).toBe('Blank Node.zip');
  await expect(page.getByText('Packed Blank Node.zip: 2,102 files')).toBeVisible();
});

test('a link that was cut, changed or is no link: a page that says so', async ({ page, browser }) => {
  await startProject(page, 'Blank Node');
  await page.getByRole('button', { name: 'Share' }).click();
  const link = page.getByRole('textbox', { name: 'Link', exact: true });
  await expect.poll(() => link.inputValue()).not.toBe('');
  const address = await link.inputValue();
  const middle = address.length - 40;
  const swapped = address[middle] === 'A' ? 'B' : 'A';
  for (const [broken, words] of [
    [address.slice(0, -30), /damaged or was cut/],
    [address.slice(0, middle) + swapped + address.slice(middle + 1), /damaged or was cut/],
    [address.slice(0, address.indexOf('#')), /it is missing/],
    [address.replace('#v1.', '#v9.'), /another version of Cloche/],
    [address.replace(/#.*/, '#hello'), /holds no Cloche project/],
  ] as const) {
    const other = await stranger(browser, broken);
    await expect(other.getByRole('alert').filter({ hasText: 'This link can’t be opened' })).toContainText(words);
    await other.getByRole('link', { name: 'All projects' }).click();
    await expect(other.getByText('What you start is listed here')).toBeVisible();
    await other.context().close();
  }
});
