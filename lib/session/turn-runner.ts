// Running turns: the order that matters is saved before it happens, and settled before the session is idle.
import type { AgentEvent } from '../agent/agent-events';
import { type OpeningCall, openingModel } from '../agent/opening-model';
import { type RunError, toRunError } from '../agent/run-error';
import { runTurn, type TurnOutcome } from '../agent/run-turn';
import { offerFor, type RequestOffer } from '../registry/registry';
import { newId } from '../std/ids';
import { createSeenFiles, type SeenFiles } from '../tools/seen-files';
import { addToSaid } from './add-to-said';
import { applyEvent, settleParts, type TurnCursor } from './apply-event';
import { NoShorterError } from './make-summary';
import type { Message, QueuedPrompt, TurnEnd, TurnWish } from './messages';
import { heardNext, type Said, saidMessage } from './said';
import { notSaved } from './storage-errors';
import { turnCalls } from './turn-calls';
import type { TurnContext } from './turn-context';
import { turnRequests } from './turn-requests';
import { turnSteps } from './turn-steps';
import { priceIn, totalUsage } from './usage';

/** The turns of one session, one at a time. */
export interface TurnRunner {
  readonly seen: SeenFiles;
  isRunning(): boolean;
  /** Begins a turn with these words of the person, and calls that they ask for; resolves when it and what was queued meanwhile is over. */
  start(said: Said[], wish?: TurnWish): Promise<void>;
  /** Goes on with an answer that ended early. `writes`: how many of its writes are recorded already. */
  resume(messageId: string, writes: number): Promise<void>;
  /** Saves the end of an answer that could not be saved when it was over. */
  finishAgain(messageId: string): Promise<void>;
  /** A summary now; the session is at rest before and after. */
  compact(): Promise<'over' | 'short'>;
  /** Resolves when everything is settled and saved. */
  stop(): Promise<void>;
  /** What the next step would be offered. */
  offer(): RequestOffer;
}

