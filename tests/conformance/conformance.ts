// Runs the same programs in the sandbox (real Chromium) and in real Node and bash, and prints per case `equal` or the difference.
// `npm run conformance [-- NAME…]`; exits with 1 when a case is below what the ratchet (expected.json) says. `-- tools`: see tools.ts.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser.ts';
import { readEntries } from '../sandbox/entries.ts';

interface Output {
  stdout: string;
  stderr: string;
  code: number;
}

interface Case {
  name: string;
  command: string[];
  stdin?: string;
  /** Ends it after this time, by SIGKILL: the case is that it can be ended. */
  killAfterMs?: number;
  /** Compared line by line; a line may instead be an explicit error in the sandbox. */
  byLine?: boolean;
  /** What a bash script's output must match, in bash and in the sandbox. */
  expect?: RegExp;
  /** Standard error counts too. */
  compareStderr?: boolean;
}

interface Verdict {
  name: string;
  equal: boolean;
  /** `22/27` where lines are counted. */
  score?: string;
  lines?: number;
  difference?: string;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const PROJECT = '/home/project';
const NATIVE_NODE = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

const PROGRAMS: Case[] = [
  { name: 'fsheavy', command: ['node', 'fsheavy.js'] },
  { name: 'cjs', command: ['node', 'cjs.js'] },
  { name: 'esm', command: ['node', 'esm.mjs'] },
  { name: 'made-code', command: ['node', 'made-code.cjs'] },
  { name: 't.ts', command: ['node', 't.ts'] },
  { name: 'exit', command: ['node', 'exit.js'] },
  { name: 'throw', command: ['node', 'throw.js'], compareStderr: true },
  { name: 'rej', command: ['node', 'rej.js'], compareStderr: true },
  { name: 'loop', command: ['node', 'loop.js'], killAfterMs: 1500 },
  { name: 'cp', command: ['node', 'cp.js'] },
  { name: 'cp-sync', command: ['node', 'cp-sync.cjs'] },
  { name: 'loaders', command: ['bash', 'loaders.sh'] },
  { name: 'crashes', command: ['bash', 'crashes.sh'] },
  { name: 'time-zone', command: ['node', 'time-zone.cjs'] },
  { name: 'async-ids', command: ['node', 'async-ids.cjs'] },
  { name: 'process-facts', command: ['node', 'process-facts.cjs'] },
  { name: 'fs-arguments', command: ['bash', '-c', 'true | node fs-arguments.cjs | cat'] },
  { name: 'rl', command: ['node', 'rl.js'], stdin: 'a\nb\n' },
  { name: 'sig', command: ['bash', '-c', 'node sig.js & p=$!; sleep 1; kill -INT $p; wait $p; echo "code $?"'] },
  { name: 'a.test', command: ['node', '--test', 'a.test.js'] },
  { name: 'a.test (plain)', command: ['node', 'a.test.js'] },
  { name: 'misc', command: ['node', 'misc.js'], byLine: true },
  { name: 'w', command: ['node', 'w.js'] },
  { name: 'watch', command: ['node', 'watch.js'] },
  { name: 'inspect', command: ['node', 'inspect.js'] },
  { name: 'vm', command: ['node', 'vm.js'] },
  { name: 'repl', command: ['node', 'repl.js'] },
  { name: 'threads', command: ['node', 'threads.js'] },
  { name: 'wasi', command: ['node', 'wasi.js'] },
  { name: 'advanced', command: ['node', 'advanced.js'] },
  { name: 'als', command: ['node', 'als.js'] },
  { name: 'stacks', command: ['node', 'stacks.mjs'] },
  { name: 'promises', command: ['node', 'promises.mjs'] },
  { name: 'promises (async functions)', command: ['node', 'promises.cjs'] },
  { name: 'interrupts', command: ['node', 'interrupts.js'] },
  { name: 'wide', command: ['node', 'wide.mjs'], compareStderr: true },
  { name: 'formatters', command: ['node', 'formatters.js'] },
  { name: 'keys', command: ['node', 'keys.js'] },
  { name: 'sockets', command: ['node', 'sockets.js'] },
  { name: 'surface', command: ['node', 'surface.cjs'] },
  { name: 'inspector that nobody attached to', command: ['node', 'inspector.cjs'] },
  { name: 'datagrams', command: ['node', 'datagrams.cjs'] },
  { name: 'brotli', command: ['node', 'brotli.js'] },
  { name: 'contexts', command: ['node', 'contexts.cjs'] },
  { name: 'lines', command: ['node', 'lines.mjs'] },
  { name: 'rejections', command: ['node', 'rejections.cjs'] },
  { name: 'vm-modules', command: ['node', '--no-warnings', '--experimental-vm-modules', 'vm-modules.cjs'] },
  { name: 'odd-arguments', command: ['node', 'odd-arguments.cjs'] },
  { name: 'rounds', command: ['node', 'rounds.cjs'] },
  { name: 'sqlite', command: ['node', '--no-warnings', 'sqlite.cjs'] },
  { name: 'options', command: ['bash', 'options.sh'] },
  { name: 'late-errors', command: ['node', 'late-errors.cjs'] },
  { name: 'cluster', command: ['node', 'cluster.cjs'] },
  { name: 'sent-socket', command: ['node', 'sent-socket.cjs'] },
  { name: 'unsettled', command: ['bash', 'unsettled.sh'] },
  { name: 'syntax', command: ['bash', 'syntax.sh'] },
  { name: 'bytes', command: ['bash', 'bytes.sh'] },
  {
    name: 'server',
    command: [
      'bash',
      '-c',
      'npm install --no-audit --no-fund --loglevel=error express >/dev/null || echo install failed; node server.js & p=$!; sleep 2; curl -s localhost:3000/; echo; curl -s \'localhost:3000/api?a=1\'; echo; kill $p; wait $p; echo "code $?"',
    ],
  },
];

function shellCases(): Case[] {
  const scripts: { name: string; script: string; expect: string; flags: string }[] = JSON.parse(
    readFileSync(path.join(here, 'suite/shell.json'), 'utf8'),
  );
  return scripts.map(({ name, script, expect, flags }) => ({
    name: `sh: ${name}`,
    command: ['bash', '-c', script],
    expect: new RegExp(expect, flags),
  }));
}

/** Takes out what may differ: folders, durations, pids, temporary names. */
function normalise(text: string, folder: string): string {
  return text
    .replaceAll(folder, PROJECT)
    .replace(/"(write|read|stat)":\d+/g, '"$1":0')
    .replace(/\(node:\d+\)/g, '(node:0)')
    .replace(/\(?\b\d+(?:\.\d+)?ms\)?/g, '0ms')
    .replace(/duration_ms:? [\d.]+/g, 'duration_ms 0');
}

/** Without what npm says to the scripts that it runs: the sandbox was not started by one. */
const ownEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${path.dirname(NATIVE_NODE)}:${process.env.PATH}`,
};
for (const name of Object.keys(ownEnvironment)) if (/^npm_/i.test(name)) delete ownEnvironment[name];

function runNative(test: Case, folder: string): Promise<Output> {
  return new Promise((resolve) => {
    const [command, ...args] = test.command;
    const child = spawn(command === 'node' ? NATIVE_NODE : command, args, {
      cwd: folder,
      env: { ...ownEnvironment, HOME: folder, LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(test.stdin ?? '');
    const timer = test.killAfterMs ? setTimeout(() => child.kill('SIGKILL'), test.killAfterMs) : undefined;
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ stdout, stderr, code: signal ? 137 : (code ?? -1) });
    });
  });
}

async function runInSandbox(browser: SandboxBrowser, test: Case): Promise<Output> {
  await browser.mount(readEntries(path.join(here, 'suite/programs')), PROJECT, true);
  const [command, ...args] = test.command;
  const result = await browser.run(command, args, { stdin: test.stdin ?? '', timeoutMs: test.killAfterMs ?? 60_000 });
  const killed = test.killAfterMs !== undefined && result.timedOut;
  return { stdout: result.stdout.toString(), stderr: result.stderr.toString(), code: killed ? 137 : result.code };
}

function show(output: Output): string {
  return `exit ${output.code}\n${output.stdout}${output.stderr ? `--- stderr\n${output.stderr}` : ''}`;
}

function judge(test: Case, native: Output, sandbox: Output): Verdict {
  const { name } = test;
  const difference = `--- native: ${show(native)}\n--- sandbox: ${show(sandbox)}`;
  if (test.expect) {
    if (!test.expect.test(native.stdout))
      throw new Error(`${name}: real bash does not match ${test.expect}: ${native.stdout}`);
    const equal = test.expect.test(sandbox.stdout) && native.code === sandbox.code;
    return { name, equal, ...(equal ? {} : { difference }) };
  }
  if (test.byLine) {
    const expected = native.stdout.split('\n').filter(Boolean);
    const actual = sandbox.stdout.split('\n').filter(Boolean);
    const same = expected.filter((line) => actual.includes(line));
    const wrong = actual.filter((line) => !expected.includes(line) && !/ ERR /.test(line));
    const missing = expected.filter((line) => !actual.includes(line));
    const equal = missing.length === 0 && native.code === sandbox.code;
    const detail = [
      ...wrong.map((line) => `wrong: ${line}`),
      ...missing.map((line) => `native: ${line}`),
      ...actual.filter((line) => / ERR /.test(line)),
    ];
    return {
      name,
      equal,
      score: `${same.length}/${expected.length}`,
      lines: same.length,
      ...(equal ? {} : { difference: `${detail.join('\n')}\n${sandbox.stderr}` }),
    };
  }
  const equal =
    native.code === sandbox.code &&
    native.stdout === sandbox.stdout &&
    (!test.compareStderr || native.stderr === sandbox.stderr);
  return { name, equal, ...(equal ? {} : { difference }) };
}

/** Runs the cases whose name contains one of `filters` (all when there is none). */
export async function runConformance(filters: string[], report: (verdict: Verdict) => void): Promise<Verdict[]> {
  const cases = [...PROGRAMS, ...shellCases()].filter(
    ({ name }) => filters.length === 0 || filters.some((filter) => name.includes(filter)),
  );
  const browser = await startSandboxBrowser();
  const verdicts: Verdict[] = [];
  try {
    for (const test of cases) {
      const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'conformance-')));
      cpSync(path.join(here, 'suite/programs'), folder, { recursive: true });
      const native = await runNative(test, folder);
      rmSync(folder, { recursive: true, force: true });
      let sandbox: Output;
      try {
        sandbox = await runInSandbox(browser, test);
      } catch (error) {
        sandbox = { stdout: '', stderr: String(error), code: -1 };
        await browser.reboot();
      }
      const clean = (output: Output): Output => ({
        ...output,
        stdout: normalise(output.stdout, folder),
        stderr: normalise(output.stderr, folder),
      });
      const verdict = judge(test, clean(native), clean(sandbox));
      verdicts.push(verdict);
      report(verdict);
    }
  } finally {
    await browser.close();
  }
  return verdicts;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'tools') {
  const { runToolConformance } = await import('./tools.ts');
  process.exitCode = runToolConformance();
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const jsonAt = words.indexOf('--json');
  const jsonFile = jsonAt < 0 ? undefined : words.splice(jsonAt, 2)[1];
  const verdicts = await runConformance(words, ({ name, equal, score, difference }) => {
    console.log(`${equal ? 'equal ' : 'differs'} ${name}${score ? ` ${score}` : ''}`);
    if (difference) console.log(difference.replace(/^/gm, '        '));
  });
  // The ratchet: what has been equal stays equal; a number is how many lines of a case must be.
  const expected: Record<string, boolean | number> = JSON.parse(readFileSync(path.join(here, 'expected.json'), 'utf8'));
  const isBelow = ({ name, equal, lines }: Verdict): boolean => {
    const wanted = expected[name];
    return typeof wanted === 'number' ? (lines ?? 0) < wanted : wanted === true && !equal;
  };
  const below = verdicts.filter(isBelow);
  console.log(`conformance: ${verdicts.filter(({ equal }) => equal).length} of ${verdicts.length} equal`);
  for (const { name } of below) console.log(`below the ratchet: ${name}`);
  if (jsonFile)
    writeFileSync(jsonFile, JSON.stringify({ passed: verdicts.length - below.length, failed: below.length, verdicts }));
  process.exitCode = below.length > 0 ? 1 : 0;
}
