// The edit tool: a literal replacement that is judged against what the model knows of the file, shown to the person as a diff first,
// and applied to what is in the file at that moment.
import { z } from 'zod';
import { type DecodedText, encodeText } from '../std/text-file';
import { editPrompt } from './edit.prompt';
import { type AppliedEdit, applyEdit, nearestExcerpt } from './edit-apply';
import { fileDiff, shortDiff } from './file-diff';
import { askToRead, type Located, locate, outsideFacts } from './locate';
import { nearNames } from './near-names';
import { readTextTarget, withFileLock } from './text-target';
import { type Tool, type ToolContext, ToolError } from './tool';

const input = z.object({
  path: z.string().min(1).describe('The file to change'),
  oldString: z.string().describe('The exact text to replace'),
  newString: z.string().describe('The text that takes its place'),
  replaceAll: z.boolean().optional().describe('Replace every occurrence'),
  nearLine: z.number().int().positive().optional().describe('Of several occurrences, the one near this line'),
});
type EditInput = z.infer<typeof input>;

const strategyNotes: Record<AppliedEdit['strategy'], string> = {
  exact: '',
  unicode: 'It matched after treating typographic quotes, dashes and spaces like plain ones.',
  'trailing-blanks': 'It matched after ignoring blanks at the ends of lines.',
  indentation: 'It matched with a different indentation; newString was indented like the file.',
};

/** Replaces text in a file. */
export const editTool: Tool<EditInput> = {
  name: 'edit',
  kind: 'write',
  description: editPrompt.description,
  input,
  example: { path: 'src/index.ts', oldString: 'const port = 3000;', newString: 'const port = 8080;' },
  async execute(edit, context) {
    const place = await locate(context, edit.path);
    if (edit.oldString === '') throw new ToolError(editPrompt.empty(place.shown));
    if (edit.oldString === edit.newString) throw new ToolError(editPrompt.same);
    context.update({ title: place.shown });
    await askToRead(context, [place]);
    const { file, applied } = await attempt(edit, place, context);
    const planned = fileDiff(place.shown, file.text, applied.text);
    await context.ask({
      permission: 'edit',
      patterns: [place.shown],
      always: ['*'],
      title: `Edit ${place.shown}`,
      also: outsideFacts([place]),
      meta: { ...planned },
    });
    return withFileLock(context.sandbox, place.path, async () => {
      // The person may have taken minutes to answer: the edit is made on what is there now.
      const now = await attempt(edit, place, context);
      context.signal.throwIfAborted();
      await context.sandbox.fs.write(place.path, encodeText(now.applied.text, now.file));
      context.seen.set(place.path, now.applied.text);
      const diff = fileDiff(place.shown, now.file.text, now.applied.text);
      return { title: place.shown, output: report(place.shown, now, shortDiff(diff)), meta: { ...diff } };
    });
  },
};

interface Attempt {
  file: DecodedText;
  applied: AppliedEdit;
  moved: boolean;
}

async function attempt(edit: EditInput, place: Located, context: ToolContext): Promise<Attempt> {
  const file = await readTextTarget(context.sandbox, place);
  if (file === undefined)
    throw new ToolError(editPrompt.missing(place.shown, await nearNames(context.sandbox, place.path)));
  const base = context.seen.get(place.path);
  const moved = base !== undefined && base !== file.text;
  try {
    return { file, applied: applyEdit(place.shown, file.text, edit, base === undefined || moved), moved };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (moved && matches(base, edit))
      throw new ToolError(editPrompt.moved(place.shown, nearestExcerpt(file.text, edit.oldString)));
    if (base === undefined && matches(file.text, edit)) throw new ToolError(editPrompt.unread(place.shown));
    throw error;
  }
}

function matches(text: string, edit: EditInput): boolean {
  try {
    applyEdit('', text, edit);
    return true;
  } catch {
    return false;
  }
}

function report(shown: string, { applied, moved }: Attempt, diff: string): string {
  const where =
    applied.replacements > 1
      ? `${applied.replacements} replacements, the first at line ${applied.firstLine}`
      : applied.firstLine === applied.lastLine
        ? `line ${applied.firstLine}`
        : `lines ${applied.firstLine}-${applied.lastLine}`;
  return [
    `Edited ${shown} (${where}; match: ${applied.strategy}).`,
    strategyNotes[applied.strategy],
    moved ? 'The file had been changed since you read it; your edit was applied to the new version.' : '',
    applied.splitsWord ? 'Careful: oldString began or ended in the middle of a word.' : '',
    diff,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
