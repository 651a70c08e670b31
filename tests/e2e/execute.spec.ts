// Journey: programs over tools. The person turns them on; a program reads, asks and changes through the tools, is stopped, runs out of its budget,
// and gets nowhere when it attacks.
import AxeBuilder from '@axe-core/playwright';
import { type Page, type Request, test } from '@playwright/test';
import { agent, allow, lastAnswer, question, say, toolCall, untilIdle } from './agent';
import { attack, SECRET } from './attack';
import { ask, IDE, originOf, SANDBOX } from './hosts';
import { expect, reload, startProject, untilReady } from './ide';
import { startOwnServer } from './own-server';
import { shell } from './terminal';

async function turnOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).getByLabel('Programs over tools').check();
  await page.keyboard.press('Escape');
}

const run = (page: Page, code: string, more = {}) =>
  say(page, `call execute with ${JSON.stringify({ code, ...more })}`);

/** What the model was told, whole. */
async function told(page: Page, at = 0): Promise<string> {
  const row = toolCall(page, 'execute', at);
  const toggle = row.locator('.tool-toggle');
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
  return (await row.locator('.tool-whole .output pre').textContent())!;
}

const frames = (page: Page) => page.frames().filter((frame) => frame.url().includes('/engine/program.html'));

test('a program searches and changes files; each change asks with its diff', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await agent(page).locator('.chat-title').click();
  await page.getByRole('menuitem', { name: 'What the model sees…' }).click();
  const sees = page.getByRole('dialog', { name: 'What the model sees' });
  await expect(sees).toContainText('execute Programs over tools are turned off in the settings.');
  await page.keyboard.press('Escape');
  await turnOn(page);
  await run(
    page,
    `const { paths } = await tools.glob({ pattern: '*.js*' });
const texts = await Promise.all(paths.map((path) => tools.read({ path })));
await tools.edit({ path: 'index.js', oldString: 'Hello', newString: 'Goodbye' });
const { exit, output } = await tools.bash({ command: 'node index.js' });
return { files: paths.sort(), characters: texts.join('').length > 50, exit, output };`,
    { title: 'Say goodbye' },
  );
  const card = await question(page, 'Edit index.js');
  await expect(card.locator('.diff')).toContainText('Goodbye');
  await expect(toolCall(page, 'execute')).toContainText('waits for you');
  await expect(toolCall(page, 'execute').locator('.task-progress')).toContainText('read package.json');
  await allow(page, 'Edit index.js');
  await allow(page, 'Run node index.js');
  await untilIdle(page);
  const row = toolCall(page, 'execute');
  await expect(row).toContainText('Say goodbye');
  await expect(row).toContainText(/[45] calls/);
  const { violations } = await new AxeBuilder({ page }).include('[data-panel="agent"]').analyze();
  expect(violations.map((one) => `${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
  const value = JSON.parse(await told(page));
  expect(value).toMatchObject({ files: ['index.js', 'package.json'], characters: true, exit: 0 });
  expect(value.output).toContain('Goodbye');
  await row.getByRole('button', { name: /calls\. Show all/ }).click();
  await expect(row.locator('.task-progress p')).toHaveCount(value.files.length + 3);
  expect(frames(page)).toEqual([]);
  // One turn, one undo.
  await agent(page)
    .getByRole('button', { name: /^Take this turn back/ })
    .click();
  await expect.poll(async () => (await shell(page, 'cat index.js')).output).toContain('Hello');
});

test('stop, a budget that is used up, and a refusal', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await turnOn(page);
  await run(page, 'for (;;) {}');
  await expect(toolCall(page, 'execute')).toContainText('Running a program');
  await expect.poll(() => frames(page).length).toBe(1);
  // The page is not the program's: it answers.
  await agent(page).getByRole('button', { name: 'Stop' }).click();
  await untilIdle(page);
  await expect(toolCall(page, 'execute')).toContainText('interrupted');
  expect(frames(page)).toEqual([]);

  await run(page, 'console.log("begun"); for (;;) {}', { timeoutMs: 1500 });
  await untilIdle(page);
  await expect(toolCall(page, 'execute', 1)).toContainText('The program was stopped after 1.5 s.');
  await expect(toolCall(page, 'execute', 1)).toContainText('begun');

  await run(page, "try { await tools.write({ path: 'no.txt', content: 'x' }) } catch (error) { return error.message }");
  const card = await question(page, 'Create no.txt');
  await card.getByRole('button', { name: /^No/ }).click();
  await card.getByLabel('What should the agent do instead?').fill('leave it');
  await card.getByLabel('What should the agent do instead?').press('Enter');
  await untilIdle(page);
  expect(await told(page, 2)).toBe('The person refused this call and says: leave it');
  expect((await shell(page, 'ls no.txt')).output).toContain('No such file');
});

test('what is too long is kept by name, over a reload', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await turnOn(page);
  await run(
    page,
    "return Array.from({ length: 200_000 }, (_, at) => 'row number ' + at + ' of a very long list').join('\\n')",
  );
  await untilIdle(page);
  expect(await told(page)).toContain('row number 199 of a very long list');
  const whole = toolCall(page, 'execute').locator('.tool-whole');
  const name = /output:\/\/[0-9a-f]{16}/.exec((await whole.textContent())!)![0];
  await whole.getByRole('button', { name: 'Open all of it' }).click();
  await expect(page.getByRole('tabpanel', { name: `${name.slice('output://'.length)}.txt` })).toBeVisible();
  await reload(page);
  await say(page, `call read with ${JSON.stringify({ path: name, offset: 123_457, limit: 1 })}`);
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('123457: row number 123456 of a very long list');
  await say(page, `call grep with ${JSON.stringify({ path: name, pattern: 'number 19999\\d ', limit: 5 })}`);
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('row number 199990 of');
});

test('a program that attacks gets nothing: no origin, no network, no storage', async ({ page, baseURL }) => {
  const { headers } = await ask(baseURL!, SANDBOX, '/engine/program.html');
  expect(headers['content-security-policy']).toContain('sandbox allow-scripts');
  expect(headers['content-security-policy']).not.toContain('allow-same-origin');
  // The page's own request, which is none of the program's.
  const listed = page.waitForResponse(/\/api\/models/);
  await startProject(page, 'Blank Node');
  await listed;
  await page.evaluate((secret) => localStorage.setItem('secret', secret), SECRET);
  await turnOn(page);
  const asked: Request[] = [];
  page.on('request', (request) => asked.push(request));
  // First it takes back what our script hides from it.
  const code = `for (const name of Object.getOwnPropertyNames(globalThis)) if (globalThis[name] === undefined) Reflect.deleteProperty(globalThis, name);
const found = await (${attack})(${JSON.stringify(originOf(baseURL!, IDE))}, ${JSON.stringify(originOf(baseURL!, SANDBOX))});
found.fetched = typeof fetch;
found.origin = String(globalThis.origin);
found.isolated = String(globalThis.crossOriginIsolated);
found.script = await import('${originOf(baseURL!, SANDBOX)}/engine/host.js').then(() => 'loaded', (e) => 'refused: ' + e.message);
found.data = await import('data:text/javascript,export default 1').then(() => 'loaded', (e) => 'refused: ' + e.message);
return Object.entries(found).map(([name, value]) => name + ' = ' + value).join('\\n');`;
  await run(page, code);
  await untilIdle(page);
  const lines = (await told(page)).split('\n');
  expect(lines).toContain('fetched = function');
  expect(lines).toContain('origin = null');
  expect(lines.length).toBeGreaterThan(15);
  const harmless = /^(?:fetched = function|origin = null|isolated = )/;
  expect(lines.filter((line) => !line.includes(' = refused: ') && !harmless.test(line))).toEqual([]);
  expect(lines.join('\n')).not.toContain(SECRET);
  // Nothing went out either, not even blindly: what the browser tells of was stopped by the policy.
  const targets = asked.filter((request) => /\/api\/(?:chat|models)|host\.js/.test(request.url()));
  expect(
    targets.filter((request) => request.failure()?.errorText !== 'csp').map((one) => [one.url(), one.failure()]),
  ).toEqual([]);
});

test('a program that floods is ended, and the IDE goes on', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await turnOn(page);
  await run(
    page,
    `const ports = [];
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...args) { ports.push(this); return post.apply(this, args); };
await tools.glob({ pattern: '*' });
for (;;) post.call(ports[0], { type: 'print', text: 'x'.repeat(100_000) });`,
  );
  await untilIdle(page);
  await expect(toolCall(page, 'execute')).toContainText('it spoke to Cloche behind the back of tools and console');
  await run(page, 'return 6 * 7');
  await untilIdle(page);
  expect(await told(page, 1)).toBe('42');
});

test('a program that eats memory costs the tab at most, and nothing of the work', async ({ page, context }) => {
  await startProject(page, 'Blank Node');
  await turnOn(page);
  await run(page, 'const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length));', { timeoutMs: 20_000 });
  const failed = toolCall(page, 'execute').getByText('failed');
  const crashed = new Promise<void>((resolve) => page.once('crash', () => resolve()));
  await Promise.race([crashed, failed.waitFor().catch(() => crashed)]);
  const url = page.url();
  await page.close();
  const again = await context.newPage();
  await again.goto(url);
  await untilReady(again);
  await expect(toolCall(again, 'execute')).toContainText(/failed|interrupted/);
  await run(again, 'return 6 * 7');
  await untilIdle(again);
  expect(await told(again, 1)).toBe('42');
});

test('programs run without the server', async ({ browser }) => {
  test.setTimeout(240_000);
  const server = await startOwnServer();
  try {
    const page = await (await browser.newContext({ baseURL: server.ide })).newPage();
    await startProject(page, 'Blank Node');
    await turnOn(page);
    await expect(page.locator('.status-bar').getByText('works offline')).toBeVisible({ timeout: 120_000 });
    await server.kill();
    await run(page, "return (await tools.read({ path: 'package.json' })).includes('name')");
    await untilIdle(page);
    expect(await told(page)).toBe('true');
  } finally {
    await server.kill();
  }
});
