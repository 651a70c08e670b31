// One conversation: state that React reads, verbs that people press, and the order that matters: saved before it happens, settled before
// it is idle. Everything that changes goes through `change`, so what is shown and what is saved can't part.
import type { AgentEvent } from '../agent/agent-events';
import type { ModelChoice } from '../agent/model-list';
import type { StepCall } from '../agent/model-step';
import { runTurn } from '../agent/run-turn';
import { systemPrompt } from '../agent/system-prompt';
import { type Asks, createAsks } from '../permission/asks';
import type { Grant } from '../permission/rules';
import { offerFor } from '../registry/registry';
import { newId } from '../std/ids';
import { runTool, type SettledCall } from '../tools/run-tool';
import { createSeenFiles } from '../tools/seen-files';
import type { AskRequest, Tool } from '../tools/tool';
import { applyEvent, settleParts, type TurnCursor } from './apply-event';
import { createPartSaver } from './part-saver';
import { recordingSandbox } from './recording-sandbox';
import type { SessionOptions } from './session-options';
import type { SavedSession } from './session-store';
import { settleSaved } from './settle-saved';
import { toPrompt } from './to-prompt';
import type {
  AskAnswer,
  AskMode,
  Message,
  RunError,
  Session,
  SessionState,
  ToolPart,
  TurnEnd,
  UndoReport,
} from './types';
import { undoMessages } from './undo-writes';
import { totalUsage } from './usage';

const streamingNotifyMs = 50;
const defaultAskTimeoutMs = 30 * 60_000;

