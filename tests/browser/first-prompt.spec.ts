// The first prompt waits neither for the base image (npm and the like) nor for what only some programs load of Node's lib; nothing that is typed before
// they have come is lost or refused.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';

const assets = fileURLToPath(new URL('../../public/engine/', import.meta.url));
let sandbox: SandboxBrowser;

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser({ boot: false });
});

test.afterEach(() => sandbox.server.routes.clear());

test.afterAll(() => sandbox?.close());

/** Keeps back an asset that the browser has not got yet, until the returned function is called with what is to be answered. */
function holdBack(name: string): (status?: number) => void {
  const answered = Promise.withResolvers<number>();
  sandbox.server.routes.set(`/engine/${name}`, async (_, response) => {
    response.statusCode = await answered.promise;
    response.end(response.statusCode === 200 ? await readFile(assets + name) : 'no');
  });
  return (status = 200) => answered.resolve(status);
}

/** Boots and opens a shell; returns what it has said so far, without colours and the marks around prompts. */
async function openShell(): Promise<() => Promise<string>> {
  await sandbox.reboot();
  await sandbox.page.evaluate(async () => {
    const engine = window.cloche.engine!;
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root', PWD: '/home/project', TERM: 'dumb' };
    const terminal = { columns: 80, rows: 24 };
    const shell = await engine.spawn({ command: 'bash', args: [], cwd: '/home/project', env, terminal });
    const seen = { text: '' };
    Object.assign(window, { seen });
    void shell.output.pipeThrough(new TextDecoderStream() as any).pipeTo(
      new WritableStream({
        write(text: string) {
          seen.text += text;
        },
      }),
    );
    const writer = shell.input.getWriter();
    Object.assign(window, { typeLine: (line: string) => writer.write(new TextEncoder().encode(line)) });
  });
  const escapes = /\u001b(?:\[[\d;?]*[A-Za-z]|\][^\u0007]*\u0007)/g;
  return async () => (await sandbox.page.evaluate(() => (window as any).seen.text as string)).replace(escapes, '');
}

const type = (line: string): Promise<void> =>
  sandbox.page.evaluate((typed) => void (window as any).typeLine(`${typed}\n`), line);

const manifest = async (): Promise<any> => JSON.parse(await readFile(`${assets}manifest.json`, 'utf8'));

test('the prompt comes with the first of lib’s texts; what needs the others waits for them', async () => {
  const { lib } = await manifest();
  const deliverCore = holdBack(lib.core.file);
  const deliverRest = holdBack(lib.rest.file);
  const seen = await openShell();
  await expect.poll(seen, { timeout: 30_000 }).toContain('# ');
  await type('echo "is $((6 * 7))"');
  await expect.poll(seen, { timeout: 30_000 }).toMatch(/^is 42$/m);
  await type(`node -e "console.log(require('http').METHODS.length > 9, typeof require('node:test'))"`);
  deliverCore();
  deliverRest(503);
  await expect.poll(seen, { timeout: 30_000 }).toMatch(/Could not load a part of Node's library: .*rest\.\w+\.txt/);
});

test('the prompt comes without the image; a program of the image that is named at once runs when it has come', async () => {
  const deliver = holdBack((await manifest()).image);
  const seen = await openShell();
  await expect.poll(seen, { timeout: 30_000 }).toContain('# ');
  await type('npm --version; echo end-$((40 + 2))');
  deliver();
  await expect.poll(seen, { timeout: 30_000 }).toMatch(/^\d+\.\d+\.\d+\s+end-42$/m);
  expect(await seen()).not.toContain('not found');
});
