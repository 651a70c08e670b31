// Commands in the background, with the machine's real bash where its behaviour matters.
import { describe, expect, test } from 'vitest';
import { bashTool } from './bash';
import { jobTool } from './job';
import { jobsOf } from './jobs';
import { outcome, realBash, type TestContext, toolContext } from './testing';

const server = {
  bash: (io: { out(text: string): void; listen(port: number): void; signal: AbortSignal }) => {
    io.out('starting\n');
    setTimeout(() => {
      io.listen(3000);
      io.out('ready in 5 ms\n');
    }, 20);
    return new Promise<number>((resolve) => io.signal.addEventListener('abort', () => resolve(143)));
  },
};

async function background(context: TestContext, command = 'npm start'): Promise<string> {
  const result = await bashTool.execute({ command, background: true }, context);
  return result.meta!.job as string;
}

describe('bash in the background', () => {
  test('process, job and port are told, and the job is listed', async () => {
    const context = await toolContext({ commands: server });
    const { output, meta } = await bashTool.execute({ command: 'npm start', background: true }, context);
    expect(output).toMatch(
      /^It runs in the background as job_1 \(process 100; in \/home\/project\)\.\nIt listens on port 3000\.\nSo far it printed:\nstarting/,
    );
    expect(meta).toMatchObject({ job: 'job_1', pid: 100, port: 3000 });
    expect(await outcome(jobTool, { action: 'list' }, context)).toMatch(
      /^job_1: npm start \(running as process 100, listens on port 3000; \d/,
    );
    expect(jobsOf(context.sandbox).list()).toMatchObject([{ id: 'job_1', isBackground: true, ports: [3000] }]);
  });

  test('one that ends at once says so', async () => {
    const context = await toolContext({ commands: { bash: realBash } });
    expect(await outcome(bashTool, { command: 'echo oops; exit 3', background: true }, context)).toMatch(
      /It has already ended \(exit code 3\)\.\nSo far it printed:\noops/,
    );
  });

  test('stopping the turn while it starts ends it', async () => {
    const context = await toolContext({ commands: { bash: realBash } });
    const run = bashTool
      .execute({ command: 'echo up; sleep 30', background: true }, context)
      .catch((error: Error) => error.name);
    while (jobsOf(context.sandbox).list().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    context.stop.abort();
    expect(await run).toBe('AbortError');
    expect(jobsOf(context.sandbox).list()[0]!.end).toBeDefined();
  });
});

describe('the time of a command', () => {
  const lasting = {
    bash: ({ signal }: { signal: AbortSignal }) =>
      new Promise<number>((resolve) => signal.addEventListener('abort', () => resolve(143))),
  };
  test('the person gives it more, and it is told for how long it ran', async () => {
    const context = await toolContext({ commands: lasting });
    const run = bashTool.execute({ command: 'slow', timeoutMs: 60_000 }, context);
    const jobs = jobsOf(context.sandbox);
    while (jobs.ofCall('call_1')?.view().deadlineMs === undefined)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const job = jobs.ofCall('call_1')!;
    const { deadlineMs, startedAtMs } = job.view();
    expect(deadlineMs! - startedAtMs).toBe(60_000);
    job.endAt(deadlineMs! + 120_000);
    expect(job.view().deadlineMs! - startedAtMs).toBe(180_000);
    context.stop.abort();
    await run.catch(() => {});
  });
  test('a deadline that was moved while it was waited for is the one that counts', async () => {
    const context = await toolContext({ commands: lasting });
    const run = bashTool.execute({ command: 'slow', timeoutMs: 50 }, context);
    const jobs = jobsOf(context.sandbox);
    while (jobs.ofCall('call_1')?.view().deadlineMs === undefined)
      await new Promise((resolve) => setTimeout(resolve, 1));
    const job = jobs.ofCall('call_1')!;
    job.endAt(job.view().startedAtMs + 400);
    const { output, meta } = await run;
    expect(output).toContain('[stopped after 400 ms;');
    expect(meta!.durationMs).toBeGreaterThanOrEqual(400);
  });
});

describe('job', () => {
  test('waits for a port, for words, and for the end', async () => {
    const context = await toolContext({ commands: server });
    const started = bashTool.execute({ command: 'npm start', background: true }, context);
    await started;
    expect(await outcome(jobTool, { action: 'wait', id: 'job_1', port: 3000 }, context)).toMatch(/^It listens\./);
    expect(await outcome(jobTool, { action: 'wait', id: 'job_1', pattern: 'ready in \\d+' }, context)).toMatch(
      /^The pattern matched\.[\s\S]*starting\nready in 5 ms\n\(lines 1-2 of 2\)$/,
    );
    expect(await outcome(jobTool, { action: 'wait', id: 'job_1', pattern: 'never', timeoutMs: 30 }, context)).toMatch(
      /^Not yet\./,
    );
    expect(await outcome(jobTool, { action: 'kill', id: 'job_1' }, context)).toMatch(/^job_1: npm start \(/);
    expect(await outcome(jobTool, { action: 'wait', id: 'job_1', port: 1 }, context)).toMatch(/^It has ended\./);
  });

  test('pages the log from both ends', async () => {
    const context = await toolContext({ commands: { bash: realBash } });
    const id = await background(context, 'seq 1 500; sleep 30');
    await outcome(jobTool, { action: 'wait', id, pattern: '^500$' }, context);
    expect(await outcome(jobTool, { action: 'log', id, offset: 10, limit: 2 }, context)).toMatch(
      /\n10\n11\n\(lines 10-11 of 500\)$/,
    );
    expect(await outcome(jobTool, { action: 'log', id, offset: -2 }, context)).toMatch(
      /\n499\n500\n\(lines 499-500 of 500\)$/,
    );
    await outcome(jobTool, { action: 'kill', id }, context);
  });

  test('what is typed is asked about, as what it is', async () => {
    const heard: string[] = [];
    const context = await toolContext({
      commands: {
        bash: async (io) => {
          heard.push(await io.stdin());
          return 0;
        },
      },
    });
    const id = await background(context, 'cat');
    await outcome(jobTool, { action: 'write', id, input: 'rm -rf /\n' }, context);
    expect(context.asked.at(-1)).toMatchObject({
      permission: 'bash',
      opaque: true,
      always: [],
      patterns: ['rm -rf /\n'],
    });
  });

  test('mistakes name what is there', async () => {
    const context = await toolContext({ commands: server });
    expect(await outcome(jobTool, { action: 'list' }, context)).toBe('Nothing runs in the background.');
    expect(await outcome(jobTool, { action: 'log', id: 'job_9' }, context)).toBe(
      '!There is no job job_9. Nothing runs in the background.',
    );
    const id = await background(context);
    expect(await outcome(jobTool, { action: 'log', id: 'job_9' }, context)).toBe(
      '!There is no job job_9. The jobs are: job_1.',
    );
    expect(await outcome(jobTool, { action: 'wait', id }, context)).toBe('!wait needs port or pattern.');
    expect(await outcome(jobTool, { action: 'wait', id, pattern: '(' }, context)).toMatch(
      /^!\( can’t be used as a regular expression: Invalid/,
    );
    expect(await outcome(jobTool, { action: 'wait', id, pattern: '(a+)+$' }, context)).toMatch(/a loop or a choice/);
    expect(await outcome(jobTool, { action: 'kill' }, context)).toBe('!kill needs id.');
  });
});

test('the person may let a running call go: it goes on, and its call is over', async () => {
  const context = await toolContext({ commands: { bash: realBash } });
  const call = bashTool.execute({ command: 'echo begin; sleep 0.4; echo end' }, context);
  while (!context.updates.some((update) => update.output?.includes('begin')))
    await new Promise((resolve) => setTimeout(resolve, 5));
  jobsOf(context.sandbox).ofCall('call_1')!.detach();
  const { output, meta } = await call;
  expect(output).toMatch(/The person let it go on[\s\S]*begin/);
  expect(await outcome(jobTool, { action: 'wait', id: meta!.job as string, pattern: 'end' }, context)).toMatch(
    /^The pattern matched/,
  );
});

test('colours of an output are told apart from its text, while it runs and afterwards', async () => {
  const context = await toolContext({
    commands: {
      bash: async ({ out }) => {
        out('\x1b[32mok\x1b[0m and \x1b[1;31mnot ok\x1b[0m\n');
        return 1;
      },
    },
  });
  const { output, meta } = await bashTool.execute({ command: 'npm test' }, context);
  expect(output).toMatch(/^ok and not ok\n\[exit code 1;/);
  expect(meta?.looks).toEqual({
    length: output.length,
    runs: [
      { start: 0, end: 2, style: { colour: 2 } },
      { start: 7, end: 13, style: { bold: true, colour: 1 } },
    ],
  });
});
