// Driving the agent's panel: say something, answer its questions, wait for the end of its turn.
import type { Locator, Page } from '@playwright/test';
import { expect } from './ide';

/** The agent's panel. */
export function agent(page: Page): Locator {
  return page.locator('[data-panel="agent"]');
}

/** Types a message and sends it with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  const field = agent(page).getByLabel('Message to the agent');
  await field.fill(text);
  await field.press('Enter');
}

/** The open question whose title contains the text; waits for it. */
export async function question(page: Page, title: string): Promise<Locator> {
  const card = agent(page).getByRole('region', { name: `The agent asks: ${title}` });
  await expect(card).toBeVisible();
  return card;
}

/** Allows the question with this title once. */
export async function allow(page: Page, title: string): Promise<void> {
  await (await question(page, title)).getByRole('button', { name: /^Allow once/ }).click();
}

/** The composer's *Send*: there while no turn runs. (Words that wait have buttons of that name, too.) */
export function sendButton(page: Page): Locator {
  return agent(page)
    .locator('.send')
    .and(page.getByRole('button', { name: 'Send' }));
}

/** Until no turn runs: the button is *Send* again. */
export async function untilIdle(page: Page): Promise<void> {
  await expect(sendButton(page)).toBeVisible();
  await expect(agent(page).locator('article[aria-busy="true"]')).toHaveCount(0);
}

/** The row of the n-th call of a tool (0 is the first). */
export function toolCall(page: Page, tool: string, at = 0): Locator {
  return agent(page).locator(`[data-tool="${tool}"]`).nth(at);
}

/** The last answer. */
export function lastAnswer(page: Page): Locator {
  return agent(page).getByRole('article', { name: 'Agent' }).last();
}
