// The face of a conversation that React draws from: its state, plain JSON but for what it can be told to do.

import type { StructuredPatchHunk } from 'diff';
import type { Review } from '../permission/asks';
import type { PermissionFacts } from '../permission/rules';
import type { RequestOffer } from '../registry/registry';
import type { Span } from '../std/trace';
import type { Address, Question, QuestionAnswer } from '../tools/question';
import type { AskRequest, KeptFile, NewMedia } from '../tools/tool';
import type {
  AskMode,
  Message,
  QueuedPrompt,
  RunError,
  SavedBlob,
  SessionSummary,
  Todo,
  TurnWish,
  Usage,
} from './messages';
import type { SessionChange } from './session-changes';
import type { UndoConflict, UndoReport } from './undo-writes';

export type { Question, QuestionAnswer, Review };

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
  /**
   * Takes one hunk of one write back, whatever was written before and after it; `putBack` undoes that. A conflict where its lines are not those any more that
   * the tool left.
   */
  revertHunk(path: string, hunk: StructuredPatchHunk): Promise<{ putBack(): Promise<void> } | { conflict: string }>;
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
  /** At once, however busy the database is; that it could not be saved is told by `onUnsaved`. */
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
