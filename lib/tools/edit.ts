// The edit tool: a literal replacement that is judged against what the model knows of the file, shown to the person as a diff first,
// and applied to what is in the file at that moment.
import { z } from 'zod';
import { changeFiles, metaOf } from './change-set';
import { editPrompt } from './edit.prompt';
import { attemptEdit, describeEdit } from './edit-attempt';
import { shortDiff } from './file-diff';
import { askToRead } from './locate';
import { locateExisting } from './near-names';
import { existingTextTarget } from './text-target';
import { type Tool, ToolError } from './tool';

/** One replacement, as edit and multiedit take it. */
export const editInput = z.object({
  path: z.string().min(1).describe('The file to change'),
  oldString: z.string().describe('The exact text to replace'),
  newString: z.string().describe('The text that takes its place'),
  replaceAll: z.boolean().optional().describe('Replace every occurrence'),
  nearLine: z.number().int().positive().optional().describe('Of several occurrences, the one near this line'),
});
export type EditInput = z.infer<typeof editInput>;

/** Replaces text in a file. */
export const editTool: Tool<EditInput> = {
  name: 'edit',
  kind: 'write',
  description: editPrompt.description,
  input: editInput,
  example: { path: 'src/index.ts', oldString: 'const port = 3000;', newString: 'const port = 8080;' },
  async execute(edit, context) {
    const place = await locateExisting(context, edit.path);
    refuseEmptyEdit(edit, place.shown);
    context.update({ title: place.shown });
    await askToRead(context, [place]);
    const { diffs, note, remark } = await changeFiles(context, `Edit ${place.shown}`, async () => {
      const before = await existingTextTarget(context.sandbox, place, editPrompt.missing);
      const attempted = attemptEdit(place.shown, before.text, context.seen.get(place.path), edit);
      return { changes: [{ kind: 'write', place, before, text: attempted.applied.text }], note: attempted };
    });
    const { where, notes } = describeEdit(note);
    const output = [`Edited ${place.shown} (${where}).`, remark, ...notes, shortDiff(diffs[0]!)].filter(
      (line) => line !== '',
    );
    return {
      title: place.shown,
      output: output.join('\n'),
      meta: { ...metaOf(diffs), strategy: note.applied.strategy },
    };
  },
};

/** Throws for what can't be an edit, before anybody is asked. */
export function refuseEmptyEdit(edit: EditInput, shown: string): void {
  if (edit.oldString === '') throw new ToolError(editPrompt.empty(shown));
  if (edit.oldString === edit.newString) throw new ToolError(editPrompt.same);
}
