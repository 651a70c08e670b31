// One request to the model: its stream turned into events, tool calls started the moment they are complete.
import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { OfferedTool } from '../registry/registry';
import { raceSignal } from '../std/signals';
import type { Tool } from '../tools/tool';
import type { AgentEvent, ProviderEcho } from './agent-events';
import { createCallNames } from './call-names';
import { ModelError, toRunError } from './run-error';

/** What one step needs; computed anew for every step. */
export interface StepRequest {
  model: LanguageModelV4;
  prompt: LanguageModelV4Prompt;
  tools: readonly OfferedTool[];
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  /** Set when the prompt shows images or documents: the same without them, for a provider that refuses them. `takeBack`: they were not the reason. */
  withoutMedia?(): Promise<{ request: StepRequest; takeBack(): void }>;
}

/** A call that the model completed in this step. */
export interface StepCall {
  callId: string;
  tool: string;
  /** Where the model wrote the tool's name in another way. */
  calledAs?: string;
  inputText: string;
}

export interface StepOutcome {
  finishReason: string;
  usage: LanguageModelV4Usage;
  /** Set when the stream broke after it had begun. What came before it stands. */
  brokenBy?: unknown;
}

/** A stream that has begun: nothing before its first part was shown, so a failure to get here can be retried unseen. */
export interface OpenStep {
  first: LanguageModelV4StreamPart | undefined;
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>;
}

const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** As `openStep`. What the provider finds wrong may be an image: then it is tried once more without, and `onDropped` is told when that helped. */
export async function openStepTolerant(
  request: StepRequest,
  signal: AbortSignal,
  onDropped: () => void,
): Promise<OpenStep> {
  try {
    return await openStep(request, signal);
  } catch (error) {
    if (signal.aborted || request.withoutMedia === undefined || !mayBeMedia(error)) throw error;
    const { request: bare, takeBack } = await request.withoutMedia();
    try {
      const open = await openStep(bare, signal);
      onDropped();
      return open;
    } catch {
      takeBack();
      throw error;
    }
  }
}

/** Refused for what it holds, and not for its length, its key or its price. */
function mayBeMedia(error: unknown): boolean {
  const { kind, status, overflow } = toRunError(error);
  return kind === 'provider' && overflow !== true && status !== undefined && [400, 413, 415, 422].includes(status);
}

/** A step as it is sent: of its tools the definitions count, and not every sender has more of them. */
export type SentStep = Omit<StepRequest, 'tools' | 'withoutMedia'> & {
  tools: readonly Pick<OfferedTool, 'definition' | 'programsOnly'>[];
  /** Default: the model's own choice. */
  toolChoice?: 'auto' | 'required' | 'none';
  stopSequences?: string[];
};

/** Sends the request and waits for the first part that says something. Throws what the model throws. */
export async function openStep(request: SentStep, signal: AbortSignal): Promise<OpenStep> {
  const told = request.tools.filter((one) => one.programsOnly === undefined);
  const { stream } = await raceSignal(
    Promise.resolve(
      request.model.doStream({
        prompt: request.prompt,
        ...(told.length === 0
          ? {}
          : {
              tools: told.map((offered) => offered.definition),
              toolChoice: { type: request.toolChoice ?? ('auto' as const) },
            }),
        ...samplingOf(request),
        abortSignal: signal,
      }),
    ),
    signal,
  );
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await readPart(reader, signal);
    if (done) return { first: undefined, reader };
    if (value.type === 'error') {
      reader.cancel().catch(() => {});
      throw value.error;
    }
    if (
      value.type !== 'stream-start' &&
      value.type !== 'response-metadata' &&
      value.type !== 'ping' &&
      value.type !== 'raw'
    )
      return { first: value, reader };
  }
}

/** What is set of the provider's settings. */
function samplingOf({ maxOutputTokens, temperature, topP, topK, stopSequences }: SentStep) {
  return Object.fromEntries(
    Object.entries({ maxOutputTokens, temperature, topP, topK, stopSequences }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/** What is known when calls are read. */
export interface CallsKnown {
  /** The tool that is meant; undefined: there is none. */
  toolNamed(name: string): Tool | undefined;
  /** Was there a call of that id before this step? */
  isKnownCall(callId: string): boolean;
}

const nothingKnown: CallsKnown = { toolNamed: () => undefined, isKnownCall: () => false };

/** Reads to the end. `onCall` is not awaited here. Throws only when the signal aborts. */
export async function readStep(
  open: OpenStep,
  signal: AbortSignal,
  emit: (event: AgentEvent) => void,
  onCall: (call: StepCall) => void,
  { toolNamed, isKnownCall }: CallsKnown = nothingKnown,
): Promise<StepOutcome> {
  const ids = createCallNames(isKnownCall);
  const nameOf = (name: string) => toolNamed(name)?.name ?? name;
  const outcome: StepOutcome = { finishReason: 'other', usage: noUsage };
  let finished = false;
  const take = (part: LanguageModelV4StreamPart) => {
    const echo =
      'providerMetadata' in part && part.providerMetadata ? { echo: part.providerMetadata as ProviderEcho } : {};
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-end':
      case 'reasoning-end':
        return emit({ type: part.type, id: part.id, ...echo });
      case 'text-delta':
      case 'reasoning-delta':
        return emit({ type: part.type, id: part.id, delta: part.delta, ...echo });
      case 'tool-input-start':
        return emit({ type: 'tool-input-start', callId: ids.begin(part.id), tool: nameOf(part.toolName), ...echo });
      case 'tool-input-delta':
        return emit({ type: 'tool-input-delta', callId: ids.ofOpen(part.id), delta: part.delta });
      case 'tool-call': {
        const tool = nameOf(part.toolName);
        const call = { callId: ids.complete(part.toolCallId), tool, inputText: part.input };
        emit({ type: 'tool-call', ...call, ...echo });
        return onCall(tool === part.toolName ? call : { ...call, calledAs: part.toolName });
      }
      case 'finish':
        finished = true;
        outcome.finishReason = part.finishReason.unified;
        outcome.usage = part.usage;
        return;
      case 'error':
        outcome.brokenBy = part.error;
        return;
      default:
        // Sources, files, raw parts and whatever a provider adds have no place in a conversation about code.
        return;
    }
  };
  try {
    if (open.first !== undefined) take(open.first);
    while (outcome.brokenBy === undefined && open.first !== undefined) {
      const { done, value } = await readPart(open.reader, signal);
      if (done) break;
      take(value);
    }
    if (!finished && outcome.brokenBy === undefined)
      outcome.brokenBy = new ModelError({
        message: 'The model ended its answer without finishing it.',
        retryable: true,
        kind: 'network',
      });
  } catch (error) {
    if (signal.aborted) throw error;
    outcome.brokenBy = error;
  } finally {
    open.reader.cancel().catch(() => {});
  }
  return outcome;
}

function readPart(reader: OpenStep['reader'], signal: AbortSignal) {
  return raceSignal(reader.read(), signal).catch((error: unknown) => {
    if (signal.aborted) reader.cancel().catch(() => {});
    throw error;
  });
}
