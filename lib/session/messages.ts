// The closed list of what a conversation holds. A saved session, a replay and a test fixture are all this same plain JSON: nothing here is a class,
// a function or a promise.
import type { ProviderEcho } from '../agent/agent-events';
import type { OpeningCall } from '../agent/opening-model';
import type { RunError } from '../agent/run-error';
import type { Todo } from '../tools/todo';
import type { KeptFile } from '../tools/tool';

export type { ProviderEcho, RunError, Todo };

/** Text of the person or the model. `id` is unique within the session. */
export interface TextPart {
  type: 'text';
  id: string;
  text: string;
  /** The file of the project whose program added it to the person's words. */
  from?: string;
  /** True while deltas still arrive. */
  streaming?: boolean;
  echo?: ProviderEcho;
}

/** What the model thought aloud; empty text is possible (only a signature came): draw nothing then. */
export interface ReasoningPart {
  type: 'reasoning';
  id: string;
  text: string;
  streaming?: boolean;
  startedAtMs: number;
  endedAtMs?: number;
  echo?: ProviderEcho;
}

/**
 * - `streaming-input`: the model is still writing the input; `inputText` grows.
 * - `waiting`: the input is complete, the call has not started.
 * - `asking`: an ask about this call is in `SessionState.asks`.
 * - `running`: executing; `output`, `title` and `meta` are live.
 * - `done` · `error` (the tool said no; the model goes on) · `interrupted` (stopped, or the tab died).
 */
export type ToolState = 'streaming-input' | 'waiting' | 'asking' | 'running' | 'done' | 'error' | 'interrupted';

/** One tool call, from the first byte of its input to its result. Settled exactly once. */
export interface ToolPart {
  type: 'tool';
  id: string;
  callId: string;
  tool: string;
  state: ToolState;
  /** The raw JSON text so far. */
  inputText: string;
  /** Parsed (and, when `repairs` is set, repaired) input; present from `waiting` on when it was JSON. */
  input?: unknown;
  /** What was mended in the input before validation, in words. */
  repairs?: string[];
  /** One line for people: `src/a.ts`, `npm test`. */
  title?: string;
  /** Live output while running, then what the model was told. For `error`: the message. */
  output?: string;
  /** For the view; JSON. write and edit: tools/file-diff.ts `FileDiff`; bash: `command`, `exit`, `end`, `durationMs`, `log`, `job`, `pid`, `port`, `looks`. */
  meta?: Record<string, unknown>;
  attachments?: KeptFile[];
  startedAtMs?: number;
  endedAtMs?: number;
  echo?: ProviderEcho;
}

/** Marks where a model step begins; carries its usage once known. Not drawn. */
export interface StepPart {
  type: 'step';
  id: string;
  usage?: Usage;
}

/** A remark of Cloche itself in the run: the loop guard spoke, the limit of steps was met. Drawn as a thin line. */
export interface NoticePart {
  type: 'notice';
  id: string;
  text: string;
}

/** Stands for everything before it when the model is asked; people still see all of it. */
export interface SummaryPart {
  type: 'summary';
  id: string;
  text: string;
  /** How many steps and messages just before it are sent as they are. */
  keptSteps: number;
  /** Estimates of the prompt, before and after. */
  tokensBefore: number;
  tokensAfter: number;
}

/** An image or a document that the person showed. */
export interface FilePart {
  type: 'file';
  id: string;
  file: KeptFile;
}

export type MessagePart = FilePart | TextPart | ReasoningPart | ToolPart | StepPart | NoticePart | SummaryPart;

/** How an answer ended. `interrupted`: the tab died while it ran. */
export type TurnEnd = 'done' | 'stopped' | 'failed' | 'interrupted';

export interface Message {
  id: string;
  role: 'user' | 'assistant';
  parts: MessagePart[];
  createdAtMs: number;
  /** Assistant only: which model answered, e.g. `anthropic/claude-sonnet-4-5`. */
  model?: string;
  /** Assistant only: as which agent, e.g. `plan`. */
  agent?: string;
  /** Assistant only: what titles and summaries used beside the steps. */
  overhead?: Usage;
  /** Assistant only, set when the turn is over. */
  end?: TurnEnd;
  endedAtMs?: number;
  /** Set with `end: 'failed'`. */
  error?: RunError;
}

/** Tokens; `costUsd` is present only when every model that answered has a configured price. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costUsd?: number;
}

/** How the person wants one turn to be. */
export interface TurnWish {
  /** Calls that it begins with. */
  opening?: readonly OpeningCall[];
  /** Instead of the conversation's; not for what is said while a turn runs. */
  agent?: string;
  model?: string;
}

/** What the person said to a prompt while the agent was at work. */
export interface QueuedPrompt {
  id: string;
  text: string;
  files?: KeptFile[];
  /** `steer`: heard at the next step. `queue`: after the turn. */
  delivery: 'steer' | 'queue';
  createdAtMs: number;
  /** Calls that it begins with. */
  opening?: readonly OpeningCall[];
}

/** What asking mode is on: `ask` (edits and commands ask), `edits` (edits in the project don't ask), `auto` (nothing asks; denials still hold). */
export type AskMode = 'ask' | 'edits' | 'auto';

/** A line of the session list. */
export interface SessionSummary {
  id: string;
  projectId: string;
  title: string;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Bytes that a message refers to. `id`: the hash of their content. */
export interface SavedBlob {
  id: string;
  mediaType: string;
  bytes: Uint8Array;
  addedAtMs: number;
}
