// From opening a page to the shell's prompt: the engine alone on the static server, and the whole product on its own. Cold is a browser profile
// that has seen nothing; warm is a later visit in the same profile (the browser keeps compiled code from the second visit on).
import type { BrowserContext, Page } from '@playwright/test';
import type { SandboxBrowser } from '../sandbox/browser.ts';
import type { Contest } from './contest.ts';
import { type Stage, withFreshProfile, withPage } from './stage.ts';

const COLD = { most: 1500 };
const WARM = { most: 700 };
const LIMIT_MS = 60_000;

/** The engine in the plainest page: boot, then an interactive shell until it prompts. */
export async function engineBoot({ browser }: Stage): Promise<Contest> {
  return {
    contestants: {
      cloche: () =>
        withFreshProfile(browser, async (context) => {
          const cold = await bootOnce(browser, context);
          await bootOnce(browser, context);
          return { cold, warm: await bootOnce(browser, context) };
        }),
    },
    rounds: 5,
    targets: { cold: COLD, warm: WARM },
    notes: { cold: 'from the start of the navigation to the prompt', warm: 'third visit of the profile' },
  };
}

interface Marked {
  promptMs?: number;
  bootFailure?: string;
}

function bootOnce(browser: SandboxBrowser, context: BrowserContext): Promise<number> {
  const hostUrl = `${browser.server.sandboxOrigin}/engine/host.html`;
  return withPage(context, async (page) => {
    await page.addInitScript((url) => {
      if (window.parent !== window) return;
      const marked = window as Marked;
      const prompt = async (): Promise<void> => {
        const engine = await window.cloche.bootEngine({ hostUrl: url, timeoutMs: 30_000 });
        const env = {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          HOME: '/root',
          PWD: '/home/project',
          TERM: 'xterm-256color',
        };
        const terminal = { columns: 80, rows: 24 };
        const shell = await engine.spawn({ command: 'bash', args: [], cwd: '/home/project', env, terminal });
        const reader = shell.output.getReader();
        for (let text = ''; !/[#$]/.test(text); ) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`The shell ended without a prompt: ${text}`);
          text += new TextDecoder().decode(value);
        }
        marked.promptMs = performance.now();
      };
      addEventListener('DOMContentLoaded', () =>
        prompt().catch((error) => {
          marked.bootFailure = String(error);
        }),
      );
    }, hostUrl);
    await page.goto(browser.server.ideOrigin);
    return promptTime(page);
  });
}

async function promptTime(page: Page): Promise<number> {
  const found = await page.waitForFunction(
    () => {
      const { promptMs, bootFailure } = window as Marked;
      return promptMs === undefined && bootFailure === undefined ? false : { promptMs, bootFailure };
    },
    undefined,
    { timeout: LIMIT_MS, polling: 50 },
  );
  const { promptMs, bootFailure } = (await found.jsonValue()) as Marked;
  if (promptMs === undefined) throw new Error(bootFailure);
  return promptMs;
}

/** The built product: a new project from its template, then the same project again. */
export async function productBoot(stage: Stage): Promise<Contest> {
  const origin = await stage.product();
  return {
    contestants: {
      cloche: () =>
        withFreshProfile(stage.browser, async (context) => {
          await context.addInitScript(watchForPrompt);
          const visit = (url: string): Promise<{ ms: number; url: string }> =>
            withPage(context, async (page) => {
              await page.goto(url, { waitUntil: 'commit' });
              const ms = await promptTime(page);
              return { ms, url: page.url() };
            });
          const first = await visit(`${origin}/new/node`);
          await visit(first.url);
          return { cold: first.ms, warm: (await visit(first.url)).ms };
        }),
    },
    rounds: 5,
    targets: { cold: COLD, warm: WARM },
    notes: {
      cold: 'from opening /new/node to the prompt in the terminal; the server runs on the same processors',
      warm: 'third visit of the profile',
    },
  };
}

/** Runs in every page before its own scripts. */
function watchForPrompt(): void {
  const marked = window as Marked;
  const timer = setInterval(() => {
    const rows = document.querySelector('[data-panel="terminal"] .xterm-rows');
    if (!rows || !/[#$]/.test(rows.textContent)) return;
    marked.promptMs = performance.now();
    clearInterval(timer);
  }, 10);
}
