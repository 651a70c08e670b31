// What a session needs from outside: everything that a test replaces and the page decides.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelChoice } from '../agent/model-list';
import type { Rule, RuleSet } from '../permission/rules';
import type { Agent } from '../registry/agents';
import type { EditingStyle } from '../registry/model-traits';
import type { ToolSource } from '../registry/registry';
import type { Sandbox } from '../sandbox/sandbox';
import type { ExecuteOptions } from '../tools/execute';
import type { KeptOutputs } from '../tools/kept-outputs';
import type { AskQuestions } from '../tools/question';
import type { Sample } from '../tools/sample';
import type { Tool } from '../tools/tool';
import type { OpenBuffers } from './buffered-sandbox';
import type { Desk, Unsaved } from './desk';
import type { FitImage } from './fit-image';
import type { AskMode } from './messages';
import type { EvaluatePermission } from './permit';
import type { RecordedWrite } from './recording-sandbox';
import type { SessionHooks } from './session-hooks';
import type { SavedSession, SessionStore } from './session-store';
import type { ParentTrace } from './turn-trace';
import type { Session } from './types';

/** The person's choices about agents, read anew for each step. */
export interface AgentSettings {
  editing?: EditingStyle;
  turnedOff?: readonly string[];
  /** Tools (with `*`) whose arguments are not mended, only validated. */
  unrepaired?: readonly string[];
  /** Summarise when the context is full; default true. */
  compaction?: boolean;
  /** Tokens of the context to keep free; default 20 000. */
  reservedTokens?: number;
  /** What a conversation may cost before it pauses, in US dollars; sub-agents included. */
  costUsd?: number;
  /** How deep sub-agents may nest; default 1. */
  maxDepth?: number;
  /** No command sees files with secrets, in any mode; programs that need their `.env` then fail. Default false. */
  hideSecrets?: boolean;
  /** Commands that are refused whatever the mode, by their first words. */
  banned?: readonly string[];
  /** Offer programs over tools (`execute`). Default false. */
  programs?: boolean;
}

/** What a source of tools may use of the conversation that it serves. */
export interface SourceConversation {
  /** A form for the person, at the call that it is about. */
  askQuestions: AskQuestions;
  /** An answer of the conversation's model to somebody else, after the person's yes. */
  sample: Sample;
  sessionId: string;
  /** The answer that is being written, or the last one. */
  messageId(): string;
}

/** What a session needs from outside. */
export interface SessionOptions {
  sandbox: Sandbox;
  /** What is open in an editor, so that tools see it and write through it. */
  buffers?: OpenBuffers;
  store: SessionStore;
  /** Default: the browser's decoder. */
  fitImage?: FitImage;
  resolveModel(modelId: string): LanguageModelV4;
  priceOf?(modelId: string): ModelChoice['price'];
  /** Whether that model can answer here. Default: every one. */
  offersModel?(modelId: string): boolean;
  /** Tokens; undefined where it is not known. */
  contextTokensOf?(modelId: string): number | undefined;
  /** Whether the model names conversations; the practice model does not. */
  canName?(modelId: string): boolean;
  /** The person's own rules, read anew for each decision, as the next ones. They come after the shipped rules and may allow. */
  ownRules?(): readonly Rule[];
  /** The project's rules, when the person trusts them: they only narrow. */
  projectRules?(): readonly Rule[];
  /** Asked before every decision; it only narrows, and its failure denies (permit.ts). */
  evaluatePermission?: EvaluatePermission;
  /** Programs of the project that take part in a turn. */
  hooks?: SessionHooks;
  /** What hooks make of a tool; `sessionId`: the conversation that it is offered in. */
  adaptTool?(tool: Tool, sessionId: string): Tool;
  /** A summary stands for what tools told in this conversation, or it was taken back: whoever told something once tells it again. */
  onForgotten?(sessionId: string): void;
  /** Where tools come from, beside those of the session itself. Default: what Cloche ships with. Sources may ask that conversation's person. */
  sources?(conversation: SourceConversation): readonly ToolSource[];
  /** Default: the shipped agents. */
  agents?(): readonly Agent[];
  settings?(): AgentSettings;
  /** Asked before each answer: what the project and the person tell every model, worded; `rules`: of the agent that answers. */
  instructions?(rules: RuleSet, agent: Agent): Promise<string | undefined>;
  /** How long a question waits for an answer. */
  askTimeoutMs?: number;
  /** How long a sub-agent may give no sign of life before it is stopped; default ten minutes. */
  taskSilenceMs?: number;
  retryBaseDelayMs?: number;
  maxSteps?: number;
  /** Where programs over tools run; without it there are none. */
  startProgram?: ExecuteOptions['startPlace'];
  /** Applied to what tools tell, before it is kept and sent. */
  redact?(text: string): string;
  /** Called when title or time changed, for the list. */
  onSummary?(session: SavedSession): void;
  /** Told when something could not be kept that no verb waits for: it holds until the page is loaded again. */
  onUnsaved?(what: Unsaved, reason: unknown): void;
  /** Opens a sub-agent's conversation: a new one, or the one of that id. Rejects when there is none. */
  openChild?(seed: ChildSeed): Promise<Session>;
}

/** What a sub-agent's conversation starts from. */
export interface ChildSeed {
  /** To go on with an earlier one. */
  id?: string;
  agent: string;
  model: string;
  title: string;
  parent: ParentSession;
}

/** What a sub-agent's conversation shares with the one that started it. */
export interface ParentSession {
  id: string;
  desk: Desk;
  /** The person's word, now. */
  mode(): AskMode;
  /** The call of the person's own conversation. */
  rootCallId: string;
  depth: number;
  /** Its spans belong to the trace of the call that started it. */
  trace: ParentTrace;
  /** What was too long to be shown is the whole conversation's. */
  outputs: KeptOutputs;
  /** The folders that the agent which started it may write to; undefined: everywhere. */
  writable?: readonly string[];
  /** Throws when the conversation above has spent what it may. */
  checkBudget(): void;
  /** The agent that started it may only look, so it may only look. */
  isReadOnly: boolean;
  /** Sub-agents' writes belong to the turn that started them: undo takes all of it back. */
  recordWrites(writes: RecordedWrite[]): Promise<void>;
}
