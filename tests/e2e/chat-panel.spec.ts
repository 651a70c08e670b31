// The agent's panel while one works with it: what a command printed in its colours and with its links, where the transcript stands, which question has
// the keys.
import AxeBuilder from '@axe-core/playwright';
import { type Page, test } from '@playwright/test';
import { agent, allow, question, say, toolCall, untilIdle } from './agent';
import { editor, expect, startProject } from './ide';

const scroller = (page: Page) => agent(page).getByRole('log', { name: 'Conversation' });
const toEnd = (page: Page) => agent(page).getByRole('button', { name: 'To the end' });
const call = (page: Page, tool: string, input: object) => say(page, `call ${tool} with ${JSON.stringify(input)}`);

/** Of a text in the output: its colour and that of a token, as the browser computes them. */
async function colours(page: Page, text: string, token: string): Promise<[string, string]> {
  return toolCall(page, 'bash')
    .locator('.output span', { hasText: text })
    .first()
    .evaluate((span, name) => {
      const probe = document.createElement('i');
      probe.style.color = `var(--${name})`;
      span.append(probe);
      const found: [string, string] = [getComputedStyle(span).color, getComputedStyle(probe).color];
      probe.remove();
      return found;
    }, token);
}

test('what a command prints keeps its colours, runs nothing, and leads to files and pages', async ({ page }) => {
  await startProject(page, 'TypeScript with tests');
  const printed =
    '\\033[31mFAIL\\033[0m src/duration.ts:23:5 <img src=x onerror=alert(1)>\\n\\033[1;32mdone\\033[0m https://example.com/a?b. \\033]8;;javascript:x\\007no link\\033]8;;\\007\\n';
  await call(page, 'bash', { command: `printf '${printed}'; exit 1` });
  await allow(page, 'Run printf');
  await untilIdle(page);
  const output = toolCall(page, 'bash').locator('.output').first();
  await expect(output).toContainText('FAIL src/duration.ts:23:5 <img src=x onerror=alert(1)>');
  await expect(output.locator('img')).toHaveCount(0);
  const [red, token] = await colours(page, 'FAIL', 'red');
  expect(red).toBe(token);
  await expect(output.getByRole('link')).toHaveText(['https://example.com/a?b']);
  await expect(output.getByRole('link')).toHaveAttribute('rel', /noopener noreferrer/);
  const { violations } = await new AxeBuilder({ page }).include('[data-panel="agent"]').analyze();
  expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
  await output.getByRole('button', { name: 'src/duration.ts:23:5' }).click();
  await expect(page.locator('.status-bar')).toContainText('Ln 23, Col 5');
  await expect(editor(page).getByRole('tabpanel', { name: 'duration.ts' })).toBeVisible();
  // The same text, whole, as the agent was told it.
  await toolCall(page, 'bash').locator('.tool-toggle').click();
  await expect(toolCall(page, 'bash').locator('.tool-whole .output span').first()).toHaveText('FAIL');
});

test('who scrolled up stays there while output arrives; at the end there is no way to it', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await call(page, 'write', {
    path: 'long.txt',
    content: Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n'),
  });
  await question(page, 'Create long.txt');
  await expect(toEnd(page)).toHaveCount(0);
  await scroller(page).evaluate((log) => log.scrollTo(0, 0));
  await expect(toEnd(page)).toBeVisible();
  // The question goes, and with it all that was below.
  await agent(page).getByRole('button', { name: 'Stop', exact: true }).last().click();
  await untilIdle(page);
  await expect.poll(() => scroller(page).evaluate((log) => log.scrollHeight - log.clientHeight)).toBeLessThan(2);
  await expect(toEnd(page)).toHaveCount(0);

  await call(page, 'bash', { command: 'seq 1 30; for i in 1 2 3 4 5 6; do sleep 0.5; echo more; done; exit 1' });
  await allow(page, 'Run seq 1 30');
  await expect(toolCall(page, 'bash').locator('.output')).toContainText('30');
  await scroller(page).hover();
  await page.mouse.wheel(0, -2000);
  await expect.poll(() => scroller(page).evaluate((log) => log.scrollTop)).toBe(0);
  await untilIdle(page);
  expect(await scroller(page).evaluate((log) => log.scrollTop)).toBe(0);
  await toEnd(page).click();
  await expect(toEnd(page)).toHaveCount(0);
});

test('of several questions the one with the keys is on the screen; after the last answer the end is followed', async ({
  page,
}) => {
  await startProject(page, 'Blank Node');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).getByLabel('Programs over tools').check();
  await page.keyboard.press('Escape');
  const content = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
  const code = `await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((path) => tools.write({ path, content: ${JSON.stringify(content)} })));`;
  await agent(page).getByLabel('Message to the agent').focus();
  await call(page, 'execute', { code });
  const cards = agent(page).locator('[data-ask]');
  await expect(cards).toHaveCount(3);
  for (let left = 3; left > 0; left--) {
    await expect(cards).toHaveCount(left);
    await expect(cards.first()).toBeFocused();
    await expect(cards.first().getByRole('button', { name: /^Allow once/ })).toBeInViewport();
    // A question hears no key in its first moment, so the key may have to be pressed again.
    await expect(async () => {
      if ((await cards.count()) === left) await page.keyboard.press('Enter');
      await expect(cards).toHaveCount(left - 1, { timeout: 700 });
    }).toPass();
  }
  await untilIdle(page);
  await expect(toEnd(page)).toHaveCount(0);
  await expect(agent(page).getByLabel('Message to the agent')).toBeFocused();
});

test('what the person scrolls is theirs: a question taller than the screen is left and found again, and no way to it covers a button', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/new/node');
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Agent' }).click();
  await call(page, 'question', {
    questions: Array.from({ length: 4 }, (_, at) => ({
      question: `Which of these, number ${at}?`,
      header: `Choice ${at}`,
      options: ['one', 'two', 'three'].map((label) => ({ label, description: `It is ${label}` })),
    })),
  });
  const form = agent(page).getByRole('form');
  const stop = form.getByRole('button', { name: /^Stop/ });
  await expect(stop).toBeInViewport({ ratio: 1 });
  await expect(toEnd(page)).toHaveCount(0);
  // A little up: the buttons stand where they stood, and the way to the end beside them.
  await scroller(page).hover();
  await page.mouse.wheel(0, -60);
  await expect(toEnd(page)).toBeVisible();
  for (const name of [/^Answer/, /^Decide/, /^Stop/]) {
    const button = form.getByRole('button', { name });
    if (!(await button.evaluate((it) => it.getBoundingClientRect().bottom <= innerHeight))) continue;
    const covered = await button.evaluate((it) => {
      const way = document.querySelector('.to-end')!.getBoundingClientRect();
      const own = it.getBoundingClientRect();
      return own.right > way.left && own.left < way.right && own.bottom > way.top && own.top < way.bottom
        ? it.closest('.transcript-scroll')!.getBoundingClientRect().bottom > way.top
        : false;
    });
    expect(covered).toBe(false);
  }
  await toEnd(page).click();
  await expect(stop).toBeInViewport({ ratio: 1 });
  await expect(toEnd(page)).toHaveCount(0);
});
