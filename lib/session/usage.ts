// Adding up what a session used, and what it cost where the host told prices.
import type { ModelChoice } from '../agent/model-list';
import type { Message, Usage } from './messages';

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** What models cost; the practice model costs nothing. */
export function priceIn(options: { priceOf?(modelId: string): ModelChoice['price'] }) {
  return (modelId: string): ModelChoice['price'] =>
    modelId === 'practice' ? { input: 0, output: 0 } : options.priceOf?.(modelId);
}

/** Of all steps of all messages, what went on beside them, and the sub-agents that they started. `costUsd` only when each of them has a price. */
export function totalUsage(messages: readonly Message[], priceOf: (model: string) => ModelChoice['price']): Usage {
  const total = { ...noUsage };
  let costUsd = 0;
  let priced = true;
  const add = (usage: Usage, model: string | undefined) => {
    // What has not begun, or failed before it used anything, costs nothing whatever its price.
    if (usage.inputTokens + usage.outputTokens === 0) return;
    addTokens(total, usage);
    const price = model === undefined ? undefined : priceOf(model);
    if (usage.costUsd !== undefined) costUsd += usage.costUsd;
    else if (price === undefined) priced = false;
    else costUsd += cost(usage, price);
  };
  for (const message of messages) {
    if (message.overhead !== undefined) add(message.overhead, message.model);
    for (const part of message.parts) {
      if (part.type === 'step' && part.usage !== undefined) add(part.usage, message.model);
      if (part.type !== 'tool' || part.tool !== 'task') continue;
      const spent = part.meta?.usage as Usage | undefined;
      if (spent === undefined) continue;
      add(spent, undefined);
    }
  }
  return priced && total.outputTokens > 0 ? { ...total, costUsd } : total;
}

/** Adds the tokens of `usage` to `total`. */
export function addTokens(total: Usage, usage: Usage): void {
  total.inputTokens += usage.inputTokens;
  total.outputTokens += usage.outputTokens;
  total.reasoningTokens += usage.reasoningTokens;
  total.cacheReadTokens += usage.cacheReadTokens;
  total.cacheWriteTokens += usage.cacheWriteTokens;
}

/** Reasoning is billed as output and is part of `outputTokens`; cached input is part of `inputTokens`. */
function cost(usage: Usage, price: NonNullable<ModelChoice['price']>): number {
  const plain = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens);
  const sum =
    plain * price.input +
    usage.cacheReadTokens * (price.cacheRead ?? price.input) +
    usage.cacheWriteTokens * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return sum / 1e6;
}
