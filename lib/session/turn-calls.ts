// The calls of a turn: on disk before they run, judged at the desk, with every write recorded for undo.
import type { AgentEvent } from '../agent/agent-events';
import type { StepCall } from '../agent/model-step';
import { guardedFiles, hiddenNames } from '../permission/guarded-files';
import { type Agent, writablePlaces } from '../registry/agents';
import { notForPrograms } from '../registry/program-source';
import { confineSandbox } from '../sandbox/confine';
import type { Sandbox } from '../sandbox/sandbox';
import { mapStrings } from '../std/json';
import type { CallFromProgram } from '../tools/execute';
import { type RunToolOptions, runTool, type SettledCall, type ToolCall } from '../tools/run-tool';
import type { SeenFiles } from '../tools/seen-files';
import { type AgentRequest, type Tool, ToolError, type ToolResult } from '../tools/tool';
import { modelOfAgent } from './agent-model';
import { bufferedSandbox } from './buffered-sandbox';
import { callHooks } from './call-hooks';
import { keepResult } from './keep-media';
import { permit } from './permit';
import { innerCallId } from './program-calls';
import { type RecordedWrite, recordingSandbox } from './recording-sandbox';
import { runSubagent } from './run-subagent';
import type { ParentSession } from './session-options';
import { storageWords } from './storage-errors';
import type { TurnContext } from './turn-context';
import type { TurnRequests } from './turn-requests';

/** One call as the loop hands it over. */
export interface CallRun {
  /** The answer that it is part of. */
  messageId: string;
  call: StepCall;
  tools: readonly Tool[];
  signal: AbortSignal;
  emit(event: AgentEvent): void;
}

/** The calls of one session. */
export interface TurnCalls {
  /** Never throws. */
  run(run: CallRun): Promise<SettledCall>;
  /** May the agent repeat itself? */
  permitLoop(messageId: string, call: StepCall, what: string, signal: AbortSignal): Promise<boolean>;
  /** Writes of the answer that is begun are counted from here. */
  countWritesFrom(index: number): void;
  /** A call that is stopped is over at once; its sub-agent may need a moment more. */
  allOver(): Promise<void>;
}

