// Where programs that a project brings may take part in a turn. They are told, they may refuse and they may change what a call is given or what it
// says; what is permitted they only narrow: changed arguments are validated and asked about like any others.
import type { Tool, ToolResult } from '../tools/tool';

/** The call that a hook is about. */
export interface HookedCall {
  callId: string;
  tool: string;
  sessionId: string;
  agent: string;
}

/** What a step asks the provider for; undefined leaves it to the provider. */
export interface StepSettings {
  /** 0 to 2. */
  temperature?: number;
  /** 0 to 1. */
  topP?: number;
  topK?: number;
  maxOutputTokens?: number;
}

/** A text, and the file of the project that it comes from. */
export interface AddedText {
  text: string;
  from: string;
}

/** What happens to a conversation, named as OpenCode names it. JSON. */
export interface SessionEvent {
  type: 'session.created' | 'session.status' | 'session.idle' | 'session.error' | 'session.compacted';
  properties: Record<string, unknown>;
}

/** All members are asked in every turn; each may be absent. */
export interface SessionHooks {
  /** Asked before each step with what is offered. What it finds is applied by `adaptTool`. Never rejects. */
  defineTools?(tools: () => readonly Tool[]): Promise<void>;
  /** The arguments that are to be used. Rejects with a ToolError to refuse the call. */
  beforeCall?(call: HookedCall, input: unknown, signal: AbortSignal): Promise<unknown>;
  /** What is told of a call that succeeded. Rejects with a ToolError to withhold it. */
  afterCall?(call: HookedCall, input: unknown, result: ToolResult, signal: AbortSignal): Promise<ToolResult>;
  /** What is to stand beside the person's words, before the model reads them. Never rejects but for the signal, as the next three. */
  addToSaid?(
    to: { sessionId: string; messageId: string; agent: string; model: string },
    text: string,
    signal: AbortSignal,
  ): Promise<AddedText[]>;
  /** What is to stand behind the system prompt of a step. */
  addToSystem?(
    to: { sessionId: string; agent: string; model: string },
    system: string,
    signal: AbortSignal,
  ): Promise<AddedText[]>;
  /** What a summary of the conversation is to keep. */
  addToSummary?(sessionId: string, signal: AbortSignal): Promise<AddedText[]>;
  /** Variables for a command; none that change what programs do. */
  environment?(
    call: { callId: string; sessionId: string; directory: string },
    signal: AbortSignal,
  ): Promise<Record<string, string>>;
  /** Never rejects but for the signal. */
  stepSettings?(
    step: { sessionId: string; agent: string; model: string },
    now: StepSettings,
    signal: AbortSignal,
  ): Promise<StepSettings>;
  /** Nobody waits for it. */
  onEvent?(event: SessionEvent): void;
}
