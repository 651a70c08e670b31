// What a turn did, as spans: one for the turn, one per step of the model, one per call. A sub-agent's spans hang under the call that started
// it, in the same list. Attribute names follow OpenTelemetry's for generative AI where it has one; ours begin with `cloche.`.
import type { AgentEvent } from '../agent/agent-events';
import type { Verdict } from '../permission/asks';
import { byteLength } from '../std/bound-text';
import { newId } from '../std/ids';
import { steadyNow } from '../std/steady';
import { createSpanRecorder, type Span, type SpanRecorder } from '../std/trace';
import type { SettledCall, ToolProgress } from '../tools/run-tool';

/** Of one turn, sub-agents included. */
export const maxSpansPerTurn = 2000;

/** Where a sub-agent's spans go. */
export interface ParentTrace {
  recorder: SpanRecorder;
  call: Span | undefined;
}

/** The spans of one turn as they are kept. */
export interface SavedTrace {
  key: string;
  spans: readonly Span[];
}

/** The trace of the turn that runs, or ran last. */
export interface TurnTrace {
  /** Undefined before the first turn. `key` sorts by time. */
  live(): SavedTrace | undefined;
  beginTurn(agent: string, model: string): void;
  endTurn(end: string, message?: string): void;
  /** The model is about to be asked. */
  beginStep(model: string): void;
  /** `inside`: of a call that the program in that call makes. */
  hear(event: AgentEvent, inside?: string): void;
  /** Settles as `question` does, and notes how long that took and who decided; one that a stop ended is noted as not answered. */
  deciding(callId: string, permission: string, question: Promise<Verdict>): Promise<Verdict>;
  /** For a sub-agent of that call. */
  under(callId: string): ParentTrace;
}

/** Nothing is recorded yet. `save` is called with each step, so that a tab that dies leaves what led there; not for sub-agents. */
export function createTurnTrace(parent: ParentTrace | undefined, save: (trace: SavedTrace) => void): TurnTrace {
  let recorder = parent?.recorder ?? createSpanRecorder(maxSpansPerTurn);
  let key: string | undefined;
  let turn: Span | undefined;
  let step: Span | undefined;
  let calls = new Map<string, Span>();

  const add = (span: Span, name: string, amount: number) => {
    span.attributes[name] = Number(span.attributes[name] ?? 0) + amount;
  };
  const saveNow = () => {
    if (parent === undefined && key !== undefined) save({ key, spans: recorder.spans });
  };
  /** `failure`: why it came to nothing, or not to its end. */
  const endStep = (failure?: string) => {
    if (step !== undefined) recorder.end(step, failure === undefined ? 'ok' : 'error', failure);
    step = undefined;
  };
  const hasBegun = () => step?.attributes['cloche.step.began'] === true;

  return {
    live: () => (key === undefined ? undefined : { key, spans: recorder.spans }),
    beginTurn(agent, model) {
      if (parent === undefined) recorder = createSpanRecorder(maxSpansPerTurn);
      calls = new Map();
      key = newId('trace');
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'gen_ai.request.model': model,
      };
      turn = recorder.start(`invoke_agent ${agent}`, attributes, parent?.call);
    },
    endTurn(end, message) {
      if (end === 'failed') endStep(message ?? 'It failed.');
      else endStep(end === 'stopped' && !hasBegun() ? 'interrupted' : undefined);
      for (const call of calls.values()) recorder.end(call, 'error', 'It had not ended.');
      if (turn === undefined) return;
      turn.attributes['cloche.turn.end'] = end;
      if (recorder.dropped() > 0) turn.attributes['cloche.spans.dropped'] = recorder.dropped();
      recorder.end(turn, end === 'failed' ? 'error' : 'ok', message);
      saveNow();
    },
    beginStep(model) {
      // A request that failed is tried again in the same step.
      if (step !== undefined && !hasBegun()) return;
      endStep();
      step = recorder.start(`chat ${model}`, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model }, turn);
      saveNow();
    },
    hear(event, inside) {
      switch (event.type) {
        case 'retry':
          if (step === undefined) return;
          add(step, 'cloche.retries', 1);
          recorder.event(step, 'retry', { message: event.notice.message, attempt: event.notice.attempt });
          // The answer broke off; what goes on is another step.
          if (hasBegun()) endStep(event.notice.message);
          return;
        case 'step-start':
          if (step === undefined) return;
          step.attributes['cloche.step.began'] = true;
          recorder.event(step, 'first answer');
          return;
        case 'step-finish':
          if (step === undefined) return;
          step.attributes['gen_ai.usage.input_tokens'] = event.usage.inputTokens.total ?? 0;
          step.attributes['gen_ai.usage.output_tokens'] = event.usage.outputTokens.total ?? 0;
          recorder.event(step, 'answer complete');
          return;
        case 'tool-call': {
          const parentCall = inside === undefined ? undefined : calls.get(inside);
          const attributes = {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': event.tool,
            'gen_ai.tool.call.id': event.callId,
            'cloche.call.bytes_in': byteLength(event.inputText),
          };
          calls.set(event.callId, recorder.start(`execute_tool ${event.tool}`, attributes, parentCall ?? step ?? turn));
          return;
        }
        case 'tool-progress': {
          const call = calls.get(event.callId);
          if (call !== undefined) hearProgress(call, event.progress);
          return;
        }
        case 'tool-settled': {
          const call = calls.get(event.callId);
          if (call !== undefined) settle(recorder, call, event.settled);
          return;
        }
        case 'notice':
          if (turn !== undefined) recorder.event(turn, 'notice', { message: event.text });
      }
    },
    async deciding(callId, permission, question) {
      const sinceMs = steadyNow();
      const note = ({ decision, by }: { decision: string; by: string }) => {
        const call = calls.get(callId);
        // The answer to a call that is over comes too late for its times.
        if (call === undefined || call.endMs !== undefined) return;
        const waitedMs = steadyNow() - sinceMs;
        add(call, 'cloche.call.ask_ms', waitedMs);
        call.attributes['cloche.permission.decision'] = decision;
        call.attributes['cloche.permission.by'] = by;
        recorder.event(call, 'permission', { permission, decision, by, waited_ms: waitedMs });
      };
      try {
        const verdict = await question;
        note(wordsOf(verdict));
        return verdict;
      } catch (error) {
        note({ decision: 'not answered', by: 'stop' });
        throw error;
      }
    },
    under: (callId) => ({ recorder, call: calls.get(callId) }),
  };
}

