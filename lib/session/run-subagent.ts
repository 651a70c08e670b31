// A task of another agent: a conversation of its own that is watched, stopped and paid for by the call that started it. One that gives no sign of life
// for minutes is stopped, and the agent that waits for it is told: nothing waits for ever.
import { abortError } from '../std/signals';
import { watchSilence } from '../std/watch-silence';
import { questionPrompt } from '../tools/question.prompt';
import { runToolPrompt } from '../tools/run-tool.prompt';
import { taskPrompt } from '../tools/task.prompt';
import { type AgentRequest, ToolError, type ToolResult } from '../tools/tool';
import type { ToolPart, Usage } from './messages';
import type { ChildSeed } from './session-options';
import type { Session, SessionState } from './types';

interface SubagentOptions {
  request: AgentRequest;
  seed: ChildSeed;
  openChild(seed: ChildSeed): Promise<Session>;
  signal: AbortSignal;
  /** Is the person asked something by this conversation? */
  isAsking(sessionId: string): boolean;
  /** Milliseconds; default ten minutes. */
  silenceMs?: number | undefined;
  /** Shows in the call's card how far it is. */
  report(meta: Record<string, unknown>): void;
}

const refusals: readonly string[] = [runToolPrompt.rejected, runToolPrompt.unanswered, questionPrompt.dismissed];
const defaultSilenceMs = 10 * 60_000;
const tellAfterMs = 60_000;
/** Calls with a deadline or a watch of their own: a command may be silent for as long as it was given. */
const watchedElsewhere = ['bash', 'task', 'execute'];

const shownCalls = 6;

/** Runs it to its end. Throws a ToolError when the sub-agent failed; its conversation stays and can be gone on with. */
export async function runSubagent(options: SubagentOptions): Promise<ToolResult> {
  const { request, seed, openChild, signal, report, isAsking, silenceMs = defaultSilenceMs } = options;
  if (signal.aborted) throw abortError(signal);
  const child = await openChild(seed);
  const before = child.state();
  const stop = () => void child.stop();
  const progress = () => progressOf(child.state(), before.usage, request.agent);
  const stopReporting = child.subscribe(() => report(progress()));
  let wasSilent = false;
  const stopWatching = watchSilence({
    listen: child.subscribe,
    isHeld: () => isAsking(child.id) || isWatchedElsewhere(child.state()),
    limitMs: silenceMs,
    tell: {
      afterMs: Math.min(tellAfterMs, silenceMs / 2),
      onSilence: (silentMs) => report({ ...progress(), ...(silentMs > 0 ? { silentMs, silenceMs } : {}) }),
    },
    onLimit() {
      wasSilent = true;
      stop();
    },
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    await child.send(request.prompt);
  } finally {
    signal.removeEventListener('abort', stop);
    stopReporting();
    stopWatching();
  }
  const state = child.state();
  const meta = progress();
  report(meta);
  if (signal.aborted) throw abortError(signal);
  const text = lastText(state);
  if (wasSilent) throw new ToolError(taskPrompt.silent(child.id, Math.round(silenceMs / 60_000), text));
  if (state.status.kind === 'failed')
    throw new ToolError(
      `The sub-agent failed: ${state.status.error.message}${text === '' ? '' : ` What it had said by then: ${text}`}\nTo go on with it, call task with taskId ${child.id}.`,
    );
  const early = endedEarly(state);
  if (early !== undefined)
    throw new ToolError(taskPrompt.stopped(child.id, early.why, text), { stopsTurn: early.byRefusal });
  if (text === '')
    throw new ToolError(`The sub-agent ended without an answer. To go on with it, call task with taskId ${child.id}.`);
  return { title: request.description, output: taskPrompt.result(child.id, text), meta };
}

/** Why the last answer was stopped before it was done. What was refused without a word, or by nobody's answer, stops whoever asked for it too. */
function endedEarly({ messages }: SessionState): { why: string; byRefusal: boolean } | undefined {
  const answer = messages.at(-1);
  if (answer?.end !== 'stopped') return undefined;
  const refusal = answer.parts.find(
    (part) => part.type === 'tool' && part.state === 'error' && refusals.includes(part.output ?? ''),
  );
  if (refusal?.type === 'tool') return { why: refusal.output!, byRefusal: true };
  const remark = answer.parts.at(-1);
  return { why: remark?.type === 'notice' ? remark.text : 'The person stopped it.', byRefusal: false };
}

/** It waits for something that ends by itself. */
function isWatchedElsewhere({ status, messages }: SessionState): boolean {
  if (status.kind === 'retrying') return true;
  return (messages.at(-1)?.parts ?? []).some(
    (part) => part.type === 'tool' && part.state === 'running' && watchedElsewhere.includes(part.tool),
  );
}

function lastText({ messages }: SessionState): string {
  const answer = messages.findLast((message) => message.role === 'assistant');
  const texts = answer?.parts.flatMap((part) =>
    part.type === 'text' && part.text.trim() !== '' ? [part.text.trim()] : [],
  );
  return texts?.at(-1) ?? '';
}

/** JSON: which conversation, which agent, its last calls, what it used. */
function progressOf({ id, messages, usage }: SessionState, before: Usage, agent: string): Record<string, unknown> {
  const calls = messages.flatMap((message) => message.parts).filter((part): part is ToolPart => part.type === 'tool');
  return {
    sessionId: id,
    agent,
    calls: calls.length,
    lastCalls: calls.slice(-shownCalls).map(({ tool, title, state }) => ({ tool, title: title ?? '', state })),
    usage: difference(usage, before),
  };
}

function difference(now: Usage, before: Usage): Usage {
  return {
    inputTokens: now.inputTokens - before.inputTokens,
    outputTokens: now.outputTokens - before.outputTokens,
    reasoningTokens: now.reasoningTokens - before.reasoningTokens,
    cacheReadTokens: now.cacheReadTokens - before.cacheReadTokens,
    cacheWriteTokens: now.cacheWriteTokens - before.cacheWriteTokens,
    ...(now.costUsd === undefined ? {} : { costUsd: now.costUsd - (before.costUsd ?? 0) }),
  };
}
