// Journey: a server of the web that wants a sign-in. Nothing opens before the person's click; the window goes to the other site and comes back; the
// key works after a reload and is given back. Then what goes wrong: a no, a window that is blocked, a window that nobody waits for.
import AxeBuilder from '@axe-core/playwright';
import { type Page, test } from '@playwright/test';
import { type SignInSite, signInSite } from '../../lib/registry/mcp/testing-sign-in';
import { agent, allow, lastAnswer, say, untilIdle } from './agent';
import { SIGN_IN_SERVER_PORT } from './hosts';
import { expect, startProject, untilReady } from './ide';

let site: SignInSite;
test.beforeEach(async () => {
  site = await signInSite({ port: SIGN_IN_SERVER_PORT });
});
test.afterEach(() => site.close());

async function withServer(page: Page) {
  await startProject(page, 'Blank Node');
  const sheet = await openSheet(page);
  await sheet.getByLabel('Name').fill('guarded');
  await sheet.getByLabel('Command or URL').fill(`${site.origin}/mcp`);
  await sheet.getByRole('button', { name: 'Add' }).click();
  const server = sheet.getByRole('region', { name: 'guarded' });
  await expect(server).toContainText('wants you to sign in');
  return server;
}

async function openSheet(page: Page) {
  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'MCP servers…' }).click();
  return page.getByRole('dialog', { name: 'MCP servers' });
}

test('the person signs in in a window; the key works after a reload, and is given back', async ({ page, context }) => {
  const server = await withServer(page);
  expect(site.seen).toEqual([]);
  const { violations } = await new AxeBuilder({ page }).include('.dialog').analyze();
  expect(violations.map((one) => one.id)).toEqual([]);
  const opening = context.waitForEvent('page');
  await server.getByRole('button', { name: 'Sign in…' }).click();
  const popup = await opening;
  await expect(server).toContainText(`belongs to 127.0.0.1:${SIGN_IN_SERVER_PORT}`);
  await popup.getByRole('link', { name: 'Allow' }).click();
  await expect(server).toContainText('connected, 1 tool');
  await expect(server).toContainText(`Signed in at 127.0.0.1:${SIGN_IN_SERVER_PORT}`);
  // It closes itself, or says that it may be closed; the code is not in its address.
  await expect.poll(() => popup.isClosed() || !popup.url().includes('code=')).toBe(true);
  await page.keyboard.press('Escape');
  await say(page, 'call guarded_whoami with {}');
  await allow(page, 'Call whoami of the MCP server guarded');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('You are Ada.');

  site.expire();
  await page.reload();
  await untilReady(page);
  await say(page, 'call guarded_whoami with {}');
  await allow(page, 'Call whoami of the MCP server guarded');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('You are Ada.');
  expect(site.seen).toContain('POST /token refresh_token');

  const sheet = await openSheet(page);
  await sheet.getByRole('button', { name: 'Sign out' }).click();
  await expect(sheet.getByRole('region', { name: 'guarded' })).toContainText('wants you to sign in');
  expect(site.seen.slice(-2)).toEqual(['POST /revoke refresh_token', 'POST /revoke access_token']);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('rt-');
});

test('a no is said; a window that comes back too late is told that nobody waits', async ({ page, context }) => {
  const server = await withServer(page);
  let opening = context.waitForEvent('page');
  await server.getByRole('button', { name: 'Sign in…' }).click();
  let popup = await opening;
  await popup.getByRole('link', { name: 'Deny' }).click();
  await expect(server.getByRole('alert')).toContainText('You did not allow it there.');

  opening = context.waitForEvent('page');
  await server.getByRole('button', { name: 'Sign in…' }).click();
  popup = await opening;
  await expect(popup.getByRole('link', { name: 'Allow' })).toBeVisible();
  await server.getByRole('button', { name: 'Cancel' }).click();
  await expect(server.getByRole('button', { name: 'Sign in…' })).toBeVisible();
  if (!popup.isClosed()) {
    await popup.getByRole('link', { name: 'Allow' }).click();
    await expect(popup.getByRole('heading')).toContainText('Nobody waits for this sign-in');
  }
  expect(site.seen).not.toContain('POST /token authorization_code');
});

test('where windows are blocked, a link leads there', async ({ page, context }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  const server = await withServer(page);
  await server.getByRole('button', { name: 'Sign in…' }).click();
  await expect(server).toContainText('Your browser did not open a window');
  const opening = context.waitForEvent('page');
  await server.getByRole('link', { name: `Open 127.0.0.1:${SIGN_IN_SERVER_PORT}` }).click();
  await (await opening).getByRole('link', { name: 'Allow' }).click();
  await expect(server).toContainText('connected, 1 tool');
});
