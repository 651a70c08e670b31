// `npm run sandbox`: a command in the real engine, from the shell. Streams, exit code and signals are the command's own.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArguments, type SandboxArguments, USAGE } from './arguments.ts';
import { startSandboxBrowser } from './browser.ts';
import { performRun, type RunOrder } from './perform.ts';
import { findWarm, runWarm, serveWarm } from './warm.ts';

/** Exit codes of our own failures, as `timeout` and `env` use them. */
const USAGE_ERROR = 2;
const BROKEN = 125;

async function main(): Promise<number> {
  let options: SandboxArguments;
  try {
    options = parseArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`);
    return USAGE_ERROR;
  }
  if (options.stop) {
    const warm = findWarm();
    if (warm) process.kill(warm.pid, 'SIGTERM');
    return 0;
  }
  const folder = options.assets ?? fileURLToPath(new URL('../../public/engine', import.meta.url));
  if (!existsSync(path.join(folder, 'manifest.json'))) {
    process.stderr.write(`There is no engine in ${folder}. Build it: node engine/build/build.ts\n`);
    return BROKEN;
  }
  const browserOptions = {
    assets: options.assets,
    onConsole: (text: string) => {
      if (options.verbose || text.startsWith('warning:') || text.startsWith('page error'))
        process.stderr.write(`[browser] ${text}\n`);
    },
  };
  if (options.serve) {
    const sandbox = await startSandboxBrowser(browserOptions);
    process.stderr.write('ready\n');
    await serveWarm(sandbox);
    await sandbox.close();
    return 0;
  }

  const collected = { output: [] as Buffer[], stderr: [] as Buffer[] };
  const onOutput = (channel: 'output' | 'stderr', bytes: Buffer): void => {
    if (options.json) collected[channel].push(bytes);
    else (channel === 'output' ? process.stdout : process.stderr).write(bytes);
  };
  const order: RunOrder = {
    command: options.command,
    mount: options.mount === undefined ? undefined : path.resolve(options.mount),
    cwd: options.cwd ?? '/home/project',
    timeoutMs: options.timeoutMs,
    hasStdin: !process.stdin.isTTY,
    watch: options.json,
  };
  const stdin = order.hasStdin ? process.stdin : undefined;
  const warm = options.assets === undefined ? findWarm() : undefined;
  let outcome: Awaited<ReturnType<typeof performRun>>;
  if (warm) outcome = await runWarm(warm, order, stdin, onOutput);
  else {
    const sandbox = await startSandboxBrowser(browserOptions);
    try {
      outcome = await performRun(sandbox, order, stdin, onOutput);
    } finally {
      await sandbox.close();
    }
  }
  if (options.json) {
    const text = (pieces: Buffer[]): string => Buffer.concat(pieces).toString();
    process.stdout.write(
      `${JSON.stringify({ ...outcome, stdout: text(collected.output), stderr: text(collected.stderr) })}\n`,
    );
  }
  return outcome.code;
}

main().then(
  (code) => {
    process.exitCode = code;
    // An inherited stdin that nobody closes must not keep us alive.
    process.stdin.destroy();
  },
  (error) => {
    process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = BROKEN;
    process.stdin.destroy();
  },
);
