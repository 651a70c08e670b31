// Servers that speak OpenAI's chat completions. Their reasoning has no name of its own there: some want it back in the field in which it came (DeepSeek and
// Moonshot refuse calls without it), others refuse that field (Cerebras, Groq, Mistral). So it goes back as it came, and nowhere else.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { isRecord } from '../std/json';

export interface CompatibleSettings {
  baseURL: string;
  apiKey?: string;
  fetch: typeof fetch;
}

/** In which field of a message reasoning came. */
type ReasoningField = 'reasoning_content' | 'reasoning';

/** What a stream says about a part of reasoning, and what comes back with it. */
const echoKey = 'cloche';

/** These think whenever they are asked, and refuse a call of any model that has no thought beside it. */
const strict = /(^|[./-])(deepseek|moonshot|kimi)\b/i;
/** Sends reasoning, and refuses it. */
const sendsOnly = /(^|\.)groq\.com$/i;
/** For a call that was made without one. */
const noThought = '.';

/** A model of that server, by its name there. */
export function compatibleModel(settings: CompatibleSettings, name: string): LanguageModelV4 {
  const modelFor = (field: ReasoningField | undefined) =>
    createOpenAICompatible({
      ...settings,
      name: 'compatible',
      includeUsage: true,
      transformRequestBody: (body) => ({
        ...body,
        messages: (body.messages as Message[]).map((message) => withReasoning(message, field)),
      }),
    })(name);
  const { hostname } = new URL(settings.baseURL);
  const fieldFor = (prompt: LanguageModelV4Prompt) => {
    if (sendsOnly.test(hostname)) return undefined;
    return fieldIn(prompt) ?? (strict.test(hostname) ? 'reasoning_content' : undefined);
  };
  const model = modelFor(undefined);
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Only streams are asked for.')),
    async doStream(options) {
      const { stream, ...rest } = await modelFor(fieldFor(options.prompt)).doStream({
        ...options,
        includeRawChunks: true,
      });
      return { ...rest, stream: stream.pipeThrough(namedReasoning()) };
    },
  };
}

type Message = Record<string, unknown>;

function withReasoning(
  { reasoning_content: reasoning, ...message }: Message,
  field: ReasoningField | undefined,
): Message {
  if (message.role !== 'assistant' || field === undefined) return message;
  if (typeof reasoning === 'string') return { ...message, [field]: reasoning };
  // Whoever sends this field back wants it beside every call.
  return field === 'reasoning_content' && message.tool_calls !== undefined
    ? { ...message, [field]: noThought }
    : message;
}

function fieldIn(prompt: LanguageModelV4Prompt): ReasoningField | undefined {
  for (const { role, content } of prompt.toReversed()) {
    if (role !== 'assistant') continue;
    for (const part of content) {
      const field = part.type === 'reasoning' ? part.providerOptions?.[echoKey]?.field : undefined;
      if (field === 'reasoning_content' || field === 'reasoning') return field;
    }
  }
  return undefined;
}

/** Says with each part of reasoning in which field it came; raw parts end here. */
function namedReasoning(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let field: ReasoningField | undefined;
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'raw') field ??= fieldOf(part.rawValue);
      else if (part.type === 'reasoning-end' && field !== undefined)
        controller.enqueue({ ...part, providerMetadata: { ...part.providerMetadata, [echoKey]: { field } } });
      else controller.enqueue(part);
    },
  });
}

function fieldOf(chunk: unknown): ReasoningField | undefined {
  const choice = isRecord(chunk) && Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  const delta = isRecord(choice) && isRecord(choice.delta) ? choice.delta : {};
  if (typeof delta.reasoning_content === 'string' && delta.reasoning_content !== '') return 'reasoning_content';
  return typeof delta.reasoning === 'string' && delta.reasoning !== '' ? 'reasoning' : undefined;
}
