// Making room in a conversation: what is older than its last steps becomes a summary, for the model only.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { countPrompt, keptTokens, summarise } from '../agent/compaction';
import { ModelError } from '../agent/run-error';
import { newId } from '../std/ids';
import { inSlices } from '../std/slices';
import { usageOf } from './apply-event';
import type { Message, SummaryPart, Usage } from './messages';
import { type PromptUnit, promptUnits, shownUnits, unitMessages, unitsToPrompt } from './to-prompt';
import { transcriptOf } from './transcript';
import { addTokens, noUsage } from './usage';

/** A summary must leave at most so much of the prompt. */
const maxShare = 0.7;

/** The part to append, and what it cost. `keep`: what the summary must not lose. Throws what the model throws; a ModelError when the prompt does not get shorter. */
export async function makeSummary(
  messages: readonly Message[],
  { modelId, model, keep = [] }: { modelId: string; model: LanguageModelV4; keep?: readonly string[] },
  signal: AbortSignal,
): Promise<{ part: SummaryPart; usage: Usage }> {
  const units = shownUnits(promptUnits(messages));
  const size = (list: readonly PromptUnit[]) => countPrompt(unitsToPrompt('', list, { model: modelId }));
  await inSlices(units, tokensOf(modelId));
  const keptSteps = keptCount(units, tokensOf(modelId));
  const older = units.slice(0, units.length - keptSteps);
  const tokensBefore = size(units);
  if (older.length === 0) throw tooLong();
  const summary = await summarise(model, transcriptOf(older), signal, keep);
  const usage = { ...noUsage };
  for (const spent of summary.usage) addTokens(usage, usageOf(spent));
  const part: SummaryPart = {
    type: 'summary',
    id: newId('part'),
    text: summary.text,
    keptSteps,
    tokensBefore,
    tokensAfter: 0,
  };
  part.tokensAfter = size([{ kind: 'summary', part }, ...units.slice(units.length - keptSteps)]);
  if (part.tokensAfter > tokensBefore * maxShare) throw tooLong();
  return { part, usage };
}

function tokensOf(model: string): (unit: PromptUnit) => number {
  return (unit) => countPrompt(unitMessages(unit, { model }));
}

/** How many units at the end stay: always the person's last words when nothing came after them, and what fits into the budget. */
function keptCount(units: readonly PromptUnit[], tokensOf: (unit: PromptUnit) => number): number {
  const last = units.at(-1);
  let count = last?.kind === 'user' ? 1 : 0;
  let tokens = count === 1 ? tokensOf(last!) : 0;
  while (count < units.length) {
    const next = units[units.length - 1 - count]!;
    tokens += tokensOf(next);
    if (tokens > keptTokens || next.kind === 'summary') break;
    count++;
  }
  return count;
}

/** What is older than the last steps is nothing, or no longer than its summary. */
export class NoShorterError extends ModelError {}

function tooLong(): NoShorterError {
  return new NoShorterError({
    message:
      'The conversation is too long for this model, and a summary would not make it shorter. Choose a model with a larger context, or start a new conversation.',
    retryable: false,
    kind: 'limit',
  });
}
