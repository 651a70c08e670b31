// What is too long for the model, for every tool alike: both ends are shown, and all of it is kept under a name that read and grep take.
import { outputBudget, textEnds } from '../std/bound-text';
import { pageTurn } from '../std/slices';
import { runToolPrompt } from './run-tool.prompt';
import type { ToolResult } from './tool';

/** For results that came in pages already: the line that says how to go on must not cost one in the middle. */
const pageBudget = {
  maxLines: outputBudget.maxLines + 50,
  maxBytes: outputBudget.maxBytes * 1.2,
  maxTokens: outputBudget.maxTokens * 1.2,
};

/** What takes the page's thread more than a moment: then it does what waits between the steps. */
const longChars = 1_000_000;

/** The result within the budget; `meta.truncated`, and `meta.kept` with the name when it could be kept. */
export async function boundResult(
  { cut: how, ...result }: Omit<ToolResult, 'value'>,
  keep?: (text: string) => Promise<string>,
): Promise<ToolResult> {
  const { headShare = 0.5, advice, unkept = { lines: 0, bytes: 0 } } = how ?? {};
  const budget = how === undefined ? pageBudget : outputBudget;
  const { output } = result;
  if (output.length > longChars) await pageTurn();
  const ends = textEnds(output, budget, headShare);
  if (ends === undefined) return result;
  if (output.length > longChars) await pageTurn();
  // A full disk costs the rest of the text, not the call.
  const kept = await keep?.(output).catch(() => undefined);
  const meta = { ...result.meta, truncated: true, ...(kept === undefined ? {} : { kept }) };
  const { text } = ends((lines, bytes) =>
    runToolPrompt.leftOut(lines + unkept.lines, bytes + unkept.bytes, kept, unkept.bytes, advice),
  );
  return { ...result, output: text, meta };
}
