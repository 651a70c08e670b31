// From opening a page to the shell's prompt: the engine alone on the static server, and the whole product on its own. Cold is a browser profile
// that has seen nothing; warm is a later visit in the same profile (the browser keeps compiled code from the second visit on), for the product after
// it says that it works offline: then its files are kept, and its service workers answer.
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
        withFreshProfile(async (context) => {
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
  editorMs?: number;
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
        withFreshProfile(async (context) => {
          await context.addInitScript(watchForPrompt);
          const visit = (url: string): Promise<{ prompt: number; editor: number; url: string }> =>
            withPage(context, async (page) => {
              await page.goto(url, { waitUntil: 'commit' });
              const prompt = await promptTime(page);
              const shown = await page.waitForFunction(() => (window as Marked).editorMs, undefined, {
                timeout: LIMIT_MS,
                polling: 50,
              });
              await page.getByText('works offline').waitFor({ timeout: LIMIT_MS });
              return { prompt, editor: (await shown.jsonValue()) as number, url: page.url() };
            });
          const cold = await visit(`${origin}/new/node`);
          await visit(cold.url);
          const warm = await visit(cold.url);
          return {
            cold: cold.prompt,
            warm: warm.prompt,
            'editor, cold': cold.editor,
            'editor, warm': warm.editor,
          };
        }),
    },
    rounds: 5,
    targets: { cold: COLD, warm: WARM },
    notes: {
      cold: 'from opening /new/node to the prompt in the terminal; the server runs on the same processors',
      warm: 'third visit of the profile; the service workers are installed',
      'editor, cold': 'until the editor shows the first file, which comes after the prompt',
    },
  };
}

/** Runs in every page before its own scripts. */
function watchForPrompt(): void {
  const marked = window as Marked;
  const timer = setInterval(() => {
    if (document.querySelector('[data-panel="editor"] .view-line')) marked.editorMs ??= performance.now();
    const rows = document.querySelector('[data-panel="terminal"] .xterm-rows');
    if (rows && /[#$]/.test(rows.textContent)) marked.promptMs ??= performance.now();
    if (marked.promptMs && marked.editorMs) clearInterval(timer);
  }, 10);
}
