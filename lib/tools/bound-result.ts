// What is too long for the model, for every tool alike: both ends are shown, and all of it is kept under a name that read and grep take.
import { boundText, outputBudget } from '../std/bound-text';
import { runToolPrompt } from './run-tool.prompt';
import type { ToolResult } from './tool';

/** For results that came in pages already: the line that says how to go on must not cost one in the middle. */
const pageBudget = {
  maxLines: outputBudget.maxLines + 50,
  maxBytes: outputBudget.maxBytes * 1.2,
  maxTokens: outputBudget.maxTokens * 1.2,
};

/** The result within the budget; `meta.truncated`, and `meta.kept` with the name when it could be kept. */
export async function boundResult(
  { cut: how, ...result }: Omit<ToolResult, 'value'>,
  keep?: (text: string) => Promise<string>,
): Promise<ToolResult> {
  const { headShare = 0.5, advice } = how ?? {};
  const budget = how === undefined ? pageBudget : outputBudget;
  const cutAt = (kept: string | undefined) =>
    boundText(result.output, budget, (lines, bytes) => runToolPrompt.leftOut(lines, bytes, kept, advice), headShare);
  const cut = cutAt(undefined);
  if (!cut.truncated) return result;
  // A full disk costs the rest of the text, not the call.
  const kept = await keep?.(result.output).catch(() => undefined);
  const meta = { ...result.meta, truncated: true, ...(kept === undefined ? {} : { kept }) };
  return { ...result, output: kept === undefined ? cut.text : cutAt(kept).text, meta };
}
