// sampling/createMessage: a server's request to the model in the form of our providers, and the answer in the protocol's. Only what the server
// itself sends gets there: `includeContext` is never followed, so no answer can hold anything of the conversation.
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
} from '@ai-sdk/provider';
import { z } from 'zod';
import { mediaKind } from '../../tools/media-kind';
import type { SampleAnswer, SampleRequest } from '../../tools/sample';

const text = z.object({ type: z.literal('text'), text: z.string() });
const block = z.discriminatedUnion('type', [
  text,
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('audio') }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal('tool_result'),
    toolUseId: z.string(),
    content: z.array(z.looseObject({ type: z.string() })).default([]),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().optional(),
  }),
]);
const message = z.object({ role: z.enum(['user', 'assistant']), content: z.union([block, z.array(block)]) });
const tool = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string().max(20_000).optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});
const params = z.object({
  messages: z.array(message).min(1).max(500),
  systemPrompt: z.string().optional(),
  maxTokens: z.number().int().positive(),
  temperature: z.number().min(0).max(2).optional(),
  stopSequences: z.array(z.string().min(1).max(200)).max(4).optional(),
  tools: z.array(tool).max(64).optional(),
  toolChoice: z.object({ mode: z.enum(['auto', 'required', 'none']).optional() }).optional(),
});
type Block = z.infer<typeof block>;

/** As it came from the server, not read yet. */
export type SamplingParams = Record<string, unknown>;

/** A server may ask for more; the protocol lets us give less. */
export const maxSampleTokens = 16_000;
const maxChars = 400_000;

/** *Throws* an Error that names what can't be asked. */
export function readSampling(value: SamplingParams): SampleRequest {
  const parsed = params.safeParse(value);
  if (!parsed.success) {
    const { path, message: why } = parsed.error.issues[0]!;
    throw new Error(`${path.join('.')}: ${why}`);
  }
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, tools = [], toolChoice } = parsed.data;
  const size = JSON.stringify(messages.map(({ content }) => [content].flat().map(wordsOf))).length;
  if (size + (systemPrompt?.length ?? 0) > maxChars) throw new Error(`More than ${maxChars} characters.`);
  const names = toolNames(messages.flatMap(({ content }) => content));
  const prompt: LanguageModelV4Prompt = [
    ...(systemPrompt === undefined ? [] : [{ role: 'system' as const, content: systemPrompt }]),
    ...messages.flatMap(({ role, content }) => promptOf(role, [content].flat(), names)),
  ];
  return {
    prompt,
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      inputSchema,
      ...(description === undefined ? {} : { description }),
    })),
    toolChoice: tools.length === 0 ? 'none' : (toolChoice?.mode ?? 'auto'),
    maxOutputTokens: Math.min(maxTokens, maxSampleTokens),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stopSequences }),
    shown: [
      ...(systemPrompt === undefined ? [] : [`System: ${systemPrompt}`]),
      ...messages.map(
        ({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${[content].flat().map(wordsOf).join('\n')}`,
      ),
      ...(tools.length === 0 ? [] : [`Tools of the server: ${tools.map(({ name }) => name).join(', ')}`]),
    ].join('\n\n'),
  };
}

function wordsOf(one: Block): string {
  switch (one.type) {
    case 'text':
      return one.text;
    case 'image':
      return `[an image, ${one.mimeType}]`;
    case 'audio':
      throw new Error('Sounds are not sent to models here.');
    case 'tool_use':
      return `[a call of ${one.name}: ${JSON.stringify(one.input)}]`;
    case 'tool_result':
      return `[the result of a call: ${resultText(one)}]`;
  }
}

function resultText({ content, structuredContent }: Extract<Block, { type: 'tool_result' }>): string {
  const texts = content.map((part) => (typeof part.text === 'string' ? part.text : `[${part.type}]`));
  if (texts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return texts.join('\n');
}

function toolNames(blocks: readonly Block[]): Map<string, string> {
  return new Map(blocks.flatMap((one) => (one.type === 'tool_use' ? [[one.id, one.name] as const] : [])));
}

/** The protocol has results in messages of the user; our providers want them apart. */
function promptOf(role: 'user' | 'assistant', blocks: readonly Block[], names: ReadonlyMap<string, string>) {
  const prompt: LanguageModelV4Prompt = [];
  if (role === 'assistant') {
    const content = blocks.map((one): LanguageModelV4TextPart | LanguageModelV4ToolCallPart => {
      if (one.type === 'text') return { type: 'text', text: one.text };
      if (one.type !== 'tool_use') throw new Error(`An assistant's message can't hold ${one.type}.`);
      return { type: 'tool-call', toolCallId: one.id, toolName: one.name, input: one.input };
    });
    prompt.push({ role: 'assistant', content });
    return prompt;
  }
  const results = blocks.flatMap((one) => {
    if (one.type !== 'tool_result') return [];
    const toolName = names.get(one.toolUseId);
    if (toolName === undefined) throw new Error(`No call has the id ${JSON.stringify(one.toolUseId)}.`);
    const type = one.isError === true ? ('error-text' as const) : ('text' as const);
    const output = { type, value: resultText(one) };
    return [{ type: 'tool-result' as const, toolCallId: one.toolUseId, toolName, output }];
  });
  const said = blocks.flatMap((one): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] => {
    if (one.type === 'text') return [{ type: 'text', text: one.text }];
    if (one.type === 'image') return [imageOf(one.data)];
    if (one.type === 'tool_use') throw new Error("A user's message can't hold a call.");
    return [];
  });
  if (results.length > 0) prompt.push({ role: 'tool', content: results });
  if (said.length > 0) prompt.push({ role: 'user', content: said });
  return prompt;
}

/** What it is, is judged by its bytes. */
function imageOf(base64: string) {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    throw new Error('The contents of an image are not base64.');
  }
  const mediaType = mediaKind(bytes)?.mediaType;
  if (mediaType === undefined || !mediaType.startsWith('image/')) throw new Error('What is called an image is none.');
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data: base64 } };
}

const stopReasons: Record<string, string> = { stop: 'endTurn', length: 'maxTokens', 'tool-calls': 'toolUse' };

/** The answer as the protocol has it: a list of blocks where the server offered tools, else one text. */
export function samplingAnswer(
  { tools, toolChoice }: SamplingParams,
  { model, text: said, calls, finishReason }: SampleAnswer,
): Record<string, unknown> {
  const content = [
    ...(said === '' ? [] : [{ type: 'text', text: said }]),
    ...calls.map(({ callId, tool: name, input }) => ({ type: 'tool_use', id: callId, name, input })),
  ];
  const stopReason = stopReasons[finishReason] ?? finishReason;
  const answer = { model, role: 'assistant', stopReason };
  if (tools === undefined && toolChoice === undefined) return { ...answer, content: { type: 'text', text: said } };
  return { ...answer, content };
}
