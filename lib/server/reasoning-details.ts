// `reasoning_details` of OpenRouter's answers: what a model thought, signed or encrypted by whoever serves it. Gemini 3 and Claude refuse to go on after a
// call without it, so it goes back as it came (https://openrouter.ai/docs/use-cases/reasoning-tokens, "Preserving reasoning blocks").
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { isRecord } from '../std/json';

/** One block: `reasoning.text`, `reasoning.summary` or `reasoning.encrypted`, with members that are not ours to know. */
export type ReasoningDetail = Record<string, unknown>;

/** What a stream says about a part of reasoning, and what comes back with it. */
export const echoKey = 'cloche';

/** Members that grow from chunk to chunk. */
const growing = ['text', 'summary', 'data'];

/** Puts the pieces of one chunk's delta to what came before: those of one block follow each other and have its type, and its index where blocks have one. */
export function addDetails(all: ReasoningDetail[], delta: Record<string, unknown>): void {
  if (!Array.isArray(delta.reasoning_details)) return;
  for (const piece of delta.reasoning_details.filter(isRecord)) {
    const last = all.at(-1);
    if (last === undefined || last.type !== piece.type || last.index !== piece.index || isClosed(last, piece))
      all.push({ ...piece });
    else
      for (const [key, value] of Object.entries(piece)) {
        const before = last[key];
        if (growing.includes(key) && typeof before === 'string' && typeof value === 'string')
          last[key] = before + value;
        else if (value !== null && value !== undefined) last[key] = value;
      }
  }
}

/** A signature ends a block, and encrypted blocks with ids of their own are several. */
function isClosed(block: ReasoningDetail, piece: ReasoningDetail): boolean {
  if (typeof block.id === 'string' && typeof piece.id === 'string' && block.id !== piece.id) return true;
  return typeof block.signature === 'string' && typeof piece.text === 'string' && piece.text !== '';
}

/** The prompt with each answer's blocks where the package takes members of a message from. */
export function withDetails(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== 'assistant') return message;
    const details = message.content.flatMap((part) => {
      const echoed = part.type === 'reasoning' ? part.providerOptions?.[echoKey]?.details : undefined;
      return Array.isArray(echoed) ? echoed : [];
    });
    if (details.length === 0) return message;
    const { providerOptions } = message;
    const members = { ...providerOptions?.openaiCompatible, reasoning_details: details };
    return { ...message, providerOptions: { ...providerOptions, openaiCompatible: members } };
  });
}