/** Nothing runs yet. */
export function createTurnRunner(context: TurnContext): TurnRunner {
  const { record, desk, options, parent, trace, budget } = context;
  const priceOf = priceIn(options);
  const seen = createSeenFiles();
  const requests = turnRequests(context);
  const calls = turnCalls(context, requests, seen);
  const steps = turnSteps(context, requests, showUsage);
  /** By answer: calls that it begins with. */
  const openings = new Map<string, readonly OpeningCall[]>();
  let turn: { stop: AbortController; over: Promise<void> } | undefined;
  const waiting = (which: 'steer' | 'next') => heardNext(record.state().inbox, which);

  function showUsage(): void {
    // The conversation that pays for a sub-agent must know before its next step.
    record.change({ usage: totalUsage(record.state().messages, priceOf) }, parent === undefined);
  }

  function onEvent(messageId: string, cursor: TurnCursor, event: AgentEvent): void {
    trace.hear(event);
    if (event.type === 'retry') record.change({ status: { kind: 'retrying', ...event.notice } });
    if (event.type === 'retry-over') record.change({ status: { kind: 'running' } });
    const applied = applyEvent(record.message(messageId), event, cursor);
    if (applied.changed.length === 0) return;
    record.parts.markDirty(messageId, applied.changed);
    const update = event.type === 'tool-progress' && event.progress.kind === 'update' ? event.progress : undefined;
    record.replace(applied.message, {}, event.type.endsWith('-delta') || update !== undefined);
    if (event.type === 'step-finish' || update?.meta?.usage !== undefined) showUsage();
  }

  async function runAnswer(messageId: string, signal: AbortSignal): Promise<TurnOutcome> {
    const cursor: TurnCursor = { open: new Map() };
    const emit = (event: AgentEvent) => onEvent(messageId, cursor, event);
    const { agent } = record.message(messageId);
    const instructions = await options
      .instructions?.(requests.rules(agent), requests.agent(agent))
      .catch(() => undefined);
    const maxSteps = requests.agent(agent).maxSteps ?? options.maxSteps;
    let opening = openings.get(messageId);
    openings.delete(messageId);
    return runTurn({
      signal,
      emit,
      async nextStep() {
        trace.beginStep(record.message(messageId).model!);
        const { costUsd } = requests.agent(agent);
        budget.check(messageId, costUsd);
        const remark = budget.unwatched(messageId, costUsd);
        if (remark !== undefined) emit({ type: 'notice', text: remark });
        const request = await steps.next(messageId, instructions, signal);
        const calls = opening;
        opening = undefined;
        return calls === undefined ? request : { ...request, model: openingModel(calls) };
      },
      runCall: (call, tools, callSignal) => calls.run({ messageId, call, tools, signal: callSignal, emit }),
      isKnownCall: record.hasCall,
      permitLoop: (call, what) => calls.permitLoop(messageId, call, what, signal),
      wantsToYield: () => record.state().inbox.some((prompt) => prompt.delivery === 'steer'),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(options.retryBaseDelayMs === undefined ? {} : { retryBaseDelayMs: options.retryBaseDelayMs }),
    });
  }

  /** As `runAnswer`; a prompt that the provider finds too long is summarised once and tried again. */
  async function runRecovering(messageId: string, signal: AbortSignal): Promise<TurnOutcome> {
    for (let recoveredAt = -1; ; ) {
      const outcome = await runAnswer(messageId, signal);
      const length = record.message(messageId).parts.length;
      const isTooLong = outcome.end === 'failed' && outcome.error.overflow === true && steps.maySummarise();
      if (!isTooLong || recoveredAt === length) return outcome;
      try {
        await steps.summarise(messageId, signal);
      } catch (error) {
        return signal.aborted ? { end: 'stopped' } : { end: 'failed', error: toRunError(error) };
      }
      recoveredAt = record.message(messageId).parts.length;
    }
  }

  async function runAll(firstMessageId: string, signal: AbortSignal): Promise<void> {
    for (let messageId = firstMessageId; ; ) {
      const { agent, model } = record.message(messageId);
      trace.beginTurn(agent ?? 'build', model!);
      await addToSaid(record, options, messageId, signal);
      const outcome = signal.aborted ? { end: 'stopped' as const } : await runRecovering(messageId, signal);
      trace.endTurn(outcome.end, outcome.end === 'failed' ? outcome.error.message : undefined);
      let heard = outcome.end === 'yielded' ? waiting('steer') : outcome.end === 'done' ? waiting('next') : [];
      if (heard.length > 0) await settle(messageId, 'done');
      else {
        const failure = await close(messageId, outcome);
        // What was said while that was saved.
        if (failure === undefined && outcome.end !== 'stopped') heard = waiting('next');
        if (heard.length === 0) return rest(failure);
      }
      messageId = await hear(heard);
    }
  }

  /** They wait no longer: a turn begins with them. */
  function hear(heard: readonly QueuedPrompt[]): Promise<string> {
    record.change({ inbox: record.state().inbox.filter((prompt) => !heard.includes(prompt)) });
    return addTurn(heard, { opening: heard.flatMap((prompt) => prompt.opening ?? []) });
  }

  async function settle(messageId: string, end: TurnEnd, more: Partial<Message> = {}): Promise<void> {
    const { message, changed } = settleParts(record.message(messageId));
    record.parts.markDirty(messageId, changed);
    record.replace({ ...message, ...more, end, endedAtMs: Date.now() }, { updatedAtMs: Date.now() });
    record.parts.markMessage(messageId);
    await record.parts.flush();
    await record.save();
  }

  /** Ends the answer and saves it; returns what went wrong, there or before. */
  async function close(messageId: string, outcome: TurnOutcome): Promise<RunError | undefined> {
    await calls.allOver();
    if (parent === undefined) desk.endTurn();
    const failure = outcome.end === 'failed' ? outcome.error : undefined;
    const end = outcome.end === 'yielded' ? 'done' : outcome.end;
    try {
      await settle(messageId, end, failure === undefined ? {} : { error: failure });
    } catch (reason) {
      return failure ?? notSaved(reason);
    }
    return failure;
  }

  /** Nothing runs any more. */
  function rest(failure: RunError | undefined): void {
    turn = undefined;
    showUsage();
    record.change({ status: failure === undefined ? { kind: 'idle' } : { kind: 'failed', error: failure } });
  }

  /** The person's words and an empty answer, saved. */
  async function addTurn(prompts: readonly Said[], wish: TurnWish = {}): Promise<string> {
    const nowMs = Date.now();
    const { opening = [], model = record.state().model, agent = record.state().agent } = wish;
    const said = prompts.map((one) => saidMessage(one, nowMs));
    const answer: Message = { id: newId('msg'), role: 'assistant', parts: [], createdAtMs: nowMs, model, agent };
    calls.countWritesFrom(0);
    if (opening.length > 0) openings.set(answer.id, opening);
    record.add([...said, answer], { updatedAtMs: nowMs, status: { kind: 'running' } });
    await record.save();
    return answer.id;
  }

  function begin(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    const running = { stop, over: Promise.resolve() };
    turn = running;
    running.over = work(stop.signal).catch((reason) => {
      // Saving failed before anything ran.
      const error = notSaved(reason);
      const last = record.state().messages.at(-1);
      if (last?.role === 'assistant' && last.end === undefined)
        record.replace({ ...last, end: 'failed', endedAtMs: Date.now(), error });
      if (last !== undefined) record.parts.markMessage(last.id);
      turn = undefined;
      record.change({ status: { kind: 'failed', error } });
    });
    return running.over;
  }

  return {
    seen,
    isRunning: () => turn !== undefined,
    start: (said, wish) => begin(async (signal) => runAll(await addTurn(said, wish), signal)),
    resume(messageId, writes) {
      budget.goOn();
      calls.countWritesFrom(writes);
      record.change({ status: { kind: 'running' } });
      return begin(async (signal) => {
        // An answer that goes on has no end: a tab that dies now leaves it as interrupted, and as the new model's.
        record.parts.markMessage(messageId);
        await record.save();
        await record.parts.flush();
        await runAll(messageId, signal);
      });
    },
    finishAgain: (messageId) => begin(async () => rest(await close(messageId, { end: 'done' }))),
    compact() {
      const last = record.state().messages.findLast((message) => message.role === 'assistant');
      if (last === undefined) return Promise.resolve('short');
      // Nobody needed room: the answer that is over has not failed, and trying it again would be another answer.
      let why: unknown;
      const work = begin(async (signal) => {
        await steps.summarise(last.id, signal).catch((reason) => {
          if (!signal.aborted) why = reason;
        });
        await record.parts.flush();
        const heard = signal.aborted ? [] : waiting('next');
        if (heard.length > 0) return runAll(await hear(heard), signal);
        rest(undefined);
      });
      return work.then(() => {
        if (why instanceof NoShorterError) return 'short';
        if (why !== undefined) throw new Error(toRunError(why).message);
        return 'over';
      });
    },
    async stop() {
      if (turn === undefined) return;
      turn.stop.abort(new DOMException('Stopped', 'AbortError'));
      await turn.over;
    },
    offer: () => offerFor(requests.of(record.state().model, record.state().agent)),
  };
}
