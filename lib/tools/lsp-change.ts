// Making a change that the language service worked out: all files as one, through the same question as every edit. What it was worked out on may have
// moved on while the person was asked; then it is merged, and where both changed the same lines nothing is.
import { mergeText } from '../std/merge';
import { changeFiles, metaOf } from './change-set';
import type { CodeChange, CodeEdit } from './code-intelligence';
import { shortDiff } from './file-diff';
import { type Located, locate } from './locate';
import { lspPrompt } from './lsp.prompt';
import type { FileChange } from './review-changes';
import { existingTextTarget, readTextTarget } from './text-target';
import { type ToolContext, ToolError, type ToolResult } from './tool';

const shownLines = 120;

/** What is done: in the row of the call, in the question, and as the model hears it (`Renamed a to b`). */
export interface ChangeWords {
  title: string;
  asked: string;
  done: string;
}

/** ToolErrors say why nothing was changed. */
export async function changeCode(
  context: ToolContext,
  { title, asked, done }: ChangeWords,
  change: CodeChange,
): Promise<ToolResult> {
  context.update({ title });
  const edited = await Promise.all(
    [...change.edits].map(async ([path, { base, edits }]) => ({
      place: await locate(context, path),
      base,
      after: applied(base, edits),
    })),
  );
  const changed = edited.filter((one) => one.after !== one.base);
  const made = await Promise.all(
    [...change.created].map(async ([path, text]) => ({ place: await locate(context, path), text })),
  );
  if (changed.length + made.length === 0) return { title, output: lspPrompt.nothingToChange };
  const { diffs, note, remark } = await changeFiles(context, asked, async () => {
    const merged: string[] = [];
    const changes: FileChange[] = [];
    for (const { place, base, after } of changed) {
      const before = await existingTextTarget(context.sandbox, place, lspPrompt.missing);
      const result = mergeText(base, after, before.text);
      if (result.kind === 'conflict') throw new ToolError(lspPrompt.moved(place.shown));
      if (before.text !== base) merged.push(place.shown);
      changes.push({ kind: 'write', place, before, text: result.text });
    }
    for (const { place, text } of made) changes.push(await creation(place, text, context));
    return { changes, note: merged };
  });
  const parts = diffs.map(
    (diff) => `${diff.path}\n${shortDiff(diff, Math.max(10, Math.floor(shownLines / diffs.length)))}`,
  );
  const heading = `${done} in ${diffs.length} ${diffs.length === 1 ? 'file' : 'files'}.`;
  const remarks = [note.length > 0 ? lspPrompt.merged(note) : '', remark].filter((one) => one !== '');
  return { title, output: [heading, ...remarks, ...parts].join('\n'), meta: metaOf(diffs) };
}

async function creation(place: Located, text: string, { sandbox }: ToolContext): Promise<FileChange> {
  if ((await readTextTarget(sandbox, place)) !== undefined) throw new ToolError(lspPrompt.moved(place.shown));
  return { kind: 'write', place, before: undefined, text };
}

function applied(base: string, edits: readonly CodeEdit[]): string {
  let text = base;
  const inOrder = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const { start, end, text: replacement } of inOrder.reverse())
    text = text.slice(0, start) + replacement + text.slice(end);
  return text;
}
