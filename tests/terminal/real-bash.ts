// Records expected.json: every case typed into real bash in a real pty, made by util-linux's `script`. `node tests/terminal/real-bash.ts [part of a name]`
// An interactive bash tells nobody when it has finished drawing: here, and only here, a pause in its output counts as that.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES, type TerminalCase } from './cases.ts';
import { comparable, createScreen } from './screen.ts';

const EXPECTED = fileURLToPath(new URL('./expected.json', import.meta.url));
const QUIET_MS = 350;
/** Our shell, like zsh and fish, keeps the row of output that has no newline at its end; bash is told to do the same. */
const MARK = String.raw`printf '\e[2m⏎\e[22m%*s\r\e[K' $((COLUMNS-1)) ''`;

async function record(root: string, { steps, files = {}, columns = 80 }: TerminalCase): Promise<string[]> {
  const home = fs.mkdtempSync(path.join(root, 'home-'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(home, name);
    fs.mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith('/')) fs.writeFileSync(file, text, { mode: name.startsWith('bin/') ? 0o755 : 0o644 });
  }
  const ttyFile = path.join(root, `${path.basename(home)}.tty`);
  const environment = `env -i HOME=${home} PATH=${home}/bin:/usr/bin:/bin TERM=xterm-256color LC_ALL=C.UTF-8 PS1='$ ' PROMPT_COMMAND="$MARK"`;
  const line = `tty > ${ttyFile}; stty rows 24 cols ${columns}; cd ${home}; exec ${environment} bash --norc --noprofile`;
  const child = spawn('script', ['-qfec', line, '--echo', 'always', '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, MARK },
  });
  child.stdin.on('error', () => {});
  const screen = createScreen(columns, 24, (text) => child.stdin.write(text));
  let last = performance.now();
  let drawn = Promise.resolve();
  child.stdout.on('data', (bytes: Buffer) => {
    last = performance.now();
    drawn = drawn.then(() => screen.write(bytes));
  });
  const quiet = async (wait: number) => {
    last = performance.now();
    while (performance.now() - last < wait) await new Promise((resolve) => setTimeout(resolve, 30));
    await drawn;
  };
  const shown: string[] = [];
  while (screen.text() === '\n@0,0') await quiet(150);
  for (const step of steps) {
    if (typeof step === 'string') child.stdin.write(step);
    else if ('columns' in step) {
      screen.resize(step.columns, step.rows);
      const tty = fs.readFileSync(ttyFile, 'utf8').trim();
      execFileSync('stty', ['-F', tty, 'rows', String(step.rows), 'cols', String(step.columns)]);
    }
    await quiet(typeof step === 'object' && 'waitMs' in step ? step.waitMs : QUIET_MS);
    shown.push(comparable(screen.text(), home));
  }
  child.kill('SIGKILL');
  screen.dispose();
  return shown;
}

const wanted = process.argv[2] ?? '';
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'cloche-terminal-'));
const before = fs.existsSync(EXPECTED)
  ? (JSON.parse(fs.readFileSync(EXPECTED, 'utf8')) as Record<string, string[]>)
  : {};
const expected: Record<string, string[]> = {};
const queue = [...CASES];
const results = new Map<string, string[]>();
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      results.set(
        next.name,
        next.name.includes(wanted) || !before[next.name] ? await record(root, next) : before[next.name]!,
      );
  }),
);
for (const { name } of CASES) expected[name] = results.get(name)!;
fs.writeFileSync(EXPECTED, `${JSON.stringify(expected, null, 2)}\n`);
fs.rmSync(root, { recursive: true, force: true });
