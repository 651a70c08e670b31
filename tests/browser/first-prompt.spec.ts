// The first prompt does not wait for the base image (npm and the like), and nothing that is typed before the image has come is lost or refused.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';

const assets = fileURLToPath(new URL('../../public/engine/', import.meta.url));
let sandbox: SandboxBrowser;

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser({ boot: false });
});

test.afterAll(() => sandbox?.close());

test('the prompt comes without the image; a program of the image that is named at once runs when it has come', async () => {
  const { image } = JSON.parse(await readFile(`${assets}manifest.json`, 'utf8'));
  let deliver = (): void => {};
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  sandbox.server.routes.set(`/engine/${image}`, async (_, response) => {
    await delivered;
    response.end(await readFile(assets + image));
  });
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
  // Colours, and the marks that the shell puts around prompts.
  const escapes = /\u001b(?:\[[\d;?]*[A-Za-z]|\][^\u0007]*\u0007)/g;
  const seen = async (): Promise<string> =>
    (await sandbox.page.evaluate(() => (window as any).seen.text as string)).replace(escapes, '');
  await expect.poll(seen, { timeout: 30_000 }).toContain('# ');
  await sandbox.page.evaluate(() => {
    const { typeLine } = window as any;
    void typeLine('npm --version; echo end-$((40 + 2))\n');
  });
  deliver();
  await expect.poll(seen, { timeout: 30_000 }).toMatch(/^\d+\.\d+\.\d+\s+end-42$/m);
  expect(await seen()).not.toContain('not found');
});
