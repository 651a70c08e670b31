// Events of the agent into the parts of its message. Pure but for the cursor: a new message object, and unchanged parts keep their identity.
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { AgentEvent, ProviderEcho } from '../agent/agent-events';
import { newId } from '../std/ids';
import { parseJson } from '../std/json';
import { steadyNow } from '../std/steady';
import type { Message, MessagePart, ToolPart, Usage } from './messages';

/** Where deltas go: providers number their blocks anew in every step. */
export interface TurnCursor {
  open: Map<string, number>;
}

export interface Applied {
  message: Message;
  /** Indices of new or changed parts. */
  changed: number[];
}

/** One event. Events about the run as a whole (`retry`) change nothing here. */
export function applyEvent(message: Message, event: AgentEvent, cursor: TurnCursor, nowMs = steadyNow()): Applied {
  const append = (part: MessagePart): Applied => ({
    message: { ...message, parts: [...message.parts, part] },
    changed: [message.parts.length],
  });
  switch (event.type) {
    case 'step-start':
      cursor.open.clear();
      return append({ type: 'step', id: newId('part') });
    case 'text-start':
      cursor.open.set(`text ${event.id}`, message.parts.length);
      return append({ type: 'text', id: newId('part'), text: '', streaming: true, ...withEcho(event.echo) });
    case 'reasoning-start':
      cursor.open.set(`reasoning ${event.id}`, message.parts.length);
      return append({
        type: 'reasoning',
        id: newId('part'),
        text: '',
        streaming: true,
        startedAtMs: nowMs,
        ...withEcho(event.echo),
      });
    case 'text-delta':
    case 'text-end':
    case 'reasoning-delta':
    case 'reasoning-end':
      return changeBlock(message, event, cursor, nowMs);
    case 'tool-input-start': {
      const { callId, tool } = event;
      return append({
        type: 'tool',
        id: newId('part'),
        callId,
        tool,
        state: 'streaming-input',
        inputText: '',
        ...withEcho(event.echo),
      });
    }
    case 'tool-input-delta':
      return changeTool(message, event.callId, (part) => ({ ...part, inputText: part.inputText + event.delta }));
    case 'tool-call': {
      const { callId, tool, inputText } = event;
      const json = parseJson(inputText);
      const full = {
        tool,
        inputText,
        state: 'waiting' as const,
        startedAtMs: nowMs,
        ...(json.ok ? { input: json.value } : {}),
        ...withEcho(event.echo),
      };
      const known = findTool(message, callId);
      if (known < 0 || !isTool(message.parts[known]) || (message.parts[known] as ToolPart).state !== 'streaming-input')
        return append({ type: 'tool', id: newId('part'), callId, ...full });
      return changeTool(message, callId, (part) => ({ ...part, ...full }));
    }
    case 'tool-progress':
      return changeTool(message, event.callId, (part) => progressed(part, event.progress));
    case 'tool-settled':
      return changeTool(message, event.callId, (part) => settled(part, event.settled, nowMs));
    case 'step-finish': {
      const at = message.parts.findLastIndex((part) => part.type === 'step');
      return at < 0
        ? { message, changed: [] }
        : replace(message, at, { ...message.parts[at]!, usage: usageOf(event.usage) } as MessagePart);
    }
    case 'notice':
      return append({ type: 'notice', id: newId('part'), text: event.text });
    case 'retry':
    case 'retry-over':
      return { message, changed: [] };
  }
}

function changeBlock(
  message: Message,
  event: Extract<AgentEvent, { type: 'text-delta' | 'text-end' | 'reasoning-delta' | 'reasoning-end' }>,
  cursor: TurnCursor,
  nowMs: number,
): Applied {
  const at = cursor.open.get(`${event.type.startsWith('text') ? 'text' : 'reasoning'} ${event.id}`);
  const part = at === undefined ? undefined : message.parts[at];
  if (at === undefined || (part?.type !== 'text' && part?.type !== 'reasoning')) return { message, changed: [] };
  const echo = withEcho(event.echo, part.echo);
  if (event.type === 'text-delta' || event.type === 'reasoning-delta')
    return replace(message, at, { ...part, text: part.text + event.delta, ...echo });
  const { streaming: _over, ...rest } = part;
  return replace(message, at, {
    ...rest,
    ...echo,
    ...(part.type === 'reasoning' ? { endedAtMs: nowMs } : {}),
  } as MessagePart);
}

