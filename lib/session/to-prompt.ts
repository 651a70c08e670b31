// A saved conversation as the prompt of the next step. No call is left without a result, signatures go back only to the model that made them,
// and what a summary stands for is left out.
import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import { promptTexts } from './to-prompt.prompt';
import type { Message, MessagePart, ProviderEcho, SummaryPart, ToolPart } from './types';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** What a prompt is made of: the person's words, or one step of the model with the results of its calls. */
export type PromptUnit =
  | { kind: 'user'; text: string }
  | { kind: 'step'; parts: MessagePart[]; model: string | undefined }
  | { kind: 'summary'; part: SummaryPart };

export interface PromptOptions {
  /** Who is asked now. */
  model: string;
  /** Cuts each result of a tool to so many characters. */
  maxResultChars?: number;
  /** Told with a summary: what must survive it. */
  keep?: string;
}

/** `messages`: the conversation whole. */
export function toPrompt(system: string, messages: readonly Message[], options: PromptOptions): LanguageModelV4Prompt {
  return unitsToPrompt(system, shownUnits(promptUnits(messages)), options);
}

/** The conversation in units, oldest first. */
export function promptUnits(messages: readonly Message[]): PromptUnit[] {
  const units: PromptUnit[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      units.push({ kind: 'user', text });
      continue;
    }
    let step: MessagePart[] = [];
    const end = () => {
      if (step.length > 0) units.push({ kind: 'step', parts: step, model: message.model });
      step = [];
    };
    for (const part of message.parts) {
      if (part.type === 'step') end();
      else if (part.type === 'summary') {
        end();
        units.push({ kind: 'summary', part });
      } else step.push(part);
    }
    end();
  }
  return units;
}

/** Without what the last summary stands for. */
export function shownUnits(units: readonly PromptUnit[]): PromptUnit[] {
  const at = units.findLastIndex((unit) => unit.kind === 'summary');
  const summary = units[at];
  if (summary?.kind !== 'summary') return [...units];
  const before = units.slice(0, at).filter((unit) => unit.kind !== 'summary');
  return [summary, ...before.slice(before.length - summary.part.keptSteps), ...units.slice(at + 1)];
}

/** Units as messages; ends with the person or a tool, as providers want it. */
export function unitsToPrompt(
  system: string,
  units: readonly PromptUnit[],
  { model, maxResultChars, keep }: PromptOptions,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [{ role: 'system', content: system, providerOptions: cached }];
  for (const unit of units) {
    switch (unit.kind) {
      case 'user':
        prompt.push({ role: 'user', content: [{ type: 'text', text: unit.text }] });
        break;
      case 'summary':
        prompt.push({ role: 'user', content: [{ type: 'text', text: promptTexts.summary(unit.part.text, keep) }] });
        break;
      case 'step':
        pushStep(prompt, unit.parts, unit.model === model, maxResultChars);
    }
  }
  if (prompt.at(-1)!.role === 'assistant')
    prompt.push({ role: 'user', content: [{ type: 'text', text: promptTexts.goOn }] });
  const last = prompt.at(-1)!;
  if (prompt.length > 1) last.providerOptions = cached;
  return prompt;
}

function pushStep(
  prompt: LanguageModelV4Prompt,
  parts: MessagePart[],
  sameModel: boolean,
  maxResultChars: number | undefined,
): void {
  const content: AssistantContent = [];
  const results: ToolContent = [];
  for (const part of parts) {
    const options = sameModel && 'echo' in part ? optionsOf(part.echo) : {};
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
      const output = resultOf(part, maxResultChars);
      results.push({ type: 'tool-result', toolCallId: part.callId, toolName: part.tool, output });
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

function resultOf(part: ToolPart, maxChars = Number.POSITIVE_INFINITY): LanguageModelV4ToolResultOutput {
  const cut = (text: string) => (text.length > maxChars ? `${text.slice(0, maxChars)}\n[…]` : text);
  switch (part.state) {
    case 'done':
      return { type: 'text', value: cut(part.output || '(no output)') };
    case 'error':
      return { type: 'error-text', value: cut(part.output ?? 'It failed.') };
    default: {
      const partial = part.output ? ` What it had shown by then:\n${part.output.slice(-4000)}` : '';
      return { type: 'error-text', value: cut(`The call was stopped before it ended.${partial}`) };
    }
  }
}
