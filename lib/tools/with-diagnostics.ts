// Tools that change files, with what the language service thinks of it: errors that are new and how many are gone. One decorator, so that every
// tool tells it in the same way, and a slow service hardly holds a change up.
import { resolvePath } from '../std/paths';
import { raceSignal, sleep } from '../std/signals';
import { textVersion } from '../std/text-version';
import type { CodeError, CodeErrors, CodeIntelligence } from './code-intelligence';
import type { FileDiff } from './file-diff';
import type { Tool, ToolContext } from './tool';

const beforeMs = 1500;
/** So long is an allowed change held back for what was wrong before it. */
const holdMs = 500;
const afterMs = 3000;
const maxErrors = 20;
const maxFiles = 5;

/** The same tool; its result names new errors. Tools that only read are returned as they are. */
export function withDiagnostics<Input>(tool: Tool<Input>, code: CodeIntelligence): Tool<Input> {
  return tool.kind === 'write' ? tellingErrors(tool, code) : tool;
}

/** As `withDiagnostics`, whatever the tool's kind: calls that change no file are not told of. */
export function tellingErrors<Input>(tool: Tool<Input>, code: CodeIntelligence): Tool<Input> {
  return {
    ...tool,
    async execute(input, context) {
      const before = new Map<string, Promise<CodeError[] | undefined>>();
      const asking: ToolContext = {
        ...context,
        async ask(request) {
          // The files of a change are known when it is asked for, and nothing is written yet.
          if (request.permission === 'edit')
            for (const shown of request.patterns.slice(0, maxFiles)) {
              const path = resolvePath(context.sandbox.workdir, shown);
              if (!code.covers(path) || before.has(path)) continue;
              const text = await context.sandbox.fs.readText(path).catch(() => undefined);
              before.set(path, text === undefined ? Promise.resolve([]) : within(errorsOf(code, path, text), beforeMs));
            }
          const answer = await context.ask(request);
          await raceSignal(within(Promise.all(before.values()), holdMs), context.signal);
          return answer;
        },
      };
      const result = await tool.execute(input, asking);
      const diffs = (Array.isArray(result.meta?.files) ? result.meta.files : [result.meta]) as (FileDiff | undefined)[];
      const reports: string[] = [];
      const checked: { path: string; version: string }[] = [];
      let added = 0;
      let fixed = 0;
      for (const diff of diffs.slice(0, maxFiles)) {
        if (diff?.path === undefined || diff.change === undefined || diff.change === 'deleted') continue;
        const path = resolvePath(context.sandbox.workdir, diff.path);
        if (!code.covers(path)) continue;
        const now = await raceSignal(errorsNow(code, path, context), context.signal);
        if (now === undefined) {
          reports.push(`The language service could not check ${diff.path} in time.`);
          continue;
        }
        const version = textVersion(now.text);
        checked.push({ path: diff.path, version });
        const old = diff.change === 'created' ? [] : await before.get(path);
        const fresh = difference(now.errors, old ?? []);
        // What was wrong before is not known: nothing is called new, and nothing gone.
        if (old !== undefined) {
          added += fresh.length;
          fixed += difference(old, now.errors).length;
        }
        const what = old === undefined ? 'Errors, new or not,' : 'New errors';
        if (fresh.length > 0) reports.push(`${what} in ${diff.path} (version ${version}):\n${listed(fresh)}`);
      }
      if (fixed > 0) reports.push(`${fixed} ${fixed === 1 ? 'error is' : 'errors are'} gone.`);
      const told = { ...result.meta, checked, errorsAdded: added, errorsFixed: fixed };
      if (reports.length === 0) return checked.length === 0 ? result : { ...result, meta: told };
      return { ...result, output: [result.output, ...reports].join('\n'), meta: told };
    },
  };
}

/** Of this version of the file; undefined when the service knows another one. */
async function errorsOf(code: CodeIntelligence, path: string, text: string): Promise<CodeError[] | undefined> {
  if (!(await code.knows(path, text, beforeMs))) return undefined;
  const found = await code.errors(path);
  return found?.text === text ? found.errors : undefined;
}

/** Of the file as it is now, never of an older version; undefined when that is not to be had. */
async function errorsNow(
  code: CodeIntelligence,
  path: string,
  { sandbox }: ToolContext,
): Promise<CodeErrors | undefined> {
  const text = await sandbox.fs.readText(path).catch(() => undefined);
  if (text === undefined || !(await code.knows(path, text, afterMs).catch(() => false))) return undefined;
  const found = await within(code.errors(path), afterMs);
  return found?.text === text ? found : undefined;
}

function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value | undefined> {
  return Promise.race([work.catch(() => undefined), sleep(timeoutMs).then(() => undefined)]);
}

/** Those of `a` that are not in `b`, each counted; lines move, so the words decide. */
function difference(a: readonly CodeError[], b: readonly CodeError[]): CodeError[] {
  const left = new Map<string, number>();
  for (const { message } of b) left.set(message, (left.get(message) ?? 0) + 1);
  return a.filter(({ message }) => {
    const count = left.get(message) ?? 0;
    if (count === 0) return true;
    left.set(message, count - 1);
    return false;
  });
}

function listed(errors: readonly CodeError[]): string {
  const lines = errors.slice(0, maxErrors).map((one) => `  ${one.line}:${one.column} ${one.message}`);
  if (errors.length > maxErrors) lines.push(`  and ${errors.length - maxErrors} more`);
  return lines.join('\n');
}
