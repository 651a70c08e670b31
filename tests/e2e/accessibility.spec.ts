// axe over every main view, in light and dark: nothing found. What a machine can find only; keyboard.spec.ts is the rest.
import { AxeBuilder } from '@axe-core/playwright';
import { type Page, test } from '@playwright/test';
import { agent, allow, question, say, untilIdle } from './agent';
import { ask, IDE } from './hosts';
import {
  editor,
  expect,
  expectEditor,
  openFile,
  replaceEditorText,
  runButton,
  startProject,
  treeRow,
  untilReady,
  untilTypable,
} from './ide';
import { shell } from './terminal';

/**
 * Left out, by place and not by rule: the text area of Monaco and its lines (drawn for eyes; its own hidden input is what is read), the rows of
 * xterm (the colours are the program's, and xterm lifts them itself), and the guest's page, which is not ours.
 */
const notOurs = ['.monaco-editor', '.xterm', 'iframe.preview-frame', 'nextjs-portal'];

async function expectAccessible(page: Page, view: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const builder = notOurs.reduce((all, selector) => all.exclude(selector), new AxeBuilder({ page }).setLegacyMode());
    const { violations } = await builder.analyze();
    const found = violations
      .flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary ?? ''}`),
      )
      // A menu floats: it belongs to its button and to no region of the page.
      .filter((one) => !/^region:.*\n {2}div\[data-radix-popper-content-wrapper/.test(one));
    expect(found, `${view}, ${colorScheme}`).toEqual([]);
  }
}

/** Closes the dialog that is open. */
async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('pages without a project', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('What you start is listed here')).toBeVisible();
  await expectAccessible(page, 'start page, empty');
  await page
    .getByLabel(/^Open a zip/)
    .setInputFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') });
  await expect(page.getByRole('alert').filter({ hasText: 'notes.zip can’t be opened' })).toBeVisible();
  await expectAccessible(page, 'start page, an archive that is none');
  await page.goto('/nothing/here');
  await expectAccessible(page, 'not found');
  await page.goto('/p/unknown');
  await expect(page.getByRole('heading', { name: /no such project/ })).toBeVisible();
  await expectAccessible(page, 'no such project');
  await page.goto('/s#v1.broken');
  await expect(page.getByRole('heading', { name: /link can’t be opened/ })).toBeVisible();
  await expectAccessible(page, 'broken link');
});

test.describe('where the computer cannot start', () => {
  test.use({ serviceWorkers: 'block' });

  test('the page says what is missing and what to do', async ({ page, baseURL }) => {
    await page.route('**/new/node', async (route) => {
      const { status, headers, body } = await ask(baseURL!, IDE, '/new/node');
      const kept = Object.entries(headers).filter(([name]) => !/^(cross-origin-|content-length|transfer-)/.test(name));
      await route.fulfill({
        status,
        headers: Object.fromEntries(kept.map(([name, value]) => [name, `${value}`])),
        body,
      });
    });
    await page.goto('/new/node');
    await expect(page.getByRole('heading', { name: 'This page cannot run a computer here' })).toBeVisible();
    await expect(page.getByText('Cross-Origin-Opener-Policy')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Load again' })).toBeVisible();
    await expectAccessible(page, 'not isolated');
    await page.goto('/');
    await expect(page.getByText('What you start is listed here'), 'no project was made').toBeVisible();
  });

  test('a failed start says so, and can be tried again', async ({ page }) => {
    test.slow();
    await page.route('**/engine/kernel.*.js', (route) => route.abort());
    await page.goto('/new/node');
    await expect(page.getByRole('heading', { name: /did not start/ })).toBeVisible({ timeout: 90_000 });
    await expectAccessible(page, 'failed start');
    await page.unroute('**/engine/kernel.*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectEditor(page, 'Hello');
  });
});

test('the workbench, its dialogs and menus', async ({ page }) => {
  test.slow();
  await startProject(page, 'HTTP server');
  await untilTypable(page);
  await openFile(page, 'package.json');
  await runButton(page).click();
  await expect(page.locator('iframe.preview-frame')).toBeVisible();
  await expectAccessible(page, 'all panels');

  await page.keyboard.press('ControlOrMeta+Shift+P');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page, 'palette');
  await leave(page);
  await page.keyboard.press('ControlOrMeta+,');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await expectAccessible(page, 'settings');
  await leave(page);
  await page.keyboard.press('ControlOrMeta+Alt+K');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page, 'keys');
  await leave(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();
  await expectAccessible(page, 'share');
  await leave(page);
  await page.getByRole('banner').getByRole('button', { name: 'HTTP server' }).click();
  await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible();
  await expectAccessible(page, 'menu of the project');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.keyboard.type('http');
  await expect(page.locator('.search-hit').first()).toBeVisible();
  await expectAccessible(page, 'search');

  await page.goto('/');
  await expect(page.getByRole('link', { name: 'HTTP server', exact: true }).last()).toBeVisible();
  await page.getByRole('button', { name: /^Delete / }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectAccessible(page, 'start page, with a notice');
});

test('what goes wrong, and what is empty', async ({ page }) => {
  test.slow();
  await startProject(page, 'Blank Node');
  await page.evaluate(() => localStorage.setItem('cloche:settings', JSON.stringify({ autosave: false })));
  await page.reload();
  await untilReady(page);
  await untilTypable(page);
  await replaceEditorText(page, 'mine');
  await shell(
    page,
    'echo theirs > index.js; head -c 2000 /dev/urandom > noise.bin; head -c 700000 /dev/urandom > big.bin',
  );
  await expect(editor(page).getByRole('button', { name: 'Keep mine' })).toBeVisible();
  await expectAccessible(page, 'a conflict');
  await shell(page, 'rm index.js');
  await expect(editor(page).getByRole('button', { name: 'Write it again' })).toBeVisible();
  await openFile(page, 'noise.bin');
  await expectAccessible(page, 'a file that is no text');

  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('zzqq');
  await expect(page.getByText('No file is called so')).toBeVisible();
  await expectAccessible(page, 'nothing matches');
  await leave(page);
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await page.getByLabel('Search for').fill('(open');
  await expect(page.getByText('Not a regular expression')).toBeVisible();
  await expectAccessible(page, 'no regular expression');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText(/at most 500,000 fit/)).toBeVisible();
  await expectAccessible(page, 'too much for a link');
  await leave(page);

  await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Files' }).click();
  await shell(page, 'rm -r *');
  await expect(treeRow(page, 'package.json')).toHaveCount(0);
  await expect(page.getByText('This project has no files yet')).toBeVisible();
  await runButton(page).click();
  await expect(page.getByText(/^Nothing to run/)).toBeVisible();
  await expectAccessible(page, 'no files, a notice');
  await page.getByRole('button', { name: 'Make one' }).click();
  await expectEditor(page, '"start": "node index.js"');
});

test('a conversation: calls, a question, a change', async ({ page }) => {
  test.slow();
  await startProject(page, 'TypeScript with tests');
  await untilTypable(page);
  await expectAccessible(page, 'empty conversation');
  await say(page, 'read package.json then create notes.md with # Notes');
  await question(page, 'Create notes.md');
  await expectAccessible(page, 'question');
  await allow(page, 'Create notes.md');
  await untilIdle(page);
  await agent(page).locator('.tool-toggle').first().click();
  await expectAccessible(page, 'conversation');
  await openFile(page, 'notes.md');
  await page.keyboard.press('ControlOrMeta+Alt+M');
  await expect(editor(page).getByRole('heading', { name: 'Notes' })).toBeVisible();
  await expectAccessible(page, 'Markdown as a page');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  test('each panel', async ({ page }) => {
    test.slow();
    await page.goto('/new/http-server');
    await expectEditor(page, 'createServer');
    for (const name of ['Files', 'Search', 'Code', 'Terminal', 'Preview', 'Agent']) {
      await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name }).tap();
      await expectAccessible(page, `phone: ${name}`);
    }
    for (const [command, sheet] of [
      ['Agent: MCP servers', 'MCP servers'],
      ['Agent: conversations', 'Conversations'],
      ['Agent: your skills', 'Your skills, agents and commands'],
      ['Settings', 'Settings'],
    ]) {
      await page.getByRole('button', { name: 'Search, run, open' }).tap();
      await page.getByRole('combobox').fill(`>${command}`);
      await page.getByRole('option').first().tap();
      await expect(page.getByRole('dialog', { name: sheet })).toBeVisible();
      await expectAccessible(page, `phone: ${sheet}`);
      await leave(page);
    }
  });
});
