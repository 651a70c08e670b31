// Servers that speak OpenAI's chat completions. Their reasoning has no name of its own there: some want it back in the field in which it came (DeepSeek and
// Moonshot refuse calls without it), others refuse that field (Cerebras, Groq, Mistral). So it goes back as it came, and nowhere else.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { isRecord } from '../std/json';
import { addDetails, echoKey, type ReasoningDetail, withDetails } from './reasoning-details';

export interface CompatibleSettings {
  baseURL: string;
  apiKey?: string;
  fetch: typeof fetch;
}

/** In which field of a message reasoning came. */
type ReasoningField = 'reasoning_content' | 'reasoning';

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
        prompt: withDetails(options.prompt),
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
  // Blocks say it all, and the words beside them would be the same thought again.
  if (message.role !== 'assistant' || field === undefined || message.reasoning_details !== undefined) return message;
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

/** Says with each part of reasoning in which field it came, and with one more what blocks there were; raw parts end here. */
function namedReasoning(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let field: ReasoningField | undefined;
  const details: ReasoningDetail[] = [];
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'finish' && details.length > 0) {
        const id = 'reasoning-details';
        controller.enqueue({ type: 'reasoning-start', id });
        controller.enqueue({
          type: 'reasoning-end',
          id,
          providerMetadata: { [echoKey]: { details: details as never } },
        });
      }
      if (part.type === 'raw') {
        const delta = deltaOf(part.rawValue);
        field ??= fieldOf(delta);
        addDetails(details, delta);
      } else if (part.type === 'reasoning-end' && field !== undefined)
        controller.enqueue({ ...part, providerMetadata: { ...part.providerMetadata, [echoKey]: { field } } });
      else controller.enqueue(part);
    },
  });
}

function deltaOf(chunk: unknown): Record<string, unknown> {
  const choice = isRecord(chunk) && Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  return isRecord(choice) && isRecord(choice.delta) ? choice.delta : {};
}

function fieldOf(delta: Record<string, unknown>): ReasoningField | undefined {
  if (typeof delta.reasoning_content === 'string' && delta.reasoning_content !== '') return 'reasoning_content';
  return typeof delta.reasoning === 'string' && delta.reasoning !== '' ? 'reasoning' : undefined;
}
