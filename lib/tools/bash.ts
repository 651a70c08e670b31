// The bash tool: one fresh shell per call, judged by what its command line really does, live output, and an end that always comes:
// when the shell exits (not when the last inherited pipe closes), at the deadline, when the person stops it or lets it go on alone.
import { z } from 'zod';
import { bashFacts } from '../permission/bash-facts';
import { abortError, sleep } from '../std/signals';
import { steadyNow } from '../std/steady';
import { plainOutput, plainOutputInSlices, type StyleRun, styledOutput } from '../std/terminal-text';
import { bashPrompt } from './bash.prompt';
import { type Job, jobsOf } from './jobs';
import { type Located, locate, outsideFacts } from './locate';
import { describeEnd } from './shell-process';
import { type AskRequest, type Tool, type ToolContext, ToolError, type ToolResult } from './tool';
import { unnamedReads } from './unnamed-reads';
import { waitForJob } from './wait-for-job';

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 1_800_000;
const drainMs = 500;
const killGraceMs = 3000;
const stopGraceMs = 200;
const liveChars = 30_000;
const liveEveryMs = 100;
/** How long a call in the background waits for a port, an end or the next line, before it says that it runs. */
const settleMs = 5000;

const input = z.object({
  command: z.string().min(1).describe('The command line'),
  timeoutMs: z.number().int().positive().max(maxTimeoutMs).optional().describe('How long it may take, in ms'),
  workdir: z.string().min(1).optional().describe('Directory to run in'),
  background: z.boolean().optional().describe('Start it and go on'),
});

/** Runs a command line. */
export const bashTool: Tool<z.infer<typeof input>> = {
  name: 'bash',
  kind: 'run',
  description: bashPrompt.description,
  returns: '{ exit: number | null; end: string; output: string } | string',
  input,
  example: { command: 'npm test', timeoutMs: 60_000 },
  async execute({ command, timeoutMs = defaultTimeoutMs, workdir, background = false }, context) {
    context.update({ title: command });
    const directory = await locate(context, workdir ?? '.');
    const request = await question(command, directory, context);
    await context.ask(request);
    const stat = await context.sandbox.fs.stat(directory.path).catch(() => undefined);
    if (stat?.kind !== 'directory') throw new ToolError(bashPrompt.missingDirectory(directory.shown));
    const { callId, sandbox } = context;
    const shows = (request.also ?? [])
      .flatMap((facts) => (facts.permission === 'read' ? facts.patterns : []))
      .filter(context.isGuarded)
      .flatMap((path) => path.split('/').filter((name) => name !== ''));
    const environment = (await context.environment?.(directory.path)) ?? {};
    const asked = { sandbox, command, directory: directory.path, callId, background, shows, environment };
    const job = await jobsOf(sandbox).start(asked);
    return background ? startedInBackground(job, context) : run(job, timeoutMs, context);
  },
};

/** What a command line asks for, by what it really does. */
async function question(command: string, directory: Located, context: ToolContext): Promise<AskRequest> {
  const facts = bashFacts(command, directory.path, context.sandbox.home);
  const places = (paths: string[]) => Promise.all(paths.map((path) => locate(context, path)));
  const { sandbox, isGuarded } = context;
  const unnamed = await unnamedReads(sandbox, {
    below: facts.readsUnnamed ? [...new Set([sandbox.workdir, directory.path, ...facts.visits])] : [],
    globs: facts.readGlobs,
    isGuarded,
  });
  const existing = async (paths: readonly string[]) =>
    (
      await Promise.all(paths.map(async (path) => ((await sandbox.fs.stat(path).catch(() => undefined)) ? [path] : [])))
    ).flat();
  const [writes, reads, visits] = await Promise.all(
    [
      facts.writes,
      [...facts.reads, ...(await existing(facts.maybeReads)), ...unnamed],
      [...facts.visits, ...(await existing(facts.mentions))],
    ].map(places),
  );
  const also: NonNullable<AskRequest['also']> = [
    { permission: 'edit', patterns: writes!.map((place) => place.shown), always: ['*'] },
    { permission: 'read', patterns: reads!.map((place) => place.shown), always: [] },
    { permission: 'bash', patterns: facts.perhaps, always: [], maybe: true },
    ...outsideFacts([directory, ...writes!, ...reads!, ...visits!]),
  ].filter((other) => other.patterns.length > 0);
  return {
    permission: 'bash',
    patterns: facts.opaque === undefined ? facts.commands : [...new Set([...facts.commands, command])],
    always: facts.always,
    title: `Run ${command}`,
    also,
    ...(facts.opaque === undefined ? {} : { opaque: true }),
    meta: { command, workdir: directory.shown, ...(facts.opaque === undefined ? {} : { opaque: facts.opaque }) },
  };
}

