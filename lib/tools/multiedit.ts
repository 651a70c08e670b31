// The multiedit tool: edits of one or several files as one change, so that a rename is never left half done.
import { z } from 'zod';
import type { DecodedText } from '../std/text-file';
import { changeFiles, metaOf } from './change-set';
import { type EditInput, editInput, refuseEmptyEdit } from './edit';
import { editPrompt } from './edit.prompt';
import { attemptEdit, describeEdit } from './edit-attempt';
import { shortDiff } from './file-diff';
import { askToRead, type Located } from './locate';
import { multieditPrompt } from './multiedit.prompt';
import { locateExisting } from './near-names';
import type { FileChange } from './review-changes';
import { existingTextTarget } from './text-target';
import { type Tool, type ToolContext, ToolError } from './tool';

const input = z.object({
  edits: z.array(editInput).min(1).max(200).describe('The replacements, in their order'),
});
type PlacedEdit = EditInput & { place: Located };

/** Replaces text in several places. */
export const multieditTool: Tool<z.infer<typeof input>> = {
  name: 'multiedit',
  kind: 'write',
  description: multieditPrompt.description,
  input,
  example: {
    edits: [
      { path: 'src/a.ts', oldString: 'getUser', newString: 'loadUser', replaceAll: true },
      { path: 'src/b.ts', oldString: 'import { getUser }', newString: 'import { loadUser }' },
    ],
  },
  async execute({ edits }, context) {
    const placed = await Promise.all(
      edits.map(async (edit) => ({ ...edit, place: await locateExisting(context, edit.path) })),
    );
    for (const [at, edit] of placed.entries())
      numbered(at, placed.length, () => refuseEmptyEdit(edit, edit.place.shown));
    const places = [...new Map(placed.map(({ place }) => [place.path, place])).values()];
    const title = places.length === 1 ? places[0]!.shown : `${places.length} files`;
    context.update({ title });
    await askToRead(context, places);
    const { diffs, note, remark } = await changeFiles(context, `Edit ${title}`, () => plan(placed, context));
    const heading = `Made ${edits.length} ${edits.length === 1 ? 'edit' : 'edits'} in ${title}.`;
    const parts = diffs.map((diff) => `${diff.path}\n${shortDiff(diff, Math.max(10, Math.floor(120 / diffs.length)))}`);
    return { title, output: [heading, ...(remark ? [remark] : []), ...note, ...parts].join('\n'), meta: metaOf(diffs) };
  },
};

async function plan(
  edits: readonly PlacedEdit[],
  context: ToolContext,
): Promise<{ changes: FileChange[]; note: string[] }> {
  const files = new Map<string, { place: Located; before: DecodedText; text: string; base: string | undefined }>();
  const notes: string[] = [];
  for (const [at, edit] of edits.entries()) {
    const { place } = edit;
    let file = files.get(place.path);
    if (file === undefined) {
      const before = await existingTextTarget(context.sandbox, place, editPrompt.missing);
      file = { place, before, text: before.text, base: context.seen.get(place.path) };
      files.set(place.path, file);
    }
    const { text, base } = file;
    const attempted = numbered(at, edits.length, () => attemptEdit(place.shown, text, base, edit));
    // What an earlier edit of this call made of the file is as well known as the file was.
    file.base = attempted.moved ? (attempted.base ?? base) : base === undefined ? undefined : attempted.applied.text;
    file.text = attempted.applied.text;
    notes.push(...describeEdit(attempted).notes.map((note) => `Edit ${at + 1}: ${note}`));
  }
  const changes = [...files.values()].map(
    ({ place, before, text }): FileChange => ({ kind: 'write', place, before, text }),
  );
  return { changes, note: notes };
}

function numbered<T>(at: number, count: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(multieditPrompt.failed(at + 1, count, error.message));
  }
}
