// Making room in the model's context: when, and the summary itself. A summary that does not shrink the prompt is no summary: then the turn
// stops with words instead of summarising for ever.
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4Usage } from '@ai-sdk/provider';
import { estimateTokens } from '../std/bound-text';
import { compactionPrompt, summaryHeadings } from './compaction.prompt';
import { openStep, readStep } from './model-step';
import { ModelError } from './run-error';

/** Room for the answer. */
const reservedTokens = 20_000;
/** How much of the end of the conversation stays as it is. */
export const keptTokens = 8000;
/** About what an image of the largest size that is sent costs everywhere. */
const imageTokens = 1600;

/** What a value costs as JSON, roughly. Files count as images do, not by their bytes. */
export function estimatePromptTokens(value: unknown): number {
  if (typeof value === 'string') return estimateTokens(value);
  if (typeof value !== 'object' || value === null) return 1;
  if ((value as { type?: unknown }).type === 'file') return imageTokens;
  let tokens = 0;
  // A quarter of a token for each quote, colon and comma is what the names cost beside their letters.
  for (const [name, member] of Object.entries(value))
    if (member !== undefined)
      tokens += estimatePromptTokens(member) + (Array.isArray(value) ? 0 : (name.length + 4) / 4);
  return Math.ceil(tokens);
}

const counted = new WeakMap<object, number>();

/** As `estimatePromptTokens`; a message that was counted is not counted again. *Contract:* nobody changes a message of a prompt. */
export function countPrompt(prompt: LanguageModelV4Prompt): number {
  let tokens = 0;
  for (const message of prompt) {
    const known = counted.get(message) ?? estimatePromptTokens(message);
    counted.set(message, known);
    tokens += known;
  }
  return tokens;
}

/** Is a prompt of `tokens` too long for a model with a context of `contextTokens`? Never when that is not known. At most half of it is kept free. */
export function isOverflowing(tokens: number, contextTokens: number | undefined, wantedTokens?: number): boolean {
  if (contextTokens === undefined || contextTokens <= 0) return false;
  const free =
    wantedTokens === undefined
      ? Math.min(reservedTokens, contextTokens / 4)
      : Math.min(wantedTokens, contextTokens / 2);
  return tokens >= contextTokens - free;
}

export interface Summary {
  text: string;
  usage: LanguageModelV4Usage[];
}

/**
 * Asks the model for a summary of a conversation as text: providers refuse calls of tools in a history when no tools are offered.
 * Throws what the model throws, and a ModelError for what is no summary.
 */
export async function summarise(
  model: LanguageModelV4,
  transcript: string,
  signal: AbortSignal,
  keep: readonly string[] = [],
): Promise<Summary> {
  const usage: LanguageModelV4Usage[] = [];
  const asked: LanguageModelV4Prompt = [
    { role: 'system', content: compactionPrompt.system },
    { role: 'user', content: [{ type: 'text', text: compactionPrompt.request(transcript, keep) }] },
  ];
  for (let attempt = 0; attempt < 2; attempt++) {
    const { text, spent } = await textOf(model, asked, signal);
    usage.push(spent);
    if (summaryHeadings.some((heading) => text.includes(heading))) return { text: text.trim(), usage };
    asked.push(
      { role: 'assistant', content: [{ type: 'text', text: text || '(nothing)' }] },
      { role: 'user', content: [{ type: 'text', text: compactionPrompt.again }] },
    );
  }
  throw new ModelError({
    message:
      'The model was asked to summarise the conversation, and answered with something else. Choose another model, or start a new conversation.',
    retryable: false,
    kind: 'limit',
  });
}

/** One answer without tools, as text. Throws when the stream breaks. */
export async function textOf(
  model: LanguageModelV4,
  prompt: LanguageModelV4Prompt,
  signal: AbortSignal,
): Promise<{ text: string; spent: LanguageModelV4Usage }> {
  let text = '';
  const open = await openStep({ model, prompt, tools: [] }, signal);
  const outcome = await readStep(
    open,
    signal,
    (event) => {
      if (event.type === 'text-delta') text += event.delta;
    },
    () => {},
  );
  if (outcome.brokenBy !== undefined) throw outcome.brokenBy;
  return { text, spent: outcome.usage };
}
