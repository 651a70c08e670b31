// A conversation as plain text, for the model that summarises it.

import type { MessagePart } from './messages';
import type { PromptUnit } from './to-prompt';

const maxResultChars = 2000;
const maxInputChars = 1000;

/** Who said what, which calls were made and what came back, each cut to what a summary needs. */
export function transcriptOf(units: readonly PromptUnit[]): string {
  return units.map(textOf).filter(Boolean).join('\n\n');
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