async function run(job: Job, timeoutMs: number, context: ToolContext): Promise<ToolResult> {
  const { command, directory, startedAtMs } = job.view();
  const stopShowing = showLive(job, context);
  const deadline = new AbortController();
  job.endAt(startedAtMs + timeoutMs);
  const outcome = await Promise.race([
    job.exit,
    job.detached.then(() => 'detached' as const),
    untilDeadline(job, deadline.signal).then(() => 'timeout' as const),
    aborted(context.signal),
  ]).finally(() => deadline.abort());
  stopShowing();
  if (outcome === 'aborted') {
    context.update(shownNow(job));
    await job.stop(stopGraceMs);
    job.output.cancel();
    throw abortError(context.signal);
  }
  if (outcome === 'detached') return runsOn(job, bashPrompt.detached);
  if (outcome === 'timeout') await job.stop(killGraceMs);
  await job.output.settled(drainMs);
  job.output.cancel();
  const durationMs = steadyNow() - startedAtMs;
  const end =
    outcome === 'timeout'
      ? bashPrompt.timedOut(Math.round((job.view().deadlineMs ?? 0) - startedAtMs))
      : describeEnd(outcome);
  const { text, looks } = await shownAtEnd(job);
  const exit = outcome !== 'timeout' && outcome.kind === 'exited' ? outcome.code : null;
  const { writable } = context.sandbox.policy ?? {};
  const remark = writable !== undefined && exit !== 0 ? `\n${bashPrompt.readOnly(writable)}` : '';
  const output = `${text.trimEnd() || '(no output)'}\n[${end}; ${(durationMs / 1000).toFixed(1)} s; in ${directory}]${remark}`;
  return {
    title: command,
    output,
    meta: {
      command,
      exit,
      end: outcome === 'timeout' ? 'timeout' : outcome.kind,
      durationMs,
      ...(looks && { looks: { ...looks, length: output.length } }),
    },
    // What went wrong is said last.
    cut: { headShare: 0.3, unkept: job.output.unkept() },
    value: () => ({ exit, end, output: text }),
  };
}

/** The person may move it while it is waited for. */
async function untilDeadline(job: Job, signal: AbortSignal): Promise<void> {
  const leftMs = () => (job.view().deadlineMs ?? Number.POSITIVE_INFINITY) - steadyNow();
  // Only what is over at once has none; its exit ends the wait. A timer takes no more than 31 bits.
  while (leftMs() > 0) await sleep(Math.min(leftMs(), 2 ** 31 - 1), signal);
}

async function startedInBackground(job: Job, context: ToolContext): Promise<ToolResult> {
  const stopShowing = showLive(job, context);
  try {
    const met = await waitForJob(job, { port: 'any' }, settleMs, context.signal);
    // Nobody waits for its pipes: what it prints from now on is asked for.
    return runsOn(job, met === 'ended' ? bashPrompt.endedAlready(describeEnd(job.view().end!)) : '');
  } catch (error) {
    await job.stop(stopGraceMs);
    throw error;
  } finally {
    stopShowing();
  }
}

function runsOn(job: Job, remark: string): ToolResult {
  const { id, command, pid, ports, directory } = job.view();
  const printed = plainOutput(job.output.tail(4000)).trim();
  const lines = [
    bashPrompt.background(id, pid, directory),
    ports.length > 0 ? `It listens on port ${ports.join(', ')}.` : '',
    remark,
    printed && `So far it printed:\n${printed}`,
  ];
  return {
    title: command,
    output: lines.filter((line) => line !== '').join('\n'),
    meta: { command, job: id, pid, ...(ports.length > 0 ? { port: ports[0] } : {}) },
  };
}

/** Which pieces of an output of `length` characters are coloured: for the person's view only. The model reads the plain text. */
interface Looks {
  length: number;
  runs: StyleRun[];
}

function shownNow(job: Job): { output: string; meta?: { looks: Looks } } {
  const { text, runs } = styledOutput(job.output.tail(liveChars));
  return { output: text, meta: { looks: { length: text.length, runs } } };
}

/** All of it; colours only where they can be found again, as the end of what was shown. */
async function shownAtEnd(job: Job): Promise<{ text: string; looks?: Pick<Looks, 'runs'> }> {
  const printed = job.output.text();
  const text = await plainOutputInSlices(printed);
  const { text: end, runs } = styledOutput(printed.slice(-liveChars));
  if (runs.length === 0 || !text.endsWith(end)) return { text };
  const before = text.length - end.length;
  return { text, looks: { runs: runs.map((run) => ({ ...run, start: run.start + before, end: run.end + before })) } };
}

/** At most every `liveEveryMs`, and never without the last piece of a burst. */
function showLive(job: Job, context: ToolContext): () => void {
  let shown = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    timer = undefined;
    const now = shownNow(job);
    if (now.output !== shown) context.update(now);
    shown = now.output;
  };
  const unsubscribe = job.subscribe(() => {
    timer ??= setTimeout(show, liveEveryMs);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}
