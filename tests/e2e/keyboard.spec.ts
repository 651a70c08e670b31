// One whole visit without a pointer: open, edit, save, run, see the preview, let the agent work, share. No click, no focus() and no fill():
// only keys, and what the focus is on is checked by its name.
import { readFileSync } from 'node:fs';
import { type Page, test } from '@playwright/test';
import { agent, question, untilIdle } from './agent';
import { editorText, expect, expectEditor, stopButton, untilReady, untilSaved, untilTypable } from './ide';
import { expectTerminal, shell, terminal } from './terminal';

const mod = process.platform === 'darwin' ? 'Meta' : 'Control';

/** The panel that holds the focus. */
function focusedPanel(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-panel]')?.dataset.panel);
}

/** Presses Tab until an element with that name has the focus; fails when the focus does not get there. */
async function tabTo(page: Page, role: 'link' | 'button' | 'separator', name: string | RegExp, key = 'Tab') {
  const wanted = page.getByRole(role, { name }).first();
  await expect(wanted).toBeAttached();
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reaches the ${role} ${name}`);
}

/** What has the focus is outlined: by itself, by what it fills, or (text fields of editor and terminal) by its cursor. */
async function expectFocusSeen(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const active = document.activeElement;
    if (!active || active === document.body) return false;
    if (active.closest('.monaco-editor, .xterm')) return true;
    const drawn = [active, ...[active.parentElement, active.closest('.composer-box')].filter((one) => one !== null)];
    return drawn.some((element) => {
      const style = getComputedStyle(element);
      const after = getComputedStyle(element, '::after');
      return (
        (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1) ||
        element.matches('.composer-box:focus-within') ||
        (element.getAttribute('role') === 'separator' && after.backgroundColor !== 'rgba(0, 0, 0, 0)')
      );
    });
  });
  expect(seen, await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160) ?? 'nothing')).toBe(true);
}

async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press(`${mod}+Shift+P`);
  await expect(page.getByRole('combobox')).toBeFocused();
  // What is typed comes after the sign that asks for commands.
  await page.keyboard.type(title);
  await expect(page.getByRole('combobox')).toHaveValue(`>${title}`);
  await expect(page.getByRole('option', { selected: true })).toContainText(title);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('a whole visit with the keyboard alone', async ({ page }) => {
  test.slow();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await tabTo(page, 'link', /HTTP server/);
  await expectFocusSeen(page);
  await page.keyboard.press('Enter');
  await untilReady(page);
  await untilTypable(page);

  // Edit, by going to a line that was searched for; save.
  await page.keyboard.press(`${mod}+F`);
  await expect(page.getByRole('textbox', { name: 'Find', exact: true })).toBeFocused();
  await page.keyboard.type('<h1>It runs');
  await page.keyboard.press('Escape');
  await page.keyboard.type('<h1>Made by keys');
  await page.keyboard.press(`${mod}+S`);
  await untilSaved(page);
  await expectEditor(page, 'Made by keys');

  // Run; the page is in the preview.
  await page.keyboard.press(`${mod}+Alt+Enter`);
  await expect(stopButton(page)).toBeVisible();
  await expect(page.frameLocator('iframe.preview-frame').getByRole('heading', { name: 'Made by keys' })).toBeVisible();

  // Round the panels, and back.
  const walked: (string | undefined)[] = [];
  await page.keyboard.press(`${mod}+Alt+E`);
  await expect.poll(() => focusedPanel(page)).toBe('editor');
  for (let at = 0; at < 5; at++) {
    await page.keyboard.press('F6');
    walked.push(await focusedPanel(page));
    await expectFocusSeen(page);
  }
  expect(walked).toEqual(['terminal', 'preview', 'agent', 'files', 'editor']);
  await page.keyboard.press('Shift+F6');
  expect(await focusedPanel(page)).toBe('files');

  // The tree: open the other file.
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expectEditor(page, '"scripts"');

  // A command in a shell of its own.
  await page.keyboard.press('Control+Shift+`');
  await expect.poll(() => focusedPanel(page)).toBe('terminal');
  await expect(terminal(page).getByRole('tab', { selected: true })).toContainText('bash');
  await expectTerminal(page, /# *$/);
  await page.keyboard.type('echo $((6 * 7))\n');
  await expectTerminal(page, /\n42\n/);

  // The agent asks, the answer is a key. In a shell Ctrl with a letter is the shell's: F6 leads out of it.
  await page.keyboard.press('F6');
  await page.keyboard.press('F6');
  await expect(agent(page).getByLabel('Message to the agent')).toBeFocused();
  await page.keyboard.type('create notes.md with # By keys\n');
  const card = await question(page, 'Create notes.md');
  await expect(card).toBeFocused();
  await expectFocusSeen(page);
  // A question hears no key in its first moment.
  await expect(async () => {
    await page.keyboard.press('Enter');
    await expect(card).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await untilIdle(page);
  await expect(agent(page).getByLabel('Message to the agent')).toBeFocused();

  // What it made, found and shown as a page.
  await page.keyboard.press(`${mod}+P`);
  await page.keyboard.type('notes');
  await expect(page.getByRole('option', { selected: true })).toContainText('notes.md');
  await page.keyboard.press('Enter');
  await expectEditor(page, '# By keys');
  await page.keyboard.press(`${mod}+Alt+M`);
  await expect(page.getByRole('heading', { name: 'By keys' })).toBeVisible();
  await expect.poll(() => focusedPanel(page)).toBe('editor');

  // Share; the focus comes back to where it was.
  await tabTo(page, 'button', 'Share', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();
  await tabTo(page, 'button', 'Copy link');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/s#v1\./);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Share' })).toBeFocused();
});

test.describe('while the agent’s panel still loads', () => {
  // A worker that serves the page would fetch its scripts past the gate.
  test.use({ serviceWorkers: 'block' });

  test('it is asked for, and gets the cursor when it is there', async ({ page }) => {
    const gate = Promise.withResolvers<void>();
    await page.route('**/_next/static/chunks/**', async (route) => {
      const built = readFileSync(new URL(route.request().url()).pathname.replace('/_next/', '.next/'), 'utf8');
      if (built.includes('Message to the agent')) await gate.promise;
      await route.continue();
    });
    await page.goto('/new/node');
    await untilTypable(page);
    await page.keyboard.press(`${mod}+I`);
    const field = agent(page).getByLabel('Message to the agent');
    await expect(field).toHaveCount(0);
    gate.resolve();
    await expect(field).toBeFocused();
  });
});

test('panels are resized, hidden, moved and remembered by keys', async ({ page }) => {
  test.slow();
  await page.goto('/new/node');
  await untilReady(page);
  await untilTypable(page);
  const width = async (panel: string) => (await page.locator(`[data-panel="${panel}"]`).boundingBox())!.width;

  // The lines between panels come last, after the agent.
  await page.keyboard.press(`${mod}+I`);
  await expect(agent(page).getByLabel('Message to the agent')).toBeFocused();
  await tabTo(page, 'separator', 'Resize the panels on the left');
  await expectFocusSeen(page);
  const before = await width('files');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await width('files')).toBe(before + 32);

  // Each preset by its key. What had the focus and goes gives it to the editor.
  await page.keyboard.press('Control+`');
  await expect.poll(() => focusedPanel(page)).not.toBe('terminal');
  await page.keyboard.press(`${mod}+Alt+1`);
  await expect(page.locator('[data-panel="agent"]')).toHaveAttribute('data-shape', 'column');
  await page.keyboard.press(`${mod}+Alt+2`);
  await expect(page.locator('[data-panel="agent"]')).toHaveAttribute('data-shape', 'open');
  await page.keyboard.press('Control+`');
  await page.keyboard.press('Control+`');
  await expect.poll(() => focusedPanel(page)).toBe('terminal');
  await page.keyboard.press(`${mod}+Alt+3`);
  await expect(page.locator('[data-panel="terminal"]')).not.toHaveAttribute('data-shape', 'open');
  await expect.poll(() => focusedPanel(page)).toBe('editor');

  // Moved by its menu, and still there after a reload.
  await page.keyboard.press(`${mod}+Alt+2`);
  await page.keyboard.press(`${mod}+I`);
  await tabTo(page, 'button', 'Move Agent', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Move to the left' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Move to the bottom' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-panel="agent"]')).toHaveAttribute('data-dock', 'bottom');
  await page.reload();
  await untilReady(page);
  await expect(page.locator('[data-panel="agent"]')).toHaveAttribute('data-dock', 'bottom');
});

test('dialogs give the focus back, and Esc leaves the recording of a key before it leaves the sheet', async ({
  page,
}) => {
  await page.goto('/new/node');
  await untilReady(page);
  await untilTypable(page);
  await page.keyboard.press(`${mod}+,`);
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Escape');
  await untilTypable(page);
  await page.keyboard.press(`${mod}+Shift+P`);
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await untilTypable(page);
  // A command that moves nothing leaves the cursor where it was.
  await runCommand(page, 'Wrap long lines');
  await untilTypable(page);
  await page.keyboard.type('/');
  await expect.poll(() => editorText(page)).toContain('/import');

  await page.keyboard.press(`${mod}+Alt+K`);
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await tabTo(page, 'button', 'Change the keys of Close tab');
  await page.keyboard.press('Enter');
  await expect(sheet.getByText('Press keys…')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet.getByText('Press keys…')).toHaveCount(0);
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Alt+Q');
  await expect(sheet.getByRole('row', { name: /Close tab/ })).toContainText('Alt+Q');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press('Alt+Q');
  await expect(page.getByRole('tab', { name: 'index.js' })).toHaveCount(0);
});

test('a file that is opened from a picture is shown', async ({ page }) => {
  await page.goto('/new/node');
  await untilReady(page);
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await shell(page, `node -e "fs.writeFileSync('dot.png', Buffer.from('${pixel}', 'base64'))"`);
  for (const name of ['dot.png', 'package.json']) {
    await page.keyboard.press(`${mod}+Alt+E`);
    await expect.poll(() => focusedPanel(page)).toBe('editor');
    await page.keyboard.press(`${mod}+P`);
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(name);
    await expect(page.getByRole('option', { selected: true })).toContainText(name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name, exact: true })).toHaveAttribute('aria-selected', 'true');
    await expect.poll(() => focusedPanel(page)).toBe('editor');
    await expect(page.getByRole('tabpanel', { name, exact: true })).toBeVisible();
  }
  await expectEditor(page, '"scripts"');
});
