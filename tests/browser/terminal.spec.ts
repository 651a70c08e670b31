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
  await sandbox.mount(homes(), '/home');
});
test.afterAll(() => sandbox?.close());

/** The homes of all cases in one go: a program per file would take longer than the cases themselves. */
function* homes(): Generator<SnapshotEntry> {
  const known = new Set<string>();
  for (const [index, { files = {} }] of CASES.entries()) {
    const home = `typist-${index}`;
    for (const [file, text] of Object.entries({ '/': '', ...files })) {
      const path = `${home}/${file}`.replace(/\/+$/, '');
      const names = path.split('/');
      for (let depth = 1; depth < names.length + (file.endsWith('/') ? 1 : 0); depth++) {
        const folder = names.slice(0, depth).join('/');
        if (!known.has(folder)) yield { kind: 'directory', path: folder, mode: 0o755 };
        known.add(folder);
      }
      const mode = file.startsWith('bin/') ? 0o755 : 0o644;
      if (!file.endsWith('/')) yield { kind: 'file', path, mode, mtimeMs: Date.now(), contents: Buffer.from(text) };
    }
  }
}

async function open(home: string, columns: number, rows: number): Promise<void> {
  await sandbox.page.evaluate(
    async ([home, columns, rows]) => {
      const env = {
        HOME: home,
        PATH: `${home}/bin:/usr/local/bin:/usr/bin:/bin`,
        TERM: 'xterm-256color',
        PS1: '$ ',
        HISTCONTROL: '',
      };
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

for (const [index, { name, steps, columns = 80 }] of CASES.entries())
  test(name, async () => {
    const home = `/home/typist-${index}`;
    screen = createScreen(columns, 24, (text) => void type(text));
    await open(home, columns, 24);
    const shows = async (text: string, what: string) =>
      expect
        .poll(() => comparable(screen.text(), home), { message: what, timeout: 20_000, intervals: [20, 30, 60, 100] })
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

test('an endless flood stops at Ctrl-C, and the prompt takes the next command', async () => {
  const home = '/home/typist-0';
  screen = createScreen(80, 24, (text) => void type(text));
  await open(home, 80, 24);
  await expect.poll(() => screen.text()).toBe('$\n@0,2');
  await type('yes\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/^(y\n){10}/);
  await type('\x03');
  // What was written but not shown is thrown away, as Linux does: behind `^C` comes nothing of the flood.
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\^C\n\$\n@23,2$/);
  await type('echo status $?\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\nstatus 130\n\$\n/);
  await sandbox.page.evaluate(() => window.typing.process.kill('SIGKILL'));
});

test('Ctrl-C reaches a program that leaves its keyboard unread', async () => {
  const home = '/home/typist-0';
  screen = createScreen(80, 24, (text) => void type(text));
  await open(home, 80, 24);
  await expect.poll(() => screen.text()).toBe('$\n@0,2');
  await type('stty -echo; echo ready; sleep 1000\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\nready\n/);
  // More than the ring of keys holds.
  for (let line = 0; line < 40; line++) await type(`${'x'.repeat(4000)}\r`);
  await type('\x03');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\n\$\n@\d+,2$/);
  await type('stty echo; echo status $?\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/status \d+\n\$\n/);
  await sandbox.page.evaluate(() => window.typing.process.kill('SIGKILL'));
});

test('Ctrl-C in a loop at the REPL gives the prompt back, and ends it only where the loop is not its own', async () => {
  test.slow();
  const home = '/home/typist-0';
  screen = createScreen(80, 50, (text) => void type(text));
  await open(home, 80, 50);
  const shows = (pattern: RegExp) => expect.poll(() => screen.text(), { timeout: 30_000 }).toMatch(pattern);
  await expect.poll(() => screen.text()).toBe('$\n@0,2');
  await type('node\r');
  await shows(/\n>\n/);
  await type('let turns = 0; while (true) turns++\r');
  await shows(/turns\+\+\n@/);
  await type('\x03');
  await shows(
    /\^CUncaught Error: Script execution was interrupted by `SIGINT`\n {4}at ContextifyScript.runInThisContext/,
  );
  await shows(/code: 'ERR_SCRIPT_EXECUTION_INTERRUPTED'\n\}\n>\n/);
  await type('turns > 0\r');
  await shows(/\ntrue\n>\n/);
  // A module's loop does not ask.
  await type('Array.from({ length: 1e9 }, () => require("crypto").pbkdf2Sync("a", "b", 1e9, 32, "sha512"))\r');
  await shows(/sha512"\)\)\n@/);
  await type('\x03');
  await shows(/\^C\n\$\n@\d+,2$/);
  await sandbox.page.evaluate(() => window.typing.process.kill('SIGKILL'));
});

test('a program in the background does not take the keys: it is stopped when it wants them, and gets them with fg', async () => {
  const home = '/home/typist-0';
  screen = createScreen(80, 24, (text) => void type(text));
  await open(home, 80, 24);
  await expect.poll(() => screen.text()).toBe('$\n@0,2');
  await type(`node -e 'process.stdin.on("data", (text) => console.log("got " + text)); console.log("up")' &\r`);
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/up\n@/);
  for (const word of ['first', 'second', 'third']) {
    await type(`echo ${word}\r`);
    await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(new RegExp(`\\n${word}\\n`));
  }
  await type('jobs\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\[1\]\+ +Stopped +node -e/);
  await type('fg\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\$ fg\nnode -e .*\n/);
  await type('for you\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\ngot for you\n/);
  await type('\x03');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\^C\n\$\n@\d+,2$/);
  await sandbox.page.evaluate(() => window.typing.process.kill('SIGKILL'));
});

test('a program in the background that wants raw mode is stopped', async () => {
  const home = '/home/typist-0';
  screen = createScreen(80, 24, (text) => void type(text));
  await open(home, 80, 24);
  await expect.poll(() => screen.text()).toBe('$\n@0,2');
  await type(`node -e 'process.stdin.setRawMode(true); console.log("raw"); process.exit()' &\r`);
  await expect
    .poll(
      async () => {
        await type('\r');
        return screen.text();
      },
      { timeout: 20_000, intervals: [300] },
    )
    .toMatch(/\[1\]\+ +Stopped +node -e/);
  expect(screen.text()).not.toMatch(/\nraw\n/);
  await type('fg\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\nraw\n/);
  await sandbox.page.evaluate(() => window.typing.process.kill('SIGKILL'));
});

test('sh takes over descriptors above 2', async () => {
  const program = `
    const { spawnSync, spawn } = require('child_process');
    const fs = require('fs');
    fs.writeFileSync('inherited', 'from a file\\n');
    const fd = fs.openSync('inherited', 'r');
    console.log(String(spawnSync('sh', ['-c', 'cat <&3'], { stdio: ['pipe', 'pipe', 'inherit', fd] }).stdout));
    const child = spawn('sh', ['-c', 'read line <&3; echo "answer to $line" >&4'], { stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'] });
    child.stdio[4].on('data', (text) => console.log(String(text)));
    child.stdio[3].end('a question\\n');`;
  const { stdout, code } = await sandbox.run('node', ['-e', program], { cwd: '/home/typist-0' });
  expect({ stdout: String(stdout), code }).toEqual({ stdout: 'from a file\n\nanswer to a question\n\n', code: 0 });
});

test('less: pages, lines, search, the end, and the first screen afterwards', async () => {
  screen = createScreen(80, 24, (text) => void type(text));
  await open('/home/typist-0', 80, 24);
  await expect.poll(() => screen.text()).toBe('$\n@0,2');
  const rows = () => screen.text().split('\n');
  const first = (text: string) => expect.poll(() => rows()[0], { timeout: 20_000 }).toBe(text);
  await type('seq 100 | less\r');
  await first('1');
  await expect.poll(() => rows()[23], { timeout: 20_000 }).toBe(':');
  await type(' ');
  await first('24');
  await type('j');
  await first('25');
  await type('b');
  await first('2');
  await type('/9\r');
  await first('9');
  await type('n');
  await first('19');
  await type('N');
  await first('9');
  await type('G');
  await first('78');
  await expect.poll(() => rows()[23], { timeout: 20_000 }).toBe('(END)');
  await type('/nowhere\r');
  await expect.poll(() => rows()[23], { timeout: 20_000 }).toBe('Pattern not found');
  await type('q');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toBe('$ seq 100 | less\n$\n@1,2');
  await type('stty -a | grep -o "[-]*icanon"; seq 3 | less\r');
  await expect.poll(() => screen.text(), { timeout: 20_000 }).toMatch(/\nicanon\n1\n2\n3\n\$\n/);
  await sandbox.page.evaluate(() => window.typing.process.kill('SIGKILL'));
});
