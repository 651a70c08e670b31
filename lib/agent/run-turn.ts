// The agent loop: ask the model, run what it calls in parallel, ask again, until it calls nothing, a limit is met or the person stops it.
// It is an own loop on LanguageModelV4 rather than the SDK's ToolLoopAgent: tools, prompt and rules are computed anew for each step, parts
// are saved before their side effects, a refusal ends the turn, and the page does not carry the SDK.
import { parseJson } from '../std/json';
import { untilOnline } from '../std/online';
import { isAbortError, sleep } from '../std/signals';
import { steadyNow } from '../std/steady';
import { type SettledCall, toolNamed } from '../tools/run-tool';
import type { Tool } from '../tools/tool';
import type { AgentEvent } from './agent-events';
import { createLoopGuard, type LoopGuard, loopGuardPrompt } from './loop-guard';
import { openStepTolerant, readStep, type StepCall, type StepRequest } from './model-step';
import { backoffMs, withRetry } from './retry';
import { isTransient, type RunError, toRunError } from './run-error';

export interface RunTurnOptions {
  signal: AbortSignal;
  /** The request of the next step, from everything that has been emitted so far. */
  nextStep(): Promise<StepRequest>;
  /** Runs a call to its end; never throws. The signal also ends it when a sibling was refused. */
  runCall(call: StepCall, tools: readonly Tool[], signal: AbortSignal): Promise<SettledCall>;
  emit(event: AgentEvent): void;
  /** Is there a call of that id in the conversation? Then a new one gets another. Default: no. */
  isKnownCall?(callId: string): boolean;
  /** Asked when the agent repeats itself: may it go on? `what`: what the tool did. */
  permitLoop(call: StepCall, what: string): Promise<boolean>;
  /** Between two steps: does the person want to be heard first? */
  wantsToYield(): boolean;
  maxSteps?: number;
  retryBaseDelayMs?: number;
}

/** `yielded`: it was not finished, and goes on after the person has been heard. */
export type TurnOutcome =
  | { end: 'done' }
  | { end: 'yielded' }
  | { end: 'stopped' }
  | { end: 'failed'; error: RunError };

const defaultMaxSteps = 100;
const mediaRefused = 'The provider refused an image or a document of this conversation; it goes on without them.';
/** A stream that breaks after it began is continued so many times in a row. */
const maxCuts = 3;

/** Runs one turn. Never throws: stop and failures are outcomes, and when it returns no call is running any more. */
export async function runTurn(options: RunTurnOptions): Promise<TurnOutcome> {
  const { signal, emit, maxSteps = defaultMaxSteps } = options;
  const progress: Progress = { guard: createLoopGuard(), cuts: 0 };
  try {
    for (let step = 0; ; step++) {
      if (step > 0 && options.wantsToYield()) return { end: 'yielded' };
      if (signal.aborted) return { end: 'stopped' };
      if (step >= maxSteps) {
        emit({ type: 'notice', text: `Paused after ${maxSteps} steps. Try again to go on.` });
        return { end: 'stopped' };
      }
      const outcome = await runStep(options, progress);
      if (outcome !== 'continue') return outcome;
    }
  } catch (error) {
    if (signal.aborted || isAbortError(error)) return { end: 'stopped' };
    return { end: 'failed', error: toRunError(error) };
  }
}

/** What one step leaves for the next. */
interface Progress {
  guard: LoopGuard;
  /** How many streams in a row broke. */
  cuts: number;
}

