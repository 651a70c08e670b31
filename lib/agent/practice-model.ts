// The practice model: always there, no key, no network, not an AI. It is a LanguageModelV4 like any other, so its calls take the very same
// path through permission, tools and saving as those of a real one.
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { newId } from '../std/ids';
import { sleep } from '../std/signals';
import { openingPrefix } from './opening-model';
import { type PlannedCall, type PlannedResult, planFor, practiceHelp } from './practice-plans';

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** `delayMs` between the pieces that it streams. */
export function practiceModel({ delayMs = 12 }: { delayMs?: number } = {}): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'practice',
    modelId: 'practice',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('The practice model only streams.')),
    async doStream({ prompt, tools, abortSignal }: LanguageModelV4CallOptions) {
      const step = nextStep(prompt, new Set(tools?.map((tool) => tool.name)));
      return {
        stream: streamOf(streamed(step, delayMs, abortSignal)),
      };
    },
  };
}

interface PracticeStep {
  text: string;
  calls: PlannedCall[];
}

/** What it does next: the plan of the last request, replayed over the results that are already there. */
export function nextStep(prompt: LanguageModelV4Prompt, offered: ReadonlySet<string>): PracticeStep {
  const at = prompt.findLastIndex(
    (message) => message.role === 'user' && !textOf(message).startsWith('(Your answer was cut'),
  );
  const plan = planFor(at < 0 ? '' : saidIn(textOf(prompt[at]!)));
  if (plan === undefined) return { text: practiceHelp, calls: [] };
  let next = plan.next([]);
  for (const results of resultsAfter(prompt, at)) {
    if (next.done) break;
    next = plan.next(results);
  }
  if (next.done) return { text: next.value, calls: [] };
  const missing = next.value.find((call) => !offered.has(call.tool));
  if (missing)
    return {
      text: `I would need ${missing.tool} for that, and it is not offered here; *What the model sees* in the conversation’s menu says why.`,
      calls: [],
    };
  return { text: '', calls: next.value };
}

/** Without what programs of the project added: it is no AI and would not know what to make of it. */
function saidIn(text: string): string {
  const at = text.search(/\n\(Added by [^\n]+, a program of this project:\)\n/);
  return at < 0 ? text : text.slice(0, at);
}

function textOf(message: LanguageModelV4Prompt[number]): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function resultsAfter(prompt: LanguageModelV4Prompt, at: number): PlannedResult[][] {
  return prompt
    .slice(at + 1)
    .flatMap((message) =>
      message.role !== 'tool'
        ? []
        : [
            message.content.flatMap((part): PlannedResult[] => {
              if (part.type !== 'tool-result') return [];
              // The person made those calls, not its plan.
              if (part.toolCallId.startsWith(openingPrefix)) return [];
              const { output } = part;
              const failed = output.type === 'error-text';
              return [
                {
                  failed,
                  output:
                    output.type === 'text' || output.type === 'error-text' ? output.value : JSON.stringify(output),
                },
              ];
            }),
          ],
    )
    .filter((results) => results.length > 0);
}

async function* streamed(
  step: PracticeStep,
  delayMs: number,
  signal?: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  if (step.text !== '') {
    yield { type: 'text-start', id: '0' };
    for (const delta of step.text.match(/\S+\s*/g) ?? []) {
      yield { type: 'text-delta', id: '0', delta };
      if (delayMs > 0) await sleep(delayMs, signal);
    }
    yield { type: 'text-end', id: '0' };
  }
  for (const call of step.calls) {
    const id = newId('call');
    const input = JSON.stringify(call.input);
    yield { type: 'tool-input-start', id, toolName: call.tool };
    for (let at = 0; at < input.length; at += 24) {
      yield { type: 'tool-input-delta', id, delta: input.slice(at, at + 24) };
      if (delayMs > 0) await sleep(delayMs, signal);
    }
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName: call.tool, input };
  }
  const reason = step.calls.length > 0 ? 'tool-calls' : 'stop';
  yield { type: 'finish', finishReason: { unified: reason, raw: reason }, usage };
}

/** `ReadableStream.from`, which Chromium does not have. */
function streamOf<T>(items: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await items.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await items.return(undefined);
    },
  });
}
