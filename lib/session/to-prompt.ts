// A saved conversation as the prompt of the next step. No call is left without a result, and signatures go back only to the model that made them.
import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Message, MessagePart, ProviderEcho, ToolPart } from './types';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

const goOn = '(Your answer was cut here. Go on from this point without repeating what you have already written.)';
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** `model`: who is asked now. */
export function toPrompt(system: string, messages: readonly Message[], model: string): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [{ role: 'system', content: system, providerOptions: cached }];
  for (const message of messages) {
    if (message.role === 'user') {
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      prompt.push({ role: 'user', content: [{ type: 'text', text }] });
    } else for (const step of steps(message.parts)) pushStep(prompt, step, message.model === model);
  }
  if (prompt.at(-1)!.role === 'assistant') prompt.push({ role: 'user', content: [{ type: 'text', text: goOn }] });
  const last = prompt.at(-1)!;
  if (prompt.length > 1) last.providerOptions = cached;
  return prompt;
}

function steps(parts: readonly MessagePart[]): MessagePart[][] {
  const out: MessagePart[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step') out.push([]);
    else out.at(-1)!.push(part);
  }
  return out;
}

function pushStep(prompt: LanguageModelV4Prompt, parts: MessagePart[], sameModel: boolean): void {
  const content: AssistantContent = [];
  const results: ToolContent = [];
  for (const part of parts) {
    const options = sameModel && part.type !== 'step' && part.type !== 'notice' ? optionsOf(part.echo) : {};
    if (part.type === 'text' && part.text !== '') content.push({ type: 'text', text: part.text, ...options });
    // Reasoning without its signature is refused by those who sign, and of no use to the others.
    else if (part.type === 'reasoning' && 'providerOptions' in options)
      content.push({ type: 'reasoning', text: part.text, ...options });
    else if (part.type === 'tool' && (part.input !== undefined || part.state === 'error')) {
      content.push({
        type: 'tool-call',
        toolCallId: part.callId,
        toolName: part.tool,
        input: inputOf(part),
        ...options,
      });
      results.push({ type: 'tool-result', toolCallId: part.callId, toolName: part.tool, output: resultOf(part) });
    }
  }
  const says = content.some((part) => part.type !== 'reasoning');
  if (says) prompt.push({ role: 'assistant', content });
  if (results.length > 0) prompt.push({ role: 'tool', content: results });
}

function optionsOf(echo: ProviderEcho | undefined): { providerOptions?: Record<string, Record<string, never>> } {
  return echo === undefined ? {} : { providerOptions: echo as Record<string, Record<string, never>> };
}

/** Providers insist on an object. */
function inputOf(part: ToolPart): unknown {
  const { input } = part;
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? input
    : { unparsed: part.inputText.slice(0, 2000) };
}

function resultOf(part: ToolPart): LanguageModelV4ToolResultOutput {
  switch (part.state) {
    case 'done':
      return { type: 'text', value: part.output || '(no output)' };
    case 'error':
      return { type: 'error-text', value: part.output ?? 'It failed.' };
    default: {
      const partial = part.output ? ` What it had shown by then:\n${part.output.slice(-4000)}` : '';
      return { type: 'error-text', value: `The call was stopped before it ended.${partial}` };
    }
  }
}
