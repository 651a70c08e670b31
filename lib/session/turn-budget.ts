// What a conversation and an agent may cost. Asked before each step, because a step that has begun is paid for; going on is the person's to say.

import type { ModelChoice } from '../agent/model-list';
import { ModelError } from '../agent/run-error';
import type { SessionRecord } from './session-record';
import { totalUsage } from './usage';

/** The budgets of one session. */
export interface TurnBudget {
  /** Throws a ModelError when the next step would go beyond. `agentLimit`: of this turn's agent; US dollars. */
  check(messageId: string, agentLimit: number | undefined): void;
  /** The person wants to go on: as much again from here. */
  goOn(): void;
  /** What can't be watched because no price is known, in words, once for each turn. */
  unwatched(messageId: string, agentLimit: number | undefined): string | undefined;
}

interface BudgetOptions {
  record: SessionRecord;
  priceOf(model: string): ModelChoice['price'];
  /** Of the whole conversation, read anew for each step. */
  limit(): number | undefined;
  /** The budget of the conversation that this one works for. */
  above?(): void;
}

/** Nothing is spent beyond what the record says. */
export function createTurnBudget({ record, priceOf, limit, above }: BudgetOptions): TurnBudget {
  /** What the person said to go on with, by the limit that it was about. */
  let granted = { limit: 0, upTo: 0 };
  let turn = { messageId: '', upTo: 0 };
  const told = new Set<string>();
  const spent = () => record.state().usage.costUsd;
  const spentBy = (messageId: string) => totalUsage([record.message(messageId)], priceOf).costUsd;
  const stop = (whose: string, used: number, most: number): never => {
    throw new ModelError({
      message: `${whose} has cost ${dollars(used)}, and the limit is ${dollars(most)}. Try again to spend as much again.`,
      retryable: false,
      kind: 'limit',
    });
  };

  return {
    check(messageId, agentLimit) {
      above?.();
      const most = limit();
      const used = spent();
      if (most !== undefined && used !== undefined && used >= (granted.limit === most ? granted.upTo : most))
        stop('This conversation', used, granted.limit === most ? granted.upTo : most);
      if (agentLimit === undefined) return;
      if (turn.messageId !== messageId) turn = { messageId, upTo: agentLimit };
      const own = spentBy(messageId);
      if (own !== undefined && own >= turn.upTo) stop('This turn of the agent', own, turn.upTo);
    },
    goOn() {
      const most = limit();
      const used = spent();
      if (most !== undefined && used !== undefined && used >= (granted.limit === most ? granted.upTo : most))
        granted = { limit: most, upTo: used + most };
      const own = turn.messageId === '' ? undefined : spentBy(turn.messageId);
      if (own !== undefined && own >= turn.upTo) turn = { ...turn, upTo: own + turn.upTo };
    },
    unwatched(messageId, agentLimit) {
      const model = record.message(messageId).model!;
      if ((limit() ?? agentLimit) === undefined || priceOf(model) !== undefined || told.has(messageId))
        return undefined;
      told.add(messageId);
      return `No price is known for ${model}, so your limit of what this may cost can’t be watched.`;
    },
  };
}

function dollars(usd: number): string {
  return `$${usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
