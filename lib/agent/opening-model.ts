// The first step of a turn when the person, not the model, decided which calls it makes: a command's shell parts, an agent that was named. It is a
// model like any other, so its calls are asked for, run, saved and shown like all calls.
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { newId } from '../std/ids';

/** A call that opens a turn. JSON. */
export interface OpeningCall {
  tool: string;
  input: Record<string, unknown>;
}

/** Begins the ids of such calls. */
export const openingPrefix = 'opening';

/** Makes these calls in one step, and says nothing. */
export function openingModel(calls: readonly OpeningCall[]): LanguageModelV4 {
  const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    ...calls.map(({ tool, input }): LanguageModelV4StreamPart => {
      return { type: 'tool-call', toolCallId: newId(openingPrefix), toolName: tool, input: JSON.stringify(input) };
    }),
    {
      type: 'finish',
      finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
      usage: { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } },
    },
  ];
  return {
    specificationVersion: 'v4',
    provider: 'opening',
    modelId: 'opening',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('An opening only streams.')),
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      }),
  };
}
