// The only place where a call is validated, mended, allowed, run, bounded and settled. It never throws and never hangs: whatever happens,
// the call ends as done, error or interrupted.
import type { z } from 'zod';
import { toJSONSchema } from 'zod';
import type { Verdict } from '../permission/asks';
import { matchesWildcard } from '../permission/rules';
import type { Sandbox } from '../sandbox/sandbox';
import { closest } from '../std/closest';
import { parseJson, stableJson } from '../std/json';
import { isAbortError, raceSignal, sleep } from '../std/signals';
import { boundResult } from './bound-result';
import { type JsonSchema, repairInput } from './repair-input';
import { runToolPrompt } from './run-tool.prompt';
import type { SeenFiles } from './seen-files';
import { type AgentRequest, type AskRequest, type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

/** As the model made it. */
export interface ToolCall {
  callId: string;
  tool: string;
  /** Where the model wrote the name in another way. */
  calledAs?: string;
  inputText: string;
}

/** What happens between the call and its end. */
export type ToolProgress =
  | { kind: 'accepted'; input: unknown; repairs: string[] }
  | { kind: 'asking' }
  | { kind: 'running' }
  | { kind: 'update'; title?: string; output?: string; meta?: Record<string, unknown> };

export interface RunToolOptions {
  /** The tools of the request in which the call was made. */
  tools: readonly Tool[];
  sandbox: Sandbox;
  cwd: string;
  signal: AbortSignal;
  seen: SeenFiles;
  permit(request: AskRequest, call: ToolCall): Promise<Verdict>;
  /** As `ToolContext` has it. */
  isGuarded(shown: string): boolean;
  report(progress: ToolProgress): void;
  /** Hooks of the project, after validation: what they make of the input is validated again. A ToolError refuses the call. */
  before?(tool: Tool, input: unknown): Promise<unknown>;
  /** And when it is done: what is told of it. */
  after?(tool: Tool, input: unknown, result: ToolResult): Promise<ToolResult>;
  runAgent?(request: AgentRequest, call: ToolCall): Promise<ToolResult>;
  /** As `ToolContext` has it. */
  environment?(directory: string): Promise<Record<string, string>>;
  /** Keeps what is too long to be shown; resolves with the name that tools read it by. */
  keepOutput?(text: string): Promise<string>;
  /** Names of tools (with `*`) that get what the model wrote, or an error; default none. */
  unrepaired?: readonly string[];
  /** A program called (code mode): it gets all of it, as a value, and the model sees nothing of it. */
  forProgram?: boolean;
}

export type SettledCall =
  /** `value`: for the program that called. */
  | { state: 'done'; result: ToolResult; value?: unknown }
  /** `stopsTurn`: the person refused without a word. `cause`: a bug or a broken world, which ends the run as failed. */
  | { state: 'error'; message: string; stopsTurn?: boolean; cause?: unknown }
  | { state: 'interrupted' };

const abortGraceMs = 500;

/** Runs one call to its end. */
export async function runTool(call: ToolCall, options: RunToolOptions): Promise<SettledCall> {
  const { signal } = options;
  if (signal.aborted) return { state: 'interrupted' };
  const tool = toolNamed(call.tool, options.tools);
  if (tool === undefined) {
    const names = options.tools.map((one) => one.name);
    return { state: 'error', message: runToolPrompt.unknownTool(call.tool, names, closest(call.tool, names, 1)[0]) };
  }
  if (tool.programsOnly !== undefined && !options.forProgram)
    return { state: 'error', message: runToolPrompt.programsOnly(tool.name) };
  let accepted: AcceptedInput;
  try {
    accepted = await afterHooks(tool, acceptInput(tool, call.inputText, mends(tool, options)), options);
  } catch (error) {
    if (signal.aborted || isAbortError(error)) return { state: 'interrupted' };
    return settledError(error);
  }
  if (!accepted.ok) return { state: 'error', message: accepted.message };
  const { input } = accepted;
  const wrongName = call.calledAs ?? (call.tool === tool.name ? undefined : call.tool);
  const renamed = wrongName === undefined ? [] : [runToolPrompt.renamed(wrongName, tool.name)];
  options.report({ kind: 'accepted', input, repairs: [...renamed, ...accepted.repairs] });
  const context: ToolContext = {
    sandbox: options.sandbox,
    cwd: options.cwd,
    signal,
    callId: call.callId,
    seen: options.seen,
    update: (partial) => options.report({ kind: 'update', ...partial }),
    ask: async (request) => {
      options.report({ kind: 'asking' });
      const verdict = await raceSignal(options.permit(request, call), signal);
      signal.throwIfAborted();
      const stopsTurn = verdict.kind === 'rejected' && verdict.message === undefined;
      if (verdict.kind !== 'allowed') throw new ToolError(refusal(verdict), { stopsTurn });
      options.report({ kind: 'running' });
      return verdict.review;
    },
    isGuarded: options.isGuarded,
    ...(options.environment && { environment: options.environment }),
    runAgent: (request) => {
      if (options.runAgent === undefined) throw new ToolError('This call may not start another agent.');
      return raceSignal(options.runAgent(request, call), signal);
    },
  };
  try {
    options.report({ kind: 'running' });
    const work = tool.execute(input, context);
    // A tool gets a moment to end its processes; then the call is over whether it agrees or not.
    const over = new Promise<never>((_resolve, reject) => {
      const late = () => sleep(abortGraceMs).then(() => reject(signal.reason));
      signal.addEventListener('abort', late, { once: true });
      work.finally(() => signal.removeEventListener('abort', late)).catch(() => {});
    });
    const { value, ...done } = await Promise.race([work, over]);
    const result = options.after === undefined ? done : await raceSignal(options.after(tool, input, done), signal);
    if (!options.forProgram) return { state: 'done', result: await boundResult(result, options.keepOutput) };
    const { cut: _shown, ...whole } = result;
    // What a hook has changed (a secret that it took out) must not come in by the value.
    const isAsTold = value !== undefined && result.output === done.output;
    return { state: 'done', result: whole, value: isAsTold ? value() : valueOf(whole) };
  } catch (error) {
    if (signal.aborted || isAbortError(error)) return { state: 'interrupted' };
    return settledError(error);
  }
}

/** The input that the hooks leave, judged anew when they changed it. Rejects with what a hook threw. */
async function afterHooks(tool: Tool, accepted: AcceptedInput, options: RunToolOptions): Promise<AcceptedInput> {
  const { before, signal } = options;
  if (!accepted.ok || before === undefined) return accepted;
  const changed = await raceSignal(before(tool, structuredClone(accepted.input)), signal);
  if (stableJson(changed) === stableJson(accepted.input)) return accepted;
  const again = acceptInput(tool, JSON.stringify(changed), mends(tool, options));
  if (!again.ok) return { ok: false, message: runToolPrompt.changedBadly(again.message) };
  return { ...again, repairs: [...accepted.repairs, ...again.repairs, runToolPrompt.changed] };
}

/** By exact name, else by the only one that differs in case. */
export function toolNamed(name: string, tools: readonly Tool[]): Tool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const similar = tools.filter((tool) => tool.name.toLowerCase() === name.toLowerCase());
  return similar.length === 1 ? similar[0] : undefined;
}

