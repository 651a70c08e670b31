// The name of a conversation, from the model that answers it, while the first answer is on its way.
import type { LanguageModelV4, LanguageModelV4Usage } from '@ai-sdk/provider';
import { textOf } from './compaction';

const maxChars = 60;

const system =
  'You name conversations. Answer with a title of three to seven words for what the person asks, in their language, without quotes and without a full stop. Never answer the request itself.';

/** One line of at most sixty characters; empty when the model said nothing that could be one. */
export async function titleFor(
  model: LanguageModelV4,
  request: string,
  signal: AbortSignal,
): Promise<{ title: string; spent: LanguageModelV4Usage }> {
  const { text, spent } = await textOf(
    model,
    [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: request.slice(0, 4000) }] },
    ],
    signal,
  );
  const line = text
    .replace(/<think>[\s\S]*?<\/think>/g, '')
    .split('\n')
    // As long as no title is; what is longer would be looked through again and again.
    .map((one) =>
      one
        .trim()
        .slice(0, 4 * maxChars)
        .replace(/^["'“#*\s]+|["'”*\s.]+$/g, ''),
    )
    .find((one) => one !== '');
  return {
    title: line === undefined ? '' : line.length > maxChars ? `${line.slice(0, maxChars - 1).trimEnd()}…` : line,
    spent,
  };
}
