// Journey: a server runs, its page appears, an edit changes it; restarts, crashes and stopped workers in between.
import { test } from '@playwright/test';
import { expect, replaceEditorText, runButton, startProject, stopButton, untilSaved } from './ide';
import { preview, previewFrame, stopServiceWorkers } from './preview';
import { expectTerminal, shell, terminal, typeInTerminal } from './terminal';

test('Run shows the page; an edit and a reload show the change; a stopped worker does not matter', async ({ page }) => {
  await startProject(page, 'HTTP server');
  await runButton(page).click();
  const frame = previewFrame(page);
  await expect(frame.getByRole('heading', { name: 'It runs' })).toBeVisible();
  await expect(frame.locator('#time')).toHaveText(/^\d{1,2}:\d\d:\d\d/);
  await frame.getByRole('heading', { name: 'It runs' }).click();
  // The bridge is a frame of the guest's own origin: with the click that the guest just got, a link in it could take the whole tab away.
  const reached = await frame.locator('body').evaluate(() => {
    const others = Array.from({ length: window.top!.length }, (_, at) => window.top![at] as Window).filter(
      (one) => one !== window,
    );
    return others.filter((one) => {
      try {
        const link = one.document.createElement('a');
        link.href = 'http://taken.localhost:9/';
        link.target = '_top';
        one.document.documentElement.append(link);
        link.click();
        return true;
      } catch {
        return false;
      }
    }).length;
  });
  expect(reached).toBe(1);
  await expect(page.locator('.status-bar')).toContainText(':3000');

  // The same page at other widths: it is not loaded again, and a click meets what it points at.
  await frame.locator('body').evaluate((body) => body.setAttribute('data-mark', 'same page'));
  for (const [name, width] of [
    ['Laptop', 1280],
    ['Phone', 390],
  ] as const) {
    await preview(page)
      .getByRole('button', { name: /^Width of the page/ })
      .click();
    await page.getByRole('menuitemcheckbox', { name: new RegExp(`^${name}, `) }).click();
    await expect.poll(() => frame.locator('body').evaluate(() => innerWidth)).toBe(width);
    // By hand: Playwright takes a frame that is shown smaller for one of its full size.
    const heading = frame.getByRole('heading', { name: 'It runs' });
    const { x, y } = await heading.evaluate((it) => {
      it.addEventListener('click', () => document.body.setAttribute('data-clicked', String(innerWidth)));
      return it.getBoundingClientRect();
    });
    const shown = (await preview(page).locator('iframe').boundingBox())!;
    const scale = shown.width / width;
    await page.mouse.click(shown.x + (x + 10) * scale, shown.y + (y + 10) * scale);
    await expect(frame.locator('body')).toHaveAttribute('data-clicked', String(width));
  }
  await expect(frame.locator('body')).toHaveAttribute('data-mark', 'same page');

  await replaceEditorText(
    page,
    `import { createServer } from 'node:http';
createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.statusCode = request.url === '/' ? 200 : 404;
  response.end(request.url === '/' ? '<h1>It was edited</h1>' : 'Nothing at ' + request.url);
}).listen(3000);
`,
  );
  await untilSaved(page);
  await expect(async () => {
    await preview(page).getByRole('button', { name: 'Reload' }).click();
    await expect(frame.getByRole('heading', { name: 'It was edited' })).toBeVisible({ timeout: 3000 });
  }).toPass();

  await stopServiceWorkers(page);
  await preview(page).getByRole('button', { name: 'Reload' }).click();
  await expect(frame.getByRole('heading', { name: 'It was edited' })).toBeVisible();
  await preview(page).getByLabel('Address in the preview').fill('/nowhere');
  await page.keyboard.press('Enter');
  await expect(frame.locator('body')).toContainText('Nothing at /nowhere');
});

