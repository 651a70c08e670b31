// For tests: a LanguageModelV4 that plays a script, one entry per step, and remembers what it was asked.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';

/** A step: text, reasoning and calls in order; `hang` never ends it; a function may throw or look at the request. */
export type ScriptedPart =
  | string
  | { reasoning: string; signature?: string }
  | { tool: string; input: unknown; id?: string }
  | { partialTool: string; inputText: string }
  | { hang: true }
  | { breaks: unknown };
export type ScriptedStep = ScriptedPart[] | ((options: LanguageModelV4CallOptions) => ScriptedPart[]);

/** The last step repeats when the script is over. */
export function scriptedModel(
  script: ScriptedStep[],
  modelId = 'scripted',
): LanguageModelV4 & { requests: LanguageModelV4CallOptions[] } {
  const requests: LanguageModelV4CallOptions[] = [];
  let calls = 0;
  return {
    requests,
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('only streams')),
    async doStream(options) {
      requests.push(options);
      const step = script[Math.min(requests.length - 1, script.length - 1)]!;
      const parts = typeof step === 'function' ? step(options) : step;
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          async start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            let hasCalls = false;
            for (const [at, part] of parts.entries()) {
              const id = String(at);
              if (typeof part === 'string') {
                controller.enqueue({ type: 'text-start', id });
                controller.enqueue({ type: 'text-delta', id, delta: part });
                controller.enqueue({ type: 'text-end', id });
              } else if ('reasoning' in part) {
                controller.enqueue({ type: 'reasoning-start', id });
                controller.enqueue({ type: 'reasoning-delta', id, delta: part.reasoning });
                const metadata =
                  part.signature === undefined ? {} : { providerMetadata: { scripted: { signature: part.signature } } };
                controller.enqueue({ type: 'reasoning-end', id, ...metadata });
              } else if ('tool' in part) {
                hasCalls = true;
                const callId = part.id ?? `call_${++calls}`;
                const input = JSON.stringify(part.input);
                controller.enqueue({ type: 'tool-input-start', id: callId, toolName: part.tool });
                controller.enqueue({ type: 'tool-input-delta', id: callId, delta: input });
                controller.enqueue({ type: 'tool-input-end', id: callId });
                controller.enqueue({ type: 'tool-call', toolCallId: callId, toolName: part.tool, input });
              } else if ('partialTool' in part) {
                controller.enqueue({ type: 'tool-input-start', id: `call_${++calls}`, toolName: part.partialTool });
                controller.enqueue({ type: 'tool-input-delta', id: `call_${calls}`, delta: part.inputText });
              } else if ('hang' in part) return;
              else {
                controller.enqueue({ type: 'error', error: part.breaks });
                controller.close();
                return;
              }
              await new Promise((resolve) => setTimeout(resolve, 0));
            }
            const reason = hasCalls ? 'tool-calls' : 'stop';
            controller.enqueue({
              type: 'finish',
              finishReason: { unified: reason, raw: reason },
              usage: {
                inputTokens: { total: 100, noCache: 60, cacheRead: 40, cacheWrite: 0 },
                outputTokens: { total: 10, text: 7, reasoning: 3 },
              },
            });
            controller.close();
          },
        }),
      };
    },
  };
}
