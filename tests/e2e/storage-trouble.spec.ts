// What a browser's storage can do to people: it is full, it holds what another version or nobody wrote, the code of the page is gone. Nothing is lost that
// was there, and everything else goes on.
import { mkdir, writeFile } from 'node:fs/promises';
import { chromium, type Page, test } from '@playwright/test';
import { CHROMIUM_ARGS, CHROMIUM_PATH } from '../sandbox/browser';
import { say, untilIdle } from './agent';
import { editor, expect, expectEditor, fileTab, openFile, startProject, treeRow, untilReady } from './ide';
import { shell } from './terminal';

test.setTimeout(240_000);

/** Collects what the page throws and nobody catches. */
function uncaught(page: Page): string[] {
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(error.message));
  return thrown;
}

test('with a full localStorage files open, drafts and settings last as long as the tab, and the status bar says so', async ({
  page,
}) => {
  const thrown = uncaught(page);
  await startProject(page, 'Blank Node');
  await page.evaluate(() => {
    for (let size = 1 << 20; size > 0; size >>= 1)
      for (let at = 0; ; at++)
        try {
          localStorage.setItem(`fill-${size}-${at}`, 'x'.repeat(size));
        } catch {
          break;
        }
  });
  await openFile(page, 'index.js');
  await openFile(page, 'package.json');
  await expect(fileTab(page, 'package.json')).toHaveAttribute('aria-selected', 'true');
  await expectEditor(page, '"name"');
  await expect(page.locator('.status-bar').getByText('settings not kept')).toBeVisible();
  // A phone has no status bar.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(
    page.getByText(/^Settings, open tabs and unsent texts last as long as this tab\. The browser has no room/),
  ).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await say(page, 'read index.js');
  await expect(page.getByRole('log')).toContainText('That is index.js');
  await untilIdle(page);
  await page.reload();
  await untilReady(page);
  await expect(page.getByRole('log')).toContainText('read index.js');
  await openFile(page, 'index.js');
  await expectEditor(page, 'Hello');

  // Room again: everything is kept again.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('fill-')) localStorage.removeItem(key);
  });
  await openFile(page, 'package.json');
  await expect(page.locator('.status-bar').getByText('settings not kept')).toHaveCount(0);
  expect(thrown).toEqual([]);
});

test('whatever stands in localStorage under our names, the project opens and its server is shown', async ({ page }) => {
  await startProject(page, 'HTTP server');
  await openFile(page, 'package.json');
  for (const text of ['null', '[]', '"x"', '{"spare":"abc","wanted":{},"free":"x","ports":null}', 'garbage{']) {
    await page.evaluate((value) => {
      for (const key of [...Object.keys(localStorage), 'cloche:settings', 'cloche:model', 'cloche:mcp-servers'])
        localStorage.setItem(key, value);
    }, text);
    await page.reload();
    await untilReady(page);
  }
  await page.getByRole('banner').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.locator('.status-bar').getByRole('button', { name: /Show port/ })).toBeVisible();
  await expect(page.locator('[data-panel="preview"] iframe')).toHaveAttribute('src', /^http:\/\/p-/);
});

test('a conversation in which another version’s parts stand can be read and goes on', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await say(page, 'read index.js');
  await expect(page.getByRole('log')).toContainText('That is index.js');
  await untilIdle(page);
  await page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('cloche-sessions');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const change = db.transaction('parts', 'readwrite');
    const store = change.objectStore('parts');
    const all = await new Promise<{ messageId: string; index: number; part: unknown }[]>((resolve) => {
      const asking = store.getAll();
      asking.onsuccess = () => resolve(asking.result);
    });
    const answer = all.filter((one) => one.messageId === all.at(-1)!.messageId);
    store.put({ ...answer[0], part: { type: 'hologram', id: 'x' } });
    store.put({ ...answer[1], part: null });
    await new Promise((resolve) => {
      change.oncomplete = resolve;
    });
    db.close();
  });
  await page.reload();
  await untilReady(page);
  await expect(page.getByText('written by another version of Cloche').first()).toBeVisible();
  await say(page, 'read package.json');
  await untilIdle(page);
  await expect(page.getByRole('log')).toContainText('That is package.json');
});

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' });

  test('a page whose scripts or sheet do not come says so, and one that is there does not', async ({ page }) => {
    const client = await page.context().newCDPSession(page);
    await client.send('Animation.enable');
    // The wait is one of the browser's animations.
    await client.send('Animation.setPlaybackRate', { playbackRate: 50 });
    const notice = page.getByText('This page has not come whole yet');
    for (const missing of ['script', 'stylesheet']) {
      await page.route('**/_next/static/**', (route) =>
        route.request().resourceType() === missing ? route.abort('connectionreset') : route.continue(),
      );
      await page.goto('/');
      await expect(notice).toBeVisible();
      await page.unroute('**/_next/static/**');
    }
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-there');
    await page.waitForTimeout(1000);
    await expect(notice).toBeHidden();
  });

  test('when the server has another version by now, a page that lacks its code says so; what was saved is there after the reload', async ({
    page,
  }) => {
    await startProject(page, 'Blank Node');
    await shell(page, 'echo "# Title" > notes.md');
    await expect(page.locator('.status-bar').getByText('saved', { exact: true })).toBeVisible();
    await page.route('**/_next/static/chunks/**', (route) => route.fulfill({ status: 404, body: 'gone' }));
    await openFile(page, 'notes.md');
    await page.keyboard.press('ControlOrMeta+Alt+M');
    const failure = editor(page).getByRole('alert');
    await expect(failure).toContainText('newer version');
    await page.unroute('**/_next/static/chunks/**');
    await failure.getByRole('button', { name: 'Reload the page' }).click();
    await untilReady(page);
    await expect(treeRow(page, 'notes.md')).toBeVisible();
    expect((await shell(page, 'cat notes.md')).output).toBe('# Title');
  });
});

test('a browser that blocks site data says so, for which address and what to do, wherever a project would be made', async ({
  baseURL,
}, testInfo) => {
  const profile = testInfo.outputPath('profile');
  await mkdir(`${profile}/Default`, { recursive: true });
  const blocked = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(`${profile}/Default/Preferences`, JSON.stringify(blocked));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM_PATH,
    args: CHROMIUM_ARGS,
    ...(baseURL ? { baseURL } : {}),
  });
  try {
    const page = await context.newPage();
    const thrown = uncaught(page);
    const words = `The browser blocks site data (cookies and storage) for ${new URL(baseURL!).host}.`;
    await page.goto('/');
    await expect(page.getByRole('alert').filter({ hasText: words })).toContainText('Allow site data for this address');
    await page.locator('a.template').filter({ hasText: 'Blank Node' }).click();
    await expect(page.getByRole('heading', { name: 'The project can’t be kept in this browser' })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
    await page.goto('/p/unknown');
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
    expect(thrown).toEqual([]);
  } finally {
    await context.close();
  }
});
