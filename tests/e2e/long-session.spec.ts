// Journey: a conversation of ten thousand parts. All of it is there and can be reached, though only what is near the screen is drawn.
import { type Page, test } from '@playwright/test';
import { longSession, saveLongSession } from '../fixtures/long-session';
import { agent, lastAnswer, say, toolCall, untilIdle } from './agent';
import { expect, reload, startProject } from './ide';

const drawnBlocks = (page: Page) => agent(page).locator('.block:not([data-drawn="false"])');
const scroller = (page: Page) => agent(page).getByRole('log', { name: 'Conversation' });

async function openLong(page: Page, turns: number, parts: number): Promise<void> {
  await startProject(page, 'Blank Node');
  const session = longSession(turns, parts);
  await saveLongSession(page, session);
  await reload(page);
  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitemcheckbox', { name: session.title }).click();
}

/** Until it is at the end and stays there. */
async function expectAtEnd(page: Page): Promise<void> {
  await expect
    .poll(() => scroller(page).evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight)))
    .toBeLessThan(4);
}

test('first, middle and last are reached; what is open stays open; the end is followed; little is drawn', async ({
  page,
}) => {
  await openLong(page, 100, 99);
  const getByText = (text: string) => scroller(page).getByText(text);
  await expect(getByText('prose 99.97')).toBeInViewport();
  await expectAtEnd(page);

  await scroller(page).focus();
  await page.keyboard.press('Home');
  await expect(getByText('question 0: what about it?')).toBeInViewport();
  await expect(toolCall(page, 'read')).toContainText('src/file-0.2.ts');
  await toolCall(page, 'grep').getByRole('button').click();
  await expect(toolCall(page, 'grep')).toContainText('What the agent was told');

  // What the page's own search would find: text of what is not drawn yet.
  const middle = agent(page).locator('article', { hasText: 'prose 50.1:' });
  await expect(middle.locator('.block').first()).toHaveAttribute('data-drawn', 'false');
  await page.evaluate(() => (window as unknown as { find(text: string): boolean }).find('prose 50.1:'));
  await middle.evaluate((article) => article.querySelector('.block')?.scrollIntoView());
  await expect(getByText('prose 50.1:')).toBeInViewport();
  await expect(middle.locator('[data-tool="read"]').first()).toContainText('src/file-50.2.ts');

  // What stands on the screen stays there while what is above it is drawn and measured.
  await page.mouse.move(1200, 550);
  for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, -300);
  await expect(getByText('prose 49.9').first()).toBeAttached();

  await page.keyboard.press('End');
  await expect(getByText('prose 99.97')).toBeInViewport();
  await expectAtEnd(page);
  expect(await drawnBlocks(page).count()).toBeLessThan(200);
  await scroller(page).press('Home');
  await expect(toolCall(page, 'grep')).toContainText('What the agent was told');

  await say(page, 'find console in index.js');
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('That is where "console" occurs.');
  await expectAtEnd(page);
  await agent(page).getByRole('button', { name: 'Take this turn back, with its changes of files' }).click();
  await expect(scroller(page).getByText('That is where "console" occurs.')).toHaveCount(0);
  await expect(agent(page).getByRole('article')).toHaveCount(200);
});

test('one answer of ten thousand parts; every part is read in its order, drawn or not', async ({ page }) => {
  await openLong(page, 1, 9999);
  await expect(scroller(page).getByText('src/file-0.9998.ts')).toBeInViewport();
  await expectAtEnd(page);
  const places = () =>
    scroller(page).evaluate((log) => [...log.textContent.matchAll(/prose 0\.(\d+)/g)].map((match) => Number(match[1])));
  // What is far from the end comes into the page in the frames after the first.
  await expect.poll(async () => (await places()).length).toBe(2499);
  expect(await places()).toEqual((await places()).sort((a, b) => a - b));
  await expectAtEnd(page);
  await scroller(page).evaluate((log) => {
    log.scrollTop = log.scrollHeight / 2;
  });
  await expect
    .poll(() =>
      scroller(page).evaluate((log) => {
        const { top, height, left, width } = log.getBoundingClientRect();
        return document
          .elementFromPoint(left + width / 2, top + height / 2)
          ?.closest('.block')
          ?.getAttribute('data-drawn');
      }),
    )
    .toBe('true');
  // A question of the agent is drawn and answered, wherever it is.
  await say(page, 'replace "Hello" by "Goodbye" in index.js');
  await agent(page)
    .getByRole('region', { name: 'The agent asks: Edit index.js' })
    .getByRole('button', { name: /^Allow once/ })
    .click();
  await untilIdle(page);
  await expectAtEnd(page);
});
