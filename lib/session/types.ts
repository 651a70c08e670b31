// The closed list of what a conversation can hold, and the face that React draws from. A saved session, a replay and a test fixture are
// all this same plain JSON, so nothing here is a class, a function or a promise, except the `Session` face itself.
import type { ProviderEcho } from '../agent/agent-events';
import type { OpeningCall } from '../agent/opening-model';
import type { RunError } from '../agent/run-error';
import type { Review } from '../permission/asks';
import type { PermissionFacts } from '../permission/rules';
import type { RequestOffer } from '../registry/registry';
import type { Span } from '../std/trace';
import type { Address, Question, QuestionAnswer } from '../tools/question';
import type { Todo } from '../tools/todo';
import type { AskRequest, KeptFile, NewMedia } from '../tools/tool';
import type { SessionChange } from './session-changes';
import type { SavedBlob } from './session-store';

export type { ProviderEcho, Question, QuestionAnswer, Review, RunError, SessionChange, Todo };

/** Text of the person or the model. `id` is unique within the session. */
export interface TextPart {
  type: 'text';
  id: string;
  text: string;
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

export type SessionStatus =
  | { kind: 'idle' }
  /** `summarising`: making room in the model's context. */
  | { kind: 'running'; activity?: 'summarising' }
  /** A transient failure; the next attempt starts by itself at `nextAtMs` (epoch). Stop works. */
  | { kind: 'retrying'; attempt: number; message: string; nextAtMs: number }
  | { kind: 'failed'; error: RunError };

/** A question to the person, waiting in `SessionState.asks` until `answer`, stop or its deadline. */
export interface PendingAsk {
  id: string;
  /** The tool call it belongs to (`ToolPart.callId`). */
  callId: string;
  tool: string;
  /** The agent that asks. */
  agent?: string;
  /** The conversation whose call it is; a sub-agent's own when one asks. */
  sessionId?: string;
  /** Set when a sub-agent asks: the call of the person's conversation that started it. */
  rootCallId?: string;
  request: AskRequest;
  /** The part of the request that needs the person; *always* would remember each `always` in it. Offer *always* when one is not empty. */
  facts: PermissionFacts[];
  createdAtMs: number;
  /** When it resolves to a refusal by itself (epoch). */
  deadlineMs: number;
}

export type AskAnswer =
  /** `review`: a change of files is allowed without some of its hunks. */
  | { kind: 'once'; review?: Review }
  /** Remembers every `always` of `PendingAsk.facts`. */
  | { kind: 'always'; scope: 'turn' | 'session' | 'project' }
  /** With a message the model reads it and goes on; without one the turn stops. */
  | { kind: 'reject'; message?: string };

/** A form of the agent, waiting in `SessionState.questions` until `answerQuestion`, stop or its deadline. */
export interface PendingQuestion {
  id: string;
  callId: string;
  agent?: string;
  sessionId?: string;
  rootCallId?: string;
  /** The MCP server that wants to know; undefined: the agent. */
  from?: string;
  questions: Question[];
  /** What was said to them before, to be said better. */
  given?: string[][];
  /** A page that the server wants the person to visit; answered when they opened it. */
  address?: Address;
  createdAtMs: number;
  deadlineMs: number;
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

/** A remembered *always*. */
export interface GrantView {
  id: string;
  permission: string;
  pattern: string;
  scope: 'turn' | 'session' | 'project';
  grantedAtMs: number;
  /** Then it is asked about again. */
  expiresAtMs?: number;
  /** Who asked, and what for. */
  agent?: string;
  title?: string;
}

/** What asking mode is on: `ask` (edits and commands ask), `edits` (edits in the project don't ask), `auto` (nothing asks; denials still hold). */
export type AskMode = 'ask' | 'edits' | 'auto';

/** Immutable: every change makes a new object, and unchanged messages and parts keep their identity (React.memo works). */
export interface SessionState {
  id: string;
  projectId: string;
  title: string;
  createdAtMs: number;
  updatedAtMs: number;
  messages: Message[];
  status: SessionStatus;
  /** Open questions about calls, those of sub-agents included. */
  asks: PendingAsk[];
  questions: PendingQuestion[];
  /** Said while a turn ran, not yet heard. Kept over a reload; after a stop it waits for the person. */
  inbox: QueuedPrompt[];
  /** The agent's list of what is to do; not part of the transcript. */
  todos: Todo[];
  /** Of the whole session, sub-agents included. */
  usage: Usage;
  /** Model for the next send; `practice` is always there. */
  model: string;
  /** Agent for the next send: `build`, `plan` or one of the project's. */
  agent: string;
  mode: AskMode;
  /** Set for a sub-agent's conversation. */
  parentId?: string;
  grants: GrantView[];
  /** The last turn can be undone: there is one and nothing runs. */
  canUndo: boolean;
}

/** A line of the session list. */
export interface SessionSummary {
  id: string;
  projectId: string;
  title: string;
  createdAtMs: number;
  updatedAtMs: number;
}

/** A file that undo left alone because somebody changed it after the tool did. */
export interface UndoConflict {
  path: string;
  reason: string;
}

/** What undo did: files put back or removed again, and what it left alone. `prompt` is the undone text, to put back into the composer. */
export interface UndoReport {
  restored: string[];
  conflicts: UndoConflict[];
  /** Commands of that turn, whose effects can't be undone. */
  commands: string[];
  prompt: string;
}

/**
 * One conversation. `subscribe` and `state` fit `useSyncExternalStore(session.subscribe, session.state)`.
 * Verbs never throw for expected things; what went wrong is in `state().status`.
 */
export interface Session {
  readonly id: string;
  state(): SessionState;
  /** What the model would see in the next step, and what is left out and why. */
  offer(): RequestOffer;
  /** Spans of the last hundred turns, oldest first, those of sub-agents included; a sub-agent's own conversation has none. */
  trace(): Promise<Span[]>;
  /** Called after every change (streaming is batched to one call per 50 ms); returns how to stop. */
  subscribe(listener: () => void): () => void;
  /** Starts a turn and resolves when it is over. While one runs the text goes into the inbox, and the promise resolves when it is kept. */
  send(text: string, delivery?: QueuedPrompt['delivery'], files?: KeptFile[], turn?: TurnWish): Promise<void>;
  /** Keeps what the person wants to show; `notes` say what can't be shown and why. */
  keep(media: NewMedia[]): Promise<{ kept: KeptFile[]; notes: string[] }>;
  /** The bytes of a file of this conversation; undefined when they are not kept any more. */
  file(id: string): Promise<SavedBlob | undefined>;
  /** All of an output that was too long to be shown, by its name; undefined when it is not kept any more. */
  output(name: string): Promise<string | undefined>;
  /** Remembers an *always* for this project that no question was asked for. */
  allowForGood(permission: string, pattern: string): void;
  /** Takes a text out of the inbox and gives it back; undefined when it was heard meanwhile. */
  takeBack(promptId: string): string | undefined;
  answer(askId: string, answer: AskAnswer): void;
  answerQuestion(questionId: string, answer: QuestionAnswer): void;
  /** Ends the turn: model, tools, asks and waits. Resolves when everything is settled and saved. */
  stop(): Promise<void>;
  /** After a failed or stopped turn: goes on from where it ended. */
  retry(): Promise<void>;
  /** What tools did to files in the whole conversation. */
  changes(): Promise<SessionChange[]>;
  /** Takes what tools did to one file back, over all turns; the messages stay. Not while a turn runs. */
  revert(path: string): Promise<{ restored: string[]; conflicts: UndoConflict[] }>;
  /** Takes the last turn back: its messages and its recorded file writes. */
  undo(): Promise<UndoReport>;
  /**
   * Replaces what is before the last steps by a summary, for the model only. Does nothing while a turn runs. `short`: it stays as it is, because
   * a summary would not be shorter. Rejects with words fit to show when there is no summary.
   */
  compact(): Promise<'over' | 'short'>;
  setModel(model: string): void;
  setAgent(agent: string): void;
  setMode(mode: AskMode): void;
  setTodos(todos: Todo[]): void;
  revokeGrant(grantId: string): void;
  /** Stops, saves and forgets all listeners. */
  dispose(): Promise<void>;
}

/** All sessions of one project. */
export interface Sessions {
  /** Newest first; same array until it changes. */
  list(): SessionSummary[];
  subscribe(listener: () => void): () => void;
  create(): Promise<Session>;
  /** Loads and settles; the same object for the same id while it is open. */
  open(id: string): Promise<Session>;
  rename(id: string, title: string): Promise<void>;
  /** A line of what was said in it that has all these words (in lower case); undefined when nothing has. */
  find(id: string, words: readonly string[], signal: AbortSignal): Promise<string | undefined>;
  /** Ends it and takes it off the list; `bringBack` undoes that. A minute later, and at the next start, it may be gone for good. */
  setAside(id: string): Promise<void>;
  /** Rejects when it is gone for good. */
  bringBack(id: string): Promise<void>;
  /** For good, with its sub-agents' conversations. */
  delete(id: string): Promise<void>;
}
