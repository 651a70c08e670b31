// A conversation as plain text, for the model that summarises it.

import { estimateTokens } from '../std/bound-text';
import type { MessagePart } from './messages';
import type { PromptUnit } from './to-prompt';

const maxResultChars = 2000;
const maxInputChars = 1000;
/** At the least. */
const charsPerToken = 2;

/**
 * Who said what, which calls were made and what came back, each cut to what a summary needs. Beyond `maxTokens` the oldest steps are left out first, then
 * what was said in the middle.
 */
export function transcriptOf(units: readonly PromptUnit[], maxTokens = Number.POSITIVE_INFINITY): string {
  const texts = units.map(textOf);
  const last = units.length - 1;
  const order = [...units.keys()].filter((at) => at !== last);
  const leavable = [
    ...order.filter((at) => units[at]!.kind === 'step'),
    ...order.filter((at) => at > 0 && units[at]!.kind === 'user'),
  ];
  let tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  let left = 0;
  for (const at of leavable) {
    if (tokens <= maxTokens) break;
    tokens -= estimateTokens(texts[at]!);
    texts[at] = '';
    left++;
  }
  if (left > 0) texts.splice(1, 0, `(${left} of the older messages are left out here.)`);
  const text = texts.filter(Boolean).join('\n\n');
  return tokens > maxTokens ? cut(text, maxTokens * charsPerToken) : text;
}

function textOf(unit: PromptUnit): string {
  switch (unit.kind) {
    case 'user':
      return [`PERSON: ${unit.text}`, ...unit.files.map((file) => `(showed ${file.name ?? file.mediaType})`)].join(
        '\n',
      );
    case 'summary':
      return `EARLIER SUMMARY:\n${unit.part.text}`;
    case 'step':
      return unit.parts.map(lineOf).filter(Boolean).join('\n');
  }
}

function lineOf(part: MessagePart): string {
  if (part.type === 'text') return part.text.trim() && `AGENT: ${part.text}`;
  if (part.type !== 'tool') return '';
  return `CALL ${part.tool} ${cut(part.inputText, maxInputChars)}\nRESULT (${part.state}): ${cut(part.output ?? '', maxResultChars)}`;
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}[…]` : text;
}
