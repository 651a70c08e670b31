// What a conversation used, in words: short for the header, long for its tooltip. A price is only named when it is known.
import type { ModelChoice } from '../../lib/agent/model-list';
import type { Usage } from '../../lib/session/messages';
import type { SessionState } from '../../lib/session/types';
import { estimateTokens } from '../../lib/std/bound-text';

export interface UsageLine {
  /** `18 % · $0.04` */
  short: string;
  long: string;
  /** How full the model's context is, 0–1, where its size is known. */
  fraction?: number;
}

/** Undefined while there is nothing to tell (nothing was used, or only the practice model answered). */
export function usageLine({ messages, usage }: SessionState, model: ModelChoice): UsageLine | undefined {
  if (usage.inputTokens + usage.outputTokens === 0) return undefined;
  const contextTokens = contextOf(messages);
  const fraction = model.contextTokens ? contextTokens / model.contextTokens : undefined;
  const full = fraction === undefined ? undefined : `${Math.round(fraction * 100)} %`;
  const cost = usage.costUsd === undefined ? undefined : showCost(usage.costUsd);
  const tokens = contextTokens === 0 ? undefined : `${showTokens(contextTokens)} tokens`;
  const short = [full ?? tokens, cost].filter(Boolean).join(' · ');
  if (short === '') return undefined;
  const long = [
    full === undefined
      ? `Context: ${showTokens(contextTokens)} tokens.`
      : `Context: ${showTokens(contextTokens)} of ${showTokens(model.contextTokens!)} tokens (${full}).`,
    `In all ${showTokens(usage.inputTokens)} in, ${showTokens(usage.outputTokens)} out${cached(usage)}.`,
    cost === undefined ? 'No price is configured for every model that answered.' : `Cost: ${cost}.`,
  ].join(' ');
  return { short, long, ...(fraction === undefined ? {} : { fraction }) };
}

/** About what goes to the model with these words. `tools`: their definitions as JSON, for a conversation that has not begun. */
export function estimateLine(
  messages: SessionState['messages'],
  model: ModelChoice,
  tools: string,
  text: string,
): { short: string; long: string } {
  const tokens = (contextOf(messages) || estimateTokens(tools) + systemTokens) + estimateTokens(text);
  const about = `About ${showTokens(tokens)} tokens go to the model with this`;
  if (model.price === undefined)
    return { short: `≈ ${showTokens(tokens)}`, long: `${about}. Its price is not known here.` };
  const cost = showCost((tokens * model.price.input) / 1e6);
  return {
    short: cost.startsWith('<') ? cost : `≈ ${cost}`,
    long: `${about}: at most ${cost.replace('< ', '')} for each step, and what it answers.`,
  };
}

/** What the system prompt takes without instructions. */
const systemTokens = 500;

/** `950`, `12.3k`, `1.2M`. */
export function showTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${tokens < 99_950 ? (tokens / 1000).toFixed(1) : Math.round(tokens / 1000)}k`;
  return `${(tokens / 1e6).toFixed(1)}M`;
}

/** Dollars: cents while small, never a misleading zero. */
export function showCost(usd: number): string {
  if (usd === 0) return '$0';
  return usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`;
}

function cached(usage: Usage): string {
  return usage.cacheReadTokens > 0 ? ` (${showTokens(usage.cacheReadTokens)} of it from the cache)` : '';
}

/** What the last step held: its whole input and what it answered. */
function contextOf(messages: SessionState['messages']): number {
  for (let at = messages.length - 1; at >= 0; at--) {
    // A step of the practice model holds nothing; what was before it is still there.
    const step = messages[at]!.parts.findLast((part) => part.type === 'step' && (part.usage?.inputTokens ?? 0) > 0);
    if (step?.type === 'step') return step.usage!.inputTokens + step.usage!.outputTokens;
  }
  return 0;
}
