// Making room in a conversation: what is older than its last steps becomes a summary, for the model only.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { countPrompt, keptTokens, type Summary, summarise } from '../agent/compaction';
import { ModelError, type RunError, toRunError } from '../agent/run-error';
import { estimateTokens } from '../std/bound-text';
import { newId } from '../std/ids';
import { inSlices } from '../std/slices';
import { usageOf } from './apply-event';
import type { Message, SummaryPart, Usage } from './messages';
import { type PromptUnit, promptUnits, shownUnits, unitMessages, unitsToPrompt } from './to-prompt';
import { transcriptOf } from './transcript';
import { addTokens, noUsage } from './usage';

/** A summary must leave at most so much of the prompt. */
const maxShare = 0.7;

/** Who makes a summary, and for whom. */
export interface SummaryModel {
  modelId: string;
  model: LanguageModelV4;
  /** Of the model's window, where that is known. */
  contextTokens: number | undefined;
  /** What instructions and tools take of it at every step; 0 where that is not known. */
  fixedTokens?: number;
  /** What the summary must not lose. */
  keep?: readonly string[];
}

/** Of a window: what the end that stays may take (and of what is left of it beside instructions and tools), and what the model is shown of the rest. */
const keptShare = 0.25;
const keptShareOfRoom = 0.5;
const shownShare = 0.6;
/** With less than this there is nothing to make a summary of. */
const leastTokens = 1000;

/** The part to append, and what it cost. Throws what the model throws; a ModelError when the prompt does not get shorter. */
export async function makeSummary(
  messages: readonly Message[],
  asked: SummaryModel,
  signal: AbortSignal,
): Promise<{ part: SummaryPart; usage: Usage }> {
  const { modelId, contextTokens = Number.POSITIVE_INFINITY, fixedTokens = 0 } = asked;
  const units = shownUnits(promptUnits(messages));
  const size = (list: readonly PromptUnit[]) => countPrompt(unitsToPrompt('', list, { model: modelId }));
  await inSlices(units, tokensOf(modelId));
  const most = Math.min(keptTokens, contextTokens * keptShare, (contextTokens - fixedTokens) * keptShareOfRoom);
  const keptSteps = keptCount(units, tokensOf(modelId), most);
  const older = units.slice(0, units.length - keptSteps);
  const tokensBefore = size(units);
  if (older.length === 0) throw new NothingOlderError(tooLong);
  const summary = await summaryOf(older, asked, signal);
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
  if (part.tokensAfter > tokensBefore * maxShare) throw new NoShorterError(tooLong, usage);
  return { part, usage };
}

/** What a window can't take of them is left out; a provider that knows its window better than we do is asked again for half. */
async function summaryOf(
  units: readonly PromptUnit[],
  { model, contextTokens, keep = [] }: SummaryModel,
  signal: AbortSignal,
): Promise<Summary> {
  let most = (contextTokens ?? Number.POSITIVE_INFINITY) * shownShare;
  for (;;) {
    const transcript = transcriptOf(units, most);
    try {
      return await summarise(model, transcript, signal, keep);
    } catch (error) {
      most = Math.min(most, estimateTokens(transcript)) / 2;
      if (signal.aborted || toRunError(error).overflow !== true || most < leastTokens) throw error;
    }
  }
}

function tokensOf(model: string): (unit: PromptUnit) => number {
  return (unit) => countPrompt(unitMessages(unit, { model }));
}

/** How many units at the end stay: always the person's last words when nothing came after them, and what fits into the budget. */
function keptCount(units: readonly PromptUnit[], tokensOf: (unit: PromptUnit) => number, most: number): number {
  const last = units.at(-1);
  let count = last?.kind === 'user' ? 1 : 0;
  let tokens = count === 1 ? tokensOf(last!) : 0;
  while (count < units.length) {
    const next = units[units.length - 1 - count]!;
    tokens += tokensOf(next);
    if (tokens > most || next.kind === 'summary') break;
    count++;
  }
  return count;
}

/** What is older than the last steps is nothing, or no longer than its summary. */
export class NoShorterError extends ModelError {
  /** What the summary that was no use had cost. */
  readonly spent: Usage;
  constructor(error: RunError, spent: Usage = noUsage) {
    super(error);
    this.spent = spent;
  }
}

/** There is nothing that a summary could be of; the model was not asked. */
export class NothingOlderError extends NoShorterError {}

const tooLong: RunError = {
  message:
    'The conversation is too long for this model, and a summary would not make it shorter. Choose a model with a larger context, or start a new conversation.',
  retryable: false,
  kind: 'limit',
};
