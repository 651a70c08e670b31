// What a tool is. A constant with a schema and an execute that may do only what its context offers, so the list of tools is an array.
import type { z } from 'zod';
import type { Review } from '../permission/asks';
import type { Sandbox } from '../sandbox/sandbox';
import type { SeenFiles } from './seen-files';

export type ToolKind = 'read' | 'write' | 'run' | 'net' | 'control';

/** What a tool asks the person before it acts. Patterns are what a remembered answer would cover. */
export interface AskRequest {
  permission: string;
  /** Facts of this call (a path, a parsed command): matched against the rules one by one. */
  patterns: string[];
  /** What `always` would allow from now on. */
  always: string[];
  title: string;
  /** Facts of the same call under other permissions (a command that also writes a file): judged and asked together. */
  also?: { permission: string; patterns: string[]; always: string[]; maybe?: boolean }[];
  /** The facts are not the whole truth (a command that can't be parsed): only an unrestricted allow passes, nothing is remembered. */
  opaque?: boolean;
  /** No rule and no grant answers for the person. */
  mustAsk?: boolean;
  /** For the view: a diff, a command line. */
  meta?: Record<string, unknown>;
}

export interface AgentRequest {
  agent: string;
  prompt: string;
  description: string;
  /** Goes on with an earlier task of this conversation. */
  taskId?: string | undefined;
}

export interface ToolContext {
  readonly sandbox: Sandbox;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly callId: string;
  /** Which versions of files the model knows, so that it never overwrites what it has not seen. */
  readonly seen: SeenFiles;
  /** Shows progress in the call's card; replaces the last update. */
  update(partial: { title?: string; output?: string; meta?: Record<string, unknown> }): void;
  /**
   * Resolves when allowed; rejects with a ToolError when refused, or when the signal aborts. A review says what of a change of files the
   * person left out; only the diffs in `meta` can be reviewed.
   */
  ask(request: AskRequest): Promise<Review | undefined>;
  /** Is there a rule of its own about reading this file (as `Located.shown` names it)? Then an answer about its directory does not cover it. */
  isGuarded(shown: string): boolean;
  runAgent(request: AgentRequest): Promise<ToolResult>;
  /** Variables that programs of the project want a command in this directory to have; absent: none do. */
  environment?(directory: string): Promise<Record<string, string>>;
}

/** Something for the model to look at: the session decodes and keeps it, and then there is an attachment or a note why not. */
export interface NewMedia {
  bytes: Uint8Array;
  /** `image/png`, `application/pdf`; others become a note. */
  mediaType: string;
  name?: string;
}

/** What a session keeps; `id` names the bytes by their content. */
export interface KeptFile {
  id: string;
  mediaType: string;
  name?: string;
}

export interface ToolResult {
  /** For people, one line. */
  title: string;
  /** For the model, whole: run-tool.ts cuts what is too long and has all of it kept. */
  output: string;
  /** It is no page already. Which share of what is shown is its beginning (default a half), what to do rather than read on, and what `output` lacks already. */
  cut?: { headShare?: number; advice?: string; unkept?: { lines: number; bytes: number } | undefined };
  /** What a program gets (code mode) where that is not `output`; JSON. Called at most once; who changes `output` leaves it out. */
  value?(): unknown;
  /** For the view; JSON. */
  meta?: Record<string, unknown>;
  /** From the tool, not yet kept. */
  media?: NewMedia[];
  /** Kept by the session. */
  attachments?: KeptFile[];
}

export interface Tool<Input = any> {
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Advertised instead of `input`'s own schema, for tools that came with one. */
  readonly jsonSchema?: Record<string, unknown>;
  /** Decides whether the tool is there at all; otherwise by its kind. */
  readonly permission?: string;
  /** Set where the model is not told of it and only programs call it (code mode): why, for the person. */
  readonly programsOnly?: string;
  /** The type of what programs get (code mode), in TypeScript; default `string`. */
  readonly returns?: string;
  /** A valid input, shown to the model when its own was not. */
  readonly example: Input;
  execute(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** Expected failure that the model can act on: say what happened and what to do next. `stopsTurn`: the person wants no more of it. */
export class ToolError extends Error {
  readonly stopsTurn: boolean;
  constructor(message: string, { stopsTurn = false }: { stopsTurn?: boolean } = {}) {
    super(message);
    this.name = 'ToolError';
    this.stopsTurn = stopsTurn;
  }
}
