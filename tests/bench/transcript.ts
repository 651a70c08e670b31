// A conversation of 10,000 parts in the built product: how long it takes to show, whether scrolling or an answer that streams into it blocks the
// page, and how late a typed letter is. As a hundred answers, as a single endless one, and as five thousand short ones.
import type { Page } from '@playwright/test';
import { type LongSession, longSession, saveLongSession } from '../fixtures/long-session.ts';
import type { Contest } from './contest.ts';
import { longestTask } from './main-thread.ts';
import { type Stage, withFreshProfile, withPage } from './stage.ts';

const shapes: Record<string, LongSession> = {
  'many answers': longSession(100, 99),
  'one answer': longSession(1, 9999),
  'short answers': longSession(5000, 2),
};

/** A round that waits longer for anything has failed, and says for what. */
const mostWaitMs = 60_000;

/** One round opens, scrolls, types and asks in each shape. */
export async function longTranscript(stage: Stage): Promise<Contest> {
  const origin = await stage.product();
  const targets: Contest['targets'] = {};
  const notes: Contest['notes'] = {};
  for (const shape of Object.keys(shapes)) {
    targets[`${shape}: open`] = { most: 1000 };
    notes[`${shape}: open`] = 'from the click on its name to its last words on the screen';
    targets[`${shape}: letter`] = { most: 50 };
    notes[`${shape}: letter`] = 'median from a key to the next frame';
    for (const work of ['opening', 'scrolling', 'asking']) {
      targets[`${shape}: longest task of ${work}`] = { most: 50 };
      targets[`${shape}: longest task of ${work}, processor`] = { most: 50 };
    }
    notes[`${shape}: longest task of scrolling`] =
      '280 frames at the end, at the beginning and in the middle, and by the scrollbar';
    notes[`${shape}: longest task of asking`] = 'while the practice model answers in three steps at its end';
  }
  return {
    contestants: {
      cloche: () =>
        withFreshProfile((context) =>
          withPage(context, async (page) => {
            await page.setViewportSize({ width: 1440, height: 900 });
            await page.goto(`${origin}/new/node`);
            await untilReady(page);
            for (const session of Object.values(shapes)) await saveLongSession(page, session);
            const samples: Record<string, number> = {};
            for (const [shape, session] of Object.entries(shapes)) {
              const watch = async (work: string, run: () => Promise<unknown>): Promise<void> => {
                const { wallMs, cpuMs } = await longestTask(page, run);
                samples[`${shape}: longest task of ${work}`] = wallMs;
                samples[`${shape}: longest task of ${work}, processor`] = cpuMs;
              };
              await page.reload();
              await untilReady(page);
              await page.getByText('works offline').waitFor({ timeout: 90_000 });
              const place = await placeOf(page, session);
              await watch('opening', async () => {
                samples[`${shape}: open`] = await open(page, session, place);
              });
              await watch('scrolling', () => scrollThrough(page));
              samples[`${shape}: letter`] = await letter(page);
              await page.getByLabel('Message to the agent').fill('find console in index.js');
              await watch('asking', () => answer(page));
            }
            return samples;
          }),
        ),
    },
    rounds: 3,
    targets,
    notes,
  };
}

async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(
    () => /[#$] *$/.test(document.querySelector('[data-panel="terminal"] .xterm-rows')?.textContent ?? ''),
    undefined,
    { timeout: 90_000 },
  );
}

/** Where its name is in the list of conversations, which is open then. */
async function placeOf(page: Page, session: LongSession): Promise<{ x: number; y: number }> {
  await page.locator('.chat-title').click();
  const item = page.getByRole('menuitemcheckbox', { name: session.title });
  await item.hover();
  const { x, y, width, height } = (await item.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

// While tasks are measured nothing is looked for by Playwright: its selectors go over the whole page, in the page.

async function open(page: Page, session: LongSession, { x, y }: { x: number; y: number }): Promise<number> {
  const last = session.messages.at(-1)!.parts.findLast((part) => part.type === 'text')!;
  // Armed before the click goes out: keys and clicks reach the page by another way than scripts, and may overtake them.
  await page.evaluate(
    ([wanted, mostMs]) => {
      (window as { opening?: Promise<number> }).opening = new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error('the conversation is not shown')), mostMs);
        let startedMs = Number.POSITIVE_INFINITY;
        addEventListener(
          'click',
          () => {
            startedMs = performance.now();
          },
          { capture: true, once: true },
        );
        const look = (): void => {
          const texts = document.querySelectorAll('.stretch:last-child article:last-of-type .prose');
          const isShown = Number.isFinite(startedMs) && texts[texts.length - 1]?.textContent.includes(wanted);
          if (!isShown) return void requestAnimationFrame(look);
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedMs)));
        };
        look();
      });
    },
    [last.type === 'text' ? last.text.slice(0, last.text.indexOf(':')) : '', mostWaitMs] as const,
  );
  await page.mouse.click(x, y);
  return page.evaluate(() => (window as { opening?: Promise<number> }).opening!);
}

/** As with a wheel at the beginning, the middle and the end, and as with the scrollbar in between: a number of frames that does not grow with the conversation. */
function scrollThrough(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const element = document.querySelector('.transcript-scroll')!;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const wheel = async (byPx: number): Promise<void> => {
      for (let frames = 0; frames < 40; frames++) {
        element.scrollTop += byPx;
        await frame();
      }
    };
    const length = element.scrollHeight - element.clientHeight;
    await wheel(-400);
    for (let drag = 1; drag <= 20; drag++) {
      element.scrollTop = length * (1 - drag / 20);
      await frame();
    }
    await wheel(400);
    element.scrollTop = length / 2;
    await wheel(400);
    await wheel(-400);
    element.scrollTop = element.scrollHeight;
    await wheel(400);
  });
}

async function letter(page: Page): Promise<number> {
  await page.getByLabel('Message to the agent').click();
  await page.evaluate(() => {
    const watched = window as { letters?: number[] };
    watched.letters = [];
    addEventListener(
      'keydown',
      () => {
        const startedMs = performance.now();
        requestAnimationFrame(() => setTimeout(() => watched.letters!.push(performance.now() - startedMs)));
      },
      { capture: true },
    );
  });
  await page.keyboard.type('what is in these thirty letters', { delay: 60 });
  await page.waitForTimeout(200);
  const letters = await page.evaluate(() => (window as { letters?: number[] }).letters!);
  return letters.sort((a, b) => a - b)[letters.length >> 1]!;
}

async function answer(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await page.evaluate(
    (mostMs) =>
      new Promise<void>((resolve, reject) => {
        setTimeout(() => reject(new Error('the practice model does not answer')), mostMs);
        const look = (): void => {
          const answer = document.querySelector('.stretch:last-child article:last-of-type');
          if (answer?.textContent.includes('That is where "console" occurs.')) setTimeout(resolve, 500);
          else requestAnimationFrame(look);
        };
        look();
      }),
    mostWaitMs,
  );
}
