// A saved conversation as the prompt of the next step. No call is left without a result, signatures go back only to the model that made them,
// and what a summary stands for is left out. A unit whose parts are what they were is not converted again: a conversation grows at its end.
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { modelTraits } from '../registry/model-traits';
import { toolName as asToolName } from '../registry/tool-names';
import type { KeptFile } from '../tools/tool';
import { mediaTexts } from './media.prompt';
import type { Message, MessagePart, ProviderEcho, SummaryPart, TextPart, ToolPart } from './messages';
import { idStyle, sentCallId } from './sent-call-id';
import { promptTexts } from './to-prompt.prompt';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** A file as it goes to the model. */
export type ShownFile = { kind: 'file'; mediaType: string; base64: string } | { kind: 'note'; text: string };

/** By the place of the file in the conversation. */
export type PromptMedia = ReadonlyMap<KeptFile, ShownFile>;

/** What a prompt is made of: the person's words, or one step of the model with the results of its calls. */
export type PromptUnit =
  | { kind: 'user'; parts: readonly MessagePart[]; text: string; files: KeptFile[] }
  | { kind: 'step'; parts: readonly MessagePart[]; model: string | undefined }
  | { kind: 'summary'; part: SummaryPart };

export interface PromptOptions {
  /** Who is asked now. */
  model: string;
  /** Told with a summary: what must survive it. */
  keep?: string;
  /** What is sent of images and documents (prompt-media.ts); otherwise they are only named. */
  media?: PromptMedia;
}