/** What a call's text comes to. */
export type AcceptedInput = { ok: true; input: unknown; repairs: string[] } | { ok: false; message: string };

function mends(tool: Tool, { unrepaired = [] }: RunToolOptions): boolean {
  return !unrepaired.some((pattern) => matchesWildcard(tool.name, pattern));
}

/** Parses, mends (unless told not to) and validates. */
export function acceptInput(tool: Tool, inputText: string, mend = true): AcceptedInput {
  const example = JSON.stringify(tool.example);
  const json = parseJson(inputText.trim() === '' ? '{}' : inputText);
  if (!json.ok) return { ok: false, message: runToolPrompt.notJson(tool.name, json.message, example) };
  const schema = (tool.jsonSchema ?? toJSONSchema(tool.input, { io: 'input' })) as JsonSchema;
  const { value, repairs } = mend ? repairInput(json.value, schema) : { value: json.value, repairs: [] };
  const parsed = tool.input.safeParse(value);
  if (parsed.success) return { ok: true, input: parsed.data, repairs };
  const problems = parsed.error.issues.slice(0, 8).map((issue) => problem(issue, value));
  return { ok: false, message: runToolPrompt.invalid(tool.name, problems, example) };
}

function problem(issue: z.core.$ZodIssue, input: unknown): string {
  const path = issue.path.map(String).join('.') || '(the whole input)';
  let received: unknown = input;
  for (const key of issue.path) received = (received as Record<PropertyKey, unknown> | null | undefined)?.[key];
  const text = received === undefined ? 'nothing' : JSON.stringify(received);
  return `${path}: ${issue.message} (received ${text.length > 80 ? `${text.slice(0, 80)}…` : text})`;
}

function refusal(verdict: Exclude<Verdict, { kind: 'allowed' }>): string {
  if (verdict.kind === 'denied') return verdict.reason;
  if (verdict.unanswered) return runToolPrompt.unanswered;
  return verdict.message === undefined ? runToolPrompt.rejected : runToolPrompt.rejectedWith(verdict.message);
}

/** A server of the protocol may answer with structure; everything else is text. */
function valueOf({ output, meta }: ToolResult): unknown {
  return meta?.structured ?? output;
}

function settledError(error: unknown): SettledCall {
  if (error instanceof ToolError)
    return { state: 'error', message: error.message, ...(error.stopsTurn ? { stopsTurn: true } : {}) };
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown } | null)?.code;
  // Node's codes are the file system's ordinary answers; the model can act on them.
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code))
    return { state: 'error', message: runToolPrompt.sandbox(message) };
  return { state: 'error', message: runToolPrompt.broken(message), cause: error };
}
