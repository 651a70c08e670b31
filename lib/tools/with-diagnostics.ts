// Tools that change files, with what the language service thinks of it: errors that are new and how many are gone. One decorator, so that every
// tool tells it in the same way, and a slow service never holds a change up.
import { resolvePath } from '../std/paths';
import { raceSignal, sleep } from '../std/signals';
import type { CodeError, CodeIntelligence } from './code-intelligence';
import type { FileDiff } from './file-diff';
import type { Tool, ToolContext } from './tool';

const beforeMs = 1500;
const afterMs = 3000;
const maxErrors = 20;
const maxFiles = 5;

/** The same tool; its result names new errors. Tools that only read are returned as they are. */
export function withDiagnostics<Input>(tool: Tool<Input>, code: CodeIntelligence): Tool<Input> {
  if (tool.kind !== 'write') return tool;
  return {
    ...tool,
    async execute(input, context) {
      const before = new Map<string, Promise<CodeError[] | undefined>>();
      const asking: ToolContext = {
        ...context,
        ask(request) {
          // The files of a change are known when it is asked for, and nothing is written yet.
          if (request.permission === 'edit')
            for (const shown of request.patterns.slice(0, maxFiles)) {
              const path = resolvePath(context.sandbox.workdir, shown);
              if (code.covers(path) && !before.has(path)) before.set(path, within(code.errors(path), beforeMs));
            }
          return context.ask(request);
        },
      };
      const result = await tool.execute(input, asking);
      const diffs = (Array.isArray(result.meta?.files) ? result.meta.files : [result.meta]) as (FileDiff | undefined)[];
      const reports: string[] = [];
      let added = 0;
      let fixed = 0;
      for (const diff of diffs.slice(0, maxFiles)) {
        if (diff?.path === undefined || diff.change === 'deleted') continue;
        const path = resolvePath(context.sandbox.workdir, diff.path);
        if (!code.covers(path)) continue;
        const now = await raceSignal(errorsNow(code, path, context), context.signal);
        if (now === undefined) {
          reports.push(`The language service could not check ${diff.path} in time.`);
          continue;
        }
        const old = (await before.get(path)) ?? [];
        const fresh = difference(now, old);
        added += fresh.length;
        fixed += difference(old, now).length;
        if (fresh.length > 0) reports.push(`New errors in ${diff.path}:\n${listed(fresh)}`);
      }
      if (fixed > 0) reports.push(`${fixed} ${fixed === 1 ? 'error is' : 'errors are'} gone.`);
      if (reports.length === 0) return result;
      return {
        ...result,
        output: [result.output, ...reports].join('\n'),
        meta: { ...result.meta, errorsAdded: added, errorsFixed: fixed },
      };
    },
  };
}

async function errorsNow(
  code: CodeIntelligence,
  path: string,
  { sandbox }: ToolContext,
): Promise<CodeError[] | undefined> {
  const text = await sandbox.fs.readText(path).catch(() => undefined);
  if (text === undefined || !(await code.knows(path, text, afterMs).catch(() => false))) return undefined;
  return within(code.errors(path), afterMs);
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