/** A live session from what was saved. Parts that were running are settled as interrupted and saved so before it resolves. */
export async function openSession(
  saved: SavedSession,
  savedMessages: Message[],
  projectGrants: Grant[],
  options: SessionOptions,
): Promise<Session & { rename(title: string): Promise<void> }> {
  const { store, sandbox } = options;
  const listeners = new Set<() => void>();
  const seen = createSeenFiles();
  let grants: Grant[] = [...saved.grants, ...projectGrants];
  let state: SessionState = {
    id: saved.id,
    projectId: saved.projectId,
    title: saved.title,
    createdAtMs: saved.createdAtMs,
    updatedAtMs: saved.updatedAtMs,
    messages: savedMessages,
    status: { kind: 'idle' },
    asks: [],
    usage: totalUsage(savedMessages, priceOf),
    model: saved.model,
    mode: saved.mode,
    grants: [],
    canUndo: false,
  };
  let turn: { stop: AbortController; over: Promise<void> } | undefined;
  let writeIndex = 0;
  const parts = createPartSaver(store, saved.id, () => state.messages);
  let notifyTimer: ReturnType<typeof setTimeout> | undefined;

  function priceOf(modelId: string): ModelChoice['price'] {
    return modelId === 'practice' ? { input: 0, output: 0 } : options.priceOf?.(modelId);
  }

  function change(patch: Partial<SessionState>, streaming = false): void {
    state = { ...state, ...patch };
    state.canUndo = turn === undefined && state.messages.length > 0;
    if (streaming) {
      notifyTimer ??= setTimeout(notify, streamingNotifyMs);
      return;
    }
    notify();
  }

  function notify(): void {
    clearTimeout(notifyTimer);
    notifyTimer = undefined;
    for (const listener of [...listeners]) listener();
  }

  function shownGrants(): SessionState['grants'] {
    return grants.map(({ id, permission, pattern, scope, grantedAtMs }) => ({
      id,
      permission,
      pattern,
      scope: scope === 'project' ? 'project' : 'session',
      grantedAtMs,
    }));
  }

  // ── saving ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  async function saveSession(): Promise<void> {
    const { id, projectId, title, createdAtMs, updatedAtMs, model, mode } = state;
    const record = {
      id,
      projectId,
      title,
      createdAtMs,
      updatedAtMs,
      model,
      mode,
      grants: grants.filter((grant) => grant.scope === 'session'),
    };
    options.onSummary?.(record);
    await store.saveSession(record);
  }

  // ── permission ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  const asks: Asks<AskRequest> = createAsks<AskRequest>({
    rules: () => offer().rules,
    grants: () => grants,
    addGrants(added) {
      grants = [...grants, ...added];
      change({ grants: shownGrants() });
      for (const grant of added)
        if (grant.scope === 'project') store.saveProjectGrant(state.projectId, grant).catch(() => {});
      saveSession().catch(() => {});
    },
    onChange(open) {
      const waiting = new Set(open.map((ask) => ask.callId));
      change({ asks: open, messages: state.messages.map((message) => markAsking(message, waiting)) });
    },
    timeoutMs: options.askTimeoutMs ?? defaultAskTimeoutMs,
  });

  function markAsking(message: Message, waiting: Set<string>): Message {
    if (!message.parts.some((part) => isMisplaced(part, waiting))) return message;
    const marked = message.parts.map((part, index) => {
      if (!isMisplaced(part, waiting)) return part;
      parts.markDirty(message.id, [index]);
      return { ...part, state: waiting.has((part as ToolPart).callId) ? 'asking' : 'running' } as ToolPart;
    });
    return { ...message, parts: marked };
  }

  function offer() {
    return offerFor({
      mode: state.mode,
      ownRules: options.ownRules?.() ?? [],
      ...(options.tools === undefined ? {} : { tools: options.tools }),
    });
  }

  // ── running ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  function replaceMessage(message: Message): Message[] {
    return state.messages.map((one) => (one.id === message.id ? message : one));
  }

  const tools = recordingSandbox(sandbox, async (writes) => {
    const message = state.messages.at(-1);
    if (message === undefined) return;
    const first = writeIndex;
    writeIndex += writes.length;
    await store.saveWrites(state.id, message.id, first, writes);
  });

  function onEvent(messageId: string, cursor: TurnCursor, event: AgentEvent): void {
    if (event.type === 'retry') change({ status: { kind: 'retrying', ...event.notice } });
    if (event.type === 'retry-over') change({ status: { kind: 'running' } });
    const message = state.messages.find((one) => one.id === messageId)!;
    const applied = applyEvent(message, event, cursor);
    if (applied.changed.length === 0) return;
    parts.markDirty(messageId, applied.changed);
    const messages = replaceMessage(applied.message);
    const streaming =
      event.type.endsWith('-delta') || (event.type === 'tool-progress' && event.progress.kind === 'update');
    change(event.type === 'step-finish' ? { messages, usage: totalUsage(messages, priceOf) } : { messages }, streaming);
  }

  async function runCall(
    call: StepCall,
    offered: readonly Tool[],
    signal: AbortSignal,
    emit: (event: AgentEvent) => void,
  ): Promise<SettledCall> {
    try {
      // The call is on disk before it can have any effect: a tab that dies now shows it as interrupted, not as never made.
      await parts.flush();
    } catch (error) {
      return { state: 'error', message: `The session could not be saved: ${String(error)}.`, cause: error };
    }
    return runTool(call, {
      tools: offered,
      sandbox: tools,
      cwd: sandbox.workdir,
      signal,
      seen,
      permit: (request) => asks.ask(request, { callId: call.callId, tool: call.tool }, signal),
      report: (progress) => emit({ type: 'tool-progress', callId: call.callId, progress }),
    });
  }

  /** Runs the model on the last message, which is the assistant's. */
  function run(messageId: string): Promise<void> {
    const stop = new AbortController();
    const cursor: TurnCursor = { open: new Map() };
    const emit = (event: AgentEvent) => onEvent(messageId, cursor, event);
    const over = (async () => {
      const instructions = await options.instructions?.().catch(() => undefined);
      const outcome = await runTurn({
        signal: stop.signal,
        emit,
        nextStep: async () => {
          const { tools: offered } = offer();
          const system = systemPrompt({
            workdir: sandbox.workdir,
            today: new Date().toISOString().slice(0, 10),
            toolNames: offered.map((tool) => tool.name),
            ...(instructions === undefined ? {} : { instructions }),
          });
          const model = state.messages.find((one) => one.id === messageId)!.model!;
          return {
            model: options.resolveModel(model),
            prompt: toPrompt(system, state.messages, model),
            tools: offered,
          };
        },
        runCall: (call, offered, signal) => runCall(call, offered, signal, emit),
        ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
        ...(options.retryBaseDelayMs === undefined ? {} : { retryBaseDelayMs: options.retryBaseDelayMs }),
      });
      await finish(messageId, outcome.end, outcome.end === 'failed' ? outcome.error : undefined);
    })();
    turn = { stop, over };
    change({ status: { kind: 'running' } });
    return over;
  }

  async function finish(messageId: string, end: TurnEnd, error?: RunError): Promise<void> {
    const { message, changed } = settleParts(state.messages.find((one) => one.id === messageId)!);
    const ended: Message = { ...message, end, endedAtMs: Date.now(), ...(error === undefined ? {} : { error }) };
    grants = grants.filter((grant) => grant.scope !== 'turn');
    parts.markDirty(messageId, changed);
    change({ messages: replaceMessage(ended), updatedAtMs: Date.now() });
    let failure = error;
    try {
      await parts.flush();
      await store.saveMessage(state.id, ended);
      await saveSession();
    } catch (reason) {
      const message = `This conversation could not be saved: ${reason instanceof Error ? reason.message : String(reason)}`;
      failure ??= { message, retryable: false, kind: 'bug' };
    }
    turn = undefined;
    change({ status: failure === undefined ? { kind: 'idle' } : { kind: 'failed', error: failure } });
  }

  async function send(text: string): Promise<void> {
    if (turn !== undefined) throw new Error('A turn is already running.');
    if (text.trim() === '') return;
    const nowMs = Date.now();
    const [user, answer] = newTurn(text, state.model, nowMs);
    const title = state.title === '' ? titleOf(text) : state.title;
    const reserved = { stop: new AbortController(), over: Promise.resolve() };
    turn = reserved;
    writeIndex = 0;
    change({ messages: [...state.messages, user, answer], title, updatedAtMs: nowMs, status: { kind: 'running' } });
    try {
      await store.saveMessage(state.id, user);
      await store.saveParts(state.id, user.id, [{ index: 0, part: user.parts[0]! }]);
      await store.saveMessage(state.id, answer);
      await saveSession();
    } catch (error) {
      return finish(answer.id, 'failed', {
        message: `This conversation could not be saved: ${String(error)}`,
        retryable: true,
        kind: 'bug',
      });
    }
    // Stop may have been pressed while the message was being saved.
    if (reserved.stop.signal.aborted) return finish(answer.id, 'stopped');
    return run(answer.id);
  }

  async function retry(): Promise<void> {
    const last = state.messages.at(-1);
    if (turn !== undefined || last?.role !== 'assistant' || last.end === 'done' || last.end === undefined) return;
    const { end: _end, error: _error, endedAtMs: _at, ...rest } = last;
    const continued: Message = { ...rest, model: state.model };
    if (last.model !== state.model) {
      // Signatures belong to the model that made them; another one of the same provider would refuse them.
      continued.parts = rest.parts.map(withoutEcho);
      parts.markDirty(last.id, [...rest.parts.keys()]);
    }
    change({ messages: replaceMessage(continued) });
    writeIndex = (await store.loadWrites(state.id, last.id)).length;
    if (turn === undefined) await run(last.id);
  }

  async function stopTurn(): Promise<void> {
    if (turn === undefined) return;
    const { stop } = turn;
    stop.abort(new DOMException('Stopped', 'AbortError'));
    // `send` may still be between saving and running: then the turn object changes once more.
    while (turn !== undefined) {
      if (!turn.stop.signal.aborted) turn.stop.abort(new DOMException('Stopped', 'AbortError'));
      await turn.over;
      if (turn !== undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function undo(): Promise<UndoReport> {
    const from = state.messages.findLastIndex((message) => message.role === 'user');
    if (turn !== undefined || from < 0) return { restored: [], conflicts: [], commands: [], prompt: '' };
    const undone = state.messages.slice(from);
    const report = await undoMessages(sandbox, store, state.id, undone, (path) => seen.delete(path));
    const messages = state.messages.slice(0, from);
    change({ messages, usage: totalUsage(messages, priceOf), status: { kind: 'idle' }, updatedAtMs: Date.now() });
    await store.deleteMessages(
      state.id,
      undone.map((message) => message.id),
    );
    await saveSession();
    return report;
  }

  // ── opening ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  const settledMessages = await settleSaved(store, saved.id, savedMessages);
  change({ messages: settledMessages, grants: shownGrants() });

  return {
    id: saved.id,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send,
    answer: (askId: string, answer: AskAnswer) => asks.answer(askId, answer),
    stop: stopTurn,
    retry,
    undo,
    setModel(model: string) {
      change({ model });
      saveSession().catch(() => {});
    },
    setMode(mode: AskMode) {
      change({ mode });
      asks.reconsider();
      saveSession().catch(() => {});
    },
    revokeGrant(grantId: string) {
      const grant = grants.find((one) => one.id === grantId);
      grants = grants.filter((one) => one.id !== grantId);
      change({ grants: shownGrants() });
      if (grant?.scope === 'project') store.deleteProjectGrant(grantId).catch(() => {});
      saveSession().catch(() => {});
    },
    async rename(title: string) {
      change({ title: title.trim() || state.title });
      await saveSession();
    },
    async dispose() {
      await stopTurn();
      await parts.flush();
      listeners.clear();
      clearTimeout(notifyTimer);
    },
  };
}

function isMisplaced(part: Message['parts'][number], waiting: Set<string>): boolean {
  if (part.type !== 'tool') return false;
  return waiting.has(part.callId) ? part.state === 'running' || part.state === 'waiting' : part.state === 'asking';
}

function newTurn(text: string, model: string, nowMs: number): [Message, Message] {
  const parts: Message['parts'] = [{ type: 'text', id: newId('part'), text }];
  return [
    { id: newId('msg'), role: 'user', parts, createdAtMs: nowMs },
    { id: newId('msg'), role: 'assistant', parts: [], createdAtMs: nowMs, model },
  ];
}

function withoutEcho(part: Message['parts'][number]): Message['parts'][number] {
  if (!('echo' in part)) return part;
  const { echo: _echo, ...rest } = part;
  return rest as Message['parts'][number];
}

/** The first line, at most 60 characters. */
function titleOf(text: string): string {
  const line = text.trim().split('\n')[0]!;
  return line.length > 60 ? `${line.slice(0, 57).trimEnd()}…` : line;
}
