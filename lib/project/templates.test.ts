// Every template runs in the Node that the engine is: what the start page promises is tried here, with the real program.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findTemplate, templates } from './templates';

const node = resolve('node_modules/.bin/node');
const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function start(id: string, args: string[], port = 0) {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-template-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(findTemplate(id)!.files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const child = spawn(node, args, { cwd: folder, env: { ...process.env, PORT: String(port) } });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const exit = new Promise<number | null>((done) => child.on('exit', done));
  const line = async (text: string) => {
    for (let tries = 0; tries < 200 && !output.includes(text); tries++) await new Promise((r) => setTimeout(r, 25));
    expect(output).toContain(text);
  };
  return { exit, line, text: () => output };
}

test('the scripts of every template name files that exist, and the opened file exists', () => {
  for (const template of templates) {
    expect(Object.keys(template.files)).toContain(template.open);
    const { scripts } = JSON.parse(template.files['package.json']!) as { scripts: Record<string, string> };
    const files = Object.values(scripts).flatMap((script) => script.match(/[\w/]+\.(?:js|ts)/g) ?? []);
    for (const file of files) expect(Object.keys(template.files)).toContain(file);
  }
});

test('blank prints its version and ends with 0', async () => {
  const run = await start('node', ['index.js']);
  expect(await run.exit).toBe(0);
  expect(run.text()).toMatch(/Hello from Node v24\.\d+/);
});

test('the HTTP server shows its page and answers JSON', async () => {
  const run = await start('http-server', ['server.js'], 43_117);
  await run.line('Listening on');
  const page = await (await fetch('http://localhost:43117/')).text();
  expect(page).toContain('shown 1 time.');
  expect(page).toContain('<script type="module">');
  expect(await (await fetch('http://localhost:43117/api/time')).json()).toMatchObject({ visits: 1 });
  expect((await fetch('http://localhost:43117/nope')).status).toBe(404);
});

test('the web page is served with its types, and stays inside its folder', async () => {
  const run = await start('web-page', ['serve.js'], 43_118);
  await run.line('Listening on');
  const page = await fetch('http://localhost:43118/');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toContain('A web page');
  expect((await fetch('http://localhost:43118/style.css')).headers.get('content-type')).toContain('text/css');
  expect((await fetch('http://localhost:43118/%2e%2e/%2e%2e/etc/passwd')).status).toBe(404);
});

test('TypeScript: three tests pass and one fails, for the reason that the code shows', async () => {
  const run = await start('typescript', ['--test', '--test-reporter=tap']);
  expect(await run.exit).toBe(1);
  expect(run.text()).toContain('# pass 3');
  expect(run.text()).toContain('# fail 1');
  expect(run.text()).toContain("expected: '1h 30m'");
});