function hearProgress(call: Span, progress: ToolProgress): void {
  switch (progress.kind) {
    case 'accepted':
      if (progress.repairs.length > 0) call.attributes['cloche.call.repairs'] = progress.repairs.length;
      return;
    case 'running':
      call.attributes['cloche.call.queue_ms'] ??= steadyNow() - call.startMs;
      return;
    case 'asking':
    case 'update':
  }
}

function settle(recorder: SpanRecorder, call: Span, settled: SettledCall): void {
  const { 'cloche.call.queue_ms': waited, 'cloche.call.ask_ms': asked = 0 } = call.attributes;
  if (waited !== undefined)
    call.attributes['cloche.call.run_ms'] = Math.max(0, steadyNow() - call.startMs - Number(waited) - Number(asked));
  switch (settled.state) {
    case 'done': {
      const { output, meta } = settled.result;
      call.attributes['cloche.call.bytes_out'] = byteLength(output);
      call.attributes['cloche.call.truncated'] = meta?.truncated === true;
      if (typeof meta?.strategy === 'string') call.attributes['cloche.edit.strategy'] = meta.strategy;
      recorder.end(call);
      return;
    }
    case 'error':
      call.attributes['cloche.call.bytes_out'] = byteLength(settled.message);
      recorder.end(call, 'error', settled.message.slice(0, 300));
      return;
    case 'interrupted':
      recorder.end(call, 'error', 'interrupted');
  }
}

function wordsOf(verdict: Verdict): { decision: string; by: string } {
  switch (verdict.kind) {
    case 'allowed':
      return { decision: verdict.review === undefined ? 'allowed' : 'allowed in part', by: verdict.by };
    case 'denied':
      return { decision: 'denied', by: verdict.by ?? 'rule' };
    case 'rejected':
      return { decision: 'rejected', by: verdict.unanswered ? 'nobody' : 'person' };
  }
}