/** None yet. */
export function turnCalls(context: TurnContext, requests: TurnRequests, seen: SeenFiles): TurnCalls {
  const { record, desk, options, parent, trace, outputs, programs } = context;
  const { store, sandbox } = options;
  const tasks = new Set<Promise<unknown>>();
  /** Other models for agents that the person agreed to. */
  const agreed = new Set<string>();
  let writeIndex = 0;

  const recordWrites =
    parent?.recordWrites ??
    (async (writes: RecordedWrite[]) => {
      const { id, messages } = record.state();
      const message = messages.at(-1);
      if (message === undefined) return;
      const first = writeIndex;
      writeIndex += writes.length;
      await store.saveWrites(id, message.id, first, writes);
    });
  const seenByPerson = options.buffers === undefined ? sandbox : bufferedSandbox(sandbox, options.buffers);
  const recorded = recordingSandbox(seenByPerson, recordWrites);

  /** The sandbox as this agent may use it. What rules forbid to read is hidden from processes, and what they ask about where nobody may be asked. */
  function sandboxOf(agent: Agent): Sandbox {
    const asked = agent.readOnly === true || options.settings?.().hideSecrets === true;
    const hidden = hiddenNames(requests.rules(agent.name), { asked });
    const writable = writablePlaces(agent, sandbox.workdir);
    if (writable === undefined && hidden.length === 0) return recorded;
    return confineSandbox(recorded, { ...(writable && { writable }), ...(hidden.length > 0 && { hidden }) });
  }

  /**
   * Before a call can have any effect it is on disk: a tab that dies now shows it as interrupted, not as never made. The same for calls of the
   * model and of its programs; what the answer is when that failed.
   */
  async function unlessSaved(): Promise<Extract<SettledCall, { state: 'error' }> | undefined> {
    try {
      await record.parts.flush();
      return undefined;
    } catch (cause) {
      const message = `This conversation could not be saved: ${storageWords(cause)}`;
      return { state: 'error', message, cause: new Error(message, { cause }) };
    }
  }

  function asParent({ call, messageId }: CallRun): ParentSession {
    const rootCallId = parent?.rootCallId ?? call.callId;
    const { readOnly: isReadOnly = false, writable, costUsd } = requests.agent(record.message(messageId).agent);
    const depth = (parent?.depth ?? 0) + 1;
    return {
      id: record.state().id,
      desk,
      mode: requests.mode,
      rootCallId,
      depth,
      isReadOnly,
      recordWrites,
      outputs,
      ...(writable === undefined ? {} : { writable }),
      checkBudget: () => context.budget.check(messageId, costUsd),
      trace: trace.under(call.callId),
    };
  }

  async function runAgent(request: AgentRequest, run: CallRun): Promise<ToolResult> {
    const { call, signal, emit, messageId } = run;
    const { openChild } = options;
    if (openChild === undefined) throw new ToolError('Sub-agents are not available here.');
    const agent = requests.agent(request.agent);
    const model = await modelOfAgent({
      agent,
      instead: record.message(messageId).model!,
      offersModel: options.offersModel,
      desk,
      signal,
      agreed,
      call: { ...requests.call(call.callId), tool: call.tool },
      rules: () => requests.rules(record.message(messageId).agent),
    });
    const task = runSubagent({
      request,
      openChild,
      signal,
      seed: {
        ...(request.taskId === undefined ? {} : { id: request.taskId }),
        agent: request.agent,
        model,
        title: request.description,
        parent: asParent(run),
      },
      isAsking: desk.isAsking,
      silenceMs: options.taskSilenceMs,
      report: (meta) => emit({ type: 'tool-progress', callId: call.callId, progress: { kind: 'update', meta } }),
    });
    tasks.add(task);
    return task.finally(() => tasks.delete(task));
  }

  /** What the calls of a step and those of its programs have in common. */
  function waysOf(run: CallRun, call: ToolCall, signal: AbortSignal): Omit<RunToolOptions, 'tools' | 'report'> {
    const { agent } = record.message(run.messageId);
    return {
      sandbox: sandboxOf(requests.agent(agent)),
      cwd: sandbox.workdir,
      signal,
      seen,
      isGuarded: guardedFiles(requests.rules(agent)),
      unrepaired: options.settings?.().unrepaired ?? [],
      ...callHooks(
        options,
        { callId: call.callId, sessionId: record.state().id, agent: requests.agent(agent).name },
        signal,
      ),
      permit: (request) => {
        // The person sees the call that the program is in, and what the program wants.
        const asking = { ...requests.call(run.call.callId), tool: call.tool };
        const rules = () => requests.rules(agent);
        const question = permit(request, asking, rules, signal, desk, options.evaluatePermission);
        return trace.deciding(call.callId, request.permission, question);
      },
    };
  }

  async function callFromProgram(run: CallRun, inner: CallFromProgram): Promise<SettledCall> {
    const { tool, inputText, signal } = inner;
    const owner = run.call.callId;
    const call = { callId: innerCallId(owner, inner.number), tool, inputText };
    const tools = run.tools.filter((one) => !notForPrograms.includes(one.name));
    trace.hear({ type: 'tool-call', ...call }, owner);
    // What it is about to do is in the card by now. What only reads has no effect.
    const isRead = tools.find((one) => one.name === tool)?.kind === 'read';
    const settled =
      (isRead ? undefined : await unlessSaved()) ??
      (await runTool(call, {
        ...waysOf(run, call, signal),
        tools,
        forProgram: true,
        report: (progress) => {
          trace.hear({ type: 'tool-progress', callId: call.callId, progress }, owner);
          inner.report(progress);
        },
      }));
    trace.hear({ type: 'tool-settled', callId: call.callId, settled }, owner);
    return redacted(settled, options.redact);
  }

  return {
    async run(run) {
      const { call, signal, emit } = run;
      const unsaved = await unlessSaved();
      if (unsaved !== undefined) return unsaved;
      const close = programs.open(call.callId, (inner) => callFromProgram(run, inner));
      const settled = await runTool(call, {
        ...waysOf(run, call, signal),
        tools: run.tools,
        report: (progress) => emit({ type: 'tool-progress', callId: call.callId, progress }),
        runAgent: (request) => runAgent(request, run),
        keepOutput: outputs.keep,
      }).finally(close);
      if (settled.state !== 'done') return redacted(settled, options.redact);
      const keeper = { store, sessionId: record.state().id, fitImage: options.fitImage };
      const result = await keepResult(settled.result, keeper);
      return redacted({ ...settled, result }, options.redact);
    },
    async permitLoop(messageId, call, what, signal) {
      const { agent } = record.message(messageId);
      const title = `Let the agent go on with ${call.tool}, which ${what}`;
      const request = { permission: 'doom_loop', patterns: [call.tool], always: [call.tool], title };
      const asking = { ...requests.call(call.callId), tool: call.tool };
      const verdict = await desk.asks.ask(request, asking, () => requests.rules(agent), signal);
      return verdict.kind === 'allowed';
    },
    countWritesFrom(index) {
      writeIndex = index;
    },
    async allOver() {
      await Promise.allSettled(tasks);
    },
  };
}

function redacted(settled: SettledCall, redact: ((text: string) => string) | undefined): SettledCall {
  if (redact === undefined || settled.state === 'interrupted') return settled;
  if (settled.state === 'error') return { ...settled, message: redact(settled.message) };
  const { value, result } = settled;
  return {
    ...settled,
    result: { ...result, output: redact(result.output) },
    ...(value === undefined ? {} : { value: mapStrings(value, redact) }),
  };
}
