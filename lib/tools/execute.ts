// The execute tool (code mode): a program of the model over the tools of its request. The program runs where nothing can be reached; each of its calls
// goes the way of any other call.
import { z } from 'zod';
import { closest } from '../std/closest';
import { executePrompt } from './execute.prompt';
import { type ProgramBudget, type ProgramCall, type ProgramPort, programFailure, runProgram } from './program-host';
import type { SettledCall, ToolProgress } from './run-tool';
import { type KeptFile, type NewMedia, type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
const limits = { calls: 200, concurrent: 8 };
/** What our script in the worker keeps to; program-words.ts takes no more. */
const maxValueChars = 9_900_000;
const maxPrintedChars = 256_000;
const maxMedia = 10;

const input = z.object({
  code: z.string().min(1).max(200_000).describe('The program'),
  title: z.string().min(1).max(80).optional().describe('What it does'),
  timeoutMs: z.number().int().positive().max(maxTimeoutMs).optional().describe('How long it may take, in ms'),
});
type ExecuteInput = z.infer<typeof input>;

/** A tool as programs know it. */
export interface ProgramTool {
  name: string;
  /** A line of TypeScript. */
  declaration: string;
}

/** One call of a program: the `number`th of the call `callId`. */
export interface CallFromProgram {
  callId: string;
  number: number;
  tool: string;
  inputText: string;
  signal: AbortSignal;
  report(progress: ToolProgress): void;
}

export interface ExecuteOptions {
  tools: readonly ProgramTool[];
  /** What the model is told of them. */
  catalogue: string;
  /** A new place for one program. */
  startPlace(signal: AbortSignal): Promise<{ start(message: object): ProgramPort; end(): void }>;
  /** Never throws. */
  callTool(call: CallFromProgram): Promise<SettledCall>;
  budget?: Partial<ProgramBudget>;
}

/** A line of the card: one call of the program. */
export interface ProgramCallView {
  tool: string;
  title: string;
  state: 'waiting' | 'asking' | 'running' | SettledCall['state'];
}

/** The tool over these tools. */
export function executeTool(options: ExecuteOptions): Tool<ExecuteInput> {
  return {
    name: 'execute',
    kind: 'control',
    description: executePrompt.description(options.catalogue),
    input,
    example: {
      title: 'Exports without a test',
      code: `const { paths } = await tools.glob({ pattern: 'src/**/*.ts', limit: 1000 });
const texts = await Promise.all(paths.map((path) => tools.read({ path })));
return paths.filter((path, at) => texts[at].includes('export') && !paths.includes(path.replace('.ts', '.test.ts')));`,
    },
    execute: (request, context) => run(request, context, options),
  };
}

async function run(
  { code, title, timeoutMs }: ExecuteInput,
  context: ToolContext,
  options: ExecuteOptions,
): Promise<ToolResult> {
  const shown = title ?? firstWords(code);
  context.update({ title: shown });
  await context.ask({
    permission: 'execute',
    patterns: ['program'],
    always: ['*'],
    title: `Run a program: ${shown}`,
    meta: { program: code },
  });
  const record = callRecord(context);
  const place = await options.startPlace(context.signal);
  const { tools } = options;
  const outcome = await runProgram({
    start: () => place.start({ code, tools, maxValueChars, maxPrintedChars }),
    budget: { ...limits, ...options.budget, wallMs: timeoutMs ?? options.budget?.wallMs ?? defaultTimeoutMs },
    signal: context.signal,
    call: callOf(options, context, record),
  }).finally(place.end);
  const { end, printed, left } = outcome;
  if (end.kind === 'failed') {
    const calls = record.words();
    throw programFailure(calls === '' ? end.message : `${end.message}\n${executePrompt.soFar(calls)}`, printed);
  }
  const leftOut = Math.max(0, record.media.length - maxMedia) + Math.max(0, record.attachments.length - maxMedia);
  const parts = [
    end.text ?? (printed === '' ? executePrompt.nothing : executePrompt.noValue),
    printed === '' ? '' : `${executePrompt.printed}\n${printed.trimEnd()}`,
    left === 0 ? '' : executePrompt.left(left),
    leftOut > 0 ? executePrompt.media(leftOut) : '',
  ];
  return {
    title: shown,
    output: parts.filter((part) => part !== '').join('\n\n'),
    meta: record.meta(),
    media: record.media.slice(0, maxMedia),
    attachments: record.attachments.slice(0, maxMedia),
    cut: { advice: executePrompt.narrow },
  };
}

function callOf(
  { tools, callTool }: ExecuteOptions,
  { callId }: ToolContext,
  record: ReturnType<typeof callRecord>,
): ProgramCall {
  const names = new Set(tools.map((tool) => tool.name));
  return async ({ number, tool, input: inputText }, signal, clock) => {
    if (!names.has(tool)) return { ok: false, message: executePrompt.notOffered(tool, closest(tool, names, 3)) };
    const line = record.begin(tool);
    let goOn = () => {};
    const report = (progress: ToolProgress) => {
      goOn();
      if (progress.kind === 'asking') goOn = clock.hold();
      if (progress.kind === 'asking' || progress.kind === 'running') line.change({ state: progress.kind });
      if (progress.kind === 'update' && progress.title !== undefined) line.change({ title: progress.title });
    };
    const settled = await callTool({ callId, number, tool, inputText, signal, report });
    goOn();
    line.change({ state: settled.state });
    switch (settled.state) {
      case 'done':
        record.media.push(...(settled.result.media ?? []));
        record.attachments.push(...(settled.result.attachments ?? []));
        return { ok: true, value: settled.value };
      case 'error':
        // The person wants no more of it, or the world is broken: that is not the program's to catch.
        if (settled.cause !== undefined) throw settled.cause;
        if (settled.stopsTurn) throw new ToolError(settled.message, { stopsTurn: true });
        return { ok: false, message: settled.message };
      case 'interrupted':
        return { ok: false, message: 'It was stopped.' };
    }
  };
}

/** The program's calls as the card shows them; each change is told. */
function callRecord(context: ToolContext) {
  const list: ProgramCallView[] = [];
  const media: NewMedia[] = [];
  const attachments: KeptFile[] = [];
  const meta = () => ({ calls: list.length, list: [...list] });
  return {
    media,
    attachments,
    meta,
    begin(tool: string) {
      const at = list.push({ tool, title: '', state: 'waiting' }) - 1;
      const change = (patch: Partial<ProgramCallView>) => {
        list[at] = { ...list[at]!, ...patch };
        context.update({ meta: meta() });
      };
      change({});
      return { change };
    },
    /** `read 5 times, edit twice` … as `read (5), edit (2)`. */
    words(): string {
      const byTool = Map.groupBy(
        list.filter((call) => call.state === 'done'),
        (call) => call.tool,
      );
      return [...byTool].map(([tool, calls]) => `${tool} (${calls.length})`).join(', ');
    },
  };
}

/** Its first line that says something, for a program without a title. */
function firstWords(code: string): string {
  const line = code.split('\n').find((one) => /\w/.test(one)) ?? code;
  return line
    .trim()
    .slice(0, 400)
    .replace(/^\/[/*]+\s*|\s*\*\/$/g, '')
    .slice(0, 80);
}