/** The conversation in units, oldest first. */
export function promptUnits(messages: readonly Message[]): PromptUnit[] {
  const units: PromptUnit[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      const text = message.parts.flatMap((part) => (part.type === 'text' ? [saidText(part)] : [])).join('\n');
      const files = message.parts.flatMap((part) => (part.type === 'file' ? [part.file] : []));
      units.push({ kind: 'user', parts: message.parts, text, files });
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

function saidText({ text, from }: TextPart): string {
  return from === undefined ? text : promptTexts.added(from, text);
}

/** Without what the last summary stands for. */
export function shownUnits(units: readonly PromptUnit[]): PromptUnit[] {
  const at = units.findLastIndex((unit) => unit.kind === 'summary');
  const summary = units[at];
  if (summary?.kind !== 'summary') return [...units];
  const before = units.slice(0, at).filter((unit) => unit.kind !== 'summary');
  return [summary, ...before.slice(before.length - summary.part.keptSteps), ...units.slice(at + 1)];
}

/** Units as messages; ends with the person or a tool, as providers want it. *Contract:* nobody changes a message of a prompt. */
export function unitsToPrompt(
  system: string,
  units: readonly PromptUnit[],
  options: PromptOptions,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [{ role: 'system', content: system, providerOptions: cached }];
  for (const unit of units) prompt.push(...unitMessages(unit, options));
  if (prompt.at(-1)!.role === 'assistant')
    prompt.push({ role: 'user', content: [{ type: 'text', text: promptTexts.goOn }] });
  if (prompt.length > 1) prompt.push({ ...prompt.pop()!, providerOptions: cached });
  return prompt;
}

interface Converted {
  parts: readonly MessagePart[];
  /** Whether signatures were sent, and how ids look. */
  style: string;
  messages: LanguageModelV4Message[];
}

/** By the first part of a unit. What depends on more than its parts is not kept. */
const converted = new WeakMap<MessagePart, Converted>();

/** The messages of one unit; the same objects while it stays as it is. */
export function unitMessages(unit: PromptUnit, options: PromptOptions): LanguageModelV4Message[] {
  if (unit.kind === 'summary')
    return [{ role: 'user', content: [{ type: 'text', text: promptTexts.summary(unit.part.text, options.keep) }] }];
  const { parts } = unit;
  const [first] = parts;
  const isOwn = unit.kind === 'step' && unit.model === options.model;
  const style = `${isOwn} ${idStyle(options.model)}`;
  const known = first && converted.get(first);
  if (known?.style === style && sameParts(known.parts, parts)) return known.messages;
  const messages: LanguageModelV4Message[] =
    unit.kind === 'user'
      ? [{ role: 'user', content: saidContent(unit, options.media) }]
      : stepMessages(parts, isOwn, options);
  if (first && filesOf(unit).length === 0) converted.set(first, { parts, style, messages });
  return messages;
}

function sameParts(some: readonly MessagePart[], others: readonly MessagePart[]): boolean {
  return some.length === others.length && some.every((part, at) => part === others[at]);
}

/** All files of a unit, in order. */
export function filesOf(unit: PromptUnit): KeptFile[] {
  switch (unit.kind) {
    case 'user':
      return unit.files;
    case 'summary':
      return [];
    case 'step':
      return unit.parts.flatMap((part) => (part.type === 'tool' ? (part.attachments ?? []) : []));
  }
}

function stepMessages(
  parts: readonly MessagePart[],
  isOwn: boolean,
  { model, media }: PromptOptions,
): LanguageModelV4Message[] {
  const content: AssistantContent = [];
  const results: ToolContent = [];
  const following: ReturnType<typeof shownFile>[] = [];
  for (const part of parts) {
    const options = isOwn && 'echo' in part ? optionsOf(part.echo) : {};
    // Text of nothing but spaces is refused by some.
    if (part.type === 'text' && part.text.trim() !== '') content.push({ type: 'text', text: part.text, ...options });
    // Reasoning without its signature is refused by those who sign, and of no use to the others.
    else if (part.type === 'reasoning' && 'providerOptions' in options)
      content.push({ type: 'reasoning', text: part.text, ...options });
    else if (part.type === 'tool' && (part.input !== undefined || part.state === 'error')) {
      const toolCallId = sentCallId(part.callId, model, isOwn);
      // Names that no tool has are written as the model wrote them, and providers refuse what no tool could have.
      const toolName = asToolName(part.tool) || 'unnamed';
      content.push({
        type: 'tool-call',
        toolCallId,
        toolName,
        input: inputOf(part),
        ...options,
      });
      const shown = (part.attachments ?? []).map((file) => shownFile(file, media));
      const output = withFiles(resultOf(part), shown, modelTraits(model).mediaInResults);
      if (output.type !== 'content') following.push(...shown.filter((one) => one.type === 'file'));
      results.push({ type: 'tool-result', toolCallId, toolName, output });
    }
  }
  const messages: LanguageModelV4Message[] = [];
  const says = content.some((part) => part.type !== 'reasoning');
  if (says) messages.push({ role: 'assistant', content });
  if (results.length > 0) messages.push({ role: 'tool', content: results });
  if (following.length > 0) {
    const text = mediaTexts.fromTools(namesOf(following));
    messages.push({ role: 'user', content: [{ type: 'text', text }, ...following] });
  }
  return messages;
}

function saidContent({ text, files }: Extract<PromptUnit, { kind: 'user' }>, media: PromptMedia | undefined) {
  const shown = files.map((file) => shownFile(file, media));
  return text.trim() === '' && shown.length > 0 ? shown : [{ type: 'text' as const, text }, ...shown];
}

/** The file itself, or what is said in its place. */
function shownFile(file: KeptFile, media: PromptMedia | undefined): LanguageModelV4FilePart | LanguageModelV4TextPart {
  const shown = media?.get(file) ?? { kind: 'note' as const, text: mediaTexts.gone(file.name ?? file.mediaType) };
  if (shown.kind === 'note') return { type: 'text', text: shown.text };
  const { mediaType, base64 } = shown;
  return {
    type: 'file',
    mediaType,
    data: { type: 'data', data: base64 },
    filename: file.name ?? (mediaType === 'application/pdf' ? 'document.pdf' : `image.${mediaType.split('/')[1]}`),
  };
}

function namesOf(files: readonly (LanguageModelV4FilePart | LanguageModelV4TextPart)[]): string {
  return files.flatMap((file) => (file.type === 'file' ? [file.filename] : [])).join(', ');
}

/** A result with its files in it, or (as text) with a word about what follows. */
function withFiles(
  output: LanguageModelV4ToolResultOutput,
  shown: readonly (LanguageModelV4FilePart | LanguageModelV4TextPart)[],
  mediaInResults: boolean,
): LanguageModelV4ToolResultOutput {
  if (shown.length === 0 || output.type !== 'text') return output;
  if (mediaInResults && shown.some((one) => one.type === 'file'))
    return { type: 'content', value: [{ type: 'text', text: output.value }, ...shown] };
  const names = namesOf(shown);
  const lines = [output.value, ...shown.flatMap((one) => (one.type === 'text' ? [one.text] : []))];
  if (names !== '') lines.push(mediaTexts.follows(names));
  return { type: 'text', value: lines.join('\n') };
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
