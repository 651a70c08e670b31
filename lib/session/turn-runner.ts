// Running turns: the order that matters is saved before it happens, and settled before the session is idle.
import type { AgentEvent } from '../agent/agent-events';
import { estimateTokens, isOverflowing } from '../agent/compaction';
import type { StepCall, StepRequest } from '../agent/model-step';
import { toRunError } from '../agent/run-error';
import { runTurn, type TurnOutcome } from '../agent/run-turn';
import { systemPrompt } from '../agent/system-prompt';
import { agentNamed, builtInAgents } from '../registry/agents';
import { builtInSource } from '../registry/built-in-source';
import { offerFor, type RegistryRequest, type RequestOffer, ruleSetFor } from '../registry/registry';
import { newId } from '../std/ids';
import { runTool, type SettledCall } from '../tools/run-tool';
import { createSeenFiles, type SeenFiles } from '../tools/seen-files';
import { todoText } from '../tools/todo';
import { type Tool, ToolError } from '../tools/tool';
import { applyEvent, settleParts, type TurnCursor } from './apply-event';
import type { Desk } from './desk';
import { makeSummary } from './make-summary';
import { recordingSandbox } from './recording-sandbox';
import { runSubagent } from './run-subagent';
import type { ParentSession, SessionOptions } from './session-options';
import type { SessionRecord } from './session-record';
import { sessionTools } from './session-tools';
import { toPrompt } from './to-prompt';
import type { Message, TurnEnd } from './types';
import { addTokens, noUsage, totalUsage } from './usage';

interface RunnerOptions {
  record: SessionRecord;
  desk: Desk;
  options: SessionOptions;
  parent?: ParentSession;
}

/** The turns of one session, one at a time. */
export interface TurnRunner {
  readonly seen: SeenFiles;
  isRunning(): boolean;
  /** Begins a turn with these words of the person; resolves when it and what was queued meanwhile is over. */
  start(texts: string[]): Promise<void>;
  /** Goes on with an answer that ended early. `writes`: how many of its writes are recorded already. */
  resume(messageId: string, writes: number): Promise<void>;
  /** A summary now; the session is at rest before and after. */
  compact(): Promise<void>;
  /** Resolves when everything is settled and saved. */
  stop(): Promise<void>;
  /** What the next step would be offered. */
  offer(): RequestOffer;
}

