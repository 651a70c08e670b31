// The bash tool: one fresh shell per call, judged by what its command line really does, live output, and an end that always comes:
// when the shell exits (not when the last inherited pipe closes), at the deadline, or when the person stops it.
import { z } from 'zod';
import { bashFacts } from '../permission/bash-facts';
import type { Process } from '../sandbox/sandbox';
import { boundText, outputBudget, plainOutput } from '../std/bound-text';
import { abortError, sleep } from '../std/signals';
import { bashPrompt } from './bash.prompt';
import { startInBackground } from './bash-background';
import { type Located, locate, outsideFacts } from './locate';
import { collectOutput, endProcess } from './process-output';
import { secretFilesIn } from './secret-files';
import { describeEnd, logPath, spawnShell } from './shell-process';
import { type AskRequest, type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 1_800_000;
const drainMs = 500;
const killGraceMs = 3000;
const stopGraceMs = 200;
const liveChars = 30_000;
const liveEveryMs = 100;

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
  input,
  example: { command: 'npm test', timeoutMs: 60_000 },
  async execute({ command, timeoutMs, workdir, background }, context) {
    context.update({ title: command });
    const directory = await locate(context, workdir ?? '.');
    await context.ask(await question(command, directory, context));
    const stat = await context.sandbox.fs.stat(directory.path).catch(() => undefined);
    if (stat?.kind !== 'directory') throw new ToolError(bashPrompt.missingDirectory(directory.shown));
    if (background) return startInBackground(command, directory.path, context);
    const child = await spawnShell(context, ['-c', command], directory.path);
    child.input.close().catch(() => {});
    return run(child, { command, timeoutMs: timeoutMs ?? defaultTimeoutMs, directory }, context);
  },
};

async function question(command: string, directory: Located, context: ToolContext): Promise<AskRequest> {
  const facts = bashFacts(command, directory.path);
  const places = (paths: string[]) => Promise.all(paths.map((path) => locate(context, path)));
  const unnamed = facts.readsUnnamed
    ? await secretFilesIn(context.sandbox, [context.sandbox.workdir, directory.path])
    : [];
  const [writes, reads] = await Promise.all([places(facts.writes), places([...facts.reads, ...unnamed])]);
  const also: NonNullable<AskRequest['also']> = [
    { permission: 'edit', patterns: writes.map((place) => place.shown), always: ['*'] },
    { permission: 'read', patterns: reads.map((place) => place.shown), always: [] },
    ...outsideFacts([directory, ...writes, ...reads]),
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

async function run(
  child: Process,
  call: { command: string; timeoutMs: number; directory: Located },
  context: ToolContext,
): Promise<ToolResult> {
  const startedAtMs = Date.now();
  let shownAtMs = 0;
  const output = collectOutput(child, () => {
    if (Date.now() - shownAtMs < liveEveryMs) return;
    shownAtMs = Date.now();
    context.update({ output: plainOutput(output.tail(liveChars)) });
  });
  const deadline = new AbortController();
  const outcome = await Promise.race([
    child.exit,
    sleep(call.timeoutMs, deadline.signal).then(() => 'timeout' as const),
    aborted(context.signal),
  ]).finally(() => deadline.abort());
  if (outcome === 'aborted') {
    context.update({ output: plainOutput(output.tail(liveChars)) });
    await endProcess(child, stopGraceMs);
    output.cancel();
    throw abortError(context.signal);
  }
  if (outcome === 'timeout') await endProcess(child, killGraceMs);
  // A child that inherited the pipes may hold them open for ever.
  await Promise.race([output.closed, sleep(drainMs)]);
  output.cancel();
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  const end = outcome === 'timeout' ? bashPrompt.timedOut(call.timeoutMs) : describeEnd(outcome);
  const { text, log } = await bounded(plainOutput(output.text()), context);
  const meta = {
    command: call.command,
    exit: outcome === 'timeout' ? null : outcome.kind === 'exited' ? outcome.code : null,
    end: outcome === 'timeout' ? 'timeout' : outcome.kind,
    durationMs: Date.now() - startedAtMs,
    ...(log ? { log } : {}),
  };
  return {
    title: call.command,
    output: `${text.trimEnd() || '(no output)'}\n[${end}; ${seconds} s; in ${call.directory.path}]`,
    meta,
  };
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}

async function bounded(text: string, context: ToolContext): Promise<{ text: string; log?: string }> {
  const log = logPath(context);
  const cut = boundText(text, outputBudget, (lines, bytes) => bashPrompt.omitted(lines, bytes, log), 0.3);
  if (!cut.truncated) return { text };
  await context.sandbox.fs.write(log, text);
  return { text: cut.text, log };
}
