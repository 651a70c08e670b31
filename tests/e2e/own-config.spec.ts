// Journey: the person's own opencode.json, for every project. It is checked while it is typed, what it denies holds, and a model that an agent
// should have and that is not offered here is never replaced unasked.
import AxeBuilder from '@axe-core/playwright';
import { test } from '@playwright/test';
import { agent, allow, lastAnswer, say, toolCall, untilIdle } from './agent';
import { expect, startProject } from './ide';
import { zipFile } from './zip-files';

test('faults are named by line; rules, agents and their models count from the next message on', async ({ page }) => {
  await startProject(page, 'Blank');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page
    .getByRole('dialog', { name: 'Settings' })
    .locator('.setting')
    .filter({ hasText: 'Your opencode.json' })
    .getByRole('button')
    .click();
  const sheet = page.getByRole('dialog', { name: 'Your opencode.json' });
  const text = sheet.getByRole('textbox');
  const save = sheet.getByRole('button', { name: 'Save' });

  await text.fill('{\n  "permission": {\n    "bash": "perhaps"\n  }\n}');
  await sheet.getByRole('button', { name: /^Line 3: permission\.bash must be allow/ }).click();
  await expect
    .poll(() =>
      text.evaluate(
        (area: HTMLTextAreaElement) =>
          getSelection()?.toString() || area.value.slice(area.selectionStart, area.selectionEnd),
      ),
    )
    .toBe('    "bash": "perhaps"');
  await text.fill('{ "permission": ');
  await expect(sheet.getByRole('button', { name: /^Line 1: / })).toBeVisible();
  await expect(save).toBeDisabled();
  expect((await new AxeBuilder({ page }).include('[role="dialog"]').analyze()).violations).toEqual([]);

  await text.fill(
    JSON.stringify(
      { permission: { bash: { 'rm *': 'deny', 'sleep *': 'allow' } }, agent: { plan: { model: 'far/away' } } },
      null,
      2,
    ),
  );
  await save.click();
  await expect(sheet).toHaveCount(0);

  await say(page, 'run `rm -rf node_modules`');
  await untilIdle(page);
  await expect(toolCall(page, 'bash')).toContainText('The person’s own configuration denies rm *');

  await agent(page)
    .getByRole('button', { name: /^Agent:/ })
    .click();
  await page.getByRole('menuitemcheckbox', { name: /^Plan:/ }).click();
  await say(page, 'hello');
  const other = page.getByRole('dialog', { name: 'Another model?' });
  await expect(other).toContainText('far/away');
  await other.getByRole('button', { name: 'Don’t send' }).click();
  await expect(agent(page).getByLabel('Message to the agent')).toHaveValue('hello');
  await agent(page).getByLabel('Message to the agent').press('Enter');
  await other.getByRole('button', { name: /^Use Practice model/ }).click();
  await untilIdle(page);
  await expect(lastAnswer(page)).not.toBeEmpty();
});

test('limits are set by plain controls, in the file alone', async ({ page }) => {
  await startProject(page, 'Blank');
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByLabel(/^When a conversation is full/).selectOption('Stop');
  await settings.getByLabel(/^How files are changed/).selectOption('By patches (apply_patch)');
  const cost = settings.getByLabel(/^What a conversation may cost/);
  await cost.fill('1.5');
  await cost.press('Enter');
  await expect(cost).toHaveValue('1.5');
  await settings.locator('.setting').filter({ hasText: 'Your opencode.json' }).getByRole('button').click();
  const text = page.getByRole('dialog', { name: 'Your opencode.json' }).getByRole('textbox');
  await expect
    .poll(async () => JSON.parse(await text.inputValue()))
    .toEqual({ compaction: { auto: false }, editing: 'patch', budget: { cost: 1.5 } });
  await page.keyboard.press('Escape');
  await say(page, 'call edit with {"path": "a.txt", "oldString": "a", "newString": "b"}');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('I would need edit');
  await page.reload();
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(settings.getByLabel(/^How files are changed/).locator('option:checked')).toHaveText(
    'By patches (apply_patch)',
  );
  await settings.getByLabel(/^How files are changed/).selectOption('As the model is used to');
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('cloche:opencode') ?? '{}')))
    .toEqual({ compaction: { auto: false }, budget: { cost: 1.5 } });
});

test('skills, agents and commands are written in a sheet, brought in from files, and count from the next message on', async ({
  page,
}) => {
  await startProject(page, 'Blank');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.locator('.setting').filter({ hasText: 'Your skills, agents and commands' }).getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Your skills, agents and commands' });
  await sheet.getByRole('button', { name: 'Write a command' }).click();
  await sheet.getByLabel('Name').fill('two words');
  await sheet.getByLabel(/^What it says/).fill('run `echo $ARGUMENTS`');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(sheet.getByRole('alert')).toContainText('A name is one word');
  expect((await new AxeBuilder({ page }).include('[role="dialog"]').analyze()).violations).toEqual([]);
  // Esc closes the sheet and loses nothing.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.locator('.setting').filter({ hasText: 'Your skills, agents and commands' }).getByRole('button').click();
  await sheet.getByLabel('Name').fill('shout');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(sheet.getByRole('button', { name: /^\/shout/ })).toBeFocused();

  const chooser = page.waitForEvent('filechooser');
  await sheet.getByRole('button', { name: /^From files… \(Skills\)/ }).click();
  await (await chooser).setFiles(
    zipFile('skills.zip', {
      'notes/SKILL.md': '---\nname: notes\ndescription: Use it when: releasing\n---\nWrite notes.',
      'notes/one.md': 'One',
    }),
  );
  await expect(sheet.getByRole('button', { name: 'Undo what was added' })).toBeFocused();
  await expect(sheet.getByRole('button', { name: /^notes/ })).toContainText('Use it when: releasing · 1 file');
  await sheet.getByRole('button', { name: 'Delete /shout' }).click();
  await expect(sheet.getByRole('button', { name: 'Undo: bring “/shout” back' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sheet.getByRole('button', { name: 'Delete /shout' })).toBeVisible();
  expect((await new AxeBuilder({ page }).include('[role="dialog"]').analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');

  await say(page, '/shout hello');
  await untilIdle(page);
  await expect(toolCall(page, 'bash')).toContainText('hello');
  await say(page, 'call skill with {"name": "notes", "file": "one.md"}');
  await allow(page, 'Load the skill notes');
  await untilIdle(page);
  await expect(toolCall(page, 'skill')).toContainText('notes: one.md');
});

test('a command shows how long it may still take, and gets more time', async ({ page }) => {
  await startProject(page, 'Blank');
  await say(page, 'run `sleep 300`');
  const row = toolCall(page, 'bash');
  await expect(row.getByRole('timer')).toHaveText(/Ends in 1:\d\d/);
  await row.getByRole('button', { name: '2 minutes more' }).click();
  await expect(row.getByRole('timer')).toHaveText(/Ends in 3:\d\d/);
  await agent(page).getByRole('button', { name: 'Stop' }).click();
  await untilIdle(page);
});