/** Nothing runs yet. */
export function createTurnRunner({ record, desk, options, parent }: RunnerOptions): TurnRunner {
  const { store, sandbox } = options;
  const { id } = record.state();
  const seen = createSeenFiles();
  let turn: { stop: AbortController; over: Promise<void> } | undefined;
  let writeIndex = 0;
  /** A call that is stopped is over at once; its sub-agent may need a moment more. */
  const tasks = new Set<Promise<unknown>>();

  const agents = () => options.agents?.() ?? builtInAgents;
  const settings = () => options.settings?.() ?? {};
  const mode = () => parent?.mode() ?? record.state().mode;
  const ownTools = sessionTools({
    todos: { get: () => record.state().todos, set: (todos) => record.change({ todos }) },
    askQuestions: (questions, { callId, signal }) => desk.askQuestions(questions, callOf(callId), signal),
    agents,
    maxDepth: () => settings().maxDepth ?? 1,
  });
  const tools = recordingSandbox(
    sandbox,
    parent?.recordWrites ??
      (async (writes) => {
        const message = record.state().messages.at(-1);
        if (message === undefined) return;
        const first = writeIndex;
        writeIndex += writes.length;
        await store.saveWrites(id, message.id, first, writes);
      }),
  );

  function callOf(callId: string) {
    const agent = record.state().agent;
    return { callId, sessionId: id, agent, ...(parent === undefined ? {} : { rootCallId: parent.rootCallId }) };
  }

  function registryRequest(model: string, agentName: string | undefined): RegistryRequest {
    const { editing, turnedOff } = settings();
    return {
      model,
      agent: agentNamed(agents(), agentName),
      mode: mode(),
      ownRules: options.ownRules?.() ?? [],
      sources: [...(options.sources?.() ?? [builtInSource]), ownTools],
      depth: parent?.depth ?? 0,
      ...(editing === undefined ? {} : { editing }),
      ...(turnedOff === undefined ? {} : { turnedOff }),
    };
  }

  const rulesNow = (agentName: string | undefined) =>
    ruleSetFor({ mode: mode(), ownRules: options.ownRules?.() ?? [], agent: agentNamed(agents(), agentName) });

  function onEvent(messageId: string, cursor: TurnCursor, event: AgentEvent): void {
    if (event.type === 'retry') record.change({ status: { kind: 'retrying', ...event.notice } });
    if (event.type === 'retry-over') record.change({ status: { kind: 'running' } });
    const applied = applyEvent(record.message(messageId), event, cursor);
    if (applied.changed.length === 0) return;
    record.parts.markDirty(messageId, applied.changed);
    const update = event.type === 'tool-progress' && event.progress.kind === 'update' ? event.progress : undefined;
    record.replace(applied.message, {}, event.type.endsWith('-delta') || update !== undefined);
    if (event.type === 'step-finish' || update?.meta?.usage !== undefined) showUsage();
  }

  const showUsage = () => record.change({ usage: totalUsage(record.state().messages, priceOf) }, true);

  function priceOf(modelId: string) {
    return modelId === 'practice' ? { input: 0, output: 0 } : options.priceOf?.(modelId);
  }

  // ── calls ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  async function runCall(
    messageId: string,
    call: StepCall,
    offered: readonly Tool[],
    signal: AbortSignal,
    emit: (event: AgentEvent) => void,
  ): Promise<SettledCall> {
    try {
      // The call is on disk before it can have any effect: a tab that dies now shows it as interrupted, not as never made.
      await record.parts.flush();
    } catch (error) {
      return { state: 'error', message: `The session could not be saved: ${String(error)}.`, cause: error };
    }
    const { agent, model } = record.message(messageId);
    return runTool(call, {
      tools: offered,
      sandbox: tools,
      cwd: sandbox.workdir,
      signal,
      seen,
      permit: (request) =>
        desk.asks.ask(request, { ...callOf(call.callId), tool: call.tool }, () => rulesNow(agent), signal),
      report: (progress) => emit({ type: 'tool-progress', callId: call.callId, progress }),
      runAgent: async (request) => {
        const { openChild } = options;
        if (openChild === undefined) throw new ToolError('Sub-agents are not available here.');
        const task = runSubagent({
          request,
          openChild,
          signal,
          seed: {
            ...(request.taskId === undefined ? {} : { id: request.taskId }),
            agent: request.agent,
            model: agentNamed(agents(), request.agent).model ?? model!,
            title: request.description,
            parent: asParent(call.callId),
          },
          report: (meta) => emit({ type: 'tool-progress', callId: call.callId, progress: { kind: 'update', meta } }),
        });
        tasks.add(task);
        return task.finally(() => tasks.delete(task));
      },
    });
  }

  function asParent(callId: string): ParentSession {
    return {
      id,
      desk,
      mode,
      rootCallId: parent?.rootCallId ?? callId,
      depth: (parent?.depth ?? 0) + 1,
      recordWrites:
        parent?.recordWrites ??
        (async (writes) => {
          const message = record.state().messages.at(-1)!;
          const first = writeIndex;
          writeIndex += writes.length;
          await store.saveWrites(id, message.id, first, writes);
        }),
    };
  }

  // ── steps ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  async function nextStep(
    messageId: string,
    instructions: string | undefined,
    signal: AbortSignal,
  ): Promise<StepRequest> {
    const { model: modelId, agent: agentName } = record.message(messageId);
    const model = options.resolveModel(modelId!);
    const { tools: offered } = offerFor(registryRequest(modelId!, agentName));
    const { prompt: agentPrompt } = agentNamed(agents(), agentName);
    const system = systemPrompt({
      workdir: sandbox.workdir,
      today: new Date().toISOString().slice(0, 10),
      toolNames: offered.map(({ tool }) => tool.name),
      ...(agentPrompt === undefined ? {} : { agentPrompt }),
      ...(instructions === undefined ? {} : { instructions }),
    });
    const promptNow = () => {
      const todos = todoText(record.state().todos);
      const keep = todos === '' ? {} : { keep: `Your list of what is to do:\n${todos}` };
      return toPrompt(system, record.state().messages, { model: modelId!, ...keep });
    };
    const size = Math.max(
      estimateTokens(promptNow()) + estimateTokens(offered.map((one) => one.definition)),
      reported(),
    );
    if (settings().compaction !== false && isOverflowing(size, options.contextTokensOf?.(modelId!)))
      await summariseNow(messageId, signal);
    return { model, prompt: promptNow(), tools: offered };
  }

  /** What the provider counted for the last step, when nothing was summarised since. */
  function reported(): number {
    const parts = record.state().messages.flatMap((message) => message.parts);
    const last = parts.findLast(
      (part) => part.type === 'summary' || (part.type === 'step' && part.usage !== undefined),
    );
    return last?.type === 'step' ? last.usage!.inputTokens + last.usage!.outputTokens : 0;
  }

  async function summariseNow(messageId: string, signal: AbortSignal): Promise<void> {
    record.change({ status: { kind: 'running', activity: 'summarising' } });
    const message = record.message(messageId);
    const { part, usage } = await makeSummary(
      record.state().messages,
      message.model!,
      options.resolveModel(message.model!),
      signal,
    );
    const overhead = { ...(message.overhead ?? noUsage) };
    addTokens(overhead, usage);
    const now = record.message(messageId);
    record.parts.markDirty(messageId, [now.parts.length]);
    record.replace({ ...now, overhead, parts: [...now.parts, part] }, { status: { kind: 'running' } });
    showUsage();
    await store.saveMessage(id, record.message(messageId));
  }

  // ── turns ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  async function runAnswer(messageId: string, signal: AbortSignal): Promise<TurnOutcome> {
    const cursor: TurnCursor = { open: new Map() };
    const emit = (event: AgentEvent) => onEvent(messageId, cursor, event);
    const instructions = await options.instructions?.().catch(() => undefined);
    const agent = agentNamed(agents(), record.message(messageId).agent);
    const maxSteps = agent.maxSteps ?? options.maxSteps;
    return runTurn({
      signal,
      emit,
      nextStep: () => nextStep(messageId, instructions, signal),
      runCall: (call, offered, callSignal) => runCall(messageId, call, offered, callSignal, emit),
      permitLoop: async (call) => {
        const facts = { permission: 'doom_loop', patterns: [call.tool], always: [call.tool] };
        const title = `Let the agent repeat ${call.tool}, which gave the same result five times`;
        const asking = { ...callOf(call.callId), tool: call.tool };
        const verdict = await desk.asks.ask({ ...facts, title }, asking, () => rulesNow(agent.name), signal);
        return verdict.kind === 'allowed';
      },
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
      const isTooLong = outcome.end === 'failed' && outcome.error.overflow === true && settings().compaction !== false;
      if (!isTooLong || recoveredAt === length) return outcome;
      try {
        await summariseNow(messageId, signal);
      } catch (error) {
        return signal.aborted ? { end: 'stopped' } : { end: 'failed', error: toRunError(error) };
      }
      recoveredAt = record.message(messageId).parts.length;
    }
  }

  async function runAll(firstMessageId: string, signal: AbortSignal): Promise<void> {
    for (let messageId = firstMessageId; ; ) {
      const outcome = signal.aborted ? { end: 'stopped' as const } : await runRecovering(messageId, signal);
      const heard = outcome.end === 'yielded' ? inboxItems('steer') : outcome.end === 'done' ? inboxItems('next') : [];
      if (heard.length === 0) return finish(messageId, outcome);
      await settle(messageId, 'done');
      const texts = heard.map((prompt) => prompt.text);
      record.change({ inbox: record.state().inbox.filter((prompt) => !heard.includes(prompt)) });
      messageId = await addTurn(texts);
    }
  }

  /** `steer`: all that is to be heard at once. `next`: those, or else the first that waited for the end. */
  function inboxItems(which: 'steer' | 'next') {
    const { inbox } = record.state();
    const steering = inbox.filter((prompt) => prompt.delivery === 'steer');
    return steering.length > 0 || which === 'steer' ? steering : inbox.slice(0, 1);
  }

  async function settle(messageId: string, end: TurnEnd, more: Partial<Message> = {}): Promise<void> {
    const { message, changed } = settleParts(record.message(messageId));
    record.parts.markDirty(messageId, changed);
    record.replace({ ...message, ...more, end, endedAtMs: Date.now() }, { updatedAtMs: Date.now() });
    await record.parts.flush();
    await store.saveMessage(id, record.message(messageId));
    await record.save();
  }

  async function finish(messageId: string, outcome: TurnOutcome): Promise<void> {
    await Promise.allSettled(tasks);
    if (parent === undefined) desk.endTurn();
    let failure = outcome.end === 'failed' ? outcome.error : undefined;
    const end = outcome.end === 'yielded' ? 'done' : outcome.end;
    try {
      await settle(messageId, end, failure === undefined ? {} : { error: failure });
    } catch (reason) {
      failure ??= notSaved(reason, false);
    }
    turn = undefined;
    showUsage();
    record.change({ status: failure === undefined ? { kind: 'idle' } : { kind: 'failed', error: failure } });
  }

  /** The person's words and an empty answer, saved. */
  async function addTurn(texts: string[]): Promise<string> {
    const nowMs = Date.now();
    const { model, agent, messages } = record.state();
    const said = texts.map(
      (text): Message => ({
        id: newId('msg'),
        role: 'user',
        parts: [{ type: 'text', id: newId('part'), text }],
        createdAtMs: nowMs,
      }),
    );
    const answer: Message = { id: newId('msg'), role: 'assistant', parts: [], createdAtMs: nowMs, model, agent };
    writeIndex = 0;
    record.change({ messages: [...messages, ...said, answer], updatedAtMs: nowMs, status: { kind: 'running' } });
    for (const message of said) {
      await store.saveMessage(id, message);
      await store.saveParts(id, message.id, [{ index: 0, part: message.parts[0]! }]);
    }
    await store.saveMessage(id, answer);
    await record.save();
    return answer.id;
  }

  function begin(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    const running = { stop, over: Promise.resolve() };
    turn = running;
    running.over = work(stop.signal).catch((reason) => {
      // Saving failed before anything ran.
      const error = notSaved(reason, true);
      const last = record.state().messages.at(-1);
      if (last?.role === 'assistant' && last.end === undefined)
        record.replace({ ...last, end: 'failed', endedAtMs: Date.now(), error });
      turn = undefined;
      record.change({ status: { kind: 'failed', error } });
    });
    return running.over;
  }

  return {
    seen,
    isRunning: () => turn !== undefined,
    start: (texts) => begin(async (signal) => runAll(await addTurn(texts), signal)),
    resume(messageId, writes) {
      writeIndex = writes;
      record.change({ status: { kind: 'running' } });
      return begin((signal) => runAll(messageId, signal));
    },
    compact() {
      const last = record.state().messages.findLast((message) => message.role === 'assistant');
      if (last === undefined) return Promise.resolve();
      return begin(async (signal) => {
        let error: ReturnType<typeof toRunError> | undefined;
        await summariseNow(last.id, signal).catch((reason) => {
          if (!signal.aborted) error = toRunError(reason);
        });
        await record.parts.flush();
        turn = undefined;
        record.change({ status: error === undefined ? { kind: 'idle' } : { kind: 'failed', error } });
      });
    },
    async stop() {
      if (turn === undefined) return;
      turn.stop.abort(new DOMException('Stopped', 'AbortError'));
      await turn.over;
    },
    offer: () => offerFor(registryRequest(record.state().model, record.state().agent)),
  };
}

function notSaved(reason: unknown, retryable: boolean) {
  const why = reason instanceof Error ? reason.message : String(reason);
  return { message: `This conversation could not be saved: ${why}`, retryable, kind: 'bug' as const };
}
