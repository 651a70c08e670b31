// Every case of tests/terminal typed into our shell on the engine's terminal: after each step the screen must become what real bash showed.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { EngineProcess } from '../../engine/client/process';
import type { SnapshotEntry } from '../../engine/tree/snapshot-entries';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';
import { CASES } from '../terminal/cases';
import { comparable, createScreen, type Screen } from '../terminal/screen';

const expected = JSON.parse(
  fs.readFileSync(fileURLToPath(new URL('../terminal/expected.json', import.meta.url)), 'utf8'),
) as Record<string, string[]>;

let sandbox: SandboxBrowser;
let screen: Screen;
let drawn: Promise<void> = Promise.resolve();

declare global {
  interface Window {
    typing: { process: EngineProcess; writer: WritableStreamDefaultWriter<Uint8Array> };
    showOutput(base64: string): Promise<void>;
  }
}

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser();
  await sandbox.page.exposeFunction('showOutput', (base64: string) => {
    drawn = drawn.then(() => screen.write(Buffer.from(base64, 'base64')));
    return drawn;
  });
});
test.afterAll(() => sandbox?.close());

async function open(home: string, columns: number, rows: number): Promise<void> {
  await sandbox.page.evaluate(
    async ([home, columns, rows]) => {
      const env = { HOME: home, PATH: `${home}/bin:/usr/bin:/bin`, TERM: 'xterm-256color', PS1: '$ ', HISTCONTROL: '' };
      const process = await window.cloche.engine!.spawn({
        command: 'bash',
        args: [],
        cwd: home,
        env,
        terminal: { columns, rows },
      });
      window.typing = { process, writer: process.input.getWriter() };
      void (async () => {
        for await (const chunk of process.output as unknown as AsyncIterable<Uint8Array>) {
          let text = '';
          for (const byte of chunk) text += String.fromCharCode(byte);
          await window.showOutput(btoa(text));
        }
      })();
    },
    [home, columns, rows] as const,
  );
}

const type = (text: string) =>
  sandbox.page.evaluate((text) => void window.typing.writer.write(new TextEncoder().encode(text)), text);

for (const [index, { name, steps, files = {}, columns = 80 }] of CASES.entries())
  test(name, async () => {
    const home = `/home/typist-${index}`;
    await sandbox.run('mkdir', [home], { cwd: '/' });
    for (const [file, text] of Object.entries(files)) {
      const place = `${home}/${file}`;
      const script = file.endsWith('/')
        ? 'mkdir -p "$1"'
        : 'mkdir -p "$(dirname "$1")"; printf %s "$2" > "$1"; case $1 in */bin/*) chmod +x "$1"; esac';
      await sandbox.run('bash', ['-c', script, 'sh', place, text], { cwd: '/' });
    }
    screen = createScreen(columns, 24, (text) => void type(text));
    await open(home, columns, 24);
    const shows = async (text: string, what: string) =>
      expect
        .poll(() => comparable(screen.text(), home), { message: what, timeout: 5000, intervals: [30, 60, 100] })
        .toBe(text);
    await shows('$\n@0,2', 'the first prompt');
    for (const [at, step] of steps.entries()) {
      if (typeof step === 'string') await type(step);
      else if ('columns' in step) {
        screen.resize(step.columns, step.rows);
        await sandbox.page.evaluate(({ columns, rows }) => window.typing.process.resize(columns, rows), step);
      }
      await shows(expected[name]![at]!, `${at}: ${JSON.stringify(step)}`);
    }
    await sandbox.page.evaluate(() => window.typing.process.kill('SIGKILL'));
  });
