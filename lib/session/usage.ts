// Adding up what a session used, and what it cost where the host told prices.
import type { ModelChoice } from '../agent/model-list';
import type { Message, Usage } from './types';

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** Of all steps of all messages. `costUsd` only when each of them has a price. */
export function totalUsage(messages: readonly Message[], priceOf: (model: string) => ModelChoice['price']): Usage {
  const total = { ...noUsage };
  let costUsd = 0;
  let priced = true;
  for (const message of messages)
    for (const part of message.parts) {
      if (part.type !== 'step' || part.usage === undefined) continue;
      const { usage } = part;
      total.inputTokens += usage.inputTokens;
      total.outputTokens += usage.outputTokens;
      total.reasoningTokens += usage.reasoningTokens;
      total.cacheReadTokens += usage.cacheReadTokens;
      total.cacheWriteTokens += usage.cacheWriteTokens;
      const price = message.model === undefined ? undefined : priceOf(message.model);
      if (price === undefined) priced = false;
      else costUsd += cost(usage, price);
    }
  return priced && total.outputTokens > 0 ? { ...total, costUsd } : total;
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
