// Files that are dragged in from outside. Playwright can't drag from the system, so the drop is made in the page, with files made there.
import type { Locator } from '@playwright/test';

/** Drops so many small text files named `file-0.txt` … onto the element. */
export async function dropFiles(target: Locator, count: number): Promise<void> {
  await target.evaluate((element, files) => {
    const dataTransfer = new DataTransfer();
    for (let at = 0; at < files; at++) dataTransfer.items.add(new File([`file ${at}\n`], `file-${at}.txt`));
    for (const type of ['dragenter', 'dragover', 'drop'])
      element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }, count);
}
