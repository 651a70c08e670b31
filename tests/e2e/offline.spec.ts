// Journey: after the first load the server is gone, killed and not merely unplugged, and everything goes on working.
import { type Page, test } from '@playwright/test';
import {
  expect,
  expectEditor,
  reload,
  replaceEditorText,
  runButton,
  startProject,
  untilSaved,
  untilTypable,
} from './ide';
import { type OwnServer, startOwnServer } from './own-server';
import { shell } from './terminal';

let server: OwnServer;
test.beforeEach(async () => {
  server = await startOwnServer();
});
test.afterEach(() => server.kill());

test.setTimeout(240_000);

const status = (page: Page) => page.locator('.status-bar');
/** Until the status bar says so. */
const untilKept = (page: Page) => expect(status(page).getByText('works offline')).toBeVisible({ timeout: 120_000 });
const preview = (page: Page) => page.frameLocator('[data-panel="preview"] iframe');

test('the open project goes on; a reload, a new project and its preview work', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.ide });
  const page = await context.newPage();
  await startProject(page, 'Blank Node');
  await untilKept(page);
  await server.kill();

  await untilTypable(page);
  await replaceEditorText(page, 'console.log(6 * 7, "without a server")');
  await untilSaved(page);
  expect(await shell(page, 'node index.js')).toEqual({ output: '42 without a server', code: 0 });
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(status(page).getByText('offline', { exact: true })).toBeVisible();

  await reload(page);
  await expectEditor(page, 'console.log(6 * 7, "without a server")');
  expect(await shell(page, 'node index.js; npm --version')).toEqual({
    output: expect.stringMatching(/^42 without a server\n\d+\.\d+\.\d+$/),
    code: 0,
  });

  // What a program loads late, from the second half of Node's library.
  expect(await shell(page, `node -p 'typeof require("node:test").test + typeof require("node:http").get'`)).toEqual({
    output: 'functionfunction',
    code: 0,
  });

  // What does need the network says so, soon.
  const install = await shell(page, 'npm install is-number 2>&1 | grep "npm error 502"');
  // Rows end where they are full, and a space there is not seen.
  expect(install.output.replaceAll(/\s/g, '')).toContain("thisIDE'sserverdoesnotanswer");

  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Blank Node', exact: true })).toBeVisible();
  await startProject(page, 'HTTP server');
  await runButton(page).click();
  await expect(preview(page).getByRole('heading', { name: 'It runs' })).toBeVisible();
  // Its own script asked the server in the tab.
  await expect(preview(page).locator('#time')).toHaveText(/^\d{1,2}:\d\d:\d\d/);

  // In a tab of its own: a page that was never asked for while there was a server.
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open in a new tab' }).click(),
  ]);
  await expect(tab.frameLocator('iframe').getByRole('heading', { name: 'It runs' })).toBeVisible();
  expect(new URL(tab.url()).pathname).toMatch(/\/preview\/3000$/);
  await context.close();
});
