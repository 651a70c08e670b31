// Driving the terminal: keys go into xterm, answers are read from its rows. Keep outputs below a dozen short lines: only the screen can be read.
import type { Locator, Page } from '@playwright/test';
import { expect, patienceMs } from './ide';

/** The terminal's panel. */
export function terminal(page: Page): Locator {
  return page.locator('[data-panel="terminal"]');
}

/** What is on the screen of the terminal, one string a row. */
export function screenRows(page: Page): Promise<string[]> {
  return terminal(page)
    .locator('.xterm-rows > div')
    .evaluateAll((rows) => rows.map((row) => row.textContent.replaceAll('\u00a0', ' ').trimEnd()));
}

/** Types into the shown terminal, as it is; `\n` is Enter. */
export async function typeInTerminal(page: Page, text: string): Promise<void> {
  await terminal(page).locator('.xterm-helper-textarea').focus();
  await page.keyboard.type(text);
}

/** Waits until the screen shows the text, rows joined. */
export async function expectTerminal(page: Page, text: string | RegExp, timeoutMs = patienceMs): Promise<void> {
  const screen = expect.poll(async () => (await screenRows(page)).join('\n').trim(), { timeout: timeoutMs });
  if (typeof text === 'string') await screen.toContain(text);
  else await screen.toMatch(text);
}

let commands = 0;

/** Runs a command line in the shown shell to its end: what it printed, and its exit code. */
export async function shell(page: Page, command: string): Promise<{ output: string; code: number }> {
  const name = `end${++commands}`;
  await typeInTerminal(page, `clear; ${command}; echo "[$?]" '${name.slice(0, 3)}''${name.slice(3)}'\n`);
  let found: RegExpExecArray | null = null;
  await expect
    .poll(async () => {
      found = new RegExp(`^([^]*?)\\[(\\d+)\\] ${name}$`, 'm').exec((await screenRows(page)).join('\n'));
      return found !== null;
    })
    .toBe(true);
  return { output: found![1].trimEnd(), code: Number(found![2]) };
}

/** The contents of a file as the computer has it: size and SHA-256 of its bytes. */
export async function fingerprint(page: Page, path: string): Promise<string> {
  const { output } = await shell(page, `sha256sum < '${path}' | cut -c1-64`);
  return output.trim();
}
