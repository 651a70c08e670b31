// Quick fixes as the model meets them: a list by line, and one that is chosen by its title.
import { cutLine } from '../std/bound-text';
import { textVersion } from '../std/text-version';
import type { CodeAction, CodeChange, CodeIntelligence } from './code-intelligence';
import type { Located } from './locate';
import { lspPrompt } from './lsp.prompt';
import { ToolError } from './tool';

const maxLines = 200;

/** The quick fixes of a file or a line, in words. */
export async function actionList(code: CodeIntelligence, place: Located, line: number | undefined): Promise<string> {
  const found = await code.actions(place.path, line);
  if (found === undefined) throw new ToolError(lspPrompt.moving(place.shown));
  const lines: string[] = [];
  let heading = '';
  for (const { title, error, isForAll } of found.actions) {
    const own = isForAll ? lspPrompt.forAll : `${error.line}:${error.column} ${cutLine(error.message, 300)}`;
    if (own !== heading) lines.push(own);
    heading = own;
    lines.push(`  - ${title}`);
  }
  if (lines.length === 0) lines.push(lspPrompt.noActions);
  const left = lines.length - maxLines;
  return [
    lspPrompt.about(place.shown, textVersion(found.text)),
    ...lines.slice(0, maxLines),
    ...(left > 0 ? [`(${left} more lines; name a line)`] : []),
  ].join('\n');
}

/** The change of the action that is meant. ToolErrors say which there are. */
export async function actionChange(
  code: CodeIntelligence,
  place: Located,
  { line, action }: { line?: number | undefined; action?: string | undefined },
): Promise<{ title: string; change: CodeChange }> {
  if (action === undefined) throw new ToolError(lspPrompt.needsAction);
  const found = await code.actions(place.path, line);
  if (found === undefined) throw new ToolError(lspPrompt.moving(place.shown));
  const meant = found.actions.filter((one) => one.title === action);
  const [first] = meant;
  if (first === undefined)
    throw new ToolError(
      lspPrompt.noAction(action, [...new Set(found.actions.map((one) => one.title))].slice(0, 20), line),
    );
  if (line === undefined && linesOf(meant).length > 1)
    throw new ToolError(lspPrompt.manyActions(action, linesOf(meant)));
  const change = await first.change();
  if (change === undefined) throw new ToolError(lspPrompt.moving(place.shown));
  return { title: first.title, change };
}

function linesOf(actions: readonly CodeAction[]): number[] {
  return [...new Set(actions.map(({ error }) => error.line))];
}
