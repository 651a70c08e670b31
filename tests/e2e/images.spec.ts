// Journey: an image that the person shows, and one that the agent reads.
import { test } from '@playwright/test';
import { agent, say, toolCall, untilIdle } from './agent';
import { expect, startProject } from './ide';
import { shell } from './terminal';

/** 3 × 2 pixels, red. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==';

test('a pasted image becomes a chip, goes with the message and opens; a broken one is refused', async ({ page }) => {
  await startProject(page, 'Blank Node');
  const field = agent(page).getByLabel('Message to the agent');
  const paste = (name: string, base64: string) =>
    field.evaluate(
      (element, [fileName, content]) => {
        const bytes = Uint8Array.from(atob(content!), (char) => char.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], fileName!, { type: 'image/png' }));
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      [name, base64],
    );
  await paste('red.png', png);
  await expect(agent(page).getByRole('button', { name: 'Open red.png' })).toBeVisible();
  await paste('broken.png', png.slice(0, 40));
  await expect(page.getByText(/Could not add broken\.png/)).toBeVisible();
  await field.evaluate(async (element) => {
    const canvas = new OffscreenCanvas(3000, 300);
    canvas.getContext('2d')!.fillRect(0, 0, 10, 10);
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([await canvas.convertToBlob()], 'big.png', { type: 'image/png' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await agent(page).getByRole('button', { name: 'Open big.png' }).click();
  const big = page.getByRole('dialog', { name: 'big.png' }).getByRole('img');
  await expect.poll(() => big.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(2000);
  await page.keyboard.press('Escape');
  await say(page, 'list the files');
  await untilIdle(page);
  const said = agent(page).getByRole('article', { name: 'You' }).last();
  await said.getByRole('button', { name: 'Open red.png' }).click();
  const opened = page.getByRole('dialog', { name: 'red.png' }).getByRole('img');
  await expect.poll(() => opened.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3);
  await page.keyboard.press('Escape');
  await expect(agent(page).getByRole('list', { name: 'Goes with the message' })).toHaveCount(0);
});

test('read shows an image by what it is, and says of a broken one that it is', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await shell(page, `echo ${png} | base64 -d > photo.txt; head -c 20 photo.txt > broken.png`);
  await say(page, 'read photo.txt');
  await untilIdle(page);
  const row = toolCall(page, 'read');
  await row.getByRole('button', { name: 'Open photo.txt' }).click();
  const opened = page.getByRole('dialog', { name: 'photo.txt' }).getByRole('img');
  await expect.poll(() => opened.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(2);
  await page.keyboard.press('Escape');
  await say(page, 'read broken.png');
  await untilIdle(page);
  await toolCall(page, 'read', 1).getByRole('button').first().click();
  await expect(toolCall(page, 'read', 1)).toContainText("can't be decoded");
});