async function runStep(options: RunTurnOptions, progress: Progress): Promise<TurnOutcome | 'continue'> {
  const { signal, emit } = options;
  let retried = false;
  let request!: StepRequest;
  const open = await withRetry(
    async () => {
      request = await options.nextStep();
      return openStepTolerant(request, signal, () => emit({ type: 'notice', text: mediaRefused }));
    },
    {
      signal,
      ...(options.retryBaseDelayMs === undefined ? {} : { baseDelayMs: options.retryBaseDelayMs }),
      onRetry: (notice) => {
        retried = true;
        emit({ type: 'retry', notice });
      },
    },
  );
  if (retried) emit({ type: 'retry-over' });
  emit({ type: 'step-start' });
  const refused = new AbortController();
  const callSignal = AbortSignal.any([signal, refused.signal]);
  const calls: Promise<SettledCall>[] = [];
  /** Why, for the person. */
  let paused: string | undefined;
  const tools = request.tools.map((offered) => offered.tool);
  const known = {
    toolNamed: (name: string) => toolNamed(name, tools),
    isKnownCall: (callId: string) => options.isKnownCall?.(callId) === true,
  };
  const start = (call: StepCall) => {
    calls.push(
      options.runCall(call, tools, callSignal).then(async (settled) => {
        const judged = judge(call, settled, progress.guard);
        if (judged.pause !== undefined && !(await options.permitLoop(call, judged.pause).catch(() => false)))
          paused ??= loopGuardPrompt.pause(call.tool, judged.pause);
        if (settled.state === 'error' && settled.stopsTurn) refused.abort();
        emit({ type: 'tool-settled', callId: call.callId, settled: judged.settled });
        return judged.settled;
      }),
    );
  };
  let outcome: Awaited<ReturnType<typeof readStep>>;
  try {
    outcome = await readStep(open, callSignal, emit, start, known);
  } catch (error) {
    await Promise.all(calls);
    throw error;
  }
  emit({ type: 'step-finish', usage: outcome.usage });
  const settled = await Promise.all(calls);
  if (signal.aborted || refused.signal.aborted) return { end: 'stopped' };
  const broken = settled.find((one) => one.state === 'error' && one.cause !== undefined);
  if (broken?.state === 'error') {
    const message = `${broken.message} This is not the model's fault.`;
    return { end: 'failed', error: { message, retryable: true, kind: 'bug' } };
  }
  if (paused !== undefined) {
    emit({ type: 'notice', text: paused });
    return { end: 'stopped' };
  }
  // Complete calls of a broken stream have run: their results go to the model, which goes on from there.
  if (calls.length > 0) return 'continue';
  if (outcome.brokenBy !== undefined) return afterCut(outcome.brokenBy, options, progress);
  progress.cuts = 0;
  return finished(outcome.finishReason);
}

/** What came before the cut stands, and the model goes on from there. */
async function afterCut(
  error: unknown,
  options: RunTurnOptions,
  progress: Progress,
): Promise<TurnOutcome | 'continue'> {
  const runError = toRunError(error);
  if (progress.cuts >= maxCuts || !isTransient(error)) return { end: 'failed', error: runError };
  const delayMs = backoffMs(progress.cuts++, options.retryBaseDelayMs);
  options.emit({
    type: 'retry',
    notice: { attempt: progress.cuts, message: runError.message, nextAtMs: steadyNow() + delayMs },
  });
  await sleep(delayMs, options.signal);
  await untilOnline(options.signal);
  options.emit({ type: 'retry-over' });
  return 'continue';
}

function finished(reason: string): TurnOutcome {
  switch (reason) {
    case 'length':
      return {
        end: 'failed',
        error: {
          message: 'The answer became too long and was cut. Try again to go on.',
          retryable: true,
          kind: 'limit',
        },
      };
    case 'content-filter':
      return {
        end: 'failed',
        error: { message: "The provider's filter stopped the answer.", retryable: false, kind: 'provider' },
      };
    case 'error':
      return {
        end: 'failed',
        error: { message: 'The provider reported an error without saying which.', retryable: true, kind: 'provider' },
      };
    default:
      return { end: 'done' };
  }
}

/** `pause`: what the tool did that the person should be asked about. */
function judge(call: StepCall, settled: SettledCall, guard: LoopGuard): { settled: SettledCall; pause?: string } {
  if (settled.state === 'interrupted') return { settled };
  const output = settled.state === 'done' ? settled.result.output : settled.message;
  const json = parseJson(call.inputText);
  const input = json.ok ? json.value : call.inputText;
  const { verdict, words } = guard.see({ tool: call.tool, input, output, failed: settled.state === 'error' });
  if (verdict === 'pause') return { settled, pause: words };
  if (verdict === 'fine') return { settled };
  const nudged = `${output}\n${words}`;
  return {
    settled:
      settled.state === 'done'
        ? { ...settled, result: { ...settled.result, output: nudged } }
        : { ...settled, message: nudged },
  };
}
