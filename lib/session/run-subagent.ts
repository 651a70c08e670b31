// A task of another agent: a conversation of its own that is watched, stopped and paid for by the call that started it.
import { abortError } from '../std/signals';
import { taskPrompt } from '../tools/task.prompt';
import { type AgentRequest, ToolError, type ToolResult } from '../tools/tool';
import type { ChildSeed } from './session-options';
import type { Session, SessionState, ToolPart, Usage } from './types';

interface SubagentOptions {
  request: AgentRequest;
  seed: ChildSeed;
  openChild(seed: ChildSeed): Promise<Session>;
  signal: AbortSignal;
  /** Shows in the call's card how far it is. */
  report(meta: Record<string, unknown>): void;
}

const shownCalls = 6;

/** Runs it to its end. Throws a ToolError when the sub-agent failed; its conversation stays and can be gone on with. */
export async function runSubagent({ request, seed, openChild, signal, report }: SubagentOptions): Promise<ToolResult> {
  if (signal.aborted) throw abortError(signal);
  const child = await openChild(seed);
  const before = child.state();
  const stop = () => void child.stop();
  const stopWatching = child.subscribe(() => report(progressOf(child.state(), before.usage, request.agent)));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await child.send(request.prompt);
  } finally {
    signal.removeEventListener('abort', stop);
    stopWatching();
  }
  const state = child.state();
  const meta = progressOf(state, before.usage, request.agent);
  report(meta);
  if (signal.aborted) throw abortError(signal);
  const text = lastText(state);
  if (state.status.kind === 'failed')
    throw new ToolError(
      `The sub-agent failed: ${state.status.error.message}${text === '' ? '' : ` What it had said by then: ${text}`}\nTo go on with it, call task with taskId ${child.id}.`,
    );
  if (text === '')
    throw new ToolError(`The sub-agent ended without an answer. To go on with it, call task with taskId ${child.id}.`);
  return { title: request.description, output: taskPrompt.result(child.id, text), meta };
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
