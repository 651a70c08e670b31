// Journey: the agent mends the example; the person looks, allows, refuses, stops, takes back.
import { test } from '@playwright/test';
import { agent, allow, lastAnswer, question, say, toolCall, untilIdle } from './agent';
import { expect, expectEditor, startProject } from './ide';
import { fingerprint, shell } from './terminal';

const source = 'src/duration.ts';

test('fix the failing test: run, read, a diff to allow, run again; undo restores the bytes', async ({ page }) => {
  await startProject(page, 'TypeScript with tests');
  const before = await fingerprint(page, source);
  await agent(page).getByRole('button', { name: 'Fix the failing test' }).click();
  await allow(page, 'Run npm test');
  const edit = await question(page, `Edit ${source}`);
  await expect(edit.getByRole('row').filter({ hasText: 'removed:' })).toContainText('count > 1');
  await expect(edit.getByRole('row').filter({ hasText: 'added:' })).toContainText('count > 0');
  // Asking is not doing.
  expect(await fingerprint(page, source)).toBe(before);
  await edit.getByRole('button', { name: /^Allow once/ }).click();
  await allow(page, 'Run npm test');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('now all tests pass');
  await expect(toolCall(page, 'edit').getByRole('table', { name: `Changes in ${source}` })).toContainText('count > 0');
  await expect(toolCall(page, 'bash', 0)).toContainText('exit 1');
  await expect(toolCall(page, 'bash', 1)).not.toContainText('exit');
  await expectEditor(page, 'count > 0');
  expect((await shell(page, 'npm test > /tmp/log')).code).toBe(0);

  await agent(page)
    .getByRole('button', { name: /^Take this turn back/ })
    .click();
  const notice = agent(page).getByRole('status', { name: 'What was taken back' });
  await expect(notice).toContainText(`Put back: ${source}`);
  await expect(notice).toContainText('Commands can’t be taken back: npm test');
  expect(await fingerprint(page, source)).toBe(before);
  await expectEditor(page, 'count > 1');
  await expect(agent(page).getByLabel('Message to the agent')).toHaveValue('Fix the failing test');
});

test('an edit that is refused with a reason writes nothing, and the agent hears the reason', async ({ page }) => {
  await startProject(page, 'Blank Node');
  const state = async () => (await shell(page, 'stat -c "%y %s" index.js; sha256sum index.js | cut -c1-20')).output;
  const before = await state();
  await say(page, 'replace "Hello" by "Goodbye" in index.js');
  const edit = await question(page, 'Edit index.js');
  await edit.getByRole('button', { name: /^No/ }).click();
  await edit.getByLabel('What should the agent do instead?').fill('not the greeting, please');
  await edit.getByRole('button', { name: 'Tell the agent' }).click();
  await untilIdle(page);
  await toolCall(page, 'edit').getByRole('button', { name: /Edit/ }).first().click();
  await expect(toolCall(page, 'edit')).toContainText('not the greeting, please');
  // The model went on and could answer to it.
  await expect(lastAnswer(page)).toContainText('not the greeting, please');
  await expect(agent(page).getByText('Stopped.')).toHaveCount(0);
  expect(await state()).toBe(before);
});

test('an edit that is refused without a reason ends the turn', async ({ page }) => {
  await startProject(page, 'Blank Node');
  const before = await fingerprint(page, 'index.js');
  await say(page, 'replace "Hello" by "Goodbye" in index.js');
  await (await question(page, 'Edit index.js')).focus();
  // A question hears no key in its first moment, so the key may have to be pressed again.
  const reason = agent(page).getByLabel('What should the agent do instead?');
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(reason).toBeFocused({ timeout: 300 });
  }).toPass();
  await page.keyboard.press('Escape');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('Stopped.');
  expect(await fingerprint(page, 'index.js')).toBe(before);
});