const server = (port: number, says: string) =>
  `require("http").createServer((q, r) => { if (q.url === "/crash") throw new Error("on purpose"); r.setHeader("content-type", "text/html"); r.end("<h1>${says}</h1>"); }).listen(${port}, () => console.log("up"))`;

test('two ports, a tab of its own, a crash that is told', async ({ page, context }) => {
  await startProject(page, 'Blank Node');
  await shell(page, `echo '${server(4000, 'four')}' > a.cjs; echo '${server(5000, 'five')}' > b.cjs`);
  await shell(page, 'node b.cjs > b.log 2>&1 & sleep 0.1');
  // The whole of the stack would push its first line off the screen.
  await typeInTerminal(page, 'clear; node a.cjs 2>&1 | grep -v "^    at [^S]"\n');
  await expectTerminal(page, 'up');
  await page.locator('.status-bar').getByRole('button', { name: /4000/ }).click();
  await expect(previewFrame(page).getByRole('heading', { name: 'four' })).toBeVisible();
  await preview(page)
    .getByRole('button', { name: /^Port 4000/ })
    .click();
  await page.getByRole('menuitemcheckbox', { name: 'Port 5000' }).click();
  await expect(previewFrame(page).getByRole('heading', { name: 'five' })).toBeVisible();
  await page.locator('.status-bar').getByRole('button', { name: /4000/ }).click();
  await expect(previewFrame(page).getByRole('heading', { name: 'four' })).toBeVisible();

  const opening = context.waitForEvent('page');
  await preview(page).getByRole('button', { name: 'Open in a new tab' }).click();
  const tab = await opening;
  await expect(previewFrame(tab).getByRole('heading', { name: 'four' })).toBeVisible();
  await tab.reload();
  await expect(previewFrame(tab).getByRole('heading', { name: 'four' })).toBeVisible();
  await tab.close();

  await page.bringToFront();
  await preview(page).getByLabel('Address in the preview').fill('/crash');
  await page.keyboard.press('Enter');
  await expectTerminal(
    page,
    /Error: on purpose\s+at Server\.<anonymous> .*\s+at Server\.emit \(node:events:\d+:\d+\)\s+Node\.js/,
  );
  await expect(preview(page)).toContainText('Nothing is listening on port 4000 any more.');
  await expect(page.locator('.status-bar')).not.toContainText(':4000');
});

test('a page load of the IDE ends the server; Run brings the page back', async ({ page }) => {
  await startProject(page, 'HTTP server');
  await runButton(page).click();
  await expect(previewFrame(page).getByRole('heading', { name: 'It runs' })).toBeVisible();
  await page.reload();
  await expectTerminal(
    page,
    /npm run dev ended when the page was closed or reloaded\. Run starts it again\.\s.*[#$] *$/,
  );
  await expect(preview(page)).toContainText('Nothing is listening yet.');
  await runButton(page).click();
  await expect(previewFrame(page).getByRole('heading', { name: 'It runs' })).toBeVisible();
  await stopButton(page).click();
  await expect(preview(page)).toContainText('Nothing is listening on port 3000 any more.');
});

test('Express from the registry: Run installs it, the page and its API work', async ({ page }) => {
  await page.goto('/');
  const asked = await page.evaluate(() => fetch('/api/npm/express').then((answer) => answer.status));
  test.skip(asked !== 200, `the npm registry is not reachable from here (status ${asked})`);
  await startProject(page, 'Express');
  await runButton(page).click();
  await expectTerminal(page, /added \d+ packages/);
  const frame = previewFrame(page);
  await expect(frame.getByRole('listitem')).toHaveText(['Change me in server.js']);
  await frame.getByLabel('New note').fill('from the test');
  await frame.getByRole('button', { name: 'Add' }).click();
  await expect(frame.getByRole('listitem')).toHaveText(['Change me in server.js', 'from the test']);
  await expect(terminal(page).getByRole('tab', { name: 'npm run dev' })).toBeVisible();
});
