// Journey: another computer below the same IDE. Its host is our own engine, by the published WebContainer client; StackBlitz's cannot be reached from tests.
import { type Page, test } from '@playwright/test';
import { originOf, PREVIEW, SANDBOX } from './hosts';
import {
  editor,
  expect,
  expectEditor,
  reload,
  replaceEditorText,
  startProject,
  untilReady,
  untilSaved,
  untilTypable,
} from './ide';
import { shell } from './terminal';

/** Chooses in the settings what the next project is opened on. */
async function choose(page: Page, computer: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: /^Computer/ }).selectOption({ label: computer });
  await page.keyboard.press('Escape');
}

/** Until a name is in the project's file. A container tells of changes a moment later, so that *saved* may still be of before. */
async function untilKept(page: Page, name: string): Promise<void> {
  const isKept = () =>
    page.evaluate(async (wanted) => {
      const projects = await (await navigator.storage.getDirectory()).getDirectoryHandle('projects');
      for await (const handle of projects.values())
        if (handle.kind === 'file') {
          const file = await (handle as FileSystemFileHandle).getFile();
          if ((await file.text()).includes(wanted)) return true;
        }
      return false;
    }, name);
  await expect.poll(isKept).toBe(true);
}

const CONTAINERS = 'WebContainers (StackBlitz; needs their servers)';
const CLOCHE = 'Cloche’s own engine';

test('a project moves to WebContainers and back, and keeps its files', async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  await page.addInitScript(
    (url) => Object.assign(globalThis, { WEBCONTAINER_API_IFRAME_URL: url }),
    originOf(baseURL!, SANDBOX),
  );
  await startProject(page, 'Blank Node');
  await untilTypable(page);
  await replaceEditorText(page, 'console.log("written on the engine", process.env.HOME)');
  await untilSaved(page);
  await shell(
    page,
    'mkdir -p node_modules/mine; echo 1 > node_modules/mine/here; ln -s index.js link.js; ln -s /etc/hosts away',
  );
  await choose(page, CONTAINERS);

  await reload(page);
  await expect(page.locator('.storage-notice')).toContainText('node_modules was installed on Cloche’s engine');
  await expectEditor(page, 'written on the engine');
  expect((await shell(page, 'readlink away; readlink link.js; node link.js')).output).toMatch(
    /^\/etc\/hosts\s+index\.js\s+written on the engine/,
  );
  await replaceEditorText(page, 'console.log("written in the container")');
  await untilSaved(page);
  expect(
    await shell(page, 'node index.js | tee out.txt; mkdir deep; echo x > deep/file; rm link.js; echo > last-1'),
  ).toMatchObject({
    output: 'written in the container',
  });
  await untilKept(page, 'last-1');

  await reload(page);
  expect(
    (await shell(page, 'cat out.txt deep/file; ls link.js; ln -s out.txt again.js; echo > last-2')).output,
  ).toMatch(/^written in the container\s+x\s+.*cannot access.*link\.js/);
  await untilKept(page, 'last-2');
  await choose(page, CLOCHE);

  await reload(page);
  const { output } = await shell(
    page,
    'cat out.txt deep/file node_modules/mine/here; readlink again.js away; ls link.js',
  );
  expect(output).toMatch(/^written in the container\s+x\s+1\s+out\.txt\s+\/etc\/hosts\s+.*cannot access.*link\.js/);
});

test('a host that is out of reach is named, and one click goes on with Cloche’s engine', async ({ page }) => {
  test.setTimeout(120_000);
  // The name is not left to the network of whoever runs the tests.
  await page.context().route('https://stackblitz.com/**', (route) => route.abort());
  await startProject(page, 'Blank Node');
  await untilTypable(page);
  await replaceEditorText(page, 'console.log("still here")');
  await untilSaved(page);
  await choose(page, CONTAINERS);
  await page.reload();
  const failure = page.getByRole('alert').filter({ hasText: 'did not start' });
  await expect(failure).toContainText('https://stackblitz.com did not answer within 15 s');
  await failure.getByRole('button', { name: 'Use Cloche’s engine' }).click();
  await untilReady(page);
  await expectEditor(page, 'still here');
  expect(await shell(page, 'node index.js')).toEqual({ output: 'still here', code: 0 });
  await reload(page);
  await expect(editor(page)).toBeVisible();
});

test('one need not wait for it', async ({ page }) => {
  await page.context().route('https://stackblitz.com/**', () => {});
  await startProject(page, 'Blank Node');
  await choose(page, CONTAINERS);
  await page.reload();
  await expect(page.getByText('Waiting for stackblitz.com')).toBeVisible();
  await page.getByRole('button', { name: 'Use Cloche’s engine' }).click();
  await untilReady(page);
});

test('pages of those who did not choose it may not frame StackBlitz', async ({ page }) => {
  const policyOf = async () => (await page.goto('/'))!.headers()['content-security-policy'];
  expect(await policyOf()).not.toContain('stackblitz');
  await startProject(page, 'Blank Node');
  await choose(page, CONTAINERS);
  expect(await policyOf()).toMatch(/frame-src http:\/\/sandbox\.cloche\.localhost:\d+ [^;]*https:\/\/stackblitz\.com /);
});

test('a guest cannot choose for the person', async ({ page, baseURL }) => {
  // A text, because the boot page goes on by itself.
  await page.goto(`${originOf(baseURL!, PREVIEW)}/__cloche/ws.js`);
  await page.evaluate(() => {
    for (const domain of ['', '; domain=cloche.localhost']) {
      // biome-ignore lint/suspicious/noDocumentCookie: it is what a guest would do.
      document.cookie = `__Host-cloche-computer=webcontainer; path=/; secure${domain}`;
    }
  });
  const ide = await page.context().newPage();
  expect((await ide.goto('/'))!.headers()['content-security-policy']).not.toContain('stackblitz');
});