function progressed(part: ToolPart, progress: Extract<AgentEvent, { type: 'tool-progress' }>['progress']): ToolPart {
  switch (progress.kind) {
    case 'accepted':
      return { ...part, input: progress.input, ...(progress.repairs.length > 0 ? { repairs: progress.repairs } : {}) };
    case 'asking':
      // Shown only when a person is really asked, which the session knows.
      return part;
    case 'running':
      return part.state === 'running' ? part : { ...part, state: 'running' };
    case 'update': {
      const { kind: _kind, ...update } = progress;
      return { ...part, ...update };
    }
  }
}

function settled(
  part: ToolPart,
  outcome: Extract<AgentEvent, { type: 'tool-settled' }>['settled'],
  nowMs: number,
): ToolPart {
  switch (outcome.state) {
    case 'done':
      return { ...part, ...outcome.result, state: 'done', endedAtMs: nowMs };
    case 'error':
      return { ...part, state: 'error', output: outcome.message, endedAtMs: nowMs };
    case 'interrupted':
      return { ...part, state: 'interrupted', endedAtMs: nowMs };
  }
}

/** Ends everything that is still open: after a stop, a failure, or on load after the tab died. The same object when nothing was. */
export function settleParts(message: Message, nowMs = steadyNow()): Applied {
  const changed: number[] = [];
  const parts = message.parts.map((part, at): MessagePart => {
    if ((part.type === 'text' || part.type === 'reasoning') && part.streaming) {
      changed.push(at);
      const { streaming: _over, ...rest } = part;
      return rest as MessagePart;
    }
    if (part.type !== 'tool' || part.state === 'done' || part.state === 'error' || part.state === 'interrupted')
      return part;
    changed.push(at);
    return { ...part, state: 'interrupted', endedAtMs: nowMs };
  });
  return changed.length === 0 ? { message, changed } : { message: { ...message, parts }, changed };
}

/** Provider usage with the unknown counted as nothing. */
export function usageOf(usage: LanguageModelV4Usage): Usage {
  return {
    inputTokens: usage.inputTokens.total ?? 0,
    outputTokens: usage.outputTokens.total ?? 0,
    reasoningTokens: usage.outputTokens.reasoning ?? 0,
    cacheReadTokens: usage.inputTokens.cacheRead ?? 0,
    cacheWriteTokens: usage.inputTokens.cacheWrite ?? 0,
  };
}

function changeTool(message: Message, callId: string, change: (part: ToolPart) => ToolPart): Applied {
  const at = findTool(message, callId);
  if (at < 0) return { message, changed: [] };
  const part = message.parts[at] as ToolPart;
  const next = change(part);
  return next === part ? { message, changed: [] } : replace(message, at, next);
}

function findTool(message: Message, callId: string): number {
  return message.parts.findLastIndex((part) => isTool(part) && part.callId === callId);
}

function isTool(part: MessagePart | undefined): part is ToolPart {
  return part?.type === 'tool';
}

function replace(message: Message, at: number, part: MessagePart): Applied {
  return { message: { ...message, parts: message.parts.with(at, part) }, changed: [at] };
}

function withEcho(echo: ProviderEcho | undefined, before?: ProviderEcho): { echo?: ProviderEcho } {
  if (echo === undefined) return {};
  const merged: ProviderEcho = { ...before };
  for (const [provider, values] of Object.entries(echo)) merged[provider] = { ...merged[provider], ...values };
  return { echo: merged };
}
