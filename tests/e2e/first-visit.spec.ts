// Journey: a first visit over a slow line. What is waited for is seen from the first paint on, and so is what will not come.
import { type Route, test } from '@playwright/test';
import { expect, untilReady } from './ide';

test('the wait is seen before any code has come, and how far it is; code that does not come is told, and is loaded again', async ({
  page,
}) => {
  const held: Route[] = [];
  let isHeld = true;
  await page.route('**/_next/static/**/*.js', (route) => (isHeld ? void held.push(route) : route.continue()));
  await page.goto('/new/node', { waitUntil: 'commit' });
  const bar = page.getByRole('progressbar');
  await expect(bar).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Blank Node' })).toBeVisible();
  // The engine's frame is in the HTML too, and waits for none of this.
  await expect(page.getByText(/^Loading \d\d %$/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'All projects' })).toBeVisible();
  await expect.poll(() => held.length).toBeGreaterThan(3);
  await held[0]!.abort();
  await expect(page.getByText('A part of this page did not come.')).toBeVisible();
  isHeld = false;
  await page.getByRole('button', { name: 'Load again' }).click();
  await untilReady(page);
  await expect(bar).toHaveCount(0);
});
