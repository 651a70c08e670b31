// Driving the preview: its frame is another origin's page, reached through the panel.
import type { FrameLocator, Locator, Page } from '@playwright/test';

/** The preview's panel. */
export function preview(page: Page): Locator {
  return page.locator('[data-panel="preview"]');
}

/** The guest's page in it. */
export function previewFrame(page: Page): FrameLocator {
  return page.frameLocator('.preview-frame');
}

/** Ends every service worker of the browser, as the browser itself does when they are idle. */
export async function stopServiceWorkers(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('ServiceWorker.enable');
  await client.send('ServiceWorker.stopAllWorkers');
  await client.detach();
}
